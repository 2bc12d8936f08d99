"""The search for a posture and a free path to it; when there is none, the reason, and what would help.

Beside other things there may be no room for wide open fingers. Then the same postures are tried with fingers that open
less, down to a little more than what is between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice, product
from typing import NamedTuple

import numpy as np

from robots.pybullet.description import LIFT, YAW, BodyDescription, Configuration
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.manipulation.out_of_reach import NO_SHIFT, door_in_the_way, out_of_reach, shift_that_helps, spread
from robots.pybullet.manipulation.reach import Aim, Station, backed, planned_way, raised, stances, way
from robots.pybullet.manipulation.reasons import listed, to_move_away
from robots.pybullet.mirror import AIR, FINGERS, HAND
from robots.pybullet.motion import ArmPath, Failed
from robots.pybullet.paths import planned_path
from robots.pybullet.rig import Rig, carried
from semantics.logic.feedback import Code

ADVANCE = 0.42  # how far the base backs out of a space with a roof, in metres
DRAWN = 0.09  # distance between the hand and the grasp before the approach in the open, in metres
LIFTED = 0.1
UNDER_A_ROOF = 0.02
HIGHER = 0.15
"""How far the hand rises after its work: in the open, under a roof, and there over what stands before it, in metres."""
TURNS = (0.2, -0.2, 0.4, -0.4)
"""Angles in radians by which the hand may look aside of the arm, to take from under a roof what it cannot take else."""
MOST_TRIED = 3000  # number of postures tested in the mirror before the search for a grasp ends
MOST_TESTED = 12_000
"""Number of tests, of all postures and all paths to them with all openings, after which a search ends."""
MOST_RETESTED = 1600  # number of tests to find out whether the search would succeed without an object
MOST_PLANNED = 4  # number of postures to which a planner searches a path when no standard path is free
OPENINGS = 4  # number of openings of the fingers that are tried, from the widest to the narrowest
BESIDE_A_FINGER = 0.004
"""Least room between a finger and what it closes on, and between the arm and what it passes on its last way, in metres;
the arm arrives less exactly than it is told."""
ROBOT = "robot"  # the name under which the mirror tells that the robot would hit itself


class Approach(NamedTuple):
    """The last part of a motion."""

    before: Configuration  # the posture before
    at: Configuration  # the posture at the object
    retreat: tuple[Configuration, ...]  # the postures of the retreat from there
    opening: float  # how far each finger may open there, in metres from the centre


ApproachSearch = Generator[float, None, tuple[Approach, ArmPath]]
"""Yields once per control tick, and returns an approach and the path to its start."""


@dataclass(frozen=True)
class ReachTask:
    """What to reach."""

    aims: Callable[[], Iterable[tuple[Aim, bool]]]
    """Yields poses of the fingertips, the best first, and whether each is under a roof."""
    where: Station  # the station
    handled: str  # the object to grasp, or the held object; empty for none
    what: str  # the object or place to blame when nothing is reachable
    most_stances: int  # number of postures tested for one pose of the fingertips
    without_aims: Callable[[], Failed]  # makes the failure when there is no pose of the fingertips
    is_direct: bool = False  # whether the path may end in the posture; else the last part is along the hand
    straight: bool = False  # whether a straight path from where the arm is comes first; else it is folded on the way
    work: str = "grasp"  # what is done in the posture, for the failure
    also_free: Callable[[Configuration], frozenset[str]] = lambda _: frozenset()
    """Returns what is in the way of what follows in a posture."""
    openings: tuple[float, ...] = ()
    """How far each finger may open, in metres from the centre, the widest first; empty if the fingers stay as they
    are."""
    suspects: tuple[str, ...] = ()
    """Things that may keep it from better poses; whether it helps to move them away is asked first."""


def openings(rig: Rig, between: float) -> tuple[float, ...]:
    """Return how far each finger may open around something, in metres from the centre, the widest first.

    Args:
        rig: The robot.
        between: The thickness of what is between the fingers, in metres.
    """
    widest = rig.description.hand.opening
    narrowest = between / 2 + BESIDE_A_FINGER
    shares = (step / (OPENINGS - 1) for step in range(OPENINGS))
    return tuple(widest + (narrowest - widest) * share for share in shares) if narrowest < widest else (widest,)


def search(rig: Rig, task: ReachTask) -> ApproachSearch:
    """Search the first reachable posture with a free approach, and the path to its start, beside the control ticks.

    Standard paths are tried to all postures first; then a planner searches paths to a few. All of this is done with
    the widest opening of the fingers first, so that they open less only where nothing else is free.

    Raises:
        Failed: No posture is free.
    """
    return (yield from rig.find(lambda: first_free(rig, task)))


def first_free(rig: Rig, task: ReachTask) -> tuple[Approach, ArmPath]:
    """Return what `search` does, as a part of a longer search."""
    return _first_free(rig, task, rig.mirror.tests + MOST_TESTED)


def _first_free(rig: Rig, task: ReachTask, end: int) -> tuple[Approach, ArmPath]:
    """Return what `search` does; give up when the mirror has made `end` tests."""
    widest, *narrower = task.openings or (rig.mirror.opening,)
    with rig.mirror.fingers_at(widest):
        attempt = _Search(rig, task)
        half = (rig.mirror.tests + end) // 2  # the other half is for the planner
        approach = attempt.by_standard_paths(half) or attempt.by_planned_paths(end)
        if approach is not None:
            return approach
        if not narrower or not attempt.is_narrow or rig.mirror.tests >= end:
            raise attempt.failure()
    return _first_free(rig, replace(task, openings=tuple(narrower)), end)


class _Search:
    """A search for a posture and a path to it, and what was in its way.

    Attributes:
        is_narrow: Whether the open fingers alone were in the way somewhere.
    """

    def __init__(self, rig: Rig, task: ReachTask) -> None:
        self._rig = rig
        self._task = task
        self._tried = 0
        self.is_narrow = False
        self._culprits: Counter[str] = Counter()
        self._freest: tuple[frozenset[str], Configuration] | None = None
        self._hit: set[Aim] = set()
        self._cut_off: dict[Aim, tuple[Configuration, bool]] = {}

    def by_standard_paths(self, end: int) -> tuple[Approach, ArmPath] | None:
        """Return the first posture with a free standard path; remember those that are free without one."""
        turns = (0.0, *TURNS) if self._rig.grip is None and self._rig.description.moves else (0.0,)
        for turn, aim, under_roof in ((turn, *each) for turn in turns for each in self._task.aims()):
            if aim in self._hit or (turn and not under_roof):
                continue
            approach = self._at(aim, under_roof, turn)
            if approach is not None:
                return approach
            if self._tried > MOST_TRIED or self._rig.mirror.tests >= end:
                break
        return None

    def _at(self, aim: Aim, under_roof: bool, turn: float) -> tuple[Approach, ArmPath] | None:
        for configuration in islice(self._postures(aim, turn), self._task.most_stances):
            self._tried += 1
            clashes = self._rig.mirror.clashes(configuration, self._rig.grip)
            clashes = clashes or self._clashes_at_work(configuration, aim.lowered)
            hand = HAND & self._rig.mirror.clashing_links(self._rig.grip) if clashes else frozenset()
            self.is_narrow |= bool(hand) and hand <= FINGERS
            if not clashes:
                approach = self._approach_to(configuration, aim, under_roof)
                if approach is not None:
                    return approach
                if not turn and not self._is_beside_a_thing(configuration):
                    self._cut_off.setdefault(aim, (configuration, under_roof))
            self._note(clashes, configuration)
            if hand or self._task.handled in clashes:  # the hand itself hits something: other stances do not help
                self._hit.add(aim)
                return None
        return None

    def _is_beside_a_thing(self, posture: Configuration) -> bool:
        """Return whether an empty hand has too little room beside a thing to come there from any side."""
        gaps = {} if self._rig.grip else self._rig.mirror.gaps(posture, air=BESIDE_A_FINGER)
        things = self._rig.world.shapes.keys() - {self._task.handled}
        return any(gap < BESIDE_A_FINGER for name, gap in gaps.items() if name in things)

    def _postures(self, aim: Aim, turn: float) -> Iterator[Configuration]:
        """Yield postures at an aim, with the hand turned aside of the arm by some angle."""
        arm = aim._replace(azimuth=aim.azimuth - turn)
        for planar in stances(self._rig.description, arm, self._task.where):
            turned = self._rig.mirror.turn_hand(planar, turn) if turn else planar
            if turned is not None:
                yield turned

    def _clashes_at_work(self, posture: Configuration, lowered: float) -> frozenset[str]:
        """Return what the robot itself would hit while its fingers open or close, where what it holds stands.

        The wall of a bowl may have room beyond an open finger, and none beside one that holds something.
        """
        mirror, below = self._rig.mirror, raised(self._rig.description, posture, -lowered)
        with mirror.without({self._task.handled}):
            for opening in self._task.openings or ((mirror.opening,) if lowered else ()):
                with mirror.fingers_at(opening):
                    if clashes := mirror.clashes(below):
                        return clashes
        return frozenset()

    def _dragged_by(self, approach: Approach) -> frozenset[str]:
        """Return what would be hit on the retreat: by what is grasped, or by the open hand that let go."""
        mirror, grip, name = self._rig.mirror, self._rig.grip, self._task.handled
        if grip is not None:
            mirror.pose(approach.at, grip)  # the thing will stand a little lower, which leaves some air
            return mirror.path_clashes([approach.at, *approach.retreat])
        was = mirror.world.pose(name)
        with mirror.without(self._rig.load_on(name)):
            grip = mirror.grip_of(name, approach.at)
            clashes = mirror.path_clashes([approach.at, *approach.retreat], grip, air=AIR)
        mirror.world.place(name, *was)
        return clashes

    def _note(self, clashes: frozenset[str], configuration: Configuration) -> None:
        self._culprits.update(clashes)
        others = clashes - {self._task.handled}
        if others and (self._freest is None or len(others) < len(self._freest[0])):
            self._freest = others, configuration

    def _approach_to(self, configuration: Configuration, aim: Aim, under_roof: bool) -> tuple[Approach, ArmPath] | None:
        """Return a free approach to a posture and the path to its start; note the obstacles if none is."""
        rig = self._rig
        approaches = [Approach(configuration, configuration, (), rig.mirror.opening)]
        if not self._task.is_direct:
            approaches = _approaches(rig.description, configuration, aim, under_roof, rig.mirror.opening)
        refused: Configuration | None = None
        for approach in approaches:
            if approach.before is refused:  # a higher retreat does not help
                continue
            blocked = rig.mirror.path_clashes([approach.before, approach.at], rig.grip, air=BESIDE_A_FINGER)
            blocked |= rig.mirror.clashes(approach.before, rig.grip)
            refused = approach.before
            if (aim.lowered or (self._task.handled and rig.grip is None)) and not blocked:
                blocked = self._dragged_by(approach)
                refused = None if blocked else refused
            self.is_narrow |= bool(blocked)
            blocked = blocked or self._task.also_free(configuration)
            path = blocked or self._way_to(approach.before)
            if not isinstance(path, frozenset):
                return approach, path
            self._culprits.update(path)
        return None

    def _way_to(self, posture: Configuration) -> ArmPath | frozenset[str]:
        rig = self._rig
        if self._task.straight and not rig.mirror.path_clashes([rig.now(), posture], rig.grip, air=AIR):
            return ArmPath((posture,))
        return way(rig, posture)

    def by_planned_paths(self, end: int) -> tuple[Approach, ArmPath] | None:
        """Return the first of the remembered postures to which a planner finds a path, from which it can retreat."""
        step = max(1, len(self._cut_off) // MOST_PLANNED)
        for configuration, under_roof in list(self._cut_off.values())[::step][:MOST_PLANNED]:
            self._rig.mirror.sync(self._rig.world)  # the last test of a retreat has moved the object
            path = planned_way(self._rig, configuration, end)
            up = raised(self._rig.description, configuration, UNDER_A_ROOF if under_roof else LIFTED)
            retreat = self._retreat(configuration, up, end) if path is not None else ()
            if path is not None and retreat:
                before = path.waypoints[-2] if len(path.waypoints) > 1 else self._rig.now()
                approach = Approach(before, configuration, retreat, self._rig.mirror.opening)
                return approach, path._replace(waypoints=path.waypoints[:-1])
        return None

    def _retreat(self, at: Configuration, up: Configuration, end: int) -> tuple[Configuration, ...]:
        """Return the postures of the retreat after the work in a posture: up, and to where an arm with a load can fold.

        They are none where that is not free.
        """
        task, mirror, grip = self._task, self._rig.mirror, self._rig.grip
        with mirror.without(self._rig.load_on(task.handled) if task.handled else ()):
            if task.also_free(at):
                return ()
            if task.is_direct:
                return (up,)
            held = mirror.grip_of(task.handled, at) if grip is None and task.handled else grip
            if mirror.path_clashes([at, up], held):
                return ()
            reach = reach_of(self._rig.description, at)
            folded = np.concatenate([self._rig.now()[:3], carried(self._rig.description, reach.phi, reach.roll)])
            path = planned_path(mirror, up, folded, held, end)
            return () if path is None else (up, *(path if grip is None else ()))

    def failure(self) -> Failed:
        """Return the reason why nothing was found."""
        task, aims = self._task, [aim for aim, _ in islice(self._task.aims(), MOST_TRIED)]
        if not aims:
            return task.without_aims()
        if not self._tried:
            return out_of_reach(self._rig, task.what, aims, task.where)
        culprits = [name for name, _ in self._culprits.most_common() if name not in (task.handled, task.what, ROBOT)]
        asked = dict.fromkeys((*(task.suspects if culprits else ()), *culprits))
        removal = to_move_away(self._rig, task.what, asked, self._would_succeed)
        if not removal.names:
            failed = door_in_the_way(self._rig, task.what, task.where, self._would_succeed_without)
            if failed is not None:
                return failed
        how = removal.suggestion or shift_that_helps(spread(aims), task.where, self._free_at) or NO_SHIFT
        if not culprits:
            why = "every posture of the arm there would hit the robot itself or the thing."
            return Failed(Code.OUT_OF_REACH, task.what, why, (task.what,), how)
        why = f"{listed(sorted(culprits))} in the way of every {task.work}{self._deepest()}."
        return Failed(Code.OBSTRUCTED, task.what, why, tuple(dict.fromkeys((*removal.names, *sorted(culprits)))), how)

    def _would_succeed(self) -> bool:
        end = self._rig.mirror.tests + MOST_RETESTED
        return _Search(self._rig, self._task).by_standard_paths(end) is not None

    def _would_succeed_without(self, door: str, where: Station) -> bool:
        end, task = self._rig.mirror.tests + MOST_RETESTED, replace(self._task, where=where)
        with self._rig.mirror.without({door}):
            return _Search(self._rig, task).by_standard_paths(end) is not None

    def _free_at(self, aims: Iterable[Aim]) -> bool:
        """Return whether a posture at one of the poses is free, with the object itself somewhere else."""
        with self._rig.mirror.without({self._task.handled}):
            postures = (islice(stances(self._rig.description, aim, self._task.where), 2) for aim in aims)
            return not all(self._rig.mirror.clashes(each, self._rig.grip) for each in chain.from_iterable(postures))

    def _deepest(self) -> str:
        """Return where the robot would be inside something in the posture with the fewest collisions, in words."""
        contact = self._freest and self._rig.mirror.deepest(self._freest[1], self._rig.grip)
        return f"; in the freest posture {contact}" if contact else ""


def _approaches(
    description: BodyDescription, configuration: Configuration, aim: Aim, under_roof: bool, opening: float
) -> list[Approach]:
    """Return approaches to a posture: in the open by moving the arm along the hand, and by driving ahead.

    A hand that looks aside of the arm comes out so, and turns back there.
    """
    options = [] if under_roof else _by_arm(description, configuration, opening)
    if under_roof or (description.moves and aim.phi < 0.6):
        is_turned = description.moves and configuration[YAW] != aim.azimuth
        before = backed(description, configuration, DRAWN if is_turned else ADVANCE, aim.azimuth)
        ends = [configuration, *([_in_plane(description, configuration, aim)] if is_turned else [])]
        directions = dict.fromkeys((float(configuration[YAW]), aim.azimuth))
        for rise, out in product((UNDER_A_ROOF, HIGHER) if under_roof else (LIFTED,), directions):
            up = [raised(description, end, rise) for end in ends]
            retreat = (up[0], *(backed(description, each, ADVANCE, out) for each in up))
            options.append(Approach(before, configuration, retreat, opening))
    return options


def _in_plane(description: BodyDescription, configuration: Configuration, aim: Aim) -> Configuration:
    """Return the configuration with the hand turned back about its tips, in line with the arm."""
    away = np.hypot(aim.point[0] - configuration[0], aim.point[1] - configuration[1])
    arm = posture(description, Reach(float(away), aim.point[2], aim.phi, aim.roll), float(configuration[LIFT]))
    return configuration if arm is None else np.concatenate([configuration[:LIFT], arm])  # None at a joint limit


def _by_arm(description: BodyDescription, configuration: Configuration, opening: float) -> list[Approach]:
    up = raised(description, configuration, LIFTED)
    reach = reach_of(description, configuration)
    drawn = Reach(reach.r - DRAWN * np.cos(reach.phi), reach.z + DRAWN * np.sin(reach.phi), reach.phi, reach.roll)
    arm = posture(description, drawn, float(configuration[3]))
    if arm is None or reach_of(description, up).z - reach.z < LIFTED / 2:
        return []
    return [Approach(np.concatenate([configuration[:3], arm]), configuration, (up,), opening)]
