"""Removes what cannot happen in a task: steps that are never applicable, and literals that never change.

In this relaxation, a literal of either sign that held once holds forever. A derived literal may always be true or
false.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from planning.adl.task import AdlAction, AdlEffect, AdlRule, AdlTask
from semantics.logic.atoms import Conjunct, Literal


def possible(task: AdlTask) -> AdlTask:
    """Return `task` without unreachable steps, effects, rules and goals, and without conditions that always hold."""
    reached = _Possible(task)
    goals = [
        (reached.open(goal), number) for goal, number in zip(task.goals, task.numbers, strict=True) if reached.may(goal)
    ]
    return replace(
        task,
        steps=tuple(reached.cut(step) for step in task.steps if reached.may(step.asked)),
        rules=tuple(
            AdlRule(rule.head, reached.open(rule.body), rule.layer) for rule in task.rules if reached.may(rule.body)
        ),
        goals=tuple(goal for goal, _ in goals),
        numbers=tuple(number for _, number in goals),
    )


def without_self_checks(task: AdlTask) -> AdlTask:
    """Return `task` with steps that only end a literal, and no longer require it: if it is false, they do nothing.

    For example, a bottle need not be closed to be opened, so no plan closes it first.
    """
    return replace(task, steps=tuple(map(_unchecked, task.steps)))


def _unchecked(step: AdlAction) -> AdlAction:
    made = {literal for effect in step.effects for literal in effect.made}
    if len(made) != 1 or step.conditional or step.operator.changes:
        return step
    return AdlAction(step.operator, step.asked - {literal.negated() for literal in made}, step.effects)


class _Possible:
    def __init__(self, task: AdlTask) -> None:
        self._start = task.start
        self._derived = {rule.head for rule in task.rules}
        self._changed: set[Literal] = set()
        self._grow(task)

    def _grow(self, task: AdlTask) -> None:
        """Let effects happen whose conditions may hold, until nothing new is possible."""
        waiting: dict[Literal, list[int]] = defaultdict(list)
        lacking, made = list[int](), list[tuple[Literal, ...]]()
        agenda: list[Literal] = []
        for step in task.steps:
            before = [literal for literal in step.asked if not self._may(literal)]
            for effect in step.effects:
                lacks = {*before, *(literal for literal in effect.condition if not self._may(literal))}
                for literal in lacks:
                    waiting[literal].append(len(made))
                agenda += () if lacks else effect.made
                lacking.append(len(lacks))
                made.append(effect.made)
        while agenda:
            literal = agenda.pop()
            if literal not in self._changed:
                self._changed.add(literal)
                for number in waiting.pop(literal, ()):
                    lacking[number] -= 1
                    agenda += () if lacking[number] else made[number]

    def may(self, conjunct: Iterable[Literal]) -> bool:
        """Return whether each literal can hold at some time."""
        return all(self._may(literal) for literal in conjunct)

    def _may(self, literal: Literal) -> bool:
        atom, positive = literal
        return (atom in self._start) == positive or literal in self._changed or atom in self._derived

    def open(self, conjunct: Conjunct) -> Conjunct:
        """Return the literals that can also be false."""
        return frozenset(literal for literal in conjunct if self._may(literal.negated()))

    def cut(self, step: AdlAction) -> AdlAction:
        """Return `step` without conditions that always hold."""
        effects = (
            AdlEffect(
                self.open(effect.condition), tuple(literal for literal in effect.made if self._may(literal.negated()))
            )
            for effect in step.effects
            if self.may(effect.condition)
        )
        return AdlAction(step.operator, self.open(step.asked), tuple(effect for effect in effects if effect.made))
