"""Pouring: where a stream would leave a tipped vessel, and whether it would land in another one.

A vessel counts as half full: it pours at the looks at which it is tipped beyond the angle at which half its content
would reach the rim (`Opening.half_full_angle`). The stream leaves at the lowest point of the rim, the lip, and
flies freely with 0.2 to 0.5 m/s in the direction in which the vessel leans. The lip and both ends of the stream's
landing have to be in the opening of the target, seen from above; everything else is spilled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from benchmarks.judge.bodies import Array, Frame
from benchmarks.judge.vessels import Opening
from benchmarks.judge.watch import Track

__all__ = ["Pour", "find_pour", "find_spill", "is_vessel"]

SPEEDS = (0.2, 0.5)
"""Of the stream where it leaves the lip, horizontally, m/s."""
GRAVITY = 9.81
BELOW_RIM = 0.005
"""How far below the rim of the target the lip may be, metres, and is still told as at the rim."""
SLENDER = 0.8
"""Depth over width from which on a thing is taken for a vessel where nobody names the vessels."""
EDGE = 0.001
"""Points of the rim that are no higher than this above its lowest form the lip, metres."""


@dataclass(frozen=True)
class Pour:
    """What came of tipping one vessel over another.

    Attributes:
        tipped: Looks at which the source was tipped enough to pour.
        over: Those of them at which its lip was over the target.
        wrong: What was wrong at the first look at which liquid would miss, in words; empty when none would.
        lip: The lowest and the highest place of the lip above the rim of the target while it was over it, metres.
        angle: The least tilt at which the source, half full, pours, degrees.
    """

    tipped: int
    over: int
    wrong: str
    lip: tuple[float, float]
    angle: float = math.nan


def _first_opening(track: Track, name: str) -> Opening | None:
    return track.openings[name][0][1] if track.openings.get(name) else None


def is_vessel(track: Track, thing: str) -> bool:
    """Return whether a thing is as deep as a cup or a bottle; plates, trays and bread are not."""
    opening = _first_opening(track, thing)
    if opening is None:
        return False
    return math.tan(_least_angle(opening)) >= SLENDER


def _lip(opening: Opening, frame: Frame) -> tuple[Array, Array, float]:
    """Return the lip, the horizontal direction in which the vessel leans, and the angle at which it pours there."""
    edge = opening.edge
    world = frame.to_world(edge)
    lowest = world[:, 2] <= world[:, 2].min() + EDGE
    lip, local = world[lowest].mean(axis=0), edge[lowest].mean(axis=0)
    outward = frame.rotation[:2, 2]
    length = float(np.linalg.norm(outward))
    direction = outward / length if length > 1e-6 else np.zeros(2)
    return lip, direction, opening.half_full_angle((local - opening.middle)[:2])


def _miss(lip: Array, direction: Array, target: Opening, frame: Frame) -> tuple[str, float]:
    """Return in words how a stream from the lip misses a target, empty when it hits, and the lip's height over it."""
    rim = float(frame.to_world(target.middle[None])[0, 2])
    height = float(lip[2]) - rim
    if not target.covers(frame.to_local(lip[None]))[0]:
        middle = frame.to_world(target.middle[None])[0]
        away = float(np.linalg.norm((lip - middle)[:2]))
        return f"the lip is {away * 1000:.0f} mm beside the middle and not over the opening", height
    if height < -target.depth - BELOW_RIM:
        return f"the lip is {-height * 1000:.0f} mm below the rim", height
    seconds = math.sqrt(2 * max(height, 0.0) / GRAVITY)
    for speed in SPEEDS:
        landing = np.append(lip[:2] + direction * speed * seconds, rim)
        if not target.covers(frame.to_local(landing[None]))[0]:
            return f"a stream of {speed} m/s from {height * 1000:.0f} mm above the rim lands beside the opening", height
    return "", height


def _least_angle(opening: Opening) -> float:
    """Return the least tilt in any direction at which a vessel pours, radians."""
    return min(opening.half_full_angle(np.array([math.cos(a), math.sin(a)])) for a in np.linspace(0, math.pi, 9))


def _pouring_looks(track: Track, source: str, opening: Opening) -> list[tuple[int, Array, Array]]:
    """Return the looks at which a vessel pours, with the lip and its direction."""
    tilts = track.tilts(source)
    looks = []
    for look in np.flatnonzero(tilts >= 0.9 * _least_angle(opening)):
        lip, direction, angle = _lip(opening, track.frame(source, int(look)))
        if tilts[look] >= angle:
            looks.append((int(look), lip, direction))
    return looks


def find_pour(track: Track, source: str, target: str) -> Pour:
    """Judge the pouring of a source into a target over the whole run."""
    opening, into = _first_opening(track, source), _first_opening(track, target)
    if opening is None or into is None:
        return Pour(0, 0, f"{source if opening is None else target} has no opening", (math.nan, math.nan))
    part = track.openings[target][0][0]
    looks, heights, wrong = _pouring_looks(track, source, opening), [], ""
    for look, lip, direction in looks:
        frame = track.frame(target, look) if target in track.movable else track.start.parts[part]
        miss, height = _miss(lip, direction, into, frame)
        if not miss or not miss.startswith("the lip is"):
            heights.append(height)
        if miss and not wrong:
            wrong = f"at {track.times[look]:.2f} s {miss}"
    lips = min(heights, default=math.nan), max(heights, default=math.nan)
    return Pour(len(looks), len(heights), wrong, lips, math.degrees(_least_angle(opening)))


def find_spill(track: Track, source: str) -> str:
    """Return in words the first look at which what is in a vessel would have run beside everything; empty when none."""
    opening = _first_opening(track, source)
    if opening is None:
        return ""
    targets = [name for name in (*track.movable, *track.fixed) if name != source and track.openings.get(name)]
    targets = [n for n in targets if track.openings[n][0][1].hollow or (n in track.movable and is_vessel(track, n))]
    for look, lip, direction in _pouring_looks(track, source, opening):
        for name in targets:
            part, into = track.openings[name][0]
            frame = track.frame(name, look) if name in track.movable else track.start.parts[part]
            if not _miss(lip, direction, into, frame)[0]:
                break
        else:
            angle = math.degrees(track.tilts(source)[look])
            return f"{source} was tipped by {angle:.0f} degrees over nothing at {track.times[look]:.2f} s"
    return ""
