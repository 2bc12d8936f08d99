"""`ShownFacts`: the facts that the geometric tests show, kept from one sensing to the next.

What a test shows of a thing depends on the thing, and on what is close to it or touches it. So only those things are
tested again that changed, or that are close to where something was or is, or touch it; each in the part of the sensing
that decides its facts. At first this is so of all things.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, permutations, product
from math import floor, inf, prod
from typing import NamedTuple

from affordances.facts import TESTS
from affordances.support import View, affords, floor_of
from domains.model import Domain
from domains.world import World
from semantics.body.observation import Observation, Sighting, differing
from semantics.geometry.geometry import Box
from semantics.logic.atoms import Atom

OF_THINGS = frozenset({"ajar", "closed", "in", "lies", "on", "on_furniture", "opened", "overturned"})
"""The tests that what is close to a thing decides."""
OF_LOADS = frozenset({"clear", "takeable"})  # the tests that depend on what stands on a thing
OF_AGENTS = frozenset({"at", "gripper_open", "hand_free", "hands_free", "held", "inhand"})
"""The tests that depend on agents, and on the places close to them."""
CLOSE = 0.06
"""How far apart things may be that matter for where one of them rests, in metres; all tolerances there are smaller."""
REACHES = (0.3, 1.0, 3.0, inf)
"""How far around a thing that is on and in nothing the nearest other thing is looked for, in metres."""
SIDE, MOST_CELLS = 0.25, 400
"""The side of a cell of the index, in metres, and how many cells a thing may fill before it counts as everywhere."""
EVERYWHERE: tuple[int, ...] = ()
TOGETHER = 32  # how many things are tested at once, as neighbours in one part of a sensing


def sensed_predicates(domain: Domain) -> Mapping[str, str]:
    """Return the predicates of a domain that have a geometric test, each with the name of the test."""
    return domain.remember(
        "sensed predicates",
        lambda: {
            name: model.sensed
            for name, model in domain.predicates.items()
            if model.sensed is not None and model.sensed in TESTS
        },
    )


class Cells:
    """Finds the boxes close to a box."""

    def __init__(self) -> None:
        self.boxes: dict[str, Box] = {}
        self._names: dict[tuple[int, ...], set[str]] = {}

    def put(self, name: str, box: Box | None) -> None:
        """Put a box in the place of the one of this name; None for none."""
        for cell in _cells(self.boxes.pop(name)) if name in self.boxes else ():
            self._names[cell].remove(name)
            if not self._names[cell]:
                del self._names[cell]
        if box is not None:
            self.boxes[name] = box
            for cell in _cells(box):
                self._names.setdefault(cell, set()).add(name)

    def close(self, box: Box, margin: float) -> Iterator[str]:
        """Yield the names of the boxes that are no farther from a box than a margin, along each axis."""
        cells = [EVERYWHERE] if margin == inf else _cells(box, margin)
        found: Iterable[str] = self.boxes
        if cells != [EVERYWHERE]:
            found = set[str]().union(*(self._names.get(cell, ()) for cell in (*cells, EVERYWHERE)))
        for name in found:
            low, high = self.boxes[name].low, self.boxes[name].high
            if all(low[axis] - margin <= box.high[axis] and box.low[axis] <= high[axis] + margin for axis in range(3)):
                yield name


def _cells(box: Box, margin: float = 0.0) -> list[tuple[int, ...]]:
    """Return the cells that a box with a margin reaches, or `EVERYWHERE` alone."""
    spans = [
        range(floor((low - margin) / SIDE), floor((high + margin) / SIDE) + 1)
        for low, high in zip(box.low[:2], box.high[:2], strict=True)
    ]
    return [EVERYWHERE] if prod(map(len, spans)) > MOST_CELLS else list(product(*spans))


class ShownFacts:
    """The facts of the latest sensing.

    Attributes:
        world: The world that they are about.
        observation: The sensing.
        before: The sensing before.
        changed: The names of what was sighted otherwise before, or only in one of the two.
        facts: The facts.
        version: Counts the sensings.
        tested: How many pairs of things were compared so far.
    """

    def __init__(self, world: World) -> None:
        self.world, self.observation, self.before = world, Observation(), Observation()
        self.changed: set[str] = set()
        self._ahead: tuple[Mapping[str, Sighting], set[str]] = ({}, set())
        self._reports: tuple[object, frozenset[Atom], frozenset[Atom]] = (None, frozenset(), frozenset())
        self.facts = frozenset[Atom]()
        self.version = self.tested = 0
        domain = world.domain
        self._tests = [each for each in sensed_predicates(domain).items() if each[0] not in domain.on_demand]
        self._containers: dict[str, str] = {}
        self._supports: dict[str, str | None] = {}
        self._loads: dict[str | None, set[str]] = {}
        self._touching: dict[str, set[str]] = {}
        self._extents = Cells()
        self._places: dict[str, Sighting] = {}
        self._of: dict[tuple[str, str], set[Atom]] = {}
        self._gone, self._come = set[Atom](), set[Atom]()
        self._floor: str | None = None

    def fits(self, world: World) -> bool:
        """Return whether the tests of a world are those of this one."""
        mine, other = self.world.domain, world.domain
        return mine is other or (mine.predicates is other.predicates and mine.conventions == other.conventions)

    def changes(self, observation: Observation) -> set[str]:
        """Return the names of what is sighted otherwise than in the latest sensing, or only in one of the two."""
        if self._ahead[0] is not observation.sightings:
            changed = differing(self.observation.sightings, observation.sightings)
            self._ahead = (observation.sightings, changed)
        return self._ahead[1]

    def reports(self, tests: Collection[str], computed: Collection[str]) -> tuple[frozenset[Atom], frozenset[Atom]]:
        """Return the facts that the body reports: those that no test shows, and the others.

        Args:
            tests: The predicates that have a test.
            computed: Those that follow from others, of which reports are ignored.
        """
        told = self.observation.told
        if self._reports[0] is not told:
            facts = {atom for atom, true in told.items() if true and atom.predicate not in computed}
            others = frozenset(atom for atom in facts if atom.predicate in tests)
            self._reports = (told, frozenset(facts) - others, others)
        return self._reports[1:]

    def take(self, observation: Observation, world: World) -> frozenset[Atom]:
        """Return the facts that the tests show in a sensing of a world that `fits`."""
        self.changed = self.changes(observation)
        before, self.before, self.observation = self.observation, self.observation, observation
        self._ahead = (observation.sightings, set())
        self.version += 1
        other = self.changed | (before.held ^ observation.held) | differing(self.world.objects, world.objects)
        self.world = world
        other |= self._touched_anew(before.contacts, observation.contacts)
        names = world.domain.conventions
        ground = world.remember("floor", lambda: floor_of(world.objects, names))
        if ground != self._floor:
            self._floor, other = ground, other | observation.sightings.keys()
        if other:
            self._test_things(other)
        if other or before.agents != observation.agents:
            self._test_agents()
        if self._gone or self._come:
            self.facts = (self.facts - self._gone) | self._come
            self._gone, self._come = set(), set()
        return self.facts

    def _touched_anew(self, before: frozenset[frozenset[str]], now: frozenset[frozenset[str]]) -> set[str]:
        """Take over what touches what; return the movable things that touch something else than before."""
        if before is now or before == now:
            return set()
        gone, come = before - now, now - before
        for pairs, touch in ((gone, False), (come, True)):
            for name, other in (ends for pair in pairs for ends in permutations(pair, 2)):
                others = self._touching.setdefault(name, set())
                (others.add if touch else others.discard)(other)
                if not others:
                    del self._touching[name]
        return {name for name in chain.from_iterable(gone | come) if self._is_movable(name)}

    def _test_things(self, other: set[str]) -> None:
        """Test the things that changed again, and those that what changed may decide."""
        affected, sightings = set(other), self.observation.sightings
        for name in other:
            affected |= self._close(name)
            sighting = sightings.get(name)
            self._extents.put(name, None if sighting is None else _extent(sighting))
            self._places.pop(name, None)
            if sighting is not None and sighting.stand is not None:
                self._places[name] = sighting
            affected |= self._close(name)
        affected = self._touched(affected)
        parts = [(some, self._part(some)) for some in self._together(affected)]
        moved = affected.union(*(self._rest(name, view) for some, view in parts for name in some))
        for some, view in parts:
            self._test(OF_THINGS, self._view(view.observation), some)
        own = Observation(sightings=_among(sightings, moved), agents=self.observation.agents)
        self._test(OF_LOADS, self._view(own), moved)
        strays = self._loads.get(None, set())
        for name in moved - strays:
            self._put("near", name, set())
        for name in strays:
            self._test_nearest(name)

    def _rest(self, name: str, view: View) -> set[str]:
        """Take over where a thing rests; return its supports before and now."""
        before = self._supports.pop(name, None)
        self._containers.pop(name, None)
        if name in self._loads.get(before, ()):
            self._loads[before].remove(name)
            if not self._loads[before]:
                del self._loads[before]
        now = None
        if name in view.containers:
            self._containers[name] = view.containers[name]
        elif name in view.supports:
            now = self._supports[name] = view.supports[name]
            self._loads.setdefault(now, set()).add(name)
        return {support for support in (before, now) if support is not None}

    def _test_nearest(self, name: str) -> None:
        """Find what is nearest to a thing that is on and in nothing, farther and farther around it."""
        box = self.observation.sightings[name].box
        touched = self._touching.get(name, set())
        for reach in REACHES if any(test == "near" for _, test in self._tests) else ():
            names = {name, *touched, *self._extents.close(box, reach)}
            view = self._view(self._observed(names, {name}))
            self.tested += len(names)
            for _, (_, nearest) in (atom for atom in TESTS["near"](view) if atom.args[0] == name):
                if nearest in touched or self.observation.sightings[nearest].box.distance(box) <= reach - 0.01:
                    self._test(frozenset({"near"}), view, {name})
                    return
        self._put("near", name, set())

    def _test_agents(self) -> None:
        near = Observation(sightings=self._places, agents=self.observation.agents)
        known = OF_THINGS | OF_LOADS | OF_AGENTS | {"near"}
        self._put("", "", self._found(OF_AGENTS, self._view(near)))
        if any(test not in known for _, test in self._tests):
            self._put("others", "", self._found(TESTS.keys() - known, self._view(self.observation)))

    def _test(self, tests: Collection[str], view: View, names: Collection[str]) -> None:
        """Test some things, whose facts have them as their first arguments."""
        found: dict[str, set[Atom]] = {name: set() for name in names}
        for atom in self._found(tests, view):
            if atom.args[0] in found:
                found[atom.args[0]].add(atom)
        for name, atoms in found.items():
            self._put(min(tests), name, atoms)

    def _found(self, tests: Collection[str], view: View) -> set[Atom]:
        domain, things = self.world.domain, self.world.objects
        shown = {Atom(name, args) for name, test in self._tests if test in tests for _, args in TESTS[test](view)}
        # Another predicate may be about the other things that a test is about: (on ?block ?block) is not of tables.
        return {atom for atom in shown if domain.takes(atom, things)}

    def _put(self, group: str, name: str, atoms: set[Atom]) -> None:
        """Take over the facts of some tests about a thing."""
        before = self._of.pop((group, name), set())
        self._gone |= before - atoms
        self._come |= atoms - before
        if atoms:
            self._of[group, name] = atoms

    def _view(self, observation: Observation) -> View:
        """Return a part of the sensing with what is known of where things rest."""
        view = self._bare(observation)
        view.containers, view.supports, view.loads = self._containers, self._supports, self._loads
        return view

    def _bare(self, observation: Observation) -> View:
        view = View(observation, self.world.objects, self.world.domain.conventions)
        view.floor = self._floor
        return view

    def _part(self, names: Collection[str]) -> View:
        """Return what decides where some things rest."""
        boxes = (self._extents.boxes[name] for name in names if name in self._extents.boxes)
        around = {*names, *(other for box in boxes for other in self._extents.close(box, CLOSE))}
        self.tested += len(names) * len(around)
        return self._bare(self._observed(around, names))

    def _observed(self, names: Iterable[str], touching: Iterable[str]) -> Observation:
        """Return the part of the sensing with some things, and what touches some of them."""
        contacts = frozenset(frozenset((name, other)) for name in touching for other in self._touching.get(name, ()))
        sightings = _among(self.observation.sightings, names)
        return Observation(sightings=sightings, contacts=contacts, agents=self.observation.agents)

    def _close(self, name: str) -> set[str]:
        """Return the movable things close to a thing."""
        box = self._extents.boxes.get(name)
        return set() if box is None else {near for near in self._extents.close(box, CLOSE) if self._is_movable(near)}

    def _touched(self, names: set[str]) -> set[str]:
        """Return some things, the movable ones that touch them, and those that touch these in turn."""
        found, agenda = set[str](), [*names]
        while agenda:
            if (name := agenda.pop()) not in found:
                found.add(name)
                if self._is_movable(name):
                    agenda += filter(self._is_movable, self._touching.get(name, ()))
        return found

    def _together(self, names: set[str]) -> Iterator[set[str]]:
        """Yield some things in groups of neighbours, each with all movable things that touch one of it."""
        boxes = self._extents.boxes
        ordered = sorted(names, key=lambda name: (boxes[name].low if name in boxes else (), name))
        for first in range(0, len(ordered), TOGETHER):
            yield self._touched({*ordered[first : first + TOGETHER]})

    def _is_movable(self, name: str) -> bool:
        return affords(self.world.objects, name, self.world.domain.conventions.carry)


class Shown(NamedTuple):
    """What the tests showed in a sensing."""

    sure: ShownFacts  # the facts of what the robot is sure to have seen
    version: int  # the version of `sure` that this is about; it may have gone on to another sensing
    # the facts of all that it has seen, in the last sensing with something of which it was not sure
    every: ShownFacts | None


def shown_in(last: Shown | None, sure: Observation, every: Observation, world: World) -> Shown:
    """Return what the tests show in a sensing: in what the robot is sure of, and in every thing that it has seen."""
    if last is None or not last.sure.fits(world):
        last = Shown(ShownFacts(world), 0, None)
    last.sure.take(sure, world)
    more = last.every
    if every is not sure:
        more = more or ShownFacts(world)
        more.take(every, world)
    return Shown(last.sure, last.sure.version, more)


def _among(sightings: Mapping[str, Sighting], names: Iterable[str]) -> dict[str, Sighting]:
    return {name: sightings[name] for name in names if name in sightings}


def _extent(seen: Sighting) -> Box:
    """Return the bounds of a thing with its surfaces and its inside."""
    if not seen.surfaces and seen.interior is None:
        return seen.box
    boxes = (seen.box, *seen.surfaces, *(() if seen.interior is None else (seen.interior,)))
    lows, highs = zip(*((box.low, box.high) for box in boxes), strict=True)
    (a, b, c), (x, y, z) = map(min, zip(*lows, strict=True)), map(max, zip(*highs, strict=True))
    return Box((a, b, c), (x, y, z))
