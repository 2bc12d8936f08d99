"""`push`: move a thing along the surface on which it stands, with two fingertips behind it.

The hand points down, and its fingers stand beside each other across the way, so that the thing is touched at two points
and keeps its heading. A stroke ends when the middle of the thing has come as far as was wanted; what it missed sideways
is mended by another stroke. M. T. Mason, "Mechanics and planning of manipulator pushing operations", International
Journal of Robotics Research 1986, says why two points keep what one point turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, pi
from typing import Final

from robots.furniture import wrapped
from robots.hand import push_goal
from robots.pybullet.description import Configuration
from robots.pybullet.kinematics import LimitExcess
from robots.pybullet.manipulation.hand import DOWN, FACINGS, failed
from robots.pybullet.manipulation.level import hand_pace, line, moved_level, place_of_work
from robots.pybullet.manipulation.reach import Aim, Station, raised, withdraw
from robots.pybullet.manipulation.reasons import length_text
from robots.pybullet.manipulation.search import ReachTask, search
from robots.pybullet.manipulation.spots import standing
from robots.pybullet.motion import Failed, Steps, halt
from robots.pybullet.rig import Rig
from robots.sliding import Slide, unsafe_slide
from semantics.geometry.geometry import Box
from semantics.geometry.solids import Point
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command

STROKES: Final = 3  # the most strokes of one push
EXACT: Final = 0.008  # distance from the goal at which no further stroke is made, in metres
MISSED: Final = 0.02  # largest distance from the goal after the last stroke, in metres
TIPS_ABOVE: Final = 0.016
"""Least height of the hand's point above the surface, in metres; the fingertips reach a little deeper."""
OVER: Final = 0.004  # height of the palm above a thing, in metres
FINGER: Final = 0.014  # half the depth of a finger, and a small clearance, in metres
PALM: Final = 0.035  # half the depth of the palm, in metres
PALM_HEIGHT: Final = 0.045  # height of the palm above the hand's point, in metres
FRICTION: Final = 0.8
"""Coefficient of friction of things: one that is pushed higher up than its half depth divided by this tips over."""
BEHIND: Final = 0.02  # distance from the thing at which the hand comes down, in metres
OVERRUN: Final = 0.015  # how far the hand may go beyond what was reckoned, in metres; the thing does not
ABREAST: Final = 0.25  # how far from the middle each finger is, as a share of the width of the thing
SPEED: Final = 0.06  # metres per second
EARLY: Final = 0.002  # distance before the end of a stroke at which the hand stops, in metres
FALLEN: Final = 0.015  # how much lower than at the start a thing is that fell off, in metres


@dataclass(frozen=True)
class _Stroke:
    """A straight push of a thing."""

    slide: Slide  # the way of the thing

    @property
    def height(self) -> float:
        """Height of the hand's point above the surface, so that the palm is above the thing if that is possible."""
        solid = self.slide.solid
        most = solid.reach(self.slide.direction) / FRICTION
        return max(TIPS_ABOVE, min(solid.size[2] - PALM_HEIGHT + OVER, most))

    @property
    def by_palm(self) -> bool:
        """Whether the palm touches the thing, because it is higher than the fingers reach."""
        return self.slide.solid.size[2] > self.height + PALM_HEIGHT

    @property
    def start(self) -> tuple[float, float, float]:
        """Where the hand comes down."""
        solid, (x, y) = self.slide.solid, self.slide.direction
        behind = solid.reach((x, y)) + (PALM if self.by_palm else FINGER) + BEHIND
        return solid.at[0] - behind * x, solid.at[1] - behind * y, solid.bottom + self.height

    @property
    def way(self) -> tuple[float, float]:
        """The way of the hand."""
        length = BEHIND + self.slide.length + OVERRUN
        return length * self.slide.direction[0], length * self.slide.direction[1]


def push(rig: Rig, command: Command) -> Steps:
    """Push a thing to a point, or by a distance.

    Raises:
        Failed: The hand is full (`precondition`); something is on the thing, beside it or on its way (`obstructed`); it
            would leave its surface (`no-room`); no posture reaches behind it (`out-of-reach`); or it did not arrive
            (`effect-missing`).
    """
    name = command.roles["object"]
    rig.check_empty(name, Code.PRECONDITION)
    goal = push_goal(command, standing(rig.world, name).middle)
    if isinstance(goal, Feedback):
        raise failed(goal)
    _safe(_slide(rig, name, goal), command)
    yield from withdraw(rig)
    where = place_of_work(rig, command)
    try:
        for _ in range(STROKES):
            slide = _slide(rig, name, goal)
            if slide.length <= EXACT:
                break
            _safe(slide, command)
            yield from _stroke(rig, slide, where)
    finally:
        rig.mirror.open_fingers(rig.description.hand.opening)
        rig.chassis.open_fingers()
    yield from withdraw(rig, where.stand if command.roles.get("at") else None)
    away = _slide(rig, name, goal).length
    if away > MISSED:
        why = f"it is {length_text(away)} from where it was to be pushed, and {length_text(MISSED)} is the most."
        raise Failed(Code.EFFECT_MISSING, name, why, (name,), "Push it again, or pick it up and put it there.")


def _slide(rig: Rig, name: str, goal: Point) -> Slide:
    world, load = rig.world, rig.load_on(name)
    own = standing(world, name)
    under = {other for other in world.touching(name) if world.box(other).low[2] < own.bottom - EARLY}
    names = world.shapes.keys() - {name, *load, *under}
    surfaces = [(other, box) for other, offered in world.offered.items() for box in offered.surfaces]
    floor = Box((-100.0, -100.0, -0.1), (100.0, 100.0, 0.0))
    others = {other: standing(world, other) for other in sorted(names)}
    return Slide(name, own, goal, (*surfaces, (world.layout.ground, floor)), others)


def _safe(slide: Slide, command: Command) -> None:
    refusal = unsafe_slide(slide, str(command))
    if refusal is not None:
        raise failed(refusal)


def _stroke(rig: Rig, slide: Slide, where: Station) -> Steps:
    """Bring the hand down behind a thing, and push it along its way."""
    stroke = _Stroke(slide)
    _may_be_pushed(rig, stroke)
    x, y = slide.direction
    opening = min(rig.description.hand.opening, 2 * ABREAST * slide.solid.reach((-y, x)))
    rig.mirror.open_fingers(opening)
    rig.chassis.move_fingers(opening)
    approach, path = yield from search(rig, _task(rig, stroke, where))
    yield from rig.travel(path)
    yield from rig.move(approach.at, pace=0.6)
    postures = line(rig, approach.at, stroke.way)
    if isinstance(postures, LimitExcess):
        how = "Push it less far, or pick it up and put it there."
        raise Failed(Code.OUT_OF_REACH, slide.name, f"{postures}.", (slide.name, postures.what), how)
    try:
        yield from _along(rig, slide, postures)
    except Failed:
        yield from halt(rig.chassis)
        yield from _back(rig, slide)
        raise
    yield from halt(rig.chassis)
    yield from _back(rig, slide)
    _stayed(rig, slide)


def _may_be_pushed(rig: Rig, stroke: _Stroke) -> None:
    """Check that a thing would not lose what is on it, nor tip over.

    Raises:
        Failed: It would.
    """
    name, solid = stroke.slide.name, stroke.slide.solid
    load = rig.load_on(name)
    if load and not solid.is_open:
        how = f"Take {' and '.join(load)} off {name} first."
        raise Failed(Code.OBSTRUCTED, name, f"{' and '.join(load)} on it would fall.", (name, *load), how)
    high, most = stroke.height + PALM_HEIGHT, solid.reach(stroke.slide.direction) / FRICTION
    if stroke.by_palm and high > most:
        why = f"it would tip over: the palm would push it {length_text(high)} above its underside"
        why = f"{why}, and {length_text(most)} is the most."
        raise Failed(Code.OUT_OF_REACH, name, why, (name,), "Pick it up and put it there.")


def _task(rig: Rig, stroke: _Stroke, where: Station) -> ReachTask:
    name, why = stroke.slide.name, "no direction of the hand is possible there."
    none = Failed(Code.OUT_OF_REACH, name, why, (name,), "Pick it up and put it there.")
    return ReachTask(
        lambda: ((aim, False) for aim in _aims(rig, stroke, where)),
        where,
        "",
        name,
        12,
        lambda: none,
        work="posture behind it",
        also_free=lambda posture: _in_the_way(rig, stroke, posture),
    )


def _aims(rig: Rig, stroke: _Stroke, where: Station) -> Iterator[Aim]:
    """Yield poses of a hand that points down behind a thing, with its fingers side by side."""
    x, y, z = stroke.start
    base = where.stand or rig.chassis.base()
    straight = atan2(y - base.y, x - base.x)
    across = atan2(stroke.slide.direction[1], stroke.slide.direction[0]) + pi / 2
    for facing in FACINGS if rig.description.moves else FACINGS[:1]:
        azimuth = straight + facing
        yield Aim((x, y, z), azimuth, DOWN, wrapped(2 * (azimuth + pi / 2 - across)) / 2)


def _in_the_way(rig: Rig, stroke: _Stroke, posture: Configuration) -> frozenset[str]:
    """Return what the robot would hit while it pushes from a posture, or the joint that does not go as far."""
    postures = line(rig, posture, stroke.way)
    if isinstance(postures, LimitExcess):
        return frozenset((postures.what,))
    with rig.mirror.without((stroke.slide.name, *rig.load_on(stroke.slide.name))):
        return rig.mirror.path_clashes([posture, *postures], rig.grip)


def _along(rig: Rig, slide: Slide, postures: list[Configuration]) -> Steps:
    """Move the hand until the thing has come as far as was wanted.

    Raises:
        Failed: It fell off, ran into something, or the robot is stuck.
    """
    near = set(rig.world.touching(slide.name)) | set(rig.load_on(slide.name))
    for fraction in rig.move(*postures, pace=hand_pace(rig, postures, SPEED)):
        x, y, _ = rig.world.pose(slide.name)[0]
        gone = (x - slide.solid.at[0]) * slide.direction[0] + (y - slide.solid.at[1]) * slide.direction[1]
        if gone >= slide.length - EARLY:
            return
        hit = sorted((set(rig.world.touching(slide.name)) - near) & slide.others.keys())
        if hit:
            why = f"after {length_text(gone)} of {length_text(slide.length)} it ran into {' and '.join(hit)}."
            how = f"Move {' and '.join(hit)} away, or push it in another direction."
            raise Failed(Code.OBSTRUCTED, slide.name, why, (slide.name, *hit), how)
        if rig.world.box(slide.name).low[2] < slide.solid.bottom - FALLEN:
            return
        yield fraction


def _back(rig: Rig, slide: Slide) -> Steps:
    """Move the hand back from a thing, and up."""
    x, y = slide.direction
    behind = moved_level(rig, rig.now(), -BEHIND * x, -BEHIND * y)
    away = rig.now() if isinstance(behind, LimitExcess) else behind
    yield from rig.move(away, raised(rig.description, away, 0.1), pace=0.6)


def _stayed(rig: Rig, slide: Slide) -> None:
    """Check that a thing is still on its surface.

    Raises:
        Failed: It fell off (`dropped`).
    """
    fallen = slide.solid.bottom - rig.world.box(slide.name).low[2]
    if fallen > FALLEN:
        why = f"it fell {fallen:.2f} m off {' and '.join(name for name, _ in slide.under())}."
        raise Failed(Code.DROPPED, slide.name, why, (slide.name,), f"Now it is {rig.resting_place(slide.name)}.")
