"""Steps that another step is as good as: it asks for no more, costs no more, makes what is wanted, and ends no more.

Any plan may take the better step instead (see `planning.adl.idle` for what is wanted, and why that is enough). What is
only wanted to make something else, which lasts, is replaced by that: nobody pours into a jug what goes into the glass
in the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from planning.adl.task import AdlAction, AdlTask
from planning.adl.wanted import Wanted, made_by
from semantics.atoms import Literal

__all__ = ["without_dominated"]


@dataclass(frozen=True, slots=True)
class _Worth:
    """What a step is good for: wanted literals that it makes, and such that it ends."""

    step: AdlAction
    number: int
    made: frozenset[Literal]
    ended: frozenset[Literal]


def without_dominated(task: AdlTask) -> AdlTask:
    """Return `task` without steps that others are as good as: a cheapest plan costs the same."""
    wanted = Wanted(task.steps, task.rules)
    wanted.add(one for goal in task.goals for one in goal)
    wanted.add(one for step in task.steps for one in step.asked)
    instead = _instead(task, wanted.found)
    worths = [_worth(step, number, wanted.found) for number, step in enumerate(task.steps) if not step.conditional]
    common = Counter(literal for one in worths for literal in one.step.asked)
    by_asked: dict[Literal | None, list[_Worth]] = defaultdict(list)
    for one in worths:
        by_asked[min(one.step.asked, key=lambda literal: (common[literal], literal), default=None)].append(one)
    dropped = set[int]()
    for one in worths:
        rivals = (other for literal in (None, *one.step.asked) for other in by_asked.get(literal, ()))
        if not one.made or any(other.number not in dropped and _as_good(other, one, instead) for other in rivals):
            dropped.add(one.number)
    return replace(task, steps=tuple(step for number, step in enumerate(task.steps) if number not in dropped))


def _worth(step: AdlAction, number: int, wanted: set[Literal]) -> _Worth:
    every = made_by([step])
    made = {one for one in every if one.positive or one.negated() not in every}
    ended = (one.negated() for one in made)
    return _Worth(step, number, frozenset(made & wanted), frozenset(one for one in ended if one in wanted))


def _as_good(better: _Worth, worse: _Worth, instead: Mapping[Literal, Literal]) -> bool:
    return (
        better.number != worse.number
        and better.step.asked <= worse.step.asked
        and better.step.operator.cost <= worse.step.operator.cost
        and better.ended <= worse.ended
        and all(one in better.made or instead.get(one) in better.made for one in worse.made)
    )


def _instead(task: AdlTask, wanted: set[Literal]) -> dict[Literal, Literal]:
    """Return what is as good as each literal that is wanted for nothing else: what it makes, where that lasts."""
    ends = made_by(task.steps)
    named = {two for rule in task.rules for one in rule.body for two in (one, one.negated())}
    named.update(one for some in (*task.goals, *(step.asked for step in task.steps)) for one in some)
    uses: dict[Literal, set[Literal]] = defaultdict(set)
    for condition, made in _open_effects(task, wanted):
        for literal in condition:
            uses[literal].add(made)
    found = {
        literal: next(iter(made))
        for literal, made in uses.items()
        if len(made) == 1 and literal not in named and literal.negated() not in wanted
    }
    return {one: made for one, made in found.items() if made not in found and made.negated() not in ends}


def _open_effects(task: AdlTask, wanted: set[Literal]) -> Iterator[tuple[frozenset[Literal], Literal]]:
    """Yield the conditions of effects that make something wanted, or that end it, which then is no use of theirs."""
    for step in task.steps:
        for effect in step.effects:
            for made in effect.made:
                if made in wanted:
                    yield effect.condition, made
