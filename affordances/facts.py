"""From boxes and contacts to facts: one small geometric test for each predicate.

`TESTS` maps a predicate to the test that senses it. `settling` says what a sensing must have shown before it can decide
an atom; atoms that a sensing cannot decide remain beliefs.

Each movable object is at one place at most: in a hand, else in the smallest container around it, else on the best
support under it. So an apple in a bowl on the table is in the bowl and not on the table. An object that is in view but
on and in nothing (a banana across the rim of a pot) is near what it touches, else near what is nearest, so that it has
a place where an agent can grasp it. A door is opened, closed, or ajar. A door ajar counts as neither opened nor closed,
because a hand does not fit through it.

Some facts have no geometric test (the tomato is chopped); they are sensed only when the robot reports them. The robot
may also report any other fact, and its report takes precedence over the geometry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import hypot, nextafter, pi

from affordances.occupancy import OCCUPANCY
from affordances.relations import RELATION_TESTS, related
from affordances.support import View
from domains.conventions import STANDARD, Conventions
from semantics.body.observation import AgentView, Observation, Sighting
from semantics.errors import known_name
from semantics.geometry.relations import SAID_PARTS
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Thing

Things = Mapping[str, Thing]
Test = Callable[[View], set[Atom]]
Key = tuple[str, str]
"""An item that a sensing can settle: ``seen milk0``, ``searched fridge0``, ``agent robot0``, ``door fridge0``."""

AGENTS: Key = ("agents", "")  # what settles a fact about what anybody holds
AT_DISTANCE = 0.9  # the largest distance from a place's stand at which an agent is at this place, in metres
OPENED = 0.75  # a door counts as opened from this fraction on, which is wide enough for an arm
CLOSED = 0.05  # a door counts as closed up to this fraction
_BELOW_OPENED = nextafter(OPENED, 0.0)
LEANING = 0.2  # how far a thing may be turned from upright and still stand, in radians


def _on(view: View) -> set[Atom]:
    at = ((name, view.supports.get(name)) for name in view.observation.sightings)
    return {Atom("on", (name, support)) for name, support in at if support is not None}


def _near(view: View) -> set[Atom]:
    observation, things = view.observation, view.things
    stray = view.loads.get(None, ())
    settled = things.keys() & observation.sightings.keys() - set(stray) - view.held - observation.agents.keys()
    anchors = sorted(name for name in settled if things[name].class_name not in (view.names.floor, view.names.robot))
    return {
        Atom("near", (name, min(anchors, key=lambda other: _closeness(name, other, observation))))
        for name in stray
        if anchors and name in observation.sightings
    }


def _closeness(name: str, other: str, observation: Observation) -> tuple[bool, float, float]:
    """Return the key of the thing that an object is nearest to: it touches it, is closest, is smallest."""
    box, other_box = observation.sightings[name].box, observation.sightings[other].box
    return not observation.touching(name, other), round(box.distance(other_box), 2), max(other_box.size)


def _in(view: View) -> set[Atom]:
    at = ((name, view.containers.get(name)) for name in view.observation.sightings)
    return {Atom("in", (name, around)) for name, around in at if around is not None}


def _at(view: View) -> set[Atom]:
    atoms: set[Atom] = set()
    for name, agent in view.observation.agents.items():
        if name in view.things:
            place = _nearest_place(name, agent, view.observation) or view.floor
            atoms |= {Atom("at", (name, place))} if place is not None else set()
    return atoms


def _nearest_place(agent: str, view: AgentView, observation: Observation) -> str | None:
    """Return the place whose stand is nearest to an agent, within `AT_DISTANCE`."""
    distances = [
        (hypot(sighting.stand.x - view.pose.x, sighting.stand.y - view.pose.y), name)
        for name, sighting in observation.sightings.items()
        if sighting.stand is not None and name != agent
    ]
    distance, name = min(distances, default=(AT_DISTANCE + 1, ""))
    return name if distance <= AT_DISTANCE else None


def _inhand(view: View) -> set[Atom]:
    return {Atom("inhand", (name, agent)) for agent, each in view.observation.agents.items() for name in each.held}


def _overturned(view: View) -> set[Atom]:
    """Find what lies on its side or upside down; what is held is turned on purpose."""
    things = view.things
    loose = (seen for name, seen in view.observation.sightings.items() if name in things and name not in view.held)
    return {Atom("overturned", (seen.name,)) for seen in loose if _tilt(seen, things[seen.name]) > LEANING}


def _tilt(seen: Sighting, thing: Thing) -> float:
    """Return how far a thing is turned from upright, in radians; without its orientation, judged by its bounds."""
    if seen.tilt is not None:
        return seen.tilt
    if thing.size is None:
        return 0.0
    wide, deep, high = (abs(side - seen.box.size[2]) for side in thing.size)
    return pi / 2 if high > min(wide, deep) else 0.0


def _door(predicate: str, low: float, high: float) -> Test:
    """Make the test for a door that stands open by more than `low` and up to `high`, as fractions."""

    def test(view: View) -> set[Atom]:
        return {
            Atom(predicate, (name,))
            for name, sighting in view.observation.sightings.items()
            if sighting.opening is not None and low < sighting.opening <= high
        }

    return test


TESTS: dict[str, Test] = {
    **OCCUPANCY,
    "ajar": _door("ajar", CLOSED, _BELOW_OPENED),
    "at": _at,
    "closed": _door("closed", -float("inf"), CLOSED),
    "in": _in,
    "inhand": _inhand,
    "near": _near,
    "on": _on,
    "opened": _door("opened", _BELOW_OPENED, float("inf")),
    "overturned": _overturned,
    **RELATION_TESTS,
}
"""The geometric tests; each returns facts under its own name."""


def sense(
    observation: Observation, things: Things, names: Iterable[str], conventions: Conventions = STANDARD
) -> frozenset[Atom]:
    """Return the facts of an observation.

    Args:
        observation: The sensing.
        things: The known objects, by name.
        names: The names of the tests.
        conventions: The names of the world.

    Raises:
        UnknownNameError: A name is not one of `TESTS`.
    """
    atoms, view = set[Atom](), View(observation, things, conventions)
    for name in names:
        known_name("sensing test", name, TESTS)
        atoms |= TESTS[name](view)
    return frozenset(atoms)


def relations_of_all(
    observation: Observation, things: Things, pairs: Collection[str], names: Conventions
) -> frozenset[Atom]:
    """Return the relations, of those named by `pairs`, in which an observation shows any two things."""
    shown = sense(observation, things, set(pairs) - SAID_PARTS.keys(), names)
    # Who is in a certain corner is in a corner.
    parts = [
        Atom(name, atom.args)
        for name, (relation, _) in SAID_PARTS.items()
        for atom in shown
        if name in pairs and atom.predicate == relation
    ]
    return shown | related(parts, observation, things, names)


SEEN_ALONE = frozenset({"aside", "clear", "on_furniture", "overturned", "takeable", *RELATION_TESTS})
"""The tests whose facts are decided when their first thing is seen."""


def settling(atom: Atom, test: str = "") -> tuple[Key, ...]:
    """Return the keys that decide an atom: a sensing decides `atom` when it settles at least one of them.

    Args:
        atom: The fact.
        test: The name of its sensing test; by default its predicate.
    """
    first, name = atom.args[0] if atom.args else "", test or atom.predicate
    if name in SEEN_ALONE:
        return (("seen", first),)
    match name:
        case "on" | "in" | "near" | "lies":
            return ("seen", first), ("searched", atom.args[1])
        case "inhand":
            return ("seen", first), ("agent", atom.args[1])
        case "held":
            return ("seen", first), AGENTS
        case "at" | "gripper_open" | "hand_free":
            return (("agent", first),)
        case "hands_free":
            return (AGENTS,)
        case _:
            return (("door", first),)


def overlooked(observation: Observation, subject: str, key: Key) -> bool:
    """Return whether a key that a sensing settles says nothing about `subject`, which the sensing could have missed."""
    kind, place = key
    return kind == "searched" and subject in observation.undetectable.get(place, ())


def settles(observation: Observation, key: Key) -> bool:
    """Return whether a sensing settles a key; for the exceptions see `overlooked`."""
    kind, name = key
    seen, agents = observation.sightings.get(name), observation.agents
    match kind:
        case "seen":
            return seen is not None or any(name in view.held for view in agents.values())
        case "searched":
            return name in observation.searched
        case "agent":
            return name in agents
        case "door":
            return seen is not None and seen.opening is not None
        case _:
            return bool(agents)


def settled_alone(last: Observation, now: Observation, changed: set[str]) -> Iterator[Key]:
    """Yield the keys that a sensing settled and the next one, which changed some sightings, does not."""
    keys = [("seen", name) for name in changed | last.held]
    keys += [("searched", name) for name in last.searched - now.searched]
    keys += [("agent", name) for name in last.agents] + [AGENTS]
    keys += [("door", name) for name in changed]
    return (key for key in keys if settles(last, key) and not settles(now, key))
