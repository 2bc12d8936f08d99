"""Places as values of actions: ``graftwork bench places``.

Random programs with random values on the fake body and, a part of them, in PyBullet: none may raise an exception, run
for ever, or break a limit. And how near to random points on a table PyBullet puts a block, with how long that takes.
Exit code 1 when something went wrong, or a bound is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot
from random import Random
from statistics import median

import numpy as np
from rich.console import Console

from benchmarks.places.programs import MADE, Outcomes, a_program, carried_out, misplaced
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.setup.bodies import robot_for
from robots.fake import FakeRobot
from robots.pybullet import PyBulletRobot

__all__ = ["main"]

SCENES = {"kitchen": "small", "tabletop": "four"}
A_ROOM = 20
"""How many programs follow each other in one room."""
AS_A_RULE, AT_MOST = 0.01, 0.02
"""How far a thing may be from the point that was said: in nine of ten, and in all, in metres."""
MOST_TOLD = 10
"""How many refusals are printed."""
PLAY = 0.02
"""What a joint may be beyond a limit because of a push, in its unit."""


def random_programs(body: str, count: int) -> Outcomes:
    """Carry out random programs in each world, on one body."""
    outcomes = Outcomes()
    for world in MADE:
        domain = load_domain(world)
        scene = load_scene(domain, SCENES[world])
        for first in range(0, count, A_ROOM):
            robot = robot_for(body, domain, scene)
            broken = misplaced(robot) if isinstance(robot, FakeRobot) else joints_beyond(robot)
            for seed in range(first, min(first + A_ROOM, count)):
                carried_out(a_program(world, seed), domain, scene, robot, outcomes, broken)
            robot.close()
    return outcomes


def joints_beyond(robot: object) -> Callable[[], str]:
    """Return what tells which joint of the simulated robot is beyond a limit, as it is measured."""
    assert isinstance(robot, PyBulletRobot)
    chassis = robot.rig.chassis
    driven, start = chassis.description.driven, robot.rig.world.layout.robot.pose

    def broken() -> str:
        measured = (chassis.configuration() - chassis.description.origin(start.x, start.y, start.yaw))[driven]
        beyond = np.maximum(chassis.limits.low - measured, measured - chassis.limits.high)
        worst = int(np.argmax(beyond))
        return f"{chassis.limits.names[worst]} is {beyond[worst]:.3f} beyond" if beyond[worst] > PLAY else ""

    return broken


@dataclass
class Accuracy:
    """How near to the point a thing came.

    Attributes:
        off: The distance of each, in metres.
        refused: Why others were not put down.
        seconds: Seconds of processor time for each.
    """

    off: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether all are near enough."""
        near = sum(off <= AS_A_RULE for off in self.off)
        return bool(self.off) and near >= 0.9 * len(self.off) and max(self.off) <= AT_MOST

    def lines(self) -> Iterator[str]:
        """Yield what is printed."""
        if self.off:
            near, far = sum(off <= AS_A_RULE for off in self.off), 1000 * max(self.off)
            yield f"points: {len(self.off)} reached, {near} of them within {100 * AS_A_RULE:g} cm"
            yield f"median {1000 * median(self.off):.1f} mm, at most {far:.1f} mm, {len(self.refused)} refused"
            yield f"{median(self.seconds):.2f} s of processor time each"
        yield from (f"  {reason}" for reason in sorted(self.refused)[:MOST_TOLD])


def accuracy(count: int, seed: int) -> Accuracy:
    """Put a block at random points of the tabletop, turned at random, in PyBullet."""
    chance, told = Random(seed), Accuracy()
    while len(told.off) + len(told.refused) < count:
        x, y = chance.uniform(0.22, 0.84), chance.uniform(-0.33, 0.33)
        turn = f", turn={chance.uniform(-180, 180):.1f}" if chance.random() < 0.5 else ""
        with Session(domain="tabletop", scene="four", robot="pybullet", memory=None) as session:
            begun = time.process_time()
            text = f"pick_up(green_block)\nplace(green_block, where=point({x}, {y}){turn})"
            episode = session.program(text).finish()
            session.sleep(1.0)
            told.seconds.append(time.process_time() - begun)
            if episode.outcome is not Outcome.ACHIEVED:
                told.refused.append(episode.message)
                continue
            middle = session.environment.robot.observation().sightings["green_block"].box.centre
            told.off.append(hypot(middle[0] - x, middle[1] - y))
    return told


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print what came of it, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench places", description=__doc__)
    parser.add_argument(
        "--programs", type=int, default=500, help="programs in each of two worlds on the fake body (500)"
    )
    parser.add_argument("--simulated", type=int, default=20, help="programs in each world in PyBullet (20)")
    parser.add_argument("--points", type=int, default=50, help="points for a block in PyBullet (50)")
    parser.add_argument("--seed", type=int, default=0, help="of the points (0)")
    given = parser.parse_args(arguments)
    console, good = Console(), True
    for body, count in (("fake", given.programs), ("pybullet", given.simulated)):
        outcomes = random_programs(body, count)
        ended = ", ".join(f"{number} {word}" for word, number in outcomes.ended.items())
        console.print(f"{body}: {ended}; {outcomes.done} statements done, {len(outcomes.wrong)} wrong")
        for wrong in outcomes.wrong[:5]:
            console.print(wrong)
        good = good and not outcomes.wrong
    if given.points:
        told = accuracy(given.points, given.seed)
        for line in told.lines():
            console.print(line)
        good = good and told.holds
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
