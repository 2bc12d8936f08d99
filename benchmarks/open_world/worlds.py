"""The true world of a body, which decides: what holds in it, what came into it, and what has moved."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from math import dist
from typing import Any, Protocol

import numpy as np

from benchmarks.faults.judging import RoomJudge
from benchmarks.judge import Track, Watch, judge
from benchmarks.judge.scene import Snapshot
from robots.fake import FakeRobot
from robots.pybullet import PyBulletRobot
from semantics.body.layout import MovableObject, Shape
from semantics.geometry.geometry import Vector
from semantics.logic.atoms import Atom, Not, dnf
from semantics.logic.parsing import parse_formula

__all__ = ["Room", "Simulation", "World", "piece", "world_of"]

MOVED = 0.05
"""From how far on a thing counts as moved, in metres."""
MOMENTS = 1.0
"""How often the simulator is asked what is so meanwhile, in simulated seconds."""


def piece(thing: Mapping[str, Any], placed: Mapping[str, Any] | None = None) -> MovableObject:
    """Return an unlisted thing as the body has it, at its own place or where it appears."""
    shape, at = thing["shape"], placed or thing
    solid = Shape(shape["form"], tuple(shape["size"]), shape["mass"])
    offset = tuple(at.get("offset", (0.0, 0.0)))
    return MovableObject(
        thing["name"], solid, "on", at["place"], offset, at.get("level", 0), at.get("yaw", 0.0), thing["label"]
    )


class World(Protocol):
    """The true world of a body during a run."""

    def add(self, piece: MovableObject) -> None:
        """Put a thing into it."""

    def look(self) -> None:
        """Look at it between two ticks."""

    def end(self) -> None:
        """Look at it when the run is over."""

    def holds(self, fact: str) -> bool:
        """Return whether a fact is so at the end."""

    def ever_held(self, facts: Collection[str]) -> list[str]:
        """Return those of the facts that were so at some moment."""

    def moved(self, names: Collection[str]) -> set[str]:
        """Return which things were ever elsewhere than where they stood first."""


def world_of(body: FakeRobot | PyBulletRobot, never: Collection[str], things: Collection[str]) -> World:
    """Return the world of a body; `never` is what is looked at all the time, `things` what should not move unasked."""
    return Room(body, never, things) if isinstance(body, FakeRobot) else Simulation(body)


class Room:
    """The world of a fake body."""

    def __init__(self, body: FakeRobot, never: Collection[str], things: Collection[str]) -> None:
        self._body, self._judge, self._never, self._things = body, RoomJudge(body), never, things
        self._first = dict[str, tuple[tuple[str, str], Vector]]()
        self._held, self._moved = set[str](), set[str]()
        self.look()

    def add(self, piece: MovableObject) -> None:
        """Put a thing into it."""
        self._body.add_piece(piece)

    def look(self) -> None:
        """Note what is so that never should be, and what has moved."""
        world = self._body.world
        self._held.update(filter(self.holds, self._never))
        for name in world.carriers.keys() & self._things:
            spot = world.spots[name]
            now = (world.carriers[name], (spot.x, spot.y, spot.z))
            first = self._first.setdefault(name, now)
            if now[0] != first[0] or dist(now[1], first[1]) > MOVED:
                self._moved.add(name)

    def end(self) -> None:
        """Nothing has to come to rest here."""
        self.look()

    def holds(self, fact: str) -> bool:
        """Return whether a fact is so."""
        return any(map(self._judge.holds, dnf(parse_formula(fact))))

    def ever_held(self, facts: Collection[str]) -> list[str]:
        """Return those of the facts that were so at some moment."""
        return [fact for fact in facts if fact in self._held]

    def moved(self, names: Collection[str]) -> set[str]:
        """Return which things were ever elsewhere than where they stood first."""
        return self._moved.intersection(names)


class Simulation:
    """The world of the simulator, judged by `benchmarks.judge`, which shares no code with the robot."""

    def __init__(self, body: PyBulletRobot) -> None:
        self._body, world = body, body.rig.world
        ranges = {name: place.travel for name, place in world.offered.items() if place.travel}
        self._watch = Watch(world.client, dict(world.bodies), body.name, ranges=ranges, time=body.clock.now())
        self._moments: list[Snapshot] = []
        self._track: Track | None = None
        body.rig.errands.append(self._looks())

    def _looks(self) -> Iterator[None]:
        """Look at each control tick."""
        last = self._body.clock.now()
        while self._track is None:
            now = self._body.clock.now()
            if now > last:
                self._watch.look(last := now)
                if not self._moments or now - self._moments[-1].time >= MOMENTS:
                    self._moments.append(self._watch.snapshot(now))
            yield

    def add(self, piece: MovableObject) -> None:
        """Put a thing into it."""
        self._body.add_piece(piece)
        self._watch.join(piece.name, self._body.rig.world.bodies[piece.name], self._body.clock.now())

    def look(self) -> None:
        """The world is looked at while it goes on."""

    def end(self) -> None:
        """Let everything come to rest."""
        self._watch.mark_end(self._body.clock.now())
        self._body.clock.sleep(1.1)
        self._track = self._watch.end()

    def holds(self, fact: str) -> bool:
        """Return whether a fact is so at the end."""
        return self._is_so(fact, self._at_end)

    def ever_held(self, facts: Collection[str]) -> list[str]:
        """Return those of the facts that were so at some moment."""
        moments = (moment.with_more(self._at_end.start) for moment in self._moments)  # before a thing came
        tracks = [self._at_end, *(replace(self._at_end, end=moment, after=moment) for moment in moments)]
        return [fact for fact in facts if any(self._is_so(fact, track) for track in tracks)]

    def moved(self, names: Collection[str]) -> set[str]:
        """Return which things were ever elsewhere than where they stood first."""
        track = self._at_end
        away = np.linalg.norm(track.poses[:, :, :3] - track.poses[0, :, :3], axis=2).max(axis=0)
        return {name for name, far in zip(track.movable, away, strict=True) if name in names and far > MOVED}

    @property
    def _at_end(self) -> Track:
        assert self._track is not None, "the end is looked at first"
        return self._track

    def _is_so(self, fact: str, track: Track) -> bool:
        formula = parse_formula(fact)
        negated = isinstance(formula, Not)
        atom = formula.part if isinstance(formula, Not) else formula
        assert isinstance(atom, Atom)
        match atom.predicate, atom.args:
            case "inhand", (name, holder):
                said = f"held({name})" if holder == track.robot else f"has({holder}, {name})"
            case "closed", (name,) if name in track.fixed:
                said = f"shut({name})"
            case "opened", (name,) if name in track.fixed:
                said = f"open({name})"
            case ("on" | "in") as relation, (name, place):
                said = f"{relation}({name}, {place})"
            case _:  # what has no form, such as that a thing is wet, the body's world keeps
                return (atom in self._body.rig.states) != negated
        return judge({"not": said} if negated else said, track, fact).holds
