"""Thirty whole runs in simulation and the refusals, judged from outside: ``make accept``.

Six sentences with five seeds each in the full kitchen; a seed moves and turns everything, changes the shelf of the
fridge and where the robot starts. At least 28 have to be achieved, and none may be reported as achieved that the judge
denies. Then the sentences that must be refused, with nothing moved. Exit code 1 when that falls short.

Run from a checkout: ``python -m benchmarks.accept [--seeds 1 2 3 4 5] [--only "bring me the milk"]``.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmarks.judging import VERDICTS, Touch, Truth
from semantics.body.protocols import Robot

__all__ = ["main"]

SEEDS = (1, 2, 3, 4, 5)
LEAST_ACHIEVED = 28
WORKERS = 2
LEGEND = "done: reported and judged so; false: reported, not so; mends: repairs; sim, wall: seconds a run"
REFUSALS = {
    "bring me the unicorn": "refused",
    "put the apple on the table and in the fridge": "refused",
    "put the fridge on the table": "refused",
    "put the table in the sink": "refused",
    "put the tray on the bowl": "refused",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One run: what was said, what the robot reported, what the judge found, and how long it took."""

    sentence: str
    seed: int
    outcome: str
    judged: bool
    ticks: int
    rungs: int
    simulated: float
    wall: float
    message: str

    @property
    def achieved(self) -> bool:
        """Whether it was reported and is so."""
        return self.outcome == "achieved" and self.judged

    @property
    def false(self) -> bool:
        """Whether it was reported as achieved and is not so."""
        return self.outcome in ("achieved", "already") and not self.judged


def observe(robot: Robot) -> Truth:
    """Ask the simulator what is so, one simulated second on."""
    from benchmarks import stagehand
    from robots.informed import body_of
    from robots.pybullet import PyBulletRobot

    robot = body_of(robot)
    assert isinstance(robot, PyBulletRobot)
    robot.clock.sleep(1.0)
    world = robot.rig.world
    return Truth(
        stagehand.bounds(robot),
        {name: tuple(Touch(*one) for one in stagehand.contact_points(robot, name)) for name in world.shapes},
        stagehand.doors(robot),
        {name: stagehand.solids(robot, name) for name in world.offered},
    )


def conduct(sentence: str, seed: int) -> Row:
    """Do one sentence with one seed, and have it judged."""
    from graftwork import Session

    began = time.perf_counter()
    with Session(scene="full", robot="pybullet", memory=None, seed=seed) as session:
        episode = session.handle(sentence)
        simulated = session.environment.robot.clock.now()
        judged = VERDICTS[sentence](observe(session.environment.robot))
    wall = time.perf_counter() - began
    return Row(
        sentence,
        seed,
        str(episode.outcome),
        judged,
        episode.ticks,
        len(episode.rungs),
        simulated,
        wall,
        episode.message,
    )


def refuse(sentences: Sequence[str]) -> list[tuple[str, str, str, frozenset[str]]]:
    """Say what must be refused to one robot; return each outcome, its reason, and what moved, the robot included."""
    from benchmarks import stagehand
    from graftwork import Session
    from robots.informed import body_of
    from robots.pybullet import PyBulletRobot

    rows = []
    with Session(scene="full", robot="pybullet", memory=None) as session:
        robot = body_of(session.environment.robot)
        assert isinstance(robot, PyBulletRobot)
        before = stagehand.snapshot(robot)
        for sentence in sentences:
            episode = session.handle(sentence)
            robot.clock.sleep(1.0)
            moved = stagehand.moved(before, stagehand.snapshot(robot))
            rows.append((sentence, str(episode.outcome), episode.message, moved))
    return rows


def run_all(sentences: Sequence[str], seeds: Sequence[int], console: Console) -> list[Row]:
    """Do every sentence with every seed, a few at a time, with a progress line."""
    jobs = [(sentence, seed) for sentence in sentences for seed in seeds]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    rows: list[Row] = []
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("runs", total=len(jobs))
        with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
            for future in as_completed([pool.submit(conduct, *job) for job in jobs]):
                row = future.result()
                rows.append(row)
                progress.advance(task)
                if not row.achieved:
                    console.print(
                        f"{row.sentence} (seed {row.seed}): {row.outcome}, judged {row.judged}: {row.message}"
                    )
    return sorted(rows, key=lambda row: (sentences.index(row.sentence), row.seed))


def table_of(rows: Sequence[Row]) -> Table:
    """Return the runs as a table, a line a sentence."""
    table = Table("sentence", "done", "false", "mends", "sim s", "wall s", "speed")
    for sentence in dict.fromkeys(row.sentence for row in rows):
        mine = [row for row in rows if row.sentence == sentence]
        simulated, wall = sum(row.simulated for row in mine), sum(row.wall for row in mine)
        table.add_row(
            sentence,
            f"{sum(row.achieved for row in mine)} of {len(mine)}",
            str(sum(row.false for row in mine)),
            str(sum(row.rungs for row in mine)),
            f"{simulated / len(mine):.0f}",
            f"{wall / len(mine):.1f}",
            f"{simulated / wall:.1f} x",
        )
    return table


def circumstances(seeds: Sequence[int]) -> str:
    """Return what the figures hold for: seeds, day, interpreter and machine."""
    listed = " ".join(map(str, seeds))
    return f"seeds {listed}; {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything, print the tables, return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accept", description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--only", nargs="+", choices=list(VERDICTS), default=list(VERDICTS), metavar="SENTENCE")
    given = parser.parse_args(arguments)
    console = Console()
    rows = run_all(given.only, given.seeds, console)
    refused = refuse(list(REFUSALS))
    console.print(table_of(rows))
    console.print(LEGEND)
    console.print(circumstances(given.seeds))
    wrong = [row for row in refused if row[1] != REFUSALS[row[0]] or row[3]]
    for sentence, outcome, message, moved in refused:
        what = f"MOVED: {', '.join(sorted(moved))}" if moved else "nothing moved"
        console.print(f"{sentence}: {outcome}, {what}. {message}")
    achieved, false = sum(row.achieved for row in rows), sum(row.false for row in rows)
    least = LEAST_ACHIEVED * len(rows) // (len(SEEDS) * len(VERDICTS))
    console.print(
        f"{achieved} of {len(rows)} achieved (at least {least} asked), {false} reported but not so (0 asked), "
        f"{len(refused) - len(wrong)} of {len(refused)} refusals right"
    )
    return 0 if achieved >= least and not false and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
