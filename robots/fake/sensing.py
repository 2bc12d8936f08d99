"""The sensing of the fake robot: it sees all objects within its range, except behind a shut door."""

from __future__ import annotations

from dataclasses import replace
from math import hypot, inf

from robots.arrangement import RestingPlace, bounds, interior, solid_at, tray_top
from robots.fake.world import PASSABLE, FakeWorld
from robots.furniture import Fittings
from semantics.body.observation import AgentView, Detection, Observation, Sighting, differing
from semantics.geometry.geometry import PlanarPose


class FakeSensing:
    """Senses a world; what did not change since the last sensing is the same object as in that.

    Args:
        world: The true state.
        sight: How far the robot sees, in metres.
    """

    def __init__(self, world: FakeWorld, sight: float) -> None:
        self._world, self._sight = world, sight
        self._last = Observation()
        self._spots: dict[str, RestingPlace] = {}
        self._carriers: dict[str, tuple[str, str]] = {}
        self._doors: dict[str, float] = {}
        self._fixed: dict[str, Fittings | PlanarPose] = {}
        self._loads: dict[str, set[str]] = {}
        self._pieces: dict[str, Sighting] = {}
        self._contacts: dict[str, frozenset[str]] = {}
        self._others: dict[str, Sighting] = {}
        self._open = set[str]()
        self._facts: tuple[object, ...] = ()

    def observed(self, time: float, number: int, moving: bool) -> Observation:
        """Return one sensing.

        Args:
            time: The time in seconds of the robot's clock.
            number: The number of the sensing, from 1.
            moving: Whether the base is moving.
        """
        world = self._world
        fixed: dict[str, Fittings | PlanarPose] = {**world.fittings, **world.persons}
        turned = differing(self._doors, world.doors) | differing(self._fixed, fixed)
        moved, carried = differing(self._spots, world.spots), differing(self._carriers, world.carriers)
        if turned or moved or carried or self._sight < inf:
            for name in carried:
                if name in self._carriers:
                    self._loads[self._carriers[name][1]].discard(name)
                if name in world.carriers:
                    self._loads.setdefault(world.carriers[name][1], set()).add(name)
            self._spots, self._carriers = dict(world.spots), dict(world.carriers)
            self._doors, self._fixed = dict(world.doors), fixed
            self._see(moved, carried, turned)
        hidden = world.shapes.keys() - self._pieces.keys()
        facts = (hidden, world.states, world.past, world.numbers, world.gauged)
        if self._facts != facts:
            self._facts = tuple(known.copy() for known in facts)
            self._last = replace(self._last, told=world.told(hidden), numbers=world.measured(hidden))
        self._last = replace(self._last, time=time, number=number, agents=self._agents(moving))
        return self._last

    def _see(self, moved: set[str], carried: set[str], turned: set[str]) -> None:
        """Look again at pieces that moved, at those put elsewhere with their load, and at what opened or shut."""
        world = self._world
        whole = bool(turned) or self._sight < inf
        judged, agenda = set[str](), [*(world.shapes.keys() | self._pieces.keys() if whole else carried)]
        while agenda:
            if (name := agenda.pop()) not in judged:
                judged.add(name)
                agenda += self._loads.get(name, ())
        for name in judged:
            if name in world.shapes and world.hidden_by(name) is None and self._is_near(name):
                if name not in self._pieces or name in moved:
                    self._pieces[name] = _piece(world, name)
                self._contacts[name] = frozenset((name, world.carriers[name][1]))
            else:
                self._pieces.pop(name, None)
                self._contacts.pop(name, None)
        again = {name: _piece(world, name) for name in moved - judged if name in self._pieces}
        self._pieces |= again
        self._others |= {name: _furniture(world, name) for name in world.fittings if name in turned}
        self._others |= {
            name: Sighting(name, world.box(name), stand=world.stand(name)) for name in world.persons if name in turned
        }
        if whole:
            self._open = {name for name in world.fittings if self._is_open(name)}
        listed = [name for name in world.shapes if name in self._pieces and name not in world.labels]
        self._last = replace(
            self._last,
            sightings=dict(zip(listed, map(self._pieces.__getitem__, listed), strict=True)) | self._others,
            searched=frozenset(self._pieces).union(self._open),
            contacts=frozenset(self._contacts.values()),
            detections=tuple(
                Detection(label, self._pieces[name]) for name, label in world.labels.items() if name in self._pieces
            ),
        )

    def _is_near(self, name: str) -> bool:
        return self._sight == inf or _distance(self._world, name) <= self._sight

    def _is_open(self, name: str) -> bool:
        """Return whether the inside of a piece of furniture is in view as a whole."""
        is_open = self._world.doors.get(name, 1.0) >= PASSABLE
        return is_open and (self._sight == inf or _farthest(self._world, name) <= self._sight)

    def _agents(self, moving: bool) -> dict[str, AgentView]:
        world = self._world

        def held(agent: str) -> tuple[str, ...]:
            return tuple(sorted(name for name in self._loads.get(agent, ()) if world.carriers[name][0] == "held"))

        views = {name: AgentView(pose, held(name)) for name, pose in world.persons.items()}
        return views | {world.robot: AgentView(world.pose, held(world.robot), moving, world.gripper, world.hand_at())}


def _distance(world: FakeWorld, name: str) -> float:
    x, y, _ = world.box(name).centre
    return hypot(x - world.pose.x, y - world.pose.y)


def _farthest(world: FakeWorld, name: str) -> float:
    """Return the distance of the farthest corner; within this range the robot sees the whole box."""
    box = world.box(name)
    x, y = world.pose.x, world.pose.y
    return hypot(max(x - box.low[0], box.high[0] - x), max(y - box.low[1], box.high[1] - y))


def _piece(world: FakeWorld, name: str) -> Sighting:
    shape, spot = world.shapes[name], world.spots[name]
    box = bounds(shape, spot)
    surfaces = (tray_top(shape, box),) if shape.form == "open-box" else ()
    return Sighting(name, box, surfaces, interior(shape, box), solid=solid_at(shape, spot))


def _furniture(world: FakeWorld, name: str) -> Sighting:
    offered = world.fittings[name]
    return Sighting(
        name,
        offered.box,
        surfaces=offered.surfaces,
        interior=offered.interior,
        opening=world.doors.get(name),
        stand=offered.stand,
    )
