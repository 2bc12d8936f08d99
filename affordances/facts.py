"""From boxes and contacts to facts: one small geometric test per predicate.

`TESTS` maps a predicate to the test that senses it. `settling` says what a sensing must have shown before it can speak
about an atom at all; what it cannot speak about stays a belief.

Each movable thing is at one place at most: in a hand, else in the smallest container around it, else on the best
support under it. So an apple in a bowl on the table is in the bowl and not on the table. A door is opened, closed, or
ajar, which is neither: half open it serves no hand, and a goal about it may not claim to be reached.

What no geometry shows (the tomato is chopped) is sensed when a body tells it, as is any other fact that a body tells:
its word goes before the geometry. A predicate without a test is sensed in this way alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import hypot, nextafter

from affordances.bookkeeping import DERIVED, derive
from affordances.support import LIFT_TOUCHING, container_of, loose, support_of, tops
from domains.conventions import STANDARD, Conventions
from semantics.atoms import Atom
from semantics.errors import UnknownNameError
from semantics.observation import AgentView, Observation
from semantics.vocabulary import Thing

__all__ = [
    "DERIVED",
    "TESTS",
    "Key",
    "Sensing",
    "Test",
    "derive",
    "sense",
    "settled_keys",
    "settling",
]

Things = Mapping[str, Thing]
Test = Callable[[Observation, Things, Conventions], set[Atom]]
Key = tuple[str, str]
"""Something that a sensing can settle: ``seen milk0``, ``searched fridge0``, ``agent robot0``, ``door fridge0``."""

AT_DISTANCE = 0.9
"""How far from a place's stand an agent is still at that place, in metres."""
OPENED = 0.75
"""A door is opened from this fraction on: wide enough for an arm."""
CLOSED = 0.05
"""A door is closed up to this fraction."""
_BELOW_OPENED = nextafter(OPENED, 0.0)


def _floor(things: Things, names: Conventions) -> str | None:
    return next((name for name, thing in things.items() if thing.class_name == names.floor), None)


def _on(observation: Observation, things: Things, names: Conventions) -> set[Atom]:
    inside = container_of(observation, things, names)
    offered = tops(observation, things, names)
    found: set[Atom] = set()
    for seen in loose(observation, things, names):
        if seen.name in inside:
            continue
        lies_low = seen.box.low[2] <= LIFT_TOUCHING
        support = support_of(seen, offered, observation) or (_floor(things, names) if lies_low else None)
        if support is not None:
            found.add(Atom("on", (seen.name, support)))
    return found


def _in(observation: Observation, things: Things, names: Conventions) -> set[Atom]:
    return {Atom("in", (name, around)) for name, around in container_of(observation, things, names).items()}


def _at(observation: Observation, things: Things, names: Conventions) -> set[Atom]:
    found: set[Atom] = set()
    for name, view in observation.agents.items():
        if name in things:
            place = _nearest_place(name, view, observation) or _floor(things, names)
            found |= {Atom("at", (name, place))} if place is not None else set()
    return found


def _nearest_place(agent: str, view: AgentView, observation: Observation) -> str | None:
    """Return the place whose stand is nearest to an agent, within `AT_DISTANCE`."""
    distances = [
        (hypot(seen.stand.x - view.pose.x, seen.stand.y - view.pose.y), name)
        for name, seen in observation.sightings.items()
        if seen.stand is not None and name != agent
    ]
    distance, name = min(distances, default=(AT_DISTANCE + 1, ""))
    return name if distance <= AT_DISTANCE else None


def _inhand(observation: Observation, _: Things, __: Conventions) -> set[Atom]:
    return {Atom("inhand", (name, agent)) for agent, view in observation.agents.items() for name in view.held}


def _door(predicate: str, low: float, high: float) -> Test:
    """Make the test for a door that stands open by more than `low` and up to `high`, as fractions."""

    def test(observation: Observation, _: Things, __: Conventions) -> set[Atom]:
        return {
            Atom(predicate, (name,))
            for name, seen in observation.sightings.items()
            if seen.opening is not None and low < seen.opening <= high
        }

    return test


TESTS: dict[str, Test] = {
    "ajar": _door("ajar", CLOSED, _BELOW_OPENED),
    "at": _at,
    "closed": _door("closed", -float("inf"), CLOSED),
    "in": _in,
    "inhand": _inhand,
    "on": _on,
    "opened": _door("opened", _BELOW_OPENED, float("inf")),
}
"""The geometric tests; each tells its facts under its own name."""


def sense(
    observation: Observation, things: Things, names: Iterable[str], conventions: Conventions = STANDARD
) -> frozenset[Atom]:
    """Return the facts of an observation.

    Args:
        observation: The sensing.
        things: What exists, by name.
        names: Of the tests.
        conventions: The names of the world.

    Raises:
        UnknownNameError: A name is not one of `TESTS`.
    """
    found: set[Atom] = set()
    for name in names:
        if name not in TESTS:
            raise UnknownNameError("sensing test", name, TESTS)
        found |= TESTS[name](observation, things, conventions)
    return frozenset(found)


class Sensing:
    """What a body tells in one sensing.

    Args:
        observation: The sensing.
        computed: Predicates that are computed from others, on which no body's word is asked.
    """

    def __init__(self, observation: Observation, computed: frozenset[str] = frozenset()) -> None:
        self._facts = observation.told
        self._computed = computed

    def truth(self, atom: Atom) -> bool | None:
        """Return whether an atom holds by the body's word; None when it told nothing of it."""
        if atom.predicate in self._computed or atom not in self._facts:
            return None
        return self._facts[atom]

    def corrected(self, shown: Iterable[Atom]) -> frozenset[Atom]:
        """Return what geometry showed, without what the body denies, and with what it affirms."""
        affirmed = (atom for atom, true in self._facts.items() if true and atom.predicate not in self._computed)
        return frozenset((*(atom for atom in shown if self.truth(atom) is not False), *affirmed))


def settling(atom: Atom, test: str = "") -> tuple[Key, ...]:
    """Return the keys of which a sensing must have settled one before it can speak about a sensed `atom`.

    Args:
        atom: The fact.
        test: The name of the test that senses it; empty: that of its predicate.
    """
    first = atom.args[0] if atom.args else ""
    match test or atom.predicate:
        case "on" | "in":
            return ("seen", first), ("searched", atom.args[1])
        case "inhand":
            return ("seen", first), ("agent", atom.args[1])
        case "at":
            return (("agent", first),)
        case _:
            return (("door", first),)


def _held_by_anyone(observation: Observation) -> set[str]:
    return {name for view in observation.agents.values() for name in view.held}


def settled_keys(observation: Observation) -> set[Key]:
    """Return everything that this sensing settles."""
    keys: set[Key] = {("seen", name) for name in observation.sightings}
    keys |= {("seen", name) for name in _held_by_anyone(observation)}
    keys |= {("searched", name) for name in observation.searched}
    keys |= {("agent", name) for name in observation.agents}
    keys |= {("door", name) for name, seen in observation.sightings.items() if seen.opening is not None}
    return keys
