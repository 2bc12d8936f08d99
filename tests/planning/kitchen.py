"""A kitchen in code: the capabilities of the kitchen domain, so that planning is tested without reading files."""

from collections.abc import Iterable, Mapping

from domains.model import AgentModel, Capability, Domain, ObjectClass, Parameter, PredicateModel, Template
from semantics.atoms import Atom, parse_formula, literals, dnf
from semantics.goal import CheckedGoal, Goal
from semantics.state import State
from semantics.vocabulary import Predicate, Thing

PLACES = ("table", "counter", "sink", "shelf", "trash", "floor")
PURE = ("milk", "juice", "apple", "banana", "orange", "lemon", "sponge", "bread", "cheese", "egg", "fork", "knife")
HOLDERS = ("cup", "bowl", "glass", "pot")  # contain
SUPPORTS = ("plate", "tray", "board")


def _classes() -> dict[str, ObjectClass]:
    table = {name: ("support", "location") for name in PLACES}
    table |= {"sink": ("support", "location", "contain"), "trash": ("contain", "location")}
    table |= {"fridge": ("location", "contain", "open", "close"), "robot": ("actor",), "human": ("actor", "location")}
    table |= {name: ("carry",) for name in PURE}
    table |= {name: ("carry", "contain") for name in HOLDERS}
    table |= {name: ("carry", "support") for name in SUPPORTS}
    return {name: ObjectClass(name, frozenset(found)) for name, found in table.items()}


def _predicates() -> dict[str, PredicateModel]:
    rows = {
        "on": ("carry", "support"),
        "in": ("carry", "contain"),
        "at": ("actor", "location"),
        "inhand": ("carry", "actor"),
        "opened": ("open",),
        "closed": ("close",),
        "chopped": ("carry",),
        "hand_occupied": ("actor",),
        "free": ("object",),
        "reachable": ("object", "location"),
        "indirect_on": ("carry", "support"),
    }
    derived = ("hand_occupied", "free", "reachable", "indirect_on")
    return {name: PredicateModel(Predicate(name, args, name), None, name in derived) for name, args in rows.items()}


def _template(text: str) -> Template:
    positive = not text.startswith("!")
    name, *args = text.lstrip("!").split()
    return Template(name, tuple(args), positive)


def _capability(
    name: str, parameters: str, before: str, after: str, primitive: str, distinct: tuple[tuple[str, str], ...] = ()
) -> Capability:
    pairs = [word.split(":") for word in parameters.split()]
    listed = tuple(Parameter(one, tuple(kinds.split("+"))) for one, kinds in pairs)
    parts = [tuple(_template(part.strip()) for part in text.split(",")) for text in (before, after)]
    return Capability(name, listed, parts[0], parts[1], distinct, primitive, {one: one for one, _ in pairs[1:]})


CAPABILITIES = (
    _capability(
        "move", "a:actor start:location end:location", "at ?a ?start", "at ?a ?end, !at ?a ?start", "drive",
        (("start", "end"),),
    ),
    _capability(
        "grasp", "a:actor o:carry from:support at:location",
        "at ?a ?at, on ?o ?from, reachable ?o ?at, free ?o, !hand_occupied ?a",
        "inhand ?o ?a, hand_occupied ?a, !on ?o ?from, !reachable ?o ?at, free ?from, !indirect_on ?o ?at", "pick",
    ),
    _capability(
        "place", "a:actor o:carry on:support+location", "at ?a ?on, inhand ?o ?a",
        "on ?o ?on, reachable ?o ?on, !inhand ?o ?a, !hand_occupied ?a", "put",
    ),
    _capability(
        "place_on_top", "a:actor o:carry on:support+carry at:location",
        "at ?a ?at, inhand ?o ?a, free ?on, reachable ?on ?at",
        "on ?o ?on, reachable ?o ?at, indirect_on ?o ?at, !free ?on, !inhand ?o ?a, !hand_occupied ?a", "put",
        (("o", "on"),),
    ),
    _capability(
        "take_out", "a:actor o:carry from:contain at:location",
        "at ?a ?at, in ?o ?from, reachable ?from ?at, !closed ?from, free ?o, !hand_occupied ?a",
        "inhand ?o ?a, hand_occupied ?a, !in ?o ?from", "pick",
    ),
    _capability(
        "putin", "a:actor o:carry in:contain at:location",
        "at ?a ?at, inhand ?o ?a, reachable ?in ?at, !closed ?in",
        "in ?o ?in, !inhand ?o ?a, !hand_occupied ?a", "insert", (("o", "in"),),
    ),
    _capability(
        "open", "a:actor o:open at:location", "at ?a ?at, reachable ?o ?at, closed ?o, !hand_occupied ?a",
        "opened ?o, !closed ?o", "open",
    ),
    _capability(
        "close", "a:actor o:close at:location", "at ?a ?at, reachable ?o ?at, opened ?o, !hand_occupied ?a",
        "closed ?o, !opened ?o", "close",
    ),
    _capability(
        "handover", "a:actor recipient:actor+location o:carry", "inhand ?o ?a, at ?a ?recipient",
        "inhand ?o ?recipient, !inhand ?o ?a, !hand_occupied ?a", "give", (("a", "recipient"),),
    ),
)  # fmt: skip


def kitchen() -> Domain:
    names = [capability.name for capability in CAPABILITIES]
    classes = _classes()
    return Domain(
        name="kitchen",
        affordances={name: name for found in classes.values() for name in found.affordances},
        classes=classes,
        kinds={},
        predicates=_predicates(),
        capabilities=dict(zip(names, CAPABILITIES, strict=True)),
        agents={"robot": AgentModel("robot", frozenset(names), 1), "human": AgentModel("human", frozenset(), 100)},
    )


DOMAIN = kitchen()
FIXED = ("robot0", "human0", *(f"{name}0" for name in (*PLACES, "fridge")))


def things(*names: str) -> dict[str, Thing]:
    """Make things named after their class (``milk0`` is a milk), with robot, human and furniture."""
    return {name: DOMAIN.thing(name, name.rstrip("0123456789")) for name in (*FIXED, *names)}


def state(found: Mapping[str, Thing], where: Mapping[str, str], at: str = "floor0", opened: bool = False) -> State:
    """Return the state in which each thing is on, in or in the hand of what `where` says, as affordances go."""
    facts = {Atom("at", ("robot0", at)), Atom("opened" if opened else "closed", ("fridge0",))}
    for name, holder in where.items():
        facts.add(Atom(_relation(found[holder]), (name, holder)))
    return State(frozenset(facts | set(_bookkeeping(found, facts))))


def _relation(holder: Thing) -> str:
    if "actor" in holder.affordances:
        return "inhand"
    return "on" if "support" in holder.affordances else "in"


def _bookkeeping(found: Mapping[str, Thing], facts: set[Atom]) -> Iterable[Atom]:
    on = {atom.args[0]: atom.args[1] for atom in facts if atom.predicate == "on"}
    for name, thing in found.items():
        if "carry" not in thing.affordances or name not in on.values():
            yield Atom("free", (name,))
        if "location" in thing.affordances:
            yield Atom("reachable", (name, name))
        below, level = on.get(name), 1
        while below:
            if "location" in found[below].affordances:
                yield Atom("reachable", (name, below))
            if level > 1:
                yield Atom("indirect_on", (name, below))
            below, level = on.get(below), level + 1
    for atom in facts:
        if atom.predicate == "inhand" and "location" not in found[atom.args[1]].affordances:
            yield Atom("hand_occupied", (atom.args[1],))


def full(at: str = "floor0") -> tuple[dict[str, Thing], State]:
    """Return a kitchen of 35 things: the milk in the closed fridge, fruit on table and counter, a plate on a tray."""
    where = {
        "milk0": "fridge0", "cheese0": "fridge0", "egg0": "fridge0",
        "apple0": "table0", "banana0": "table0", "orange0": "counter0", "lemon0": "counter0",
        "juice0": "counter0", "bread0": "counter0", "sponge0": "sink0", "pot0": "counter0",
        "cup0": "table0", "cup1": "shelf0", "bowl0": "table0", "bowl1": "shelf0", "glass0": "table0",
        "glass1": "shelf0", "tray0": "table0", "plate0": "tray0", "plate1": "shelf0", "board0": "counter0",
        "fork0": "table0", "fork1": "table0", "knife0": "counter0", "knife1": "table0", "bread1": "shelf0",
    }  # fmt: skip
    found = things(*where)
    return found, state(found, where, at)


def small(at: str = "floor0") -> tuple[dict[str, Thing], State]:
    """Return a kitchen of eight movable things."""
    where = {
        "milk0": "fridge0", "apple0": "table0", "banana0": "counter0", "juice0": "counter0",
        "cup0": "table0", "sponge0": "counter0", "plate0": "table0", "fork0": "plate0",
    }  # fmt: skip
    found = things(*where)
    return found, state(found, where, at)


def checked(text: str, now: State = State()) -> CheckedGoal:
    """Read a goal without checking it."""
    conjuncts = dnf(parse_formula(text))
    return CheckedGoal(Goal(parse_formula(text)), conjuncts, any(now.satisfies(one) for one in conjuncts))


__all__ = ["CAPABILITIES", "DOMAIN", "checked", "full", "kitchen", "literals", "small", "state", "things"]
