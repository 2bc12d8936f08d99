"""Samples of relations: whether a relation is so, and is sensed, at the places that are proposed for it.

A thing is set by the simulator, not by a hand, at places spread over all that `semantics.geometry.places` proposes for
what the robot has sensed of a room. A second later the judge looks at the true poses, and the sensing at its own
picture.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from benchmarks import stagehand
from benchmarks.handling.rooms import Task
from benchmarks.handling.trials import SECOND, Trial, related, seen_by
from robots.pybullet import PyBulletRobot
from semantics.geometry.places import Place, WantedPlace, places

__all__ = ["SAMPLES", "sampled"]

SAMPLES = 10
"""How many places of a room are tried for a relation."""
DROP = 0.002
"""From which height above its place a thing is let go, in metres."""
THICKNESS = 0.01
"""The floor of what a thing is set in, in metres."""


def sampled(kind: str, seed: int, task: Task) -> Iterator[Trial]:
    """Yield a trial for each of some places that are proposed for what is wanted in a room."""
    robot = PyBulletRobot(task.layout)
    try:
        robot.clock.sleep(SECOND)
        task, wish = _asked(task)
        seen = seen_by(robot)
        proposed = list(places(wish, seen, [task.placements[-1].target], seed=seed))
        if not proposed:
            yield Trial(kind, seed, "no place is proposed", robot.clock.now(), 0.0)
        turn = robot.rig.world.yaw(wish.placed) - seen.solid(wish.placed).yaw
        for place in _spread(proposed):
            begun, processor = robot.clock.now(), time.process_time()
            _set(robot, wish, place, turn)
            robot.clock.sleep(SECOND)
            why = related(robot, task)
            yield Trial(kind, seed, why, robot.clock.now() - begun, time.process_time() - processor)
    finally:
        robot.close()


def _asked(task: Task) -> tuple[Task, WantedPlace]:
    """Return a task and what is sampled in it: of a stack the second storey, of a row any place of its last thing."""
    wanted = task.wanted
    if wanted.relation == "stacked":
        wanted = replace(wanted, names=wanted.names[:2])
        target = wanted.names[0]
    else:
        target = task.placements[-1].target
    names = (wanted.names[-1], *wanted.names[:-1]) if wanted.relation == "in_row" else wanted.names
    asked = replace(task, placements=(task.placements[-1]._replace(target=target),), wanted=wanted)
    return asked, WantedPlace(wanted.relation, names, wanted.word, wanted.distance)


def _spread(proposed: list[Place]) -> list[Place]:
    """Return `SAMPLES` of the places, evenly from first to last, or all if they are fewer."""
    if len(proposed) <= SAMPLES:
        return proposed
    return [proposed[number * len(proposed) // SAMPLES] for number in range(SAMPLES)]


def _set(robot: PyBulletRobot, wish: WantedPlace, place: Place, turn: float) -> None:
    """Set a thing at a place; `turn` is how much it is turned from what was seen of it, in radians."""
    shape = robot.rig.world.shapes[wish.placed]
    bottom = place.bottom + DROP + (THICKNESS if wish.relation == "in" else 0.0)
    stagehand.move_piece(robot, wish.placed, (place.x, place.y, bottom + shape.size[2] / 2), place.yaw + turn)
