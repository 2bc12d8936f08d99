"""Substitution without a model, beside likeness of names alone: ``graftwork bench substitution``.

Thirty situations of our own with their key, fifteen of them held out until the algorithm was final, and ninety newer
ones in two halves (README.md beside this file), each at 5, 20 and 70 object classes. Every cell is right answers with
the 95 % interval of Wilson. Exit code 1 when a target falls short; the targets are of all thirty, and of each newer
half.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

from affordances.substitutes import Knowledge, SubstitutionTask, suggest
from semantics.logic.parsing import parse_formula
from semantics.proportion import wilson_interval
from semantics.words.embedding import SentenceEmbedder
from semantics.words.lexicon import plain

__all__ = ["main", "task_of"]

HERE = Path(__file__).parent
HALVES = ("tuned", "held_out")
NEW = ("new_a", "new_b", "new_c")
SIZES = (5, 20, 70)
LEAST = {5: 24, 20: 24, 70: 22}
LEAST_AHEAD = 6
LEAST_NEW = 0.85
"""The least share of right answers of a newer half, at each size."""
PLACE = "missing0"

Situation = Mapping[str, Any]
Answerer = Callable[[Situation, Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer: the situation's id, how many objects there were, what was said and whether it is right."""

    half: str
    situation: str
    size: int
    said: str
    right: bool


def situations(half: str) -> list[Situation]:
    """Read one half."""
    found: list[Situation] = yaml.safe_load((HERE / f"{half}.yaml").read_text(encoding="utf-8"))["situations"]
    return found


def task_of(situation: Situation) -> SubstitutionTask:
    """Return the task: the goal and the sentence that it stands for."""
    goal, count = re.subn(r"\{.*?\}", PLACE, situation["goal"])
    places = frozenset({PLACE}) if count else frozenset[str]()
    return SubstitutionTask(parse_formula(goal), situation["missing"], places, request=situation["request"])


def answer(half: str, ask: Answerer) -> list[Answered]:
    """Answer every situation of a half at every size."""
    found = []
    for one in situations(half):
        for size in SIZES:
            said, key = ask(one, one["objects"][size]), one["accept"][size]
            found.append(Answered(half, one["id"], size, said, said in key if said else not key))
    return found


def ours() -> Answerer:
    """Return our way."""
    knowledge = Knowledge()

    def ask(situation: Situation, present: Sequence[str]) -> str:
        best = suggest(task_of(situation), present, knowledge).best
        return best.class_name if best else ""

    return ask


def by_name(embed: SentenceEmbedder) -> Answerer:
    """Return the other way: the class whose name is likest in meaning."""

    def ask(situation: Situation, present: Sequence[str]) -> str:
        likeness = embed.similarities(plain(situation["missing"]), [plain(name) for name in present])
        return max(zip(likeness, present, strict=True))[1]

    return ask


def cell(answers: Sequence[Answered], size: int) -> str:
    """Write right answers and their interval."""
    of_size = [one for one in answers if one.size == size]
    right = sum(one.right for one in of_size)
    low, high = wilson_interval(right, len(of_size))
    return f"{right} of {len(of_size)} ({low:.0%} to {high:.0%})"


def table_of(found: Mapping[str, Sequence[Answered]], halves: Sequence[str]) -> Table:
    """Return a line for each way and half, and for both together."""
    table = Table("half", "way", *(f"{size} objects" for size in SIZES))
    for half in (*halves, *(["together"] if halves == HALVES else [])):
        for way, answers in found.items():
            chosen = [one for one in answers if half in (one.half, "together")]
            table.add_row(half, way, *(cell(chosen, size) for size in SIZES))
    return table


def targets(found: Mapping[str, Sequence[Answered]]) -> list[tuple[str, bool]]:
    """Return each target in words, and whether it is met."""
    score = {
        (way, size): sum(one.right for one in answers if one.size == size)
        for way, answers in found.items()
        for size in SIZES
    }
    met = []
    for size in SIZES:
        mine, other = score["ours", size], score["names alone", size]
        met.append((f"{size} objects: {mine} of 30, at least {LEAST[size]}", mine >= LEAST[size]))
        met.append((f"{size} objects: {mine - other} ahead, at least {LEAST_AHEAD}", mine - other >= LEAST_AHEAD))
    return met


def new_targets(answers: Sequence[Answered]) -> list[tuple[str, bool]]:
    """Return each target of a newer half in words, and whether it is met."""
    met = []
    for half, size in sorted({(one.half, one.size) for one in answers}):
        right = [one.right for one in answers if (one.half, one.size) == (half, size)]
        text = f"{half} at {size} objects: {sum(right) / len(right):.2f}, at least {LEAST_NEW}"
        met.append((text, sum(right) >= LEAST_NEW * len(right)))
    return met


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench substitution", description=__doc__)
    parser.add_argument("--half", choices=("tuned", "held-out", "both", "new-a", "new-b", "new-c"), default="both")
    parser.add_argument("--wrong", action="store_true", help="show the wrong answers")
    given = parser.parse_args(arguments)
    halves = HALVES if given.half == "both" else (given.half.replace("-", "_"),)
    embed = SentenceEmbedder()
    ways = {"ours": ours(), "names alone": by_name(embed)}
    found = {way: [one for half in halves for one in answer(half, ask)] for way, ask in ways.items()}
    console = Console()
    console.print(table_of(found, halves))
    if given.wrong:
        for one in (one for one in found["ours"] if not one.right):
            console.print(f"wrong: {one.situation} at {one.size}: {one.said or 'nothing'}", highlight=False)
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores")
    met = targets(found) if halves == HALVES else new_targets(found["ours"]) if halves[0] in NEW else []
    for text, holds in met:
        console.print(f"{'yes' if holds else 'NO '}  {text}", highlight=False)
    return 0 if all(holds for _, holds in met) else 1


if __name__ == "__main__":
    sys.exit(main())
