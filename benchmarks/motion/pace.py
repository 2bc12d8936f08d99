"""How many times faster than real time a thing is picked and placed, planned and simulated, among others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pybullet

from benchmarks.motion.scenes import boxes_on_furniture
from robots.pybullet import PyBulletRobot
from robots.pybullet.camera import Camera
from robots.pybullet.manipulation import pick, place
from semantics.body.protocols import MotionStatus
from semantics.logic.state import Command

__all__ = ["THINGS", "MotionPace", "pace_of"]

THINGS = 8
STEPS = (
    ("drive", {"to": "table0"}),
    ("pick", {"object": "box0", "source": "table0", "at": "table0"}),
    ("drive", {"to": "shelf0"}),
    ("put", {"object": "box0", "target": "shelf0", "at": "shelf0"}),
    ("pick", {"object": "box0", "source": "shelf0", "at": "shelf0"}),
    ("drive", {"to": "table0"}),
    ("put", {"object": "box0", "target": "table0", "at": "table0"}),
)
"""The commands that are timed."""
TICK, LONGEST = 0.05, 120.0
"""Seconds between two looks at a motion, and the longest motion, simulated."""


@dataclass(frozen=True, slots=True)
class MotionPace:
    """One run of `STEPS`; all times in seconds.

    Attributes:
        seed: The seed of the scene.
        simulated: How long it took in the simulated world.
        wall: How long it took on the clock, pictures included.
        pictures: How much of that the camera took.
        planning: How much of that the search for postures and paths took.
        processor: The processor time of it all without the pictures.
    """

    seed: int
    simulated: float
    wall: float
    pictures: float
    planning: float
    processor: float

    @property
    def times(self) -> float:
        """How many times faster than real time it was on the clock without the pictures."""
        return self.simulated / (self.wall - self.pictures)

    @property
    def times_of_processor(self) -> float:
        """How many times faster it was by the processor time, which other work on the machine changes less."""
        return self.simulated / self.processor


def pace_of(seed: int, *, asleep: bool) -> MotionPace:
    """Pick and place a box among others, and time it.

    Raises:
        RuntimeError: A command failed.
    """
    with _timed(Camera, "look") as pictures, _timed(pick, "search") as grasps, _timed(place, "search") as places:
        robot = PyBulletRobot(boxes_on_furniture(seed, THINGS))
        try:
            if not asleep:
                _keep_awake(robot)
            for spent in (pictures, grasps, places):
                spent.clear()
            simulated, wall, processor = robot.clock.now(), time.perf_counter(), time.process_time()
            for primitive, roles in STEPS:
                _do(robot, Command(primitive, robot.name, roles))
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            planning, simulated = grasps.wall + places.wall, robot.clock.now() - simulated
            return MotionPace(seed, simulated, wall, pictures.wall, planning, processor - pictures.processor)
        finally:
            robot.close()


def _keep_awake(robot: PyBulletRobot) -> None:
    world = robot.rig.world
    for name in world.shapes:
        pybullet.changeDynamics(
            world.body(name),
            -1,
            activationState=pybullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=world.client,
        )


def _do(robot: PyBulletRobot, command: Command) -> None:
    motion, begun = robot.start(command), robot.clock.now()
    while motion.poll().stage is MotionStatus.RUNNING and robot.clock.now() < begun + LONGEST:
        robot.clock.sleep(TICK)
    if motion.poll().stage is not MotionStatus.DONE:
        raise RuntimeError(f"{command}: {motion.poll().feedback}")


@dataclass
class _Spent:
    """The seconds that the calls of a function have taken, on the clock and of the processor."""

    wall: float = 0.0
    processor: float = 0.0

    def clear(self) -> None:
        self.wall = self.processor = 0.0


@contextmanager
def _timed(owner: Any, name: str) -> Iterator[_Spent]:  # noqa: ANN401 - a module or a class
    """Add up what the calls of a function take."""
    original: Callable[..., Any] = getattr(owner, name)
    spent = _Spent()

    def timed(*arguments: object, **named: object) -> object:
        wall, processor = time.perf_counter(), time.process_time()
        try:
            return original(*arguments, **named)
        finally:
            spent.wall += time.perf_counter() - wall
            spent.processor += time.process_time() - processor

    setattr(owner, name, timed)
    try:
        yield spent
    finally:
        setattr(owner, name, original)
