"""A made-up but realistic record: the milk is fetched, the fridge is pushed shut, a grasp fails, the milk is dropped.

It is written event by event, as a run would write it, so that every part of the report has something to show.
"""

import json
import math
import struct
import zlib

ROBOT, MILK, FRIDGE, PERSON, FLOOR = "robot0", "milk0", "fridge0", "human0", "floor0"

FIRST_PLAN = [
    "(move robot0 floor0 fridge0)",
    "(open robot0 fridge0 fridge0)",
    "(take_out robot0 milk0 fridge0 fridge0)",
    "(move robot0 fridge0 human0)",
    "(handover robot0 human0 milk0)",
]
SECOND_PLAN = [
    "(move robot0 human0 floor0)",
    "(grasp robot0 milk0 floor0 floor0)",
    "(move robot0 floor0 human0)",
    "(handover robot0 human0 milk0)",
]

FURNITURE = {
    "fridge0": (-2.0, 1.2, 0.0, -1.4, 1.8, 1.5),
    "counter0": (-1.0, 1.2, 0.0, 0.6, 1.8, 0.9),
    "sink0": (0.7, 1.2, 0.0, 1.4, 1.8, 0.9),
    "table0": (-0.6, -1.6, 0.0, 0.8, -0.7, 0.72),
    "human0": (1.35, -1.75, 0.0, 1.75, -1.35, 1.75),
    "shelf0": (1.9, -0.6, 0.0, 2.3, 0.6, 1.6),
}
SMALL = {
    "apple0": (-0.2, -1.2, 0.76),
    "banana0": (0.1, -1.0, 0.75),
    "cup0": (0.5, -1.3, 0.77),
    "plate0": (0.2, -1.4, 0.73),
    "sponge0": (1.0, 1.4, 0.92),
    "bowl0": (-0.4, 1.5, 0.93),
    "juice0": (0.2, 1.4, 0.98),
    "book0": (2.1, 0.2, 1.2),
}
WAY = {"floor0": (0.2, 0.1, 0.0), "fridge0": (-1.7, 0.5, 1.57), "human0": (1.1, -0.9, -0.8), "drop": (-0.3, 0.0, 2.6)}


def box(x, y, z, half=0.04, height=0.1):
    return [round(value, 3) for value in (x - half, y - half, z - height / 2, x + half, y + half, z + height / 2)]


def png(width, height, pixel):
    """Encode a picture; `pixel` gives red, green and blue from 0 to 255 for a column and a row."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def camera(share):
    """Draw something like a kitchen: a wall, a floor, a fridge that comes nearer as `share` grows from 0 to 1."""
    size = 18 + int(60 * share)

    def pixel(x, y):
        if abs(x - 80) < size / 2 and 20 < y < 40 + size:
            return (225, 230, 235) if abs(x - 80) < size / 2 - 3 else (120, 130, 140)
        return (205, 198, 180) if y < 70 else (150 - y // 4, 120 - y // 4, 95)

    return png(160, 120, pixel)


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


class Writer:
    """Collect events while a small story is told, at 20 ticks a second."""

    def __init__(self):
        self.events = []
        self.time = 0.0
        self.tick = 0
        self.pose = list(WAY["floor0"])
        self.milk = [-1.7, 1.5, 0.6]
        self.held = []
        self.door = 0.0
        self.mark = "a"
        self.resume = None
        self.pictures = []
        self.seen = False

    def say(self, kind, **rest):
        self.events.append({"v": 1, "e": kind, **rest})

    def at(self, kind, **rest):
        self.say(kind, t=round(self.time, 2), **rest)

    def view(self):
        things = {name: list(corners) for name, corners in FURNITURE.items()}
        things |= {name: box(*place) for name, place in SMALL.items()}
        if self.held:
            x, y, yaw = self.pose
            self.milk = [x + 0.45 * math.cos(yaw), y + 0.45 * math.sin(yaw), 0.9]
        if self.seen and (self.door > 0.3 or self.milk[1] < 1.2):
            things[MILK] = box(*self.milk, half=0.035, height=0.2)
        pose = [round(value, 3) for value in self.pose]
        self.at("view", things=things, robot=pose, held=list(self.held), doors={FRIDGE: round(self.door, 2)})

    def ticked(self, status=None, resume=..., facts=None):
        event = {"n": self.tick, "status": status or {}}
        if resume is not ... and resume != self.resume:
            event["resume"] = self.resume = resume
        if facts:
            event["facts"] = {"+": facts[0], "-": facts[1]}
        self.at("tick", **event)

    def pass_time(self, seconds, each=lambda share: None):
        count = max(1, int(seconds * 20))
        for index in range(count):
            each((index + 1) / count)
            self.time += 0.05
            self.tick += 1
            if index % 4 == 0:
                self.view()

    def picture(self):
        self.pictures.append(camera(min(1.0, self.time / 30)))
        self.at("picture", file=f"pictures/{len(self.pictures):04}.png")

    def begin(self, number):
        ident = f"{self.mark}{number}"
        self.ticked(
            {
                f"{self.mark}goal": "running",
                "replan": "running",
                f"{self.mark}resume": "running",
                ident: "running",
                f"{ident}.before": "success",
                f"{ident}.act": "running",
            },
            resume=number,
        )

    def end(self, number, state="success", facts=None):
        ident = f"{self.mark}{number}"
        self.ticked({f"{ident}.act": state, f"{ident}.after": state, ident: state}, facts=facts)

    def drive(self, where, seconds):
        x, y, yaw = self.pose
        goal = WAY[where]

        def each(share):
            soft = share * share * (3 - 2 * share)
            self.pose = [a + soft * (b - a) for a, b in zip((x, y, yaw), goal, strict=True)]

        self.pass_time(seconds, each)

    def swing(self, to, seconds):
        start = self.door

        def each(share):
            self.door = start + share * (to - start)

        self.pass_time(seconds, each)


def events(instruction="bring me the milk"):
    """Return the record as a list of events, and its pictures as encoded bytes."""
    told = Writer()
    told.say(
        "start",
        instruction=instruction,
        domain="kitchen",
        scene="full",
        robot="pybullet",
        model="offline",
        seed=3,
        date="2026-11-20T10:15:00",
    )
    told.say(
        "goal",
        text=instruction,
        formula="(inhand milk0 human0)",
        notes=["'me' is human0, the person who speaks", "'the milk' is milk0, the only milk here"],
    )
    told.say(
        "plan", steps=FIRST_PLAN, cost=5, optimal=True, planner="fast-downward astar(lmcut)", seconds=0.034, why="first"
    )
    told.say("tree", root=tree(FIRST_PLAN, "a"))
    told.at("note", text="The milk is believed to be in fridge0 (the scene says so); it has not been seen yet.")
    told.ticked(
        facts=(["(at robot0 floor0)", "(closed fridge0)", "(in milk0 fridge0)", "(on apple0 table0)"], []), resume=0
    )
    told.picture()
    _first_plan(told)
    _second_plan(told)
    told.at(
        "end", outcome="achieved", seconds=round(told.time, 2), summary="milk0 is in the hand of human0, as sensed."
    )
    return told.events, told.pictures


def _first_plan(told):
    told.begin(0)
    told.drive(FRIDGE, 5.0)
    told.end(0, facts=(["(at robot0 fridge0)"], ["(at robot0 floor0)"]))
    _open(told)
    told.begin(2)
    told.pass_time(1.5)
    _pushed_shut(told)
    _open(told)
    told.begin(2)
    told.pass_time(2.0)
    told.at(
        "feedback",
        node="replan/goal/resume/take_out/pick(object=milk0, source=fridge0, at=fridge0)",
        feedback={
            "level": "physical",
            "code": "not-grasped",
            "what": "pick milk0",
            "why": "only the left finger touched milk0 when the gripper closed.",
            "how": "Grip it from another side.",
            "culprits": ["milk0"],
            "recoverable": True,
        },
    )
    _failure(told, FIRST_PLAN[2], "not-grasped", "only the left finger touched milk0 when the gripper closed.")
    told.at("rung", rung="again", code="not-grasped", solved=True, seconds=2.5)
    told.pass_time(2.5)
    told.held = [MILK]
    told.end(2, facts=(["(inhand milk0 robot0)"], ["(in milk0 fridge0)"]))
    told.picture()
    told.begin(3)
    told.drive("drop", 2.0)
    _dropped(told)


def _open(told):
    told.begin(1)
    told.swing(0.95, 4.0)
    told.seen = True
    told.end(1, facts=(["(opened fridge0)"], ["(closed fridge0)"]))
    told.picture()


def _pushed_shut(told):
    told.swing(0.0, 0.5)
    told.at(
        "feedback",
        node="replan/goal/resume/take_out",
        feedback={
            "level": "runtime",
            "code": "precondition",
            "what": "(take_out robot0 milk0 fridge0 fridge0)",
            "why": "(closed fridge0) holds and must not.",
            "how": "Open fridge0 first.",
            "culprits": ["fridge0"],
            "recoverable": True,
        },
    )
    told.ticked({"a2.act": "invalid", "a2.before": "failure", "a2": "failure"})
    told.at("resume", **{"from": 2, "to": 1, "why": "fridge0 was sensed closed again; step 2 opens it."})
    told.ticked({"a2": "invalid"}, resume=1, facts=(["(closed fridge0)"], ["(opened fridge0)"]))
    told.picture()


def _failure(told, step, code, why):
    feedback = {"level": "physical", "code": code, "what": step, "why": why, "recoverable": True}
    told.at("failure", node="goal/resume", step=step, plan=FIRST_PLAN, feedback=feedback)


def _dropped(told):
    told.held = []
    told.milk = [-0.6, 0.25, 0.1]
    told.at(
        "feedback",
        node="replan/goal/resume/move/drive(to=human0)",
        feedback={
            "level": "physical",
            "code": "dropped",
            "what": "carry milk0",
            "why": "milk0 was in the gripper and is not any more; it lies on floor0.",
            "how": "Make a new plan from here.",
            "culprits": ["milk0"],
            "recoverable": True,
        },
    )
    told.end(3, "failure")
    told.ticked({"a3.act": "invalid"}, resume=None, facts=(["(on milk0 floor0)"], ["(inhand milk0 robot0)"]))
    _failure(told, FIRST_PLAN[3], "dropped", "milk0 was in the gripper and is not any more; it lies on floor0.")
    told.at("rung", rung="rule", code="dropped", solved=False, seconds=0.0)
    told.at("rung", rung="replan", code="dropped", solved=True, seconds=0.08)


def _second_plan(told):
    told.mark, told.resume = "b", None
    told.say(
        "plan",
        steps=SECOND_PLAN,
        cost=4,
        optimal=True,
        planner="fast-downward astar(lmcut)",
        seconds=0.03,
        why="replan",
    )
    told.say("tree", root=tree(SECOND_PLAN, "b"))
    told.ticked({}, resume=0)
    told.begin(0)
    told.pass_time(1.0)
    told.end(0, facts=(["(at robot0 floor0)"], []))
    told.begin(1)
    told.pass_time(3.0)
    told.held = [MILK]
    told.end(1, facts=(["(inhand milk0 robot0)"], ["(on milk0 floor0)"]))
    told.picture()
    told.begin(2)
    told.drive("human0", 4.0)
    told.end(2, facts=(["(at robot0 human0)"], ["(at robot0 floor0)"]))
    told.begin(3)
    told.pass_time(2.0)
    told.held = []
    told.milk = [1.4, -1.3, 1.0]
    told.end(3, facts=(["(inhand milk0 human0)"], ["(inhand milk0 robot0)"]))
    told.view()
    told.ticked({"bgoal": "success", "replan": "success", "bresume": "success"}, resume=4)
    told.picture()


def write_sample(directory, instruction="bring me the milk"):
    """Write the record and its pictures into `directory`, and return the directory."""
    told, pictures = events(instruction)
    (directory / "pictures").mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in told)
    (directory / "record.jsonl").write_text(lines, encoding="utf-8")
    for number, picture in enumerate(pictures, 1):
        (directory / "pictures" / f"{number:04}.png").write_bytes(picture)
    return directory
