"""Relations as facts: which things stand left of, next to or between which others, from one sensing.

The definitions stand in `semantics.geometry.relations`. Only things that stand level and not far from each other are
compared, so that a room of hundreds of things costs what its fullest table costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from math import hypot
from types import MappingProxyType

from affordances.support import View, affords, loose, standing
from domains.conventions import Conventions
from semantics.body.observation import Observation, Sighting
from semantics.geometry.relations import DIRECTED, RELATIONS, SAID_PARTS, SEEN_FROM, Arrangement, Placed, holds, is_so
from semantics.geometry.solids import Solid, solid_of
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Thing

Things = Mapping[str, Thing]
FAR = 1.0  # how far apart the middles of two things may be that a relation is about, in metres
BESIDE = (*sorted(DIRECTED), "next_to", "touching", "aligned", "above", "under")
PLACES = ("in_corner_of", "at_edge_of", "in_middle_of")


class _Placings(Mapping[str, Placed]):
    """The things of a sensing, each placed when it is asked for."""

    def __init__(self, sightings: Mapping[str, Sighting]) -> None:
        self._sightings = sightings
        self._placed: dict[str, Placed] = {}

    def __getitem__(self, name: str) -> Placed:
        if name not in self._placed:
            self._placed[name] = _placed(self._sightings[name])
        return self._placed[name]

    def __contains__(self, name: object) -> bool:
        return name in self._sightings

    def __iter__(self) -> Iterator[str]:
        return iter(self._sightings)

    def __len__(self) -> int:
        return len(self._sightings)


def arrangement(observation: Observation, things: Things, names: Conventions) -> Arrangement:
    """Return the things of a sensing as relations see them.

    Directions are said from the viewer, see `viewer`, or from one that a relation names, see `views`.
    """
    placed = _Placings(observation.sightings)
    view = observation.agents.get(viewer(observation, things, names))
    return Arrangement(placed, 0.0 if view is None else view.pose.yaw, views(observation, things, names))


def views(observation: Observation, things: Things, names: Conventions) -> dict[str, float]:
    """Return where each viewer looks, in radians: an agent, or who stands at the front of furniture and faces it."""
    fronts = {
        name: seen.stand.yaw
        for name, seen in observation.sightings.items()
        if seen.stand is not None and not (name in things and names.actor in things[name].affordances)
    }
    return fronts | {name: view.pose.yaw for name, view in observation.agents.items()}


def viewer(observation: Observation, things: Things, names: Conventions) -> str:
    """Return from whose view directions are said: that of the only person who is seen, or else the robot's."""
    robots = sorted(name for name in observation.agents if name in things and things[name].class_name == names.robot)
    persons = [name for name in observation.agents if name not in robots]
    return persons[0] if len(persons) == 1 else next(iter(robots), "")


def _placed(seen: Sighting) -> Placed:
    inside = None if seen.interior is None else solid_of(seen.interior)
    if seen.solid is None:
        return Placed(solid_of(seen.box), tuple(map(solid_of, seen.surfaces)), inside=inside)
    if inside is not None:  # turned with the thing, whose bounds may be wider than it is
        wide, deep = (seen.solid.size[axis] + inside.size[axis] - seen.box.size[axis] for axis in (0, 1))
        form = "cylinder" if seen.solid.is_round else "box"
        inside = Solid(form, (wide, deep, inside.size[2]), (*seen.solid.middle, inside.bottom), seen.solid.yaw)
    return Placed(seen.solid, inside=inside)


def _of_loose(count: int, relation: str, view: View) -> set[Atom]:
    observation, things, names = view.observation, view.things, view.names
    seen = arrangement(observation, things, names)
    movable = [sighting.name for sighting in standing(observation, things, names)]
    return {Atom(relation, some) for some in _close(seen, movable, count) if holds(relation, some, seen)}


def _at_place(relation: str, view: View) -> set[Atom]:
    observation, things, names = view.observation, view.things, view.names
    seen = arrangement(observation, things, names)
    movable = [sighting.name for sighting in loose(observation, things, names)]
    supports = [name for name in seen.things if affords(things, name, names.support) and name not in movable]
    pairs = ((name, support) for name in movable for support in supports)
    return {Atom(relation, pair) for pair in pairs if holds(relation, pair, seen)}


def _close(seen: Arrangement, movable: list[str], count: int) -> Iterator[tuple[str, ...]]:
    """Yield the tuples of things of which each is within `FAR` of the first."""
    spots = {name: seen.solid(name).at for name in movable}
    for first, (x, y, _) in spots.items():
        others = [name for name, (a, b, _) in spots.items() if name != first and hypot(a - x, b - y) <= FAR]
        yield from ((first, *rest) for rest in permutations(others, count - 1))


def related(
    asked: Iterable[Atom],
    observation: Observation,
    things: Things,
    names: Conventions,
    distances: Mapping[Atom, float] = MappingProxyType({}),
) -> frozenset[Atom]:
    """Return those of the asked relations that hold; their predicates have the names of the relations.

    They are judged as the tests do that find all: of things that lie loose, not far from each other. Those with one of
    `distances`, in metres from edge to edge, have to have it.
    """
    atoms = tuple(asked)
    if not atoms:
        return frozenset()
    seen = arrangement(observation, things, names)
    asked_of = {name for atom in atoms for name in atom.args}
    movable = {each.name for each in standing(observation, things, names)} & asked_of

    def is_near(first: str, others: Sequence[str]) -> bool:
        (x, y, _), spots = seen.solid(first).at, [seen.solid(name).at for name in others if name in movable]
        return all(hypot(a - x, b - y) <= FAR for a, b, _ in spots)

    def is_seen(atom: Atom) -> bool:
        relation = SEEN_FROM.get(atom.predicate, atom.predicate)
        at_place = SAID_PARTS.get(relation, (relation, ""))[0] in PLACES
        first, *others = atom.args[:-1] if atom.predicate in SEEN_FROM else atom.args
        known = seen.things if at_place else movable
        return first in movable and all(name in known for name in others) and is_near(first, others)

    return frozenset(
        atom for atom in atoms if is_seen(atom) and is_so(atom.predicate, atom.args, seen, distances.get(atom))
    )


RELATION_TESTS: dict[str, Callable[[View], set[Atom]]] = {
    **{relation: partial(_of_loose, 2, relation) for relation in BESIDE},
    **{relation: partial(_at_place, relation) for relation in PLACES},
    **{relation: partial(_of_loose, 3, relation) for relation in ("between", "in_row")},
}
"""The tests of relations of things; each returns facts under the name of the relation."""
assert RELATION_TESTS.keys() <= RELATIONS.keys()
