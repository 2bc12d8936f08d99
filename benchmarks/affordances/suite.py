"""Precision, recall and F1 of a mapping, a model, or offline guesses: ``graftwork bench affordances --truth FILE``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affordances.elicitation import STRATEGIES
from affordances.elicitation.estimate import LIKELY, Guesser
from affordances.mapping import EvidenceStore, ObjectAffordances, read_mapping
from affordances.mapping.object_affordances import THRESHOLD
from affordances.ontology import AFFORDANCES
from benchmarks.affordances.scores import AffordanceScores, Figure, Score, evaluate
from benchmarks.affordances.truth import Truth, read_truth
from graftwork.cli.inquiry import AskingOptions, guesser, inquiry_for
from graftwork.cli.options import echo, print_json, progress
from semantics.errors import UsageError

__all__ = ["main"]

Answers = Mapping[str, Mapping[str, bool | None]]


@dataclass(frozen=True, slots=True)
class Judged:
    """The subject of an evaluation: a mapping, or the answers to questions."""

    mapping: Path | None
    way: AskingOptions
    threshold: float | None
    as_unknown: bool


@dataclass(slots=True)
class JudgedAnswers:
    """The answers to compare, their source, notes for the reader, and the cost of asking."""

    answers: Answers
    source: str
    notes: list[str] = field(default_factory=list)
    cost: dict[str, int] = field(default_factory=dict)


def main(words: Sequence[str]) -> int:
    """Compare answers with the truth, and print the scores; 4 after an interruption.

    Raises:
        UsageError: Options exclude each other, or a file cannot be used.
        OutsideError: The model cannot be reached; earlier answers stay in the cache.
    """
    given = _parser().parse_args(words)
    way = AskingOptions(given.model, given.strategy, given.cache, given.at_once, given.tries)
    truth = read_truth(given.truth, AFFORDANCES)
    try:
        answered = _answers_of(truth, Judged(given.mapping, way, given.threshold, given.as_unknown))
    except KeyboardInterrupt:
        echo("graftwork: interrupted", err=True)
        return 4
    evaluation = evaluate(truth.classes, answered.answers, tuple(AFFORDANCES))
    notes = [*truth.notes, *answered.notes]
    if given.json:
        print_json({"source": answered.source, **evaluation.as_dict(), **answered.cost, "notes": notes})
        return 0
    for note in notes:
        echo(f"note: {note}", err=True)
    for line in _table(evaluation, truth, answered, verbose=given.verbose):
        echo(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="graftwork bench affordances", description=__doc__)
    add = parser.add_argument
    add("--truth", type=Path, required=True, metavar="FILE.csv", help="right answers: object,affordance, a pair a line")
    add("--mapping", type=Path, metavar="FILE", help="judge this mapping (.yaml or SQLite)")
    add("--model", metavar="offline|openai:NAME", help="whom to ask")
    add("--strategy", choices=tuple(STRATEGIES), help="how a model is asked (default: logic)")
    add("--threshold", type=float, help="probability of a yes (default: 0.5; of a guess: 0.4)")
    add("--as-unknown", action="store_true", help="offline: guess each class from the others, though it is known")
    add("--cache", type=Path, metavar="DIR", help="answers from before (default: in your cache folder)")
    add("--at-once", type=int, default=8, metavar="N", help="requests under way at a time, at most")
    add("--tries", type=int, default=3, metavar="N", help="times a question is put until its answer is read")
    add("--verbose", "-v", action="store_true", help="show each pair that differs")
    add("--json", action="store_true", help="print everything as JSON")
    return parser


def _answers_of(truth: Truth, judged: Judged) -> JudgedAnswers:
    if judged.mapping is not None:
        if judged.way.model is not None or judged.way.strategy is not None or judged.as_unknown:
            raise UsageError("--mapping FILE is judged as it is: leave out --model, --strategy and --as-unknown")
        return _by_mapping(truth, judged.mapping, THRESHOLD if judged.threshold is None else judged.threshold)
    if judged.way.settings().model == "offline":
        return _by_guessing(truth, judged)
    if judged.as_unknown:
        raise UsageError("--as-unknown is for --model offline")
    return _by_asking(truth, judged.way)


def _by_mapping(truth: Truth, file: Path, threshold: float) -> JudgedAnswers:
    if not file.is_file():
        raise UsageError(f"{file}: there is no such file")
    is_yaml = file.suffix.lower() in (".yaml", ".yml")
    mapping: ObjectAffordances = read_mapping(file) if is_yaml else EvidenceStore(file).load()
    names = Guesser(mapping, tuple(AFFORDANCES))
    answers: dict[str, dict[str, bool | None]] = {}
    notes = []
    for name in truth.classes:
        known_name = names.known_as(name)
        if known_name is None:
            notes.append(f"the mapping does not know '{name}': it counts as good for nothing")
            continue
        answers[name] = {affordance: mapping.affords(known_name, affordance, threshold) for affordance in AFFORDANCES}
    return JudgedAnswers(answers, str(file), notes)


def _by_guessing(truth: Truth, judged: Judged) -> JudgedAnswers:
    by_nearest = guesser(judged.way)
    guesses = {name: by_nearest.guess(name, as_unknown=judged.as_unknown) for name in truth.classes}
    threshold = LIKELY if judged.threshold is None else judged.threshold
    answers: Answers = {
        name: {affordance: value >= threshold for affordance, value in guess.confidence.items()}
        for name, guess in guesses.items()
    }
    guessed = sum(guess.known_as is None for guess in guesses.values())
    notes = [f"{len(guesses) - guessed} classes are known, {guessed} are guessed"]
    notes += sorted({guess.note for guess in guesses.values() if guess.note})
    return JudgedAnswers(answers, "offline", notes)


def _by_asking(truth: Truth, way: AskingOptions) -> JudgedAnswers:
    inquiry = inquiry_for(tuple(truth.classes), way)
    try:
        with progress(f"asking {inquiry.model}", inquiry.size, sys.stderr) as advance:
            inquiry.run(advance)
    except KeyboardInterrupt:
        done = sum(len(asked.answers) for asked in inquiry.asked)
        echo(f"{done} answers are kept in the cache; the next evaluation asks the rest", err=True)
        raise
    if inquiry.outage is not None:
        raise inquiry.outage
    answers = {asked.class_name: asked.answers for asked in inquiry.asked}
    notes = [f"{asked.class_name}: {record}" for asked in inquiry.asked for record in asked.feedback]
    counts = inquiry.counts
    cost = {"asked": counts.asked, "cached": counts.cached, "tokens": counts.tokens}
    return JudgedAnswers(answers, f"{inquiry.model} by {inquiry.strategy}", notes, cost)


def _table(evaluation: AffordanceScores, truth: Truth, answered: JudgedAnswers, *, verbose: bool) -> list[str]:
    head = f"{'affordance':18} {'right':>6} {'wrong':>6} {'missed':>6}  {'precision':17}  {'recall':17}  F1"
    lines = [f"{answered.source}: {evaluation.classes} classes, {truth.pairs} pairs", head]
    lines += [_row(name, score) for name, score in evaluation.affordances.items()]
    lines += [_row("micro, all pairs", evaluation.micro), _row("macro, the mean", evaluation.macro)]
    lines += [f"{evaluation.unknown} pairs were left unanswered"] if evaluation.unknown else []
    if answered.cost:
        lines.append(f"requests {answered.cost['asked']} asked, {answered.cost['cached']} from the cache")
    if verbose:
        lines += [f"{pair.how:8} {pair.class_name}: {pair.affordance}" for pair in evaluation.disagreements]
    return lines


def _row(name: str, score: Score) -> str:
    figures = "  ".join(f"{_shown(figure):17}" for figure in (score.precision, score.recall, score.f1))
    return f"{name:18} {score.right:6} {score.wrong:6} {score.missed:6}  {figures}".rstrip()


def _shown(figure: Figure) -> str:
    value: Any = figure.value
    if value is None:
        return "-"
    return f"{value:.2f}" if figure.low is None else f"{value:.2f} [{figure.low:.2f} {figure.high:.2f}]"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
