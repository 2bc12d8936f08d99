"""The watch of a run: it looks at the simulation sixty times a second and keeps the facts that are judged later.

`Watch` reads the solids when it is made, `look` is called while the run goes on, `mark_end` when it is over, and
`end` one simulated second later. Nothing here steps the simulation or changes its state. A look takes less than a
millisecond.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pybullet as p

from benchmarks.judge.bodies import Array, Bodies, Frame, HeightMap, JudgeError, measure_heights
from benchmarks.judge.scene import Snapshot, take_snapshot
from benchmarks.judge.surfaces import Top, find_boards, read_top
from benchmarks.judge.vessels import Opening, find_openings

__all__ = ["Depth", "Track", "Watch"]

SETTLING = 1.0
"""Seconds between the end of a run and the second look at it."""
CONTACT = 0.001
"""The largest distance of a contact point, metres."""
FALLING = 0.15
"""A thing that sinks faster than this, in metres a second, and touches nothing falls freely."""

Part = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Depth:
    """The deepest contact of two: their names (with the link of a robot), metres inside each other, and when."""

    pair: tuple[str, str]
    metres: float
    time: float


@dataclass(frozen=True)
class Track:
    """The facts of a run.

    Attributes:
        movable: Names of the things that can move.
        fixed: Names of the furniture and the people.
        robot: The robot's name.
        times: Of the looks, shape (n,).
        poses: Position and quaternion of each movable thing at each look, shape (n, things, 7).
        joints: Position of each joint of each name that has some, the robot's too, at each look, shape (n, joints).
        start: The state at the first look, of what came later when it came; `end`: at the end of the run.
        after: A second later.
        heights: Height map of each link.
        parts: The links of each name that have one.
        openings: Of each name: the link that an opening is in, and the opening.
        tops: Of the furniture.
        boards: Heights of the boards of the furniture.
        falls: The longest free fall of each thing that fell: metres, and when it ended.
        depths: Deepest contacts of the robot and of what it touched.
        footprints: Of each thing that the robot touched, and what that touched: its contact points at each look.
    """

    movable: tuple[str, ...]
    fixed: tuple[str, ...]
    robot: str
    times: Array
    poses: Array
    joints: Mapping[str, Array]
    start: Snapshot
    end: Snapshot
    after: Snapshot
    heights: Mapping[Part, HeightMap]
    parts: Mapping[str, tuple[Part, ...]]
    openings: Mapping[str, tuple[tuple[Part, Opening], ...]]
    tops: Mapping[str, Top]
    boards: Mapping[str, tuple[float, ...]]
    falls: Mapping[str, tuple[float, float]]
    depths: tuple[Depth, ...]
    footprints: Mapping[tuple[str, str], tuple[Array, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return (*self.movable, *self.fixed, self.robot)

    def frame(self, name: str, look: int) -> Frame:
        """Return where a name was at a look; furniture stands still."""
        if name not in self.movable:
            return self.start.frames[name]
        pose = self.poses[look, self.movable.index(name)]
        return Frame.of(pose[:3].tolist(), pose[3:].tolist())

    def tilts(self, thing: str) -> Array:
        """Return the angle between the z axis of a thing and up at each look, radians."""
        x, y = self.poses[:, self.movable.index(thing), 3:5].T
        return np.asarray(np.arccos(np.clip(1.0 - 2.0 * (x * x + y * y), -1.0, 1.0)))

    def moved(self, except_: Collection[str] = ()) -> dict[str, str]:
        """Return what stands elsewhere than at the start, and in words how."""
        changes = {}
        for thing in set(self.movable) - set(except_):
            before, now = self.start.frames[thing], self.after.frames[thing]
            distance = float(np.linalg.norm(now.position - before.position))
            angle = float(np.degrees(np.arccos(np.clip(now.rotation[:, 2] @ before.rotation[:, 2], -1.0, 1.0))))
            # What has neither a hollow nor a flat top is round: it has no upright.
            if distance > 0.05 or (angle > 15.0 and self.openings[thing]):
                changes[thing] = f"{thing} is {distance:.3f} m from where it stood, tipped by {angle:.0f} degrees"
        return dict(sorted(changes.items()))

    def deepest(self, wiping: Collection[tuple[str, str]] = ()) -> Depth | None:
        """Return the deepest contact, except of the given pairs of a wiping tool and its surface."""
        left = [depth for depth in self.depths if depth.pair not in set(wiping)]
        return max(left, key=lambda depth: depth.metres, default=None)


class Watch:
    """Looks at a run.

    Args:
        client: The physics client; it is only read.
        names: The body of each thing, piece of furniture, person and of the robot, or several bodies.
        robot: The robot's name.
        ranges: The whole range of a door or drawer, radians or metres, for joints without limits (`Bodies`).
        time: The simulated time at the start, seconds.
    """

    def __init__(
        self,
        client: int,
        names: Mapping[str, int | tuple[int, ...]],
        robot: str,
        *,
        ranges: Mapping[str, float] | None = None,
        time: float = 0.0,
    ) -> None:
        self._bodies = bodies = Bodies(client, names, robot, ranges)
        self._heights: dict[Part, HeightMap] = {}
        self._parts: dict[str, tuple[Part, ...]] = {}
        self._openings: dict[str, tuple[tuple[Part, Opening], ...]] = {}
        for name in (*bodies.movable, *bodies.fixed):
            self._measure(name)
        self._tops = {}
        for name in bodies.fixed:
            if (part := (bodies.ids[name][0], -1)) in self._heights:
                self._tops[name] = read_top(bodies, name, self._heights[part])
        self._boards = {name: find_boards(bodies, name) for name in bodies.fixed}
        self._start = take_snapshot(bodies, time)
        self._end: Snapshot | None = None
        self._times: list[float] = []
        self._poses: list[list[tuple[float, ...]]] = []
        self._joints: dict[str, list[list[float]]] = {
            name: [] for name in (*bodies.fixed, robot) if any(link >= 0 for _, link in bodies.links(name))
        }
        self._depths: dict[tuple[str, str], Depth] = {}
        self._footprints: dict[tuple[str, str], list[Array]] = {}
        self._falling: dict[str, float] = {}
        self._falls: dict[str, tuple[float, float]] = {}
        self._lifted: set[str] = set()

    def _measure(self, name: str) -> None:
        """Read the solids of a name."""
        bodies = self._bodies
        for part in bodies.links(name):
            heights = measure_heights(bodies.client, *part, bodies.frame(*part), underside=name in bodies.movable)
            if heights is not None:
                self._heights[part] = heights
        parts = self._parts[name] = tuple(part for part in bodies.links(name) if part in self._heights)
        self._openings[name] = tuple((part, each) for part in parts for each in find_openings(self._heights[part]))

    def join(self, name: str, body: int, time: float) -> None:
        """Watch a movable thing, too, that comes into the world between two looks; where it is now is its start.

        What was free of a top stays what it was when the watch began.

        Raises:
            JudgeError: There is such a name already.
        """
        self._bodies.add(name, body)
        self._measure(name)
        self._start = self._start.with_more(self.snapshot(time))
        pose = self._pose(name)
        for poses in self._poses:
            poses.append(pose)

    def snapshot(self, time: float) -> Snapshot:
        """Return what stands how now, at a simulated time."""
        return take_snapshot(self._bodies, time)

    def lift(self, name: str) -> None:
        """Note that another hand than the robot's puts a thing elsewhere before the next look: that is no fall."""
        self._lifted.add(name)

    def look(self, time: float) -> None:
        """Look at the run once.

        Args:
            time: Simulated, seconds; later than that of the look before.
        """
        bodies = self._bodies
        if self._times and time <= self._times[-1]:
            raise JudgeError(f"the look at {time:g} s does not come after the one at {self._times[-1]:g} s")
        poses = [self._pose(name) for name in bodies.movable]
        self._follow_falls(time, poses)
        self._times.append(time)
        self._poses.append(poses)
        touched = self._look_at_contacts(bodies.robot, time)
        for name in touched & set(bodies.movable):
            self._look_at_contacts(name, time)
        for name, positions in self._joints.items():
            links = [part for part in bodies.links(name) if part[1] >= 0]
            positions.append([p.getJointState(*part, physicsClientId=bodies.client)[0] for part in links])

    def _pose(self, name: str) -> tuple[float, ...]:
        body, client = self._bodies.ids[name][0], self._bodies.client
        position, quaternion = p.getBasePositionAndOrientation(body, physicsClientId=client)
        return (*position, *quaternion)

    def _look_at_contacts(self, name: str, time: float) -> set[str]:
        """Keep the contacts of the robot, or of a thing that it touches; return what is touched."""
        bodies = self._bodies
        touched: dict[str, list[tuple[float, ...]]] = {}
        for body in bodies.ids[name]:
            for contact in p.getContactPoints(bodyA=body, physicsClientId=bodies.client):
                own = contact[1] == body
                other, link = (contact[2], contact[3]) if own else (contact[1], contact[4])
                if contact[8] > CONTACT or other in bodies.ids[name]:
                    continue
                touched.setdefault(bodies.name_of(other), []).append(contact[6 if own else 5])
                if contact[8] < 0 and (name == bodies.robot or other not in bodies.ids[bodies.robot]):
                    self._keep_depth((self._told(name, body, link), bodies.name_of(other)), -contact[8], time)
        if name != bodies.robot:
            for other_name, points in touched.items():
                if other_name != bodies.robot:
                    self._footprints.setdefault((name, other_name), []).append(np.array(points))
        return set(touched)

    def _told(self, name: str, body: int, link: int) -> str:
        if name != self._bodies.robot or link < 0:
            return name
        return f"{name}:{p.getJointInfo(body, link, physicsClientId=self._bodies.client)[12].decode()}"

    def _keep_depth(self, pair: tuple[str, str], metres: float, time: float) -> None:
        if pair not in self._depths or metres > self._depths[pair].metres:
            self._depths[pair] = Depth(pair, metres, time)

    def _follow_falls(self, time: float, poses: list[tuple[float, ...]]) -> None:
        if not self._times:
            return
        for name, before, now in zip(self._bodies.movable, self._poses[-1], poses, strict=True):
            sunk = before[2] - now[2]
            is_falling = sunk > FALLING * (time - self._times[-1]) and not self._is_touched(name)
            if is_falling and name not in self._lifted:
                self._falling[name] = self._falling.get(name, 0.0) + sunk
                if self._falling[name] > self._falls.get(name, (0.0, 0.0))[0]:
                    self._falls[name] = (self._falling[name], time)
            else:
                self._falling.pop(name, None)
        self._lifted.clear()

    def _is_touched(self, name: str) -> bool:
        contacts = p.getContactPoints(bodyA=self._bodies.ids[name][0], physicsClientId=self._bodies.client)
        return any(contact[8] <= CONTACT for contact in contacts)

    def mark_end(self, time: float) -> None:
        """Look at the end of the run; a simulated second has to pass before `end`."""
        self._end = self.snapshot(time)

    def end(self) -> Track:
        """Look at the state once more and return the facts.

        Raises:
            JudgeError: The end was not marked, or less than a second ago.
        """
        if self._end is None or not self._times or self._times[-1] - self._end.time < SETTLING - 0.02:
            raise JudgeError("mark the end of the run, go on for a simulated second with looks, and then end the watch")
        return Track(
            self._bodies.movable,
            self._bodies.fixed,
            self._bodies.robot,
            np.array(self._times),
            np.array(self._poses).reshape(len(self._times), len(self._bodies.movable), 7),
            {name: np.array(positions) for name, positions in self._joints.items()},
            self._start,
            self._end,
            self.snapshot(self._times[-1]),
            self._heights,
            self._parts,
            self._openings,
            {name: top for name, top in self._tops.items() if top is not None},
            self._boards,
            self._falls,
            tuple(self._depths.values()),
            {pair: tuple(points) for pair, points in self._footprints.items()},
        )
