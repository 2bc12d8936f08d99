"""What stands how at one moment: poses, touches, supports, what encloses what, doors and constraints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pybullet as p

from benchmarks.judge.bodies import MOST_HITS, UNBOUNDED, Array, Bodies, Frame, cast_rays

__all__ = ["UPWARD", "WORLD", "Snapshot", "Touch", "take_snapshot"]

NEAR = 0.005
"""Convex hulls have margins: what is nearer than this, in metres, is looked at as a touch."""
TOUCHING = 0.002
"""The largest gap, in metres, over which a support still carries."""
GRIP_GAP = 0.001
UPWARD = 0.5
"""The least upward part of the normal of a touch that carries."""
OPPOSED = -0.5
"""The cosine between two normals from which on they oppose each other, as those of two fingers do."""
WORLD = "the world"


@dataclass(frozen=True, slots=True)
class Touch:
    """Where a thing and something else meet.

    Attributes:
        other: Name of what it meets.
        point: On the thing, metres.
        normal: Towards the thing.
        distance: Metres; negative where the two are in each other.
    """

    other: str
    point: Array
    normal: Array
    distance: float


@dataclass(frozen=True)
class Snapshot:
    """The state at one moment.

    Attributes:
        time: Seconds.
        frames: Where each name is; a name of several bodies by its first.
        parts: Where each link of the things and the furniture is.
        heights: Of each movable thing from its lowest to its highest point.
        touches: Of each movable thing.
        below: What lies under the middle of each movable thing: names and heights, the highest first.
        enclosed: Pairs of a thing and a piece of furniture that is above it, below it and on three of its sides.
        ties: Pairs that a constraint holds together.
        shares: How far each joint of the furniture is open.
    """

    time: float
    frames: dict[str, Frame]
    parts: dict[tuple[int, int], Frame]
    heights: dict[str, float]
    touches: dict[str, tuple[Touch, ...]]
    below: dict[str, tuple[tuple[str, float], ...]]
    enclosed: frozenset[tuple[str, str]]
    ties: frozenset[tuple[str, str]]
    shares: dict[str, dict[str, float]]

    def with_more(self, later: Snapshot) -> Snapshot:
        """Return this state with what is known of further things from a later one."""
        new = later.frames.keys() - self.frames.keys()
        return replace(
            self,
            frames={**later.frames, **self.frames},
            parts={**later.parts, **self.parts},
            heights={**later.heights, **self.heights},
            touches={**later.touches, **self.touches},
            below={**later.below, **self.below},
            enclosed=self.enclosed | {pair for pair in later.enclosed if pair[0] in new},
            ties=self.ties | {pair for pair in later.ties if not new.isdisjoint(pair)},
        )

    def supports(self, thing: str) -> list[Touch]:
        """Return the touches that push a thing up at its underside."""
        middle = self.frames[thing].position[2]
        return [
            touch
            for touch in self.touches[thing]
            if touch.distance <= TOUCHING and touch.normal[2] >= UPWARD and touch.point[2] <= middle
        ]

    def is_tied(self, thing: str, other: str) -> bool:
        """Return whether a constraint holds a thing to something."""
        return (thing, other) in self.ties

    def is_gripped(self, thing: str, holder: str) -> bool:
        """Return whether a holder has a thing between opposed touches, tied, or is all that carries it."""
        if self.is_tied(thing, holder):
            return True
        normals = [t.normal for t in self.touches[thing] if t.other == holder and t.distance <= GRIP_GAP]
        if any(float(a @ b) < OPPOSED for i, a in enumerate(normals) for b in normals[i + 1 :]):
            return True
        carriers = {touch.other for touch in self.supports(thing)}
        return carriers == {holder}


def _touches(bodies: Bodies, name: str) -> Iterator[Touch]:
    client = bodies.client
    for body in bodies.ids[name]:
        low, high = (np.array(corner) for corner in p.getAABB(body, physicsClientId=client))
        near = p.getOverlappingObjects((low - 0.01).tolist(), (high + 0.01).tolist(), physicsClientId=client) or ()
        for other in sorted({found[0] for found in near} - set(bodies.ids[name])):
            points = p.getClosestPoints(body, other, NEAR, physicsClientId=client)
            points += p.getContactPoints(body, other, physicsClientId=client)
            for point in points:
                if point[8] <= NEAR:
                    own = point[1] == body
                    normal = np.array(point[7]) * (1.0 if own else -1.0)
                    yield Touch(bodies.name_of(other), np.array(point[5 if own else 6]), normal, point[8])


def _hits(bodies: Bodies, starts: Array, ends: Array) -> list[list[tuple[str, Array]]]:
    """Return all that each ray meets: names and places."""
    found: list[list[tuple[str, Array]]] = [[] for _ in starts]
    for number in range(MOST_HITS):
        ids, places = cast_rays(bodies.client, starts, ends, number)
        if (ids[:, 0] < 0).all():
            break
        for ray in np.flatnonzero(ids[:, 0] >= 0):
            found[ray].append((bodies.name_of(int(ids[ray, 0])), places[ray]))
    return found


def _see_below(bodies: Bodies, frames: dict[str, Frame]) -> dict[str, tuple[tuple[str, float], ...]]:
    starts = np.array([frames[name].position for name in bodies.movable]).reshape(-1, 3)
    hits = _hits(bodies, starts, starts - np.array([0.0, 0.0, 3.0])) if len(starts) else []
    return {
        name: tuple(sorted(((other, float(at[2])) for other, at in ray if other != name), key=lambda hit: -hit[1]))
        for name, ray in zip(bodies.movable, hits, strict=True)
    }


def _find_enclosed(bodies: Bodies, frames: dict[str, Frame]) -> Iterator[tuple[str, str]]:
    for furniture in bodies.fixed:
        low, high = (np.array(c) for c in p.getAABB(bodies.ids[furniture][0], physicsClientId=bodies.client))
        reach = float(np.linalg.norm(high - low))
        if reach > UNBOUNDED:  # a ground plane encloses nothing
            continue
        axes = frames[furniture].rotation.T
        directions = np.vstack([axes, -axes]) * reach
        for thing in bodies.movable:
            middle = frames[thing].position
            if not ((middle >= low).all() and (middle <= high).all()):
                continue
            hits = _hits(bodies, np.repeat(middle[None], 6, axis=0), middle + directions)
            met = [any(other == furniture for other, _ in ray) for ray in hits]
            if met[2] and met[5] and sum(met[i] for i in (0, 1, 3, 4)) >= 3:
                yield thing, furniture


def _ties(bodies: Bodies) -> Iterator[tuple[str, str]]:
    for index in range(p.getNumConstraints(physicsClientId=bodies.client)):
        unique = p.getConstraintUniqueId(index, physicsClientId=bodies.client)
        info = p.getConstraintInfo(unique, physicsClientId=bodies.client)
        first, second = (bodies.name_of(body) if body >= 0 else WORLD for body in (info[0], info[2]))
        if first != second:
            yield from ((first, second), (second, first))


def take_snapshot(bodies: Bodies, time: float) -> Snapshot:
    """Look at the whole scene, without changing anything."""
    frames = {name: bodies.frame(ids[0]) for name, ids in bodies.ids.items()}
    boxes = {name: p.getAABB(bodies.ids[name][0], physicsClientId=bodies.client) for name in bodies.movable}
    return Snapshot(
        time,
        frames,
        {part: bodies.frame(*part) for name in (*bodies.movable, *bodies.fixed) for part in bodies.links(name)},
        {name: high[2] - low[2] for name, (low, high) in boxes.items()},
        {name: tuple(_touches(bodies, name)) for name in bodies.movable},
        _see_below(bodies, frames),
        frozenset(_find_enclosed(bodies, frames)),
        frozenset(_ties(bodies)),
        {name: bodies.joint_shares(name) for name in bodies.fixed},
    )
