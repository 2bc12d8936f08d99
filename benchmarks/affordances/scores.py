"""Precision, recall and F1 of a mapping against correct answers, for each affordance and over all of them.

Micro scores pool all pairs. Macro scores are the mean over the affordances that occur in the truth or in the answers;
an affordance without any correct positive answer counts 0 in this mean. A pair without an answer counts as a negative
answer. For a single affordance the classes are independent draws, so precision and recall have Wilson's interval
(1927). Over all affordances the pairs of the same class are not independent, so a bootstrap resamples whole classes
(percentile interval, with a fixed seed). All intervals are at 95 %.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantics.errors import UsageError
from semantics.proportion import wilson_interval

__all__ = ["AffordanceScores", "Disagreement", "Figure", "Score", "evaluate", "wilson"]

DRAWS = 2000
SEED = 20261120
Counts = NDArray[np.int64]


class Figure(NamedTuple):
    """A value with its interval; the value is None where the denominator is 0, the bounds also for a single class."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """How accurate the answers are.

    Attributes:
        right: Number of pairs that are answered yes and true.
        wrong: Number of pairs that are answered yes and false.
        missed: Number of true pairs that are not answered yes.
        precision: right / (right + wrong).
        recall: right / (right + missed).
        f1: The harmonic mean of precision and recall.
    """

    right: int
    wrong: int
    missed: int
    precision: Figure
    recall: Figure
    f1: Figure

    def as_dict(self) -> dict[str, object]:
        """Return the score as plain data."""
        figures = {name: getattr(self, name) for name in ("precision", "recall", "f1")}
        shown = {
            name: {"value": figure.value, "interval": [figure.low, figure.high]} for name, figure in figures.items()
        }
        return {"right": self.right, "wrong": self.wrong, "missed": self.missed, **shown}


class Disagreement(NamedTuple):
    """A pair on which truth and answers differ: ``missed``, ``wrong``, or ``unknown`` (true, without an answer)."""

    class_name: str
    affordance: str
    how: str


@dataclass(frozen=True, slots=True)
class AffordanceScores:
    """The scores of each affordance that occurs, the micro and macro scores, and where answers and truth differ."""

    affordances: Mapping[str, Score]
    micro: Score
    macro: Score
    disagreements: tuple[Disagreement, ...]
    classes: int
    unknown: int

    def as_dict(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "classes": self.classes,
            "unknown": self.unknown,
            "micro": self.micro.as_dict(),
            "macro": self.macro.as_dict(),
            "affordances": {name: score.as_dict() for name, score in self.affordances.items()},
            "disagreements": [disagreement._asdict() for disagreement in self.disagreements],
        }


def evaluate(
    truth: Mapping[str, frozenset[str]], answers: Mapping[str, Mapping[str, bool | None]], ontology: Collection[str]
) -> AffordanceScores:
    """Compare answers with the truth, over the classes of the truth and the affordances of the ontology.

    Args:
        truth: The affordances of each class.
        answers: Yes, no or None (unknown) for each class and affordance; a missing pair counts as no.
        ontology: Names of all affordances in the questions.

    Raises:
        UsageError: The truth or the ontology is empty.
    """
    if not truth or not ontology:
        raise UsageError("nothing can be compared: there is no class or no affordance")
    classes, names = tuple(truth), tuple(sorted(ontology))
    true = np.array([[name in truth[class_name] for name in names] for class_name in classes], dtype=bool)
    answered = np.array(
        [[answers.get(class_name, {}).get(name) is True for name in names] for class_name in classes], dtype=bool
    )
    shape = (len(classes), len(names))
    tables = _Tables(
        *(table.reshape(shape).astype(np.int64) for table in (true & answered, ~true & answered, true & ~answered))
    )
    weights = np.random.default_rng(SEED).multinomial(len(classes), [1 / len(classes)] * len(classes), DRAWS)
    drawn = _Tables(*(weights @ table for table in tables))
    occurs = [i for i in range(len(names)) if any(int(table[:, i].sum()) for table in tables)]
    return AffordanceScores(
        {names[i]: _of_affordance(tables, drawn, i) for i in occurs},
        _micro(tables, drawn, several=len(classes) > 1),
        _macro(tables, drawn, occurs, several=len(classes) > 1),
        tuple(_differing(truth, answers, names)),
        len(classes),
        sum(answers.get(class_name, {}).get(name, False) is None for class_name in classes for name in names),
    )


class _Tables(NamedTuple):
    """Numbers of right, wrong and missed pairs; the rows are classes (or draws), the columns affordances."""

    right: Counts
    wrong: Counts
    missed: Counts


def _of_affordance(tables: _Tables, drawn: _Tables, column: int) -> Score:
    right, wrong, missed = (int(table[:, column].sum()) for table in tables)
    draws = _rates(*(table[:, column] for table in drawn))[2]
    f1 = _figure(_f1(right, wrong, missed), draws, several=len(tables.right) > 1)
    return Score(right, wrong, missed, wilson(right, right + wrong), wilson(right, right + missed), f1)


def _micro(tables: _Tables, drawn: _Tables, *, several: bool) -> Score:
    right, wrong, missed = (int(table.sum()) for table in tables)
    draws = _rates(*(table.sum(axis=1) for table in drawn))
    values = (_ratio(right, right + wrong), _ratio(right, right + missed), _f1(right, wrong, missed))
    return Score(right, wrong, missed, *(_figure(*pair, several=several) for pair in zip(values, draws, strict=True)))


def _macro(tables: _Tables, drawn: _Tables, occurs: list[int], *, several: bool) -> Score:
    right, wrong, missed = (int(table.sum()) for table in tables)
    if not occurs:
        return Score(right, wrong, missed, Figure(None), Figure(None), Figure(None))
    rates = _rates(*(table.sum(axis=0)[occurs] for table in tables))
    draws = _rates(*(table[:, occurs] for table in drawn))
    values = [float(np.nan_to_num(rate).mean()) for rate in rates]
    means = [np.nan_to_num(rate).mean(axis=1) for rate in draws]
    return Score(right, wrong, missed, *(_figure(*pair, several=several) for pair in zip(values, means, strict=True)))


def _rates(right: Counts, wrong: Counts, missed: Counts) -> tuple[NDArray[np.float64], ...]:
    """Return precision, recall and F1; NaN where the denominator is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return right / (right + wrong), right / (right + missed), 2 * right / (2 * right + wrong + missed)


def _figure(value: float | None, draws: NDArray[np.float64], *, several: bool) -> Figure:
    """Return a value with the middle 95 % of the draws that have one."""
    valid: Any = draws[~np.isnan(draws)]
    if not several or not len(valid):
        return Figure(value)
    low, high = np.percentile(valid, [2.5, 97.5])
    return Figure(value, float(low), float(high))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _f1(right: int, wrong: int, missed: int) -> float | None:
    return _ratio(2 * right, 2 * right + wrong + missed)


def wilson(part: int, whole: int) -> Figure:
    """Return a proportion with Wilson's score interval at 95 %."""
    return Figure(part / whole, *wilson_interval(part, whole)) if whole else Figure(None)


def _differing(
    truth: Mapping[str, frozenset[str]], answers: Mapping[str, Mapping[str, bool | None]], names: tuple[str, ...]
) -> list[Disagreement]:
    differences = []
    for class_name in truth:
        for name in names:
            true, answer = name in truth[class_name], answers.get(class_name, {}).get(name, False)
            if true and not answer:
                differences.append(Disagreement(class_name, name, "unknown" if answer is None else "missed"))
            elif answer and not true:
                differences.append(Disagreement(class_name, name, "wrong"))
    return differences
