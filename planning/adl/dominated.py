"""Removes dominated steps. A better step requires no more, costs no more, makes what is wanted and ends no more.

Any plan can use the better step instead (`planning.adl.idle` defines *wanted* and explains why this is sufficient). A
literal may be wanted only to make another literal, which then lasts. It is replaced by that other literal: for example,
no plan fills a jug first if the liquid goes into the glass in the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from planning.adl.task import AdlAction, AdlTask
from planning.adl.wanted import Wanted, made_by
from semantics.logic.atoms import Literal


@dataclass(frozen=True, slots=True)
class _Worth:
    """The value of a step: the wanted literals that it makes, and the wanted literals that it ends."""

    step: AdlAction
    number: int
    made: frozenset[Literal]
    ended: frozenset[Literal]


def without_dominated(task: AdlTask) -> AdlTask:
    """Return `task` without dominated steps. A cheapest plan costs the same."""
    wanted = Wanted(task.steps, task.rules)
    wanted.add(literal for goal in task.goals for literal in goal)
    wanted.add(literal for step in task.steps for literal in step.asked)
    instead = _instead(task, wanted.literals)
    worths = [_worth(step, number, wanted.literals) for number, step in enumerate(task.steps) if not step.conditional]
    common = Counter(literal for worth in worths for literal in worth.step.asked)
    by_asked: dict[Literal | None, list[_Worth]] = defaultdict(list)
    for worth in worths:
        # Index each step by its rarest precondition: a rival's preconditions are a subset of the step's own.
        by_asked[min(worth.step.asked, key=lambda literal: (common[literal], literal), default=None)].append(worth)
    dropped = set[int]()
    for worth in worths:
        rivals = (rival for literal in (None, *worth.step.asked) for rival in by_asked.get(literal, ()))
        if not worth.made or any(rival.number not in dropped and _as_good(rival, worth, instead) for rival in rivals):
            dropped.add(worth.number)
    return replace(task, steps=tuple(step for number, step in enumerate(task.steps) if number not in dropped))


def _worth(step: AdlAction, number: int, wanted: set[Literal]) -> _Worth:
    effects = made_by([step])
    made = {literal for literal in effects if literal.positive or literal.negated() not in effects}
    ended = (literal.negated() for literal in made)
    return _Worth(step, number, frozenset(made & wanted), frozenset(literal for literal in ended if literal in wanted))


def _as_good(better: _Worth, worse: _Worth, instead: Mapping[Literal, Literal]) -> bool:
    return (
        better.number != worse.number
        and better.step.asked <= worse.step.asked
        and better.step.operator.cost <= worse.step.operator.cost
        and better.ended <= worse.ended
        and all(literal in better.made or instead.get(literal) in better.made for literal in worse.made)
    )


def _instead(task: AdlTask, wanted: set[Literal]) -> dict[Literal, Literal]:
    """Return what can replace each literal that is wanted only for one purpose: the literal it makes, if that lasts."""
    ends = made_by(task.steps)
    named = {literal for rule in task.rules for part in rule.body for literal in (part, part.negated())}
    named.update(literal for conjunct in (*task.goals, *(step.asked for step in task.steps)) for literal in conjunct)
    uses: dict[Literal, set[Literal]] = defaultdict(set)
    for condition, made in _open_effects(task, wanted):
        for literal in condition:
            uses[literal].add(made)
    replacements = {
        literal: next(iter(made))
        for literal, made in uses.items()
        if len(made) == 1 and literal not in named and literal.negated() not in wanted
    }
    return {
        literal: made
        for literal, made in replacements.items()
        if made not in replacements and made.negated() not in ends
    }


def _open_effects(task: AdlTask, wanted: set[Literal]) -> Iterator[tuple[frozenset[Literal], Literal]]:
    """Yield the condition and the literal of each effect that makes a wanted literal."""
    for step in task.steps:
        for effect in step.effects:
            for made in effect.made:
                if made in wanted:
                    yield effect.condition, made
