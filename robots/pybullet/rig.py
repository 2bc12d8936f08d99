"""`Rig`: the live robot in the live world, the mirror, and the held object. Every primitive works on a rig.

A grasp is verified: both fingers must touch an object before a constraint (the tie) fixes it to the hand, and the tie
is removed when the contact is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TypeVar

import numpy as np
import pybullet

from robots.pybullet.chassis import Chassis
from robots.pybullet.description import BodyDescription, Configuration, described
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.mirror import SPILLING, Grip, Mirror
from robots.pybullet.motion import ArmPath, Failed, LaggingJoint, Steps, follow, pause
from robots.pybullet.scenery.world import PopulatedRoom
from robots.pybullet.timing import TICK, Free
from robots.pybullet.turns import take_turns
from robots.states import NumericModel, StateFacts
from semantics.body.layout import Layout
from semantics.geometry.geometry import Box, PlanarPose
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code

TIE_FORCE = 400.0
CLOSING_TIME = 1.2
CONTENTS = ("liquid_in", "stuff_in")  # the predicates that say what is in a vessel, the last argument
OPENED = 0.95  # the share of the opening at which the fingers count as open
MOST_SEARCHES = 2  # how often a search is made at most, where something moves meanwhile

Found = TypeVar("Found")


def carried(description: BodyDescription, phi: float | None = None, roll: float = 0.0) -> Configuration:
    """Return the travelling posture of column and arm, with the hand pitched by `phi`."""
    rest = description.rest
    pitch = rest.pitch if phi is None else min(max(phi, 0.0), 1.55)
    arm = posture(description, Reach(rest.reach, rest.lift + rest.above, pitch, roll), rest.lift)
    assert arm is not None, f"the carrying posture of {description.name} with pitch {pitch} breaks a joint limit"
    return arm


def with_base(configuration: Configuration, base: PlanarPose) -> Configuration:
    """Return a configuration with another base pose, with the yaw that is the shorter turn."""
    turn = (base.yaw - configuration[2] + np.pi) % (2 * np.pi) - np.pi
    return np.concatenate([[base.x, base.y, configuration[2] + turn], configuration[3:]])


class Rig(StateFacts):
    """The robot, its world and its mirror, for the primitives.

    Attributes:
        description: The robot as data.
        world: The live world.
        mirror: A copy of the world in a second physics client, in which motions are checked for collisions.
        chassis: The live robot.
        name: The name of the robot in the scene.
        grip: The held object and its pose relative to the tool; None when the hand is empty.
        taken: Pitch and roll of the hand at the last grasp, in radians.
        errands: Other activities of the scene, such as a person who shuts a door: generators, each of which advances
            once per control tick.
        base_speed: The most speed of the base that was said for the last drive or grasp, in metres per second; it holds
            for what is done there, too.
        task: Name of the object or place that the running primitive works on, at which the camera looks; None at rest.
    """

    def __init__(self, layout: Layout, numeric: NumericModel | None = None) -> None:
        super().__init__(layout.states, numeric)
        self.description = described(layout.robot.body)
        self.world = PopulatedRoom(layout)
        self.mirror = Mirror(layout, self.description)
        self.chassis = Chassis(self.world.client, self.description, layout.robot.pose, carried(self.description))
        self.world.add(layout.robot.name, self.chassis.body)
        self.name = layout.robot.name
        self.grip: Grip | None = None
        self.task: str | None = None
        self.base_speed: float | None = None
        self.taken = (0.0, 0.0)
        self.errands: list[Iterator[None]] = []
        self._tie: int | None = None
        self._lost_for = 0.0

    @property
    def held(self) -> str | None:
        """The name of the held object, if any."""
        return self.grip.name if self.grip else None

    def now(self) -> Configuration:
        """Return the commanded configuration, which is the start of the next motion."""
        return self.chassis.target

    def reach(self) -> Reach:
        """Return the commanded pose of the fingertips."""
        return reach_of(self.description, self.now())

    def find(self, search: Callable[[], Found]) -> Generator[float, None, Found]:
        """Search beside the control ticks, in a copy of the room; begin anew when something has moved meanwhile.

        What the held object carries moves with the hand, and is in nobody's way.
        """
        along = (self.held, *self.load_on(self.held)) if self.held else ()
        with self.mirror.without(along[1:]):
            for _ in range(MOST_SEARCHES):
                self.mirror.sync(self.world)
                failure: Failed | None = None
                try:
                    found = yield from take_turns(search)
                except Failed as failed:
                    failure = failed
                if self.mirror.shows(self.world, along):
                    break
        if failure is not None:
            raise failure
        return found

    def grasps(self, name: str) -> bool:
        """Return whether both fingers touch an object."""
        return self.world.body(name) in self.chassis.pinched()

    def close_on(self, name: str, opening: float | None = None) -> Steps:
        """Close the fingers until both have touched an object for nine control ticks, at most `CLOSING_TIME` seconds.

        Each value that is yielded is the fraction that is done.

        Args:
            name: The object.
            opening: How far each finger opens again after a miss, in metres; by default fully.

        Raises:
            Failed: They do not (`not-grasped`); the fingers are open again.
        """
        self.chassis.move_fingers(0.0)
        firm = 0
        for _ in range(int(CLOSING_TIME / TICK)):
            yield 0.5
            firm = firm + 1 if self.grasps(name) else 0
            if firm > 8:
                return
        closed = 1000 * self.chassis.width()
        self.chassis.open_fingers(opening)
        yield from pause(0.3, 0.5)
        raise self._missed(name, f"the fingers closed to {closed:.0f} mm without both touching it")

    def _missed(self, name: str, why: str) -> Failed:
        """Return the failure of a grasp, with the distance of the fingertips from the object."""
        tip, _ = self.chassis.tool()
        away = Box(tip, tip).distance(self.world.box(name))
        why = f"{why}; their tips are {1000 * away:.0f} mm from it."
        return Failed(Code.NOT_GRASPED, name, why, (name,), f"Grasp it again: now it is {self.resting_place(name)}.")

    def load_on(self, name: str) -> tuple[str, ...]:
        """Return what rests on a thing or in it, and what rests on that in turn."""
        box, load = self.world.box(name), [name]
        boxes = {other: self.world.box(other) for other in self.world.shapes if other != name}
        above = {other for other, found in boxes.items() if found.low[2] > box.low[2] and box.above(found.centre)}
        load += sorted(other for other in above if box.contains(boxes[other].centre))  # or in the air for a moment
        for carrier in load:
            load += sorted(above.intersection(self.world.touching(carrier)).difference(load))
        return tuple(sorted(load[1:]))

    def resting_place(self, name: str) -> str:
        """Return in words where an object is: on what, or how high in the air."""
        low = self.world.box(name).low[2]
        if self.held == name:
            return f"in the hand of {self.name}"
        touching = (other for other in self.world.touching(name) if other != self.name)
        carriers = [other for other in touching if self.world.box(other).low[2] < low]
        return f"on {' and '.join(sorted(carriers))}" if carriers else f"{low:.2f} m above the floor, on nothing"

    def tie(self, name: str) -> None:
        """Tie an object that both fingers touch to the hand.

        Raises:
            Failed: The fingers do not both touch it (`not-grasped`).
        """
        if not self.grasps(name):
            raise self._missed(name, "it is not between the fingers")
        client, thing = self.world.client, self.world.body(name)
        hand = pybullet.getLinkState(
            self.chassis.body, self.chassis.hand, computeForwardKinematics=True, physicsClientId=client
        )
        at, turn = self.world.pose(name)
        local = pybullet.multiplyTransforms(*pybullet.invertTransform(hand[0], hand[1]), at, turn)
        self._tie = pybullet.createConstraint(
            self.chassis.body, self.chassis.hand, thing, -1, pybullet.JOINT_FIXED, (0, 0, 0), local[0], (0, 0, 0),
            local[1], physicsClientId=client,
        )  # fmt: skip
        pybullet.changeConstraint(self._tie, maxForce=TIE_FORCE, physicsClientId=client)
        tool = pybullet.invertTransform(*self.chassis.tool())
        position, orientation = pybullet.multiplyTransforms(*tool, at, turn)
        self.grip = Grip(name, position, orientation, self._would_spill(name))
        self.taken = (self.reach().phi, self.reach().roll)
        self._lost_for = 0.0
        self.world.wake_near(at)

    def become(self, *true: Atom, no_more: Iterable[Atom] = ()) -> None:
        """Make facts true, and others false; a vessel in the hand that is filled so is kept upright from now on."""
        super().become(*true, no_more=no_more)
        if self.grip is not None:
            self.grip = self.grip._replace(level=self._would_spill(self.grip.name))

    def _would_spill(self, name: str) -> bool:
        """Return whether something is in a vessel that is open and upright."""
        full = any(fact.predicate in CONTENTS and fact.args[-1] == name for fact in self.states)
        return full and Atom("closed", (name,)) not in self.states and self.world.tilt(name) < SPILLING

    def untie(self) -> None:
        """Remove the tie, without moving the fingers."""
        if self._tie is not None:
            pybullet.removeConstraint(self._tie, physicsClientId=self.world.client)
        if self.grip is not None:
            self.world.wake_near(self.world.pose(self.grip.name)[0])
        self._tie, self.grip = None, None

    def release(self, opening: float | None = None) -> Steps:
        """Open each finger to `opening` metres from the centre, by default fully.

        While the fingers open, collisions with the released object are off: contacts left from the grasp can hook the
        object to a finger, which then drags it along.
        """
        name = self.held
        self.untie()
        self.chassis.open_fingers(opening)
        if name is None:
            return
        self._let_touch(name, touch=False)
        try:
            yield from pause(0.3, 0.8)
        finally:
            self._let_touch(name, touch=True)

    def open_fully(self) -> Steps:
        """Open the hand as far as it goes, for `CLOSING_TIME` seconds at most."""
        self.chassis.open_fingers()
        for _ in range(int(CLOSING_TIME / TICK)):
            if self.is_open():
                return
            yield 1.0

    def is_open(self) -> bool:
        """Return whether the hand is fully open."""
        return self.chassis.width() >= OPENED * 2 * self.description.hand.opening

    def _let_touch(self, name: str, *, touch: bool) -> None:
        for link in (self.chassis.hand, *self.chassis.fingers):
            pybullet.setCollisionFilterPair(
                self.chassis.body, self.world.body(name), link, -1, int(touch), physicsClientId=self.world.client
            )

    def watch_grip(self) -> None:
        """Remove the tie when the fingers have not both touched the object for 0.4 s; called at every control tick."""
        if self.grip is None:
            return
        self._lost_for = 0.0 if self.grasps(self.grip.name) else self._lost_for + TICK
        if self._lost_for > 0.4:
            self.untie()

    def holding(self, name: str) -> None:
        """Check that an object is in the hand.

        Raises:
            Failed: It is not in the hand (`dropped`).
        """
        if self.held != name:
            held = f"but {self.held}" if self.held else "and its hand is empty"
            why = f"{self.name} does not hold it, {held}."
            raise Failed(Code.DROPPED, name, why, (name,), f"Pick it up: it is {self.resting_place(name)}.")

    def check_empty(self, name: str, code: Code = Code.REFUSED_BY_BODY) -> None:
        """Check that nothing is in the hand that is to work on an object.

        Raises:
            Failed: Something is, with `code`.
        """
        if self.held is not None:
            how = f"Put {self.held} down first."
            raise Failed(code, name, f"the hand holds {self.held}.", (self.held,), how)

    def move(self, *waypoints: Configuration, pace: float = 1.0) -> Steps:
        """Move through waypoints, and check that the held object stays in the hand; corners are hardly rounded.

        Raises:
            Failed: The robot is stuck, or the held object fell.
        """
        yield from self._follow(follow(self.chassis, waypoints, pace=pace, speed=self.base_speed))

    def travel(self, path: ArmPath, *, pace: float = 1.0, free: Free | None = None) -> Steps:
        """Move along a path as `move` does; corners are rounded as far as that is free.

        Args:
            path: The path.
            pace: The share of the cruising speed.
            free: Whether a configuration is; by default by the mirror.
        """
        if free is None and len(path.waypoints) > 1:
            free = self.mirror.corridor(self.now(), path.waypoints[-1], self.grip)
        steps = follow(self.chassis, path.waypoints, pace=pace, speed=self.base_speed, halting=path.halting, free=free)
        yield from self._follow(steps)

    def _follow(self, steps: Steps) -> Steps:
        """Do a motion, and check that the held object stays in the hand."""
        before = self.held
        try:
            for fraction in steps:
                if before is not None and self.held != before:
                    raise self._slipped(before)
                yield fraction
        except LaggingJoint as stuck:
            raise self._blocked(stuck) from stuck

    def _slipped(self, name: str) -> Failed:
        away = self.world.box(name).distance(Box(*[self.chassis.tool()[0]] * 2))
        why = f"it slipped out of the fingers on the way, and is {away:.2f} m from them."
        return Failed(Code.DROPPED, name, why, (name,), f"Pick it up: it is {self.resting_place(name)}.")

    def _blocked(self, stuck: LaggingJoint) -> Failed:
        """Return the failure of a robot that lags behind, with what it touches."""
        touches = {self.world.names[body]: link for link, body in self.chassis.touches() if body in self.world.names}
        touches = {name: link for name, link in touches.items() if name not in (self.held, self.world.layout.ground)}
        if not touches:
            how = f"Nothing touches {self.name}: free {stuck.joint}, or move less fast."
            return Failed(Code.STUCK, "motion", f"{stuck}.", (stuck.joint,), how)
        where = ", ".join(f"{link} touches {name}" for name, link in sorted(touches.items()))
        movable = sorted(touches.keys() & self.world.shapes.keys())
        how = f"Move {' and '.join(movable)} away." if movable else f"Back off from {' and '.join(sorted(touches))}."
        return Failed(Code.STUCK, "motion", f"{stuck}: {where}.", (stuck.joint, *sorted(touches)), how)

    def carrying(self, base: PlanarPose | None = None) -> Configuration:
        """Return the travelling configuration for the held object, at the current base pose or at another."""
        now, reach = self.now(), self.reach()
        arm = carried(self.description) if self.grip is None else carried(self.description, reach.phi, reach.roll)
        folded = np.concatenate([now[:3], arm])
        return folded if base is None or not self.description.moves else with_base(folded, base)

    def close(self) -> None:
        """Disconnect both physics clients."""
        self.world.close()
        self.mirror.close()
