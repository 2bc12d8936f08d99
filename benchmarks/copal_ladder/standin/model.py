"""`StandIn`: a scripted model, which errs in the logged kinds at the logged rates and mends its text when it is told.

It stands in for the language models of CoPAL, which cannot be had here. Its mistakes in a run are drawn once, so that
all configurations get the same first text; each is made again in every text until it was met, and after that, with the
logged share for what the model is told, once more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from benchmarks.copal.recipes import Recipe
from benchmarks.copal_ladder.habits import Habits
from benchmarks.copal_ladder.standin.line import Line, Mistake
from benchmarks.copal_ladder.standin.slips import SLIPS
from benchmarks.copal_ladder.standin.writing import CUP, GLASS, Wish, written
from semantics.logic.state import State

__all__ = ["SILENT", "StandIn", "believed", "candidates", "drawn", "shares"]

SILENT = 0.121
"""Of CoPAL's executable runs, the share whose drink is not what the key says (its logs, re-scored). No step fails."""
NAMELESS = "lime_juice"
"""What the logs name most often of what is not in the scene, nor badly written."""


def believed(recipe: Recipe, substances: Collection[str], random: Random) -> frozenset[str]:
    """Return what the model takes the recipe to be: at times it lacks a thing, or has one that does not belong."""
    if random.random() >= SILENT:
        return recipe.must
    if random.random() < 0.5:
        return recipe.must - {random.choice(sorted(recipe.must))}
    return recipe.must | {random.choice(sorted(set(substances) - recipe.must - recipe.may))}


def candidates(kind: str, aim: Wish, text: Sequence[Line], habits: Habits) -> Iterator[tuple[Mistake, float]]:
    """Yield the mistakes of a kind that the text has a place for, each with its weight."""
    for mistake, weight in _all(kind, aim, text, habits):
        if SLIPS[mistake.kind](text, mistake) is not None:
            yield mistake, weight


def _all(kind: str, aim: Wish, text: Sequence[Line], habits: Habits) -> Iterator[tuple[Mistake, float]]:
    cause, deed = kind.split()
    bottles = [line.words[1] for line in text if line.starts("pour") and line.words[1] != CUP]
    if kind == "not-in-hand pour":
        yield Mistake(kind, CUP), habits["mix"]
        yield from ((Mistake(f"{kind} bottle", one), (1 - habits["mix"]) / len(bottles)) for one in bottles)
    elif kind == "not-in-hand put":
        pieces = [one for one in aim.items if f"{one}_bottle" not in bottles]
        yield from ((Mistake(kind, one), 1.0) for one in (*pieces, GLASS))
    elif cause == "unknown-name" and deed in ("gaze", "glance"):
        yield Mistake(kind, "tray."), 1.0
    elif cause == "unknown-name":
        yield from _misnamed(kind, text, habits["nameless"])
    else:
        names = bottles if cause in ("not-in-hand", "hand-full", "hands-full", "hands-used") else ("",)
        yield from ((Mistake(kind, one), 1.0) for one in names)


def _misnamed(kind: str, text: Sequence[Line], nameless: float) -> Iterator[tuple[Mistake, float]]:
    """Yield names with a mark, a number or another ending, and one of what is not there."""
    for line in text:
        if line.starts(kind.split()[1]):
            name = line.words[1]
            forms = f"{name}.", f"{name}_1", name[:-1] if name.endswith("s") else f"{name}s"
            yield from ((Mistake(kind, f"{name}>{form}"), (1 - nameless) / len(forms)) for form in forms)
            yield Mistake(kind, f"{name}>{NAMELESS}"), nameless


def shares(texts: Sequence[tuple[Wish, Sequence[Line]]], habits: Habits) -> Mapping[str, float]:
    """Return the share of right texts that have a place for each kind, so that the rates come out over all runs."""
    kinds = [kind for kind in habits["fresh"] if kind in SLIPS]
    return {kind: sum(any(candidates(kind, *one, habits)) for one in texts) / len(texts) for kind in kinds}


def drawn(
    aim: Wish, text: Sequence[Line], habits: Habits, share: Mapping[str, float], random: Random
) -> tuple[Mistake, ...]:
    """Draw the mistakes of a run, each kind at its rate."""
    found = []
    for kind, rate in habits["fresh"].items():
        if not share.get(kind) or random.random() >= rate / share[kind]:
            continue
        open_to = [*candidates(kind, aim, text, habits)]
        if open_to:
            (mistake,) = random.choices([one for one, _ in open_to], [weight for _, weight in open_to])
            found.append(mistake)
    return tuple(found)


class StandIn:
    """A model at work in one run.

    Args:
        aim: What it means to serve.
        mistakes: What it errs in.
        again: The share of its answers that change nothing, when it is shown one, two or three fields of what failed.
        random: What decides that.

    Attributes:
        asked: How often it was asked for a new text.
    """

    def __init__(self, aim: Wish, mistakes: Sequence[Mistake], again: Sequence[float], random: Random) -> None:
        self.asked = 0
        self._aim, self._pending, self._again, self._random = aim, list(mistakes), again, random

    def text(self, state: State) -> list[Line]:
        """Write all that remains to be done, with the mistakes that were not met yet and have a place."""
        lines: Sequence[Line] = written(self._aim, state)
        for mistake in self._pending:
            wrong = SLIPS[mistake.kind](lines, mistake)
            lines = lines if wrong is None else wrong
        return list(lines)

    def met(self, line: Line) -> None:
        """Learn that a line has failed."""
        if line.mistake in self._pending:
            self._pending.remove(line.mistake)

    def answer(self, shown: Sequence[str], rest: Sequence[Line], state: State) -> list[Line]:
        """Write anew after the first line of `rest` has failed; at times nothing has changed.

        A script does not read: of what is `shown` only how much it is matters, as the logs have it.
        """
        self.asked += 1
        if self._random.random() < self._again[len(shown) - 1]:
            return list(rest)
        return self.text(state)
