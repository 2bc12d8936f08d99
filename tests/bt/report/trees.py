"""The tree of a plan as a record tells it."""

PRIMITIVES = {
    "move": "drive(to={2})",
    "open": "open(object={1}, at={2})",
    "take_out": "pick(object={1}, source={2}, at={3})",
    "grasp": "pick(object={1}, source={2}, at={3})",
    "handover": "give(object={2}, to={1})",
}


def node(ident, name, kind, what, *children):
    return {"id": ident, "name": name, "kind": kind, "what": what, "children": list(children)}


def step(text, ident):
    name, *args = text.strip("()").split()
    command = PRIMITIVES[name].format(*args)
    before = node(f"{ident}.before", "before", "condition", f"(at robot0 {args[-1]}) (not (hand_occupied robot0))")
    after = node(f"{ident}.after", "after", "effect", f"(at robot0 {args[-1]})")
    return node(ident, name, "step", text, before, node(f"{ident}.act", command, "act", command), after)


def tree(plan, mark):
    steps = [step(text, f"{mark}{number}") for number, text in enumerate(plan)]
    resume = node(f"{mark}resume", "resume", "resume", f"{len(plan)} steps, cost {len(plan)}", *steps)
    goal = node(f"{mark}goal", "goal", "goal", "(inhand milk0 human0)", resume)
    return node("replan", "replan", "replan", "at most 6 times", goal)
