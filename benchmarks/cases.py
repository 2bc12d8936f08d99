"""How fast cases, checks and worlds are read: ``graftwork bench cases``.

Three figures with bounds, all on one core. Cases that only refuse a goal: generated ones of every kind, written to
files, read and run as ``graftwork test`` does, planner never started. One goal check with 64 disjuncts, the heaviest of
three shapes. Loading and checking a world: its domain and a scene read and checked from their files, and a first goal
checked against them, imports and the start of Prolog apart. Exit code 1 when a figure misses its bound.
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
from domains.reading import load_domain, load_scene
from graftwork.cases import CaseRunner, World, read_cases
from semantics.checking import check_goal
from semantics.goal import CheckedGoal, Goal
from semantics.parsing import parse_formula
from semantics.rules import RuleBook

__all__ = ["main", "refusals"]

LEAST_A_MINUTE = 3000.0
MOST_LOADING = 0.060
MOST_CHECKING = 0.003
A_FILE = 200
"""How many cases stand in a file."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure and its bound: at most, or at least when `more` is better."""

    name: str
    values: Sequence[float]
    bound: float
    unit: str
    more: bool = False

    @property
    def holds(self) -> bool:
        """Whether the median keeps the bound."""
        return median(self.values) >= self.bound if self.more else median(self.values) <= self.bound


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


def a_minute(domain: Domain, scene: SceneFile, count: int, folder: Path) -> float:
    """Return how many refusals are read and run in a minute.

    Raises:
        RuntimeError: A case does not come out as expected.
    """
    cases = list(refusals(domain, scene, count, Random(count)))
    files = [folder / f"{start}.yaml" for start in range(0, count, A_FILE)]
    for number, file in enumerate(files):
        part = cases[number * A_FILE : (number + 1) * A_FILE]
        file.write_text(yaml.safe_dump(part, width=10_000), encoding="utf-8")
    began = time.perf_counter()
    world, failed = World(load_domain("kitchen")), []
    with CaseRunner() as runner:
        for file in files:
            results = [runner.run(case, world) for case in read_cases(file, world)]
            failed += [result.problems for result in results if not result.passed]
    seconds = time.perf_counter() - began
    if failed:
        raise RuntimeError(f"{len(failed)} cases did not come out as expected, such as: {failed[0]}")
    return 60 * count / seconds


def loading(_: object = None) -> float:
    """Return the seconds from files to a first goal that was checked."""
    began = time.perf_counter()
    domain = load_domain("kitchen")
    scene = load_scene(domain, "full")
    checked = _check(domain, scene, "(in apple0 fridge0)")
    seconds = time.perf_counter() - began
    assert isinstance(checked, CheckedGoal), checked
    return seconds


def _check(domain: Domain, scene: SceneFile, goal: str) -> object:
    words = domain.vocabulary(scene.things, scene.speaker)
    state = Scene.as_written(scene, domain).state(domain)
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


def checking(domain: Domain, scene: SceneFile, text: str) -> Callable[[], float]:
    """Return what takes the seconds of one check of a goal."""
    words = domain.vocabulary(scene.things, scene.speaker)
    state = Scene.as_written(scene, domain).state(domain)
    rules, goal = RuleBook(domain.rules), Goal(parse_formula(text))

    def take() -> float:
        began = time.perf_counter()
        checked = check_goal(goal, words, rules=rules, state=state)
        seconds = time.perf_counter() - began
        assert isinstance(checked, CheckedGoal), checked
        assert len(checked.conjuncts) == 64
        return seconds

    return take


def measure(count: int, runs: int) -> list[Figure]:
    """Take every figure; the first run of each does not count."""
    loading()
    domain = load_domain("kitchen")
    scene = load_scene(domain, "full")
    figures = [Figure("loading and checking the kitchen", _taken(loading, runs), MOST_LOADING, "s")]
    for name, text in choices(scene).items():
        taken = _taken(checking(domain, scene, text), 10 * runs)
        figures.append(Figure(f"one goal check, 64 disjuncts {name}", taken, MOST_CHECKING, "s"))
    with tempfile.TemporaryDirectory() as folder:
        taken = _taken(lambda: a_minute(domain, scene, count, Path(folder)), max(runs // 3, 1))
    return [*figures, Figure(f"refusals, {count} cases", taken, LEAST_A_MINUTE, "a minute", more=True)]


def _taken(take: Callable[[], float], runs: int) -> list[float]:
    return [take() for _ in range(runs + 1)][1:]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench cases", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many cases are run (1000)")
    parser.add_argument("--runs", type=int, default=9, help="how often each figure is taken (9)")
    given = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    figures = measure(given.count, given.runs)
    table = Table("figure", "median", "least", "most", "bound", "kept")
    for figure in figures:
        values = (
            _shown(value, figure.unit) for value in (median(figure.values), min(figure.values), max(figure.values))
        )
        bound = f"{'at least' if figure.more else 'at most'} {_shown(figure.bound, figure.unit)}"
        table.add_row(figure.name, *values, bound, "yes" if figure.holds else "NO")
    console = Console()
    console.print(table)
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, one core of {os.cpu_count()}")
    return 0 if all(figure.holds for figure in figures) else 1


def _shown(value: float, unit: str) -> str:
    return f"{1000 * value:.2f} ms" if unit == "s" else f"{value:,.0f} {unit}"


if __name__ == "__main__":
    sys.exit(main())
