"""Things of a few centimetres in a bin and on a bench, in simulation, and a banana that lies across a bowl.

Whole runs: the bolts go from the bin to the bench and from the bench into the bin; every run has to be achieved. Taken
away: one thing is removed while nobody looks, and the robot goes to its place and rests; then nothing of it may be
believed, and everything else still. Astray: a banana lies across a bowl, is told to be near it, and is brought. Run
from a checkout: ``graftwork bench bins [--seeds 20] [--taken 10] [--astray 3]``. Exit code 1 when a run falls short.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from benchmarks import stagehand
from graftwork import Outcome, Session
from robots.informed import body_of
from robots.pybullet import PyBulletRobot
from semantics.geometry.geometry import Vector

__all__ = ["SENTENCES", "WORLD", "brought_from_astray", "main", "noticed", "sorted_in"]

WORLD = Path(__file__).parent / "world"
"""The world of small things, a folder as a user writes it."""
SENTENCES = {"bin": "put all the bolts on the bench", "bench": "put all the bolts in the bin"}
"""What is asked for in each scene."""
FAR_AWAY = (20.0, 20.0, 0.05)
"""Where a thing goes that is taken away, in metres."""
RESTING, TICK = 2.0, 0.05
"""How long the robot rests at a place, and between two ticks, in seconds."""
ROOM = 0.12
"""How much room the bowl and the banana need around their middle, in metres."""


def sorted_in(scene: str, seed: int) -> str:
    """Carry out the sentence of a scene; return what went wrong, or nothing."""
    with Session(domain=WORLD, scene=scene, robot="pybullet", memory=None, seed=seed) as session:
        episode = session.handle(SENTENCES[scene])
    return "" if episode.outcome is Outcome.ACHIEVED else episode.message


def noticed(scene: str, seed: int) -> str:
    """Take one thing away unseen, and rest where it was; return what is believed wrongly, or nothing."""
    with Session(domain=WORLD, scene=scene, robot="pybullet", memory=None, seed=seed) as session:
        robot, watcher = _simulated(session), session.environment.watcher
        things = sorted(robot.rig.world.shapes)
        taken = Random(seed).choice(things)
        stagehand.move_piece(robot, taken, FAR_AWAY)
        episode = session.handle(f"go to the {scene}")
        if episode.outcome is not Outcome.ACHIEVED:
            return episode.message
        _rest(session)
        wrong = [str(atom) for atom in watcher.state.atoms if atom.predicate in ("in", "on") and atom.args[0] == taken]
        placed = {atom.args[0] for atom in watcher.state.atoms if atom.predicate in ("in", "on")}
        lost = [f"nothing of {name}" for name in things if name not in placed | {taken}]
    return ", ".join(wrong + lost)


def brought_from_astray(seed: int) -> str:
    """Lay a banana across a bowl, and ask for it; return what went wrong, or nothing."""
    with Session(scene="full", robot="pybullet", memory=None, seed=seed) as session:
        robot = _simulated(session)
        x, y, top = _free_spot(robot, "table0")
        stagehand.move_piece(robot, "bowl0", (x, y, top + 0.04))
        robot.clock.sleep(0.3)
        stagehand.move_piece(robot, "banana0", (x, y, top + 0.10))
        _rest(session)
        told = {str(atom) for atom in session.environment.watcher.state.atoms if atom.args[:1] == ("banana0",)}
        if "(near banana0 bowl0)" not in told:
            return f"told {', '.join(sorted(told)) or 'nothing'}"
        episode = session.handle("bring me the banana")
    return "" if episode.outcome is Outcome.ACHIEVED else episode.message


def _simulated(session: Session) -> PyBulletRobot:
    robot = body_of(session.environment.robot)
    assert isinstance(robot, PyBulletRobot)
    return robot


def _free_spot(robot: PyBulletRobot, place: str) -> Vector:
    """Return a point on the top of a place around which there is room."""
    world, table = robot.rig.world, robot.rig.world.box(place)
    (left, near, _), (right, far, top) = table.low, table.high
    staying = world.shapes.keys() - {"banana0", "bowl0"}
    others = [box for name in staying if (box := world.box(name)).low[2] > top - 0.1]
    spots = [(left + ROOM + x / 100, near + ROOM + y / 100) for x in range(200) for y in range(200)]
    inside = [(x, y) for x, y in spots if x < right - ROOM and y < far - ROOM]
    x, y = next(spot for spot in inside if not any(box.above((*spot, top), ROOM) for box in others))
    return x, y, top


def _rest(session: Session) -> None:
    for _ in range(round(RESTING / TICK)):
        session.environment.robot.clock.sleep(TICK)
        session.environment.watcher.refresh()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench bins", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="seeds of the whole runs (20)")
    parser.add_argument("--taken", type=int, default=10, help="seeds with which a thing is taken away (10)")
    parser.add_argument("--astray", type=int, default=3, help="seeds with the banana across a bowl (3)")
    given = parser.parse_args(arguments)
    runs: dict[str, tuple[int, Callable[[int], str]]] = {}
    for scene, sentence in SENTENCES.items():
        runs[sentence] = (given.seeds, partial(sorted_in, scene))
        runs[f"one is taken away, {scene}"] = (given.taken, partial(noticed, scene))
    runs["a banana across a bowl is brought"] = (given.astray, brought_from_astray)
    console = Console(width=120)
    table = Table("what", "right", "of")
    short = False
    for name, (count, run) in runs.items():
        wrong = {seed: message for seed in range(1, count + 1) if (message := run(seed))}
        table.add_row(name, str(count - len(wrong)), str(count))
        for seed, message in wrong.items():
            console.print(f"{name}, seed {seed}: {message}", markup=False)
        short = short or bool(wrong)
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}")
    console.print(table)
    return int(short)


if __name__ == "__main__":
    sys.exit(main())
