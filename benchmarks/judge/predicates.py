"""What can be said about the end of a run and about its course.

A predicate takes the track and its arguments and returns in words what makes it false; nothing means that it holds.
What is said of the end has to hold when the run ends and one second later, with the things at rest in between.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.judge.bodies import Array, Frame
from benchmarks.judge.pours import find_pour, find_spill, is_vessel
from benchmarks.judge.scene import UPWARD, WORLD, Snapshot, Touch
from benchmarks.judge.surfaces import touched_cells
from benchmarks.judge.vessels import Opening
from benchmarks.judge.watch import Track

__all__ = ["CHECKS", "Check"]

Reasons = list[str]
Check = Callable[..., Reasons]

REST_MOVE, REST_TURN = 0.005, math.radians(3)
"""What a thing at rest may move and tip in the second after the end, metres and radians."""
INSIDE = 0.005
"""How deep a thing may be in what carries it, metres: margins of convex hulls and soft contacts."""
UNDER_TOUCH = 0.04
"""How far below the lowest touch the place may be under the middle, metres: a thing may lie on the rim of a plate."""
BOARD = 0.02
UPRIGHT = math.radians(15)
OPEN, SHUT = 0.7, 0.05
LEVEL = 0.05
OVERLAP = 0.01
SIDEWAYS = math.radians(45)
NEXT_TO = 0.10
FREE_FALL = 0.05
WIPED = 0.5
"""The least share of a surface that counts as wiped where none is said."""


def _at_both(track: Track, check: Callable[[Snapshot], Reasons]) -> Reasons:
    """Return what is false at the end, or else what is false a second later."""
    if reasons := check(track.end):
        return reasons
    return [f"a second later {reason}" for reason in check(track.after)]


def _unrest(track: Track, *things: str) -> Reasons:
    reasons = []
    for thing in things:
        before, now = track.end.frames[thing], track.after.frames[thing]
        moved = float(np.linalg.norm(now.position - before.position))
        turned = math.acos(max(-1.0, min(1.0, float(now.rotation[:, 2] @ before.rotation[:, 2]))))
        if moved > REST_MOVE or turned > REST_TURN:
            reasons.append(
                f"{thing} is not at rest: {moved * 1000:.0f} mm and {math.degrees(turned):.0f} degrees in a second"
            )
    return reasons


def _holders(track: Track, at: Snapshot, thing: str) -> Reasons:
    reasons = [f"{track.robot} holds {thing}"] if at.is_gripped(thing, track.robot) else []
    tied = (other for other in (*track.fixed, WORLD) if at.is_tied(thing, other))
    return reasons + [f"{thing} is fixed to {other}" for other in tied]


def _stuck(at: Snapshot, thing: str, places: Sequence[str]) -> Reasons:
    deep = max((-t.distance for t in at.touches[thing] if t.other in places), default=0.0)
    return [f"{thing} is {deep * 1000:.0f} mm inside what carries it"] if deep > INSIDE else []


def check_on(track: Track, thing: str, place: str, board: int | None = None) -> Reasons:
    """A place pushes a thing up at its underside, the middle is over the place, nobody holds it, and it rests."""

    def check(at: Snapshot) -> Reasons:
        reasons = _holders(track, at, thing) + _stuck(at, thing, [place])
        touches = [touch for touch in at.supports(thing) if touch.other == place]
        if not touches:
            carriers = sorted({touch.other for touch in at.supports(thing)})
            return [*reasons, f"{place} does not carry {thing}; {' and '.join(carriers) or 'nothing'} does"]
        lowest, highest = min(t.point[2] for t in touches), max(t.point[2] for t in touches)
        if not any(name == place and height >= lowest - UNDER_TOUCH for name, height in at.below[thing]):
            reasons.append(f"the middle of {thing} is not over {place}{_overhang(at, thing, touches)}")
        return reasons + _wrong_board(track, place, board, highest)

    return _at_both(track, check) + _unrest(track, thing)


def _overhang(at: Snapshot, thing: str, touches: Sequence[Touch]) -> str:
    middle = at.frames[thing].position[:2]
    return (
        f": {min(float(np.linalg.norm(t.point[:2] - middle)) for t in touches) * 1000:.0f} mm beside the nearest touch"
    )


def _wrong_board(track: Track, place: str, board: int | None, height: float) -> Reasons:
    if board is None:
        return []
    boards = track.boards.get(place, ())
    if not 0 <= board < len(boards):
        return [f"{place} has {len(boards)} boards, and none is number {board}"]
    if abs(boards[board] - height) <= BOARD:
        return []
    return [f"it stands at {height:.3f} m, and board {board} of {place} is at {boards[board]:.3f} m"]


def _openings(track: Track, at: Snapshot, container: str) -> list[tuple[Frame, Opening]]:
    frames = ((at.parts[part], opening) for part, opening in track.openings.get(container, ()) if opening.hollow)
    # What is in a vessel that lies on its side is not held by it.
    return [(frame, opening) for frame, opening in frames if frame.tilt < math.radians(60)]


def _is_below_rim(track: Track, at: Snapshot, thing: str, container: str) -> bool:
    middle = at.frames[thing].position[None]
    for frame, opening in _openings(track, at, container):
        local = frame.to_local(middle)
        if opening.covers(local)[0] and opening.floor - INSIDE <= local[0, 2] <= opening.rim:
            return True
    return (thing, container) in at.enclosed


def check_in(track: Track, thing: str, container: str) -> Reasons:
    """The middle of a thing is inside a container, nobody holds it, and it rests.

    Inside is within the outline of an opening and below its rim, or, for what is closed above (a fridge), with the
    container above, below and on three sides. Of a pile, a thing above the rim is still in when its middle is
    within the outline and at most half its own height above the rim, and all that it touches are things below the
    rim; what rests on the rim is not.
    """

    def check(at: Snapshot) -> Reasons:
        reasons = _holders(track, at, thing) + _stuck(at, thing, [container])
        if not _is_below_rim(track, at, thing, container):
            reasons += _above_rim(track, at, thing, container)
        return reasons

    return _at_both(track, check) + _unrest(track, thing)


def _above_rim(track: Track, at: Snapshot, thing: str, container: str) -> Reasons:
    openings = _openings(track, at, container)
    middle = at.frames[thing].position[None]
    over = [(frame, opening) for frame, opening in openings if opening.covers(frame.to_local(middle))[0]]
    if not over:
        return [f"the middle of {thing} is not inside {container}" + ("" if openings else ", which has no room inside")]
    frame, opening = over[0]
    above = float(frame.to_local(middle)[0, 2]) - opening.rim
    if above < 0:
        return [f"{thing} is {(opening.floor - opening.rim - above) * 1000:.0f} mm below the floor of {container}"]
    if above > at.heights[thing] / 2:
        return [f"the middle of {thing} is {above * 1000:.0f} mm above the rim of {container}"]
    # What lies on top of it does not count, as it does not carry.
    met = {touch.other for touch in at.touches[thing] if touch.distance <= INSIDE / 2 and touch.normal[2] > -UPWARD}
    contents = {name for name in track.movable if name != container and _is_below_rim(track, at, name, container)}
    outside = sorted(met - contents)
    if not met or outside:
        return [f"{thing} is above the rim of {container} and rests on {', '.join(outside) or 'nothing'}"]
    return []


def check_within(track: Track, thing: str, region: Sequence[Sequence[float]]) -> Reasons:
    """The middle of a thing, seen from above, is in one of the boxes x0, y0, x1, y1; nobody holds it, and it rests."""

    def check(at: Snapshot) -> Reasons:
        x, y = at.frames[thing].position[:2]
        inside = any(min(a, c) <= x <= max(a, c) and min(b, d) <= y <= max(b, d) for a, b, c, d in region)
        return _holders(track, at, thing) + ([] if inside else [f"the middle of {thing} is at {x:.3f}, {y:.3f}"])

    return _at_both(track, check) + _unrest(track, thing)


def check_upright(track: Track, thing: str) -> Reasons:
    """The z axis of a thing is within 15 degrees of up."""

    def check(at: Snapshot) -> Reasons:
        tilt = at.frames[thing].tilt
        return [] if tilt <= UPRIGHT else [f"{thing} is tipped by {math.degrees(tilt):.0f} degrees"]

    return _at_both(track, check) + _unrest(track, thing)


def _is_carried(at: Snapshot, thing: str, carrier: str, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether all that carries a thing is the carrier, or is carried by it."""
    carriers = {touch.other for touch in at.supports(thing)} - seen
    if not carriers:
        return False
    return all(
        other == carrier or (other in at.touches and _is_carried(at, other, carrier, seen | {thing}))
        for other in carriers
    )


def check_has(track: Track, person: str, thing: str) -> Reasons:
    """A person carries a thing, also in something else or tied to the hand, and the robot does not."""

    def check(at: Snapshot) -> Reasons:
        reasons = [f"{track.robot} holds {thing}"] if at.is_gripped(thing, track.robot) else []
        if not at.is_tied(thing, person) and not _is_carried(at, thing, person):
            carriers = sorted({touch.other for touch in at.supports(thing)})
            reasons.append(f"{person} does not carry {thing}; {' and '.join(carriers) or 'nothing'} does")
        return reasons

    return _at_both(track, check)


def check_held(track: Track, thing: str) -> Reasons:
    """The robot holds a thing."""
    return _at_both(
        track, lambda at: [] if at.is_gripped(thing, track.robot) else [f"{track.robot} does not hold {thing}"]
    )


def check_open(track: Track, furniture: str) -> Reasons:
    """A door or drawer is open by 70 percent of its range or more."""

    def check(at: Snapshot) -> Reasons:
        share = max(at.shares.get(furniture, {}).values(), default=0.0)
        return [] if share >= OPEN else [f"{furniture} is open by {share:.0%}"]

    return _at_both(track, check)


def check_shut(track: Track, furniture: str) -> Reasons:
    """All doors and drawers are open by 5 percent of their range at most."""

    def check(at: Snapshot) -> Reasons:
        shares = at.shares.get(furniture)
        if not shares:
            return [f"{furniture} has no door"]
        return [] if max(shares.values()) <= SHUT else [f"{furniture} is open by {max(shares.values()):.0%}"]

    return _at_both(track, check)


def _cloud(track: Track, at: Snapshot, name: str) -> Array:
    return np.vstack([at.parts[part].to_world(track.heights[part].cloud) for part in track.parts[name]])


def _shapeless(track: Track, *names: str) -> Reasons:
    return [f"{name} has no outline" for name in names if not track.parts.get(name)]


def _level(a: str, b: str, cloud: Array, other: Array) -> Reasons:
    apart = abs(float(cloud[:, 2].min() - other[:, 2].min()))
    return [] if apart <= LEVEL else [f"the undersides of {a} and {b} are {apart:.3f} m apart in height"]


def _check_side(track: Track, a: str, b: str, heading: float, turn: float, word: str) -> Reasons:
    if reasons := _shapeless(track, a, b):
        return reasons
    direction = np.array([math.cos(heading + turn), math.sin(heading + turn)])

    def check(at: Snapshot) -> Reasons:
        cloud, other = _cloud(track, at, a), _cloud(track, at, b)
        reasons = _holders(track, at, a) + _level(a, b, cloud, other)
        gap = float((cloud[:, :2] @ direction).min() - (other[:, :2] @ direction).max())
        if gap < -OVERLAP:
            reasons.append(f"{a} is not {word} {b}: it would have to move {-gap:.3f} m")
        way = (
            cloud[:, :2].max(axis=0) + cloud[:, :2].min(axis=0) - other[:, :2].max(axis=0) - other[:, :2].min(axis=0)
        ) / 2
        off = math.acos(max(-1.0, min(1.0, float(way @ direction) / max(float(np.linalg.norm(way)), 1e-9))))
        if off > SIDEWAYS:
            reasons.append(f"{a} is {math.degrees(off):.0f} degrees off the direction {word} {b}")
        return reasons

    return _at_both(track, check) + _unrest(track, *(name for name in (a, b) if name in track.movable))


def check_left(track: Track, a: str, b: str, heading: float) -> Reasons:
    """One is left of the other for a viewer who looks along the heading."""
    return _check_side(track, a, b, heading, math.pi / 2, "left of")


def check_right(track: Track, a: str, b: str, heading: float) -> Reasons:
    """One is right of the other for a viewer who looks along the heading."""
    return _check_side(track, a, b, heading, -math.pi / 2, "right of")


def check_front(track: Track, a: str, b: str, heading: float) -> Reasons:
    """One is in front of the other: towards the viewer."""
    return _check_side(track, a, b, heading, math.pi, "in front of")


def check_behind(track: Track, a: str, b: str, heading: float) -> Reasons:
    """One is behind the other: away from the viewer."""
    return _check_side(track, a, b, heading, 0.0, "behind")


def check_next_to(track: Track, a: str, b: str, metres: float = NEXT_TO) -> Reasons:
    """The outlines from above are at most so far apart, the two are level, and neither stands on the other."""
    if reasons := _shapeless(track, a, b):
        return reasons

    def check(at: Snapshot) -> Reasons:
        cloud, other = _cloud(track, at, a), _cloud(track, at, b)
        reasons = _holders(track, at, a) + _level(a, b, cloud, other)
        gap = min(
            float(np.linalg.norm(other[:, :2] - point, axis=1).min())
            for point in np.unique(cloud[:, :2].round(3), axis=0)
        )
        if gap > metres + INSIDE / 2:
            reasons.append(f"{a} and {b} are {gap:.3f} m apart")
        for upper, lower in ((a, b), (b, a)):
            if upper in at.touches and any(touch.other == lower for touch in at.supports(upper)):
                reasons.append(f"{upper} stands on {lower}")
        return reasons

    return _at_both(track, check) + _unrest(track, *(name for name in (a, b) if name in track.movable))


def check_poured(track: Track, source: str, target: str) -> Reasons:
    """All that left the source, taken as half full, would have landed in the target."""
    pour = find_pour(track, source, target)
    if pour.wrong:
        return [f"{source} into {target}: {pour.wrong}"]
    if pour.over:
        return []
    tilt = math.degrees(float(track.tilts(source).max()))
    return [f"{source} was tipped by {tilt:.0f} degrees at most; half full, it pours from {pour.angle:.0f} degrees on"]


def check_not_spilled(track: Track, *things: str) -> Reasons:
    """Nothing ran beside a vessel; without names, of all things that are as deep as a cup."""
    named = things or tuple(thing for thing in track.movable if is_vessel(track, thing))
    return [spill for thing in named if (spill := find_spill(track, thing))]


def check_spilled(track: Track, thing: str) -> Reasons:
    """Something ran beside a vessel."""
    return [] if find_spill(track, thing) else [f"nothing would have run out of {thing}"]


def check_wiped(
    track: Track, surface: str, tool: str, share: float = WIPED, region: Sequence[Sequence[float]] | None = None
) -> Reasons:
    """The tool, in the robot's hand, touched that share of what was free of the top, or of the cells in a region."""
    top = track.tops.get(surface)
    if top is None:
        return [f"{surface} has no flat top"]
    wanted = top.free if region is None else top.free & top.within(region)
    if not wanted.any():
        return [f"no cell of {surface} was free there"]
    touched = touched_cells(top, track.footprints.get((tool, surface), ()))
    done = float((touched & wanted).sum() / wanted.sum())
    return [] if done >= share else [f"{tool} touched {done:.1%} of {surface}"]


def check_unmoved(track: Track, *names: str) -> Reasons:
    """The named things, or all, stand where they stood: within 5 cm and 15 degrees of tilt."""
    changes = track.moved()
    return [text for name, text in changes.items() if not names or name in names]


def check_unmoved_except(track: Track, *names: str) -> Reasons:
    """All things but the named ones stand where they stood."""
    return list(track.moved(names).values())


def check_moved(track: Track, thing: str) -> Reasons:
    """A thing is elsewhere than at the start."""
    return [] if thing in track.moved() else [f"{thing} is where it stood"]


def check_not_dropped(track: Track, *things: str) -> Reasons:
    """The named things, or all, never fell freely by more than 5 cm."""
    return [
        f"{thing} fell {fall:.3f} m until {time:.2f} s"
        for thing, (fall, time) in track.falls.items()
        if fall > FREE_FALL and (not things or thing in things)
    ]


def check_dropped(track: Track, thing: str) -> Reasons:
    """A thing fell freely by more than 5 cm."""
    fall = track.falls.get(thing, (0.0, 0.0))[0]
    return [] if fall > FREE_FALL else [f"{thing} fell {fall:.3f} m"]


CHECKS: dict[str, tuple[Check, tuple[str, ...], dict[str, str], str]] = {
    # name: the check, kinds of its arguments, its optional ones, and the kind of any number of further arguments
    "on": (check_on, ("movable", "name"), {"board": "integer"}, ""),
    "in": (check_in, ("movable", "name"), {}, ""),
    "within": (check_within, ("movable", "boxes"), {}, ""),
    "upright": (check_upright, ("movable",), {}, ""),
    "has": (check_has, ("name", "movable"), {}, ""),
    "held": (check_held, ("movable",), {}, ""),
    "open": (check_open, ("fixed",), {}, ""),
    "shut": (check_shut, ("fixed",), {}, ""),
    "left_of": (check_left, ("movable", "solid", "number"), {}, ""),
    "right_of": (check_right, ("movable", "solid", "number"), {}, ""),
    "in_front_of": (check_front, ("movable", "solid", "number"), {}, ""),
    "behind": (check_behind, ("movable", "solid", "number"), {}, ""),
    "next_to": (check_next_to, ("movable", "solid"), {"metres": "number"}, ""),
    "poured": (check_poured, ("movable", "solid"), {}, ""),
    "spilled": (check_spilled, ("movable",), {}, ""),
    "not_spilled": (check_not_spilled, (), {}, "movable"),
    "wiped": (check_wiped, ("fixed", "movable"), {"share": "number", "region": "boxes"}, ""),
    "moved": (check_moved, ("movable",), {}, ""),
    "unmoved": (check_unmoved, (), {}, "movable"),
    "unmoved_except": (check_unmoved_except, (), {}, "movable"),
    "dropped": (check_dropped, ("movable",), {}, ""),
    "not_dropped": (check_not_dropped, (), {}, "movable"),
}
