"""How fast cases, checks and worlds are read: ``graftwork bench cases``.

Cases that only refuse a goal: generated ones of every kind, written to files, read and run as ``graftwork test`` does;
the planner is never started. One goal check with 64 disjuncts, in three shapes. Loading and checking a world: a domain
and a scene read and checked from their files, and a first goal checked against them, imports and the start of Prolog
apart. Nothing of this waits or runs beside anything else, so the bounds are on processor time, that of one core, which
other work on the machine changes little; the time on the clock stands beside it. Exit code 1 when a bound is missed.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from random import Random
from statistics import median

import yaml
from rich.console import Console
from rich.table import Table

from affordances.scene import Scene
from domains.model import Domain, SceneFile
from domains.reader import load_domain, load_scene
from graftwork.cases import CaseRunner, CaseWorld, read_cases
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.goal_check import check_goal
from semantics.logic.parsing import parse_formula
from semantics.logic.rules import RuleBook

__all__ = ["main", "refusals"]

LEAST_A_MINUTE = 3000.0
MOST_LOADING = 0.060
MOST_CHECKING = 0.003
A_FILE = 200
"""How many cases stand in a file."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure: seconds of processor and of clock time of each run, and the most that the former may be.

    `count` things are done in a run; where there are several, how many are done in a minute is told.
    """

    name: str
    taken: Sequence[tuple[float, float]]
    bound: float
    count: int = 1

    @property
    def processor(self) -> float:
        """Seconds of processor time, the median."""
        return median(processor for processor, _ in self.taken)

    @property
    def clock(self) -> float:
        """Seconds on the clock, the median."""
        return median(clock for _, clock in self.taken)

    @property
    def holds(self) -> bool:
        """Whether the bound is kept."""
        return self.processor <= self.bound

    def told(self, seconds: float) -> str:
        """Write a time, or how many are done in a minute."""
        return f"{1000 * seconds:.2f} ms" if self.count == 1 else f"{60 * self.count / seconds:,.0f} a minute"


def refusals(domain: Domain, scene: SceneFile, count: int, random: Random) -> Iterator[dict[str, str]]:
    """Yield cases in which a goal is refused, of every kind and evenly."""
    carried = sorted(name for name, thing in scene.things.items() if "carry" in thing.affordances)
    places = sorted(name for name, thing in scene.things.items() if {"support", "location"} <= thing.affordances)
    kinds: tuple[tuple[str, Callable[[str, str, str], str]], ...] = (
        ("contradiction", lambda one, place, other: f"(and (on {one} {place}) (on {one} {other}))"),
        ("contradiction", lambda one, place, _: f"(and (on {one} {place}) (not (on {one} {place})))"),
        ("contradiction", lambda one, place, _: f"(and (on {one} {place}) (inhand {one} robot0))"),
        ("contradiction", lambda one, place, _: f"(and (opened fridge0) (closed fridge0) (on {one} {place}))"),
        ("unknown-name", lambda one, place, _: f"(on {one} {place}x)"),
        ("unknown-predicate", lambda one, place, _: f"(above {one} {place})"),
        ("wrong-arity", lambda one, place, _: f"(on {one})"),
        ("wrong-affordance", lambda _, place, other: f"(on {place} {other})"),
    )
    for number in range(count):
        code, write = kinds[number % len(kinds)]
        one, (place, other) = random.choice(carried), random.sample(places, 2)
        yield {"name": f"case {number}", "scene": scene.name, "goal": write(one, place, other), "refused": code}


def _stopwatch() -> Callable[[], tuple[float, float]]:
    """Return what tells the seconds of processor and clock time since now."""
    processor, clock = time.process_time(), time.perf_counter()
    return lambda: (time.process_time() - processor, time.perf_counter() - clock)


def refusing(domain: Domain, scene: SceneFile, count: int, folder: Path) -> tuple[float, float]:
    """Return the seconds in which cases that refuse are read and run.

    Raises:
        RuntimeError: A case does not come out as expected.
    """
    cases = list(refusals(domain, scene, count, Random(count)))
    files = [folder / f"{start}.yaml" for start in range(0, count, A_FILE)]
    for number, file in enumerate(files):
        part = cases[number * A_FILE : (number + 1) * A_FILE]
        file.write_text(yaml.safe_dump(part, width=10_000), encoding="utf-8")
    passed = _stopwatch()
    world, failed = CaseWorld(load_domain("kitchen")), []
    with CaseRunner() as runner:
        for file in files:
            results = [runner.run(case, world) for case in read_cases(file, world)]
            failed += [result.problems for result in results if not result.passed]
    taken = passed()
    if failed:
        raise RuntimeError(f"{len(failed)} cases did not come out as expected, such as: {failed[0]}")
    return taken


def loading() -> tuple[float, float]:
    """Return the seconds from files to a first goal that was checked."""
    passed = _stopwatch()
    domain = load_domain("kitchen")
    scene = load_scene(domain, "full")
    checked = _check(domain, scene, "(in apple0 fridge0)")
    taken = passed()
    assert isinstance(checked, CheckedGoal), checked
    return taken


def _check(domain: Domain, scene: SceneFile, goal: str) -> object:
    words = domain.vocabulary(scene.things, scene.speaker)
    state = Scene.as_written(scene, domain).state
    return check_goal(Goal(parse_formula(goal)), words, rules=RuleBook(domain.rules), state=state)


def choices(scene: SceneFile) -> dict[str, str]:
    """Return goals of 64 disjuncts: of one literal each, of two, and of six."""
    carried = sorted(name for name, thing in scene.things.items() if "carry" in thing.affordances)
    pairs = [f"(on {one} {place})" for one, place in product(carried, ("table0", "counter0"))]
    either = [f"(or (on {one} table0) (on {one} counter0))" for one in carried[:6]]
    two = [f"(or {' '.join(pairs[start : start + 16 : 2])})" for start in (0, 16)]
    return {
        "of 1 literal": f"(or {' '.join(pairs[:64])})",
        "of 2 literals": f"(and {' '.join(two)})",
        "of 6 literals": f"(and {' '.join(either)})",
    }


def checking(domain: Domain, scene: SceneFile, text: str) -> Callable[[], tuple[float, float]]:
    """Return what takes the seconds of one check of a goal."""
    words = domain.vocabulary(scene.things, scene.speaker)
    state = Scene.as_written(scene, domain).state
    rules, goal = RuleBook(domain.rules), Goal(parse_formula(text))

    def take() -> tuple[float, float]:
        passed = _stopwatch()
        checked = check_goal(goal, words, rules=rules, state=state)
        taken = passed()
        assert isinstance(checked, CheckedGoal), checked
        assert len(checked.conjuncts) == 64
        return taken

    return take


def measure(count: int, runs: int) -> list[Figure]:
    """Take every figure; the first run of each does not count."""
    loading()
    domain = load_domain("kitchen")
    scene = load_scene(domain, "full")
    figures = [Figure("loading and checking the kitchen", _taken(loading, runs), MOST_LOADING)]
    for name, text in choices(scene).items():
        taken = _taken(checking(domain, scene, text), 10 * runs)
        figures.append(Figure(f"a check, 64 disjuncts {name}", taken, MOST_CHECKING))
    with tempfile.TemporaryDirectory() as folder:
        taken = _taken(lambda: refusing(domain, scene, count, Path(folder)), max(runs // 3, 1))
    return [*figures, Figure(f"{count} refusals", taken, 60 * count / LEAST_A_MINUTE, count)]


def _taken(take: Callable[[], tuple[float, float]], runs: int) -> list[tuple[float, float]]:
    return [take() for _ in range(runs + 1)][1:]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench cases", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many cases are run (1000)")
    parser.add_argument("--runs", type=int, default=9, help="how often each figure is taken (9)")
    given = parser.parse_args(arguments)
    figures = measure(given.count, given.runs)
    table = Table("figure", "processor", "bound", "clock", "kept")
    for figure in figures:
        times = (figure.told(seconds) for seconds in (figure.processor, figure.bound, figure.clock))
        table.add_row(figure.name, *times, "yes" if figure.holds else "NO")
    console = Console()
    console.print(table)
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores, {load}")
    return 0 if all(figure.holds for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
