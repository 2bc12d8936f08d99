"""One trial of handling: the commands, and the verdict of a judge who looks at the simulator's own bodies.

A thing counts as settled if it moved by at most 2 mm in a second, a second after the last motion ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from affordances.relations import arrangement
from benchmarks import stagehand
from benchmarks.handling.judge import Lying, Top, TrueScene, Wanted, fulfils
from benchmarks.handling.rooms import Placement, Task
from benchmarks.judging import Touch, Truth
from domains.reader import load_domain
from robots.pybullet import PyBulletRobot
from semantics.body.protocols import MotionStatus
from semantics.geometry.relations import Arrangement, at_distance, holds
from semantics.logic.state import Command
from semantics.logic.vocabulary import Thing

__all__ = ["SECOND", "Trial", "carried", "conducted", "is_sensed", "related", "seen_by", "stands", "truth_of"]

TICK, LONGEST = 0.05, 120.0
"""Seconds between two looks at a motion, and the longest motion, simulated."""
SECOND = 1.0
STILL, PUSHED = 0.002, 0.02
"""How far a thing that has settled may move in a second, and a bystander in a trial, in metres."""
WORDS = {"in_front_of": "front", "behind": "behind", "left_of": "left", "right_of": "right"}
"""The name that sensing has for the direction of each relation that takes a distance."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one trial.

    Attributes:
        kind: What was tried.
        seed: The seed of the room.
        why: What went wrong; empty if nothing did.
        simulated: How long it took in the simulated world, in seconds.
        processor: How much processor time it took, in seconds.
    """

    kind: str
    seed: int
    why: str
    simulated: float
    processor: float

    @property
    def right(self) -> bool:
        """Whether it was done, and is so."""
        return not self.why


def conducted(kind: str, seed: int, task: Task, verdict: Callable[[PyBulletRobot, Task], str]) -> Trial:
    """Carry a task out, let it settle, and ask for the verdict, which is what is wrong or nothing."""
    processor = time.process_time()
    robot = PyBulletRobot(task.layout)
    try:
        began = {name: pose for name, (pose, _) in stagehand.poses(robot).items()}
        why = next(filter(None, (_do(robot, placement) for placement in task.placements)), "")
        robot.clock.sleep(SECOND)
        before = stagehand.snapshot(robot)
        robot.clock.sleep(SECOND)
        stirring = stagehand.moved(before, stagehand.snapshot(robot), STILL) - {robot.name}
        why = why or (f"still moving: {', '.join(sorted(stirring))}" if stirring else "")
        why = why or _pushed(robot, began, task) or verdict(robot, task)
        return Trial(kind, seed, why, robot.clock.now(), time.process_time() - processor)
    finally:
        robot.close()


def _do(robot: PyBulletRobot, placement: Placement) -> str:
    """Fetch a thing and put it; return what went wrong, or nothing."""
    thing, source, target = placement.thing, placement.source, placement.target
    moves, at = "drive" in robot.primitives, target if target in robot.rig.world.offered else source
    commands = [
        *([Command("drive", robot.name, {"to": source})] if moves else []),
        Command("pick", robot.name, {"object": thing, "source": source, "at": source}),
        *([Command("drive", robot.name, {"to": target})] if moves else []),
        Command(
            placement.primitive,
            robot.name,
            {"object": thing, "target": target, "at": at, **placement.roles},
            placement.values,
        ),
    ]
    return next(filter(None, (_done(robot, command) for command in commands)), "")


def _done(robot: PyBulletRobot, command: Command) -> str:
    motion, begun = robot.start(command), robot.clock.now()
    while motion.poll().stage is MotionStatus.RUNNING and robot.clock.now() < begun + LONGEST:
        robot.clock.sleep(TICK)
    progress = motion.poll()
    return "" if progress.stage is MotionStatus.DONE else f"{command.primitive}: {progress.feedback or 'no end'}"


def _pushed(robot: PyBulletRobot, began: dict[str, tuple[float, float, float]], task: Task) -> str:
    """Return which things that were not to be handled have moved, in words."""
    handled = {placement.thing for placement in task.placements} | {robot.name}
    ways = {name: np.subtract(pose, began[name]) for name, (pose, _) in stagehand.poses(robot).items()}
    far = {name: float(np.linalg.norm(way)) for name, way in ways.items() if name not in handled}
    return ", ".join(f"{name} was pushed by {way:.3f} m" for name, way in sorted(far.items()) if way > PUSHED)


def truth_of(robot: PyBulletRobot, task: Task) -> TrueScene:
    """Return where everything truly is."""
    world = robot.rig.world
    things = {}
    for name, shape in world.shapes.items():
        centre, turn = world.pose(name)
        x, y, z, w = turn
        axes = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        things[name] = Lying(shape.form, shape.size, centre, axes)
    tops = {
        item.name: (Top(item.pose.x, item.pose.y, item.pose.yaw, item.size[1], item.size[0], item.size[2]),)
        for item in task.layout.furniture
    }
    viewers = [person.pose for person in task.layout.persons] or [task.layout.robot.pose]
    return TrueScene(things, tops, viewers[0].yaw)


def carried(robot: PyBulletRobot, task: Task) -> str:
    """Return what is wrong with a thing that was to be carried to another surface, or nothing."""
    thing, target = task.wanted.names
    world = robot.rig.world
    truth = Truth(
        stagehand.bounds(robot),
        {name: tuple(Touch(*contact) for contact in stagehand.contact_points(robot, name)) for name in world.shapes},
        stagehand.doors(robot),
        {name: stagehand.solids(robot, name) for name in world.offered},
    )
    return "" if truth.rests_on(thing, target) else f"{thing} does not rest on {target}"


def stands(robot: PyBulletRobot, task: Task) -> str:
    """Return whether a relation is not so, in words."""
    return "" if fulfils(task.wanted, truth_of(robot, task)) else f"{task.wanted.relation} is not so"


def related(robot: PyBulletRobot, task: Task) -> str:
    """Return whether a relation is not so, or is not sensed, in words."""
    unseen = "" if is_sensed(robot, task.wanted) else "it is not sensed"
    return " and ".join(filter(None, (stands(robot, task), unseen)))


def seen_by(robot: PyBulletRobot) -> Arrangement:
    """Return where the robot sensed things, as relations see them."""
    names = load_domain("kitchen").conventions
    return arrangement(robot.observation(), {robot.name: Thing(robot.name, names.robot, frozenset())}, names)


def is_sensed(robot: PyBulletRobot, wanted: Wanted) -> bool:
    """Return whether what the robot sensed makes a relation true by the definitions that worlds are judged by."""
    seen = seen_by(robot)
    if not seen.things.keys() >= set(wanted.names):
        return False
    if wanted.distance is not None:
        first, second = wanted.names
        return at_distance(seen, first, second, WORDS[wanted.relation], wanted.distance)
    return holds(wanted.relation, wanted.names, seen, wanted.word)
