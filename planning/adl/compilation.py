"""Compiles a ground ADL problem into a task for the search, as plain as possible at unchanged plan costs.

A disjunction in a condition becomes one step for each alternative. A conditional effect becomes one step for each way
in which its condition can turn out, if that makes few steps. This is the compilation of Gazen and Knoblock (ECP 1997),
applied after grounding and only to effects that are still conditional then. Otherwise the conditional effect is left to
a search that supports it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from domains.problem import Problem
from planning.adl.alternatives import Alternatives
from planning.adl.pruning import possible, without_dominated, without_idle, without_self_checks
from planning.adl.reachability import Reached
from planning.adl.task import AdlAction, AdlEffect, AdlRule, AdlTask
from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.state import Axioms, Operator

MOST_STEPS = 60_000
FACTOR, ENOUGH = 6, 3000
"""Conditional effects are compiled away while the number of steps is at most `FACTOR` times the original number, or at
most `ENOUGH`."""

ENOUGH_LESS = 0.98  # what no plan needs is looked for again as long as this share of the steps, or less, is left


def opened(problem: Problem, reached: Reached) -> AdlTask:
    """Return the task of reaching one of the goal's alternatives, with its conditional effects."""
    axioms, changing = problem.axioms, problem.domain.changing_numbers
    task = _Compiling(reached, axioms, Alternatives(reached, axioms, changing)).task(problem.goal)
    if task is None:
        task = _Compiling(reached, axioms, Alternatives(reached, axioms, changing, 1)).task(problem.goal)
    assert task is not None
    return task


def plain(task: AdlTask) -> AdlTask:
    """Remove what no plan needs, and compile conditional effects away if that does not make too many steps."""
    return decided(needed(task))


def decided(task: AdlTask) -> AdlTask:
    """Compile conditional effects away if that does not make too many steps."""
    return _cut_to_goals(replace(task, steps=tuple(_plain(task.steps))))


def needed(task: AdlTask) -> AdlTask:
    """Remove what no plan needs. A cheapest plan costs the same, and solvability is unchanged."""
    before = math.inf
    while len(task.steps) < ENOUGH_LESS * before:  # what one pass removes may let another remove more
        before = len(task.steps)
        task = _cut_to_goals(without_self_checks(possible(without_idle(task))))
        task = without_dominated(task)
    return task


class _Compiling:
    def __init__(self, reached: Reached, axioms: Axioms | None, alternatives: Alternatives) -> None:
        self._reached = reached
        self._alternatives = alternatives
        self._layers = {
            head: number for number, layer in enumerate(axioms.strata if axioms else ()) for head, _ in layer
        }
        self._guessed = False

    def task(self, goals: Sequence[Conjunct]) -> AdlTask | None:
        """Return the task; None if its disjunctions make too many steps."""
        wanted = [
            (alternative, number)
            for number, goal in enumerate(goals)
            for alternative in self._alternatives.together(goal)
        ]
        steps: list[AdlAction] = []
        for operator in self._reached.operators:
            steps += self._steps(operator)
            if len(steps) > max(MOST_STEPS, len(self._reached.operators)):
                return None
        relevant, named = _towards([goal for goal, _ in wanted], steps, self._alternatives.bodies)
        rules = self._rules(named)
        start = self._reached.start.atoms
        return AdlTask(
            tuple(relevant),
            tuple(rules),
            start,
            tuple(goal for goal, _ in wanted),
            tuple(n for _, n in wanted),
            self._guessed,
        )

    def _steps(self, operator: Operator) -> Iterator[AdlAction]:
        for asked in self._alternatives.together(operator.precondition, operator.condition):
            yield AdlAction(operator, asked, tuple(self._effects(operator, asked)))

    def _effects(self, operator: Operator, asked: Conjunct) -> Iterator[AdlEffect]:
        """Yield the effects of an alternative, unconditional ones first."""
        before = self._alternatives.guessed
        yield AdlEffect(frozenset(), self._made(operator.added, operator.deleted))
        for when in operator.conditional:
            self._alternatives.guessed = False
            for alternative in self._alternatives.shared(when.condition):
                if not any(literal.negated() in asked for literal in alternative):
                    yield from _parted(alternative - asked, self._made(when.added, when.deleted))
            self._guessed = self._guessed or self._alternatives.guessed
        self._alternatives.guessed = before

    def _made(self, added: Iterable[Atom], deleted: Iterable[Atom]) -> tuple[Literal, ...]:
        gone = (Literal(atom, False) for atom in sorted(set(deleted) - set(added)))
        made = (*gone, *(Literal(atom) for atom in sorted(added)))
        return tuple(literal for literal in made if self._reached.verdict(literal.atom) is not literal.positive)

    def _rules(self, named: Iterable[Atom]) -> list[AdlRule]:
        rules = self._alternatives.rules(named)
        for head in rules:
            self._layer(head, rules)
        return [AdlRule(head, body, self._layers[head]) for head in sorted(rules) for body in rules[head]]

    def _layer(self, head: Atom, rules: Mapping[Atom, Iterable[Conjunct]]) -> int:
        """Return the layer of a derived atom: of an auxiliary, above all that it negates, not below what it uses."""
        if head not in self._layers:
            parts = {literal for body in rules[head] for literal in body if literal.atom in rules}
            self._layers[head] = max((self._layer(atom, rules) + (not positive) for atom, positive in parts), default=0)
        return self._layers[head]


def _plain(steps: Sequence[AdlAction]) -> list[AdlAction]:
    """Compile the conditional effects away if that does not make too many steps."""
    allowed, result = max(ENOUGH, FACTOR * len(steps)), list[AdlAction]()
    for step in steps:
        result += islice(_decided(step), allowed + 1)
        if len(result) > allowed:
            return [_merged(action) for action in steps]
    return result


def _parted(condition: Conjunct, made: tuple[Literal, ...]) -> Iterator[AdlEffect]:
    """Yield one effect for each literal. It does not require the fact that it deletes, as that changes nothing."""
    for literal in made:
        yield AdlEffect(condition if literal.positive else condition - {literal.negated()}, (literal,))


def _merged(step: AdlAction) -> AdlAction:
    """Join the unconditional effects into one, deletions first."""
    always = [effect.made for effect in step.effects if not effect.condition]
    added = {literal for made in always for literal in made if literal.positive}
    gone = {literal for made in always for literal in made if not literal.positive and literal.negated() not in added}
    rest = sorted(
        (effect for effect in step.effects if effect.condition),
        key=lambda effect: (sorted(effect.condition), effect.made),
    )
    return AdlAction(step.operator, step.asked, (AdlEffect(frozenset(), (*sorted(gone), *sorted(added))), *rest))


def _decided(step: AdlAction) -> Iterator[AdlAction]:
    """Yield the step for each way in which the conditions of its effects can turn out."""
    open_effect = next((effect for effect in step.effects if effect.condition), None)
    if open_effect is None:
        yield _merged(step)
        return
    literal = min(open_effect.condition)
    for way in (literal, literal.negated()):
        effects = (
            AdlEffect(effect.condition - {way}, effect.made)
            for effect in step.effects
            if way.negated() not in effect.condition
        )
        yield from _decided(AdlAction(step.operator, step.asked | {way}, tuple(effects)))


def _cut_to_goals(task: AdlTask) -> AdlTask:
    """Return `task` with only the steps that its goals need, directly or indirectly, and the effects they use."""
    bodies: dict[Atom, list[Conjunct]] = defaultdict(list)
    for rule in task.rules:
        bodies[rule.head].append(rule.body)
    relevant, named = _towards(task.goals, task.steps, lambda atom: bodies.get(atom, ()))
    return replace(task, steps=tuple(relevant), rules=tuple(rule for rule in task.rules if rule.head in named))


def _towards(
    goals: Iterable[Conjunct], steps: Sequence[AdlAction], bodies: Callable[[Atom], Iterable[Conjunct]]
) -> tuple[list[AdlAction], set[Atom]]:
    """Return the steps that the goals need, directly or indirectly, and the atoms that any of them asks for."""
    makers = _makers(steps)
    wanted: set[Literal] = set()
    agenda = [literal for goal in goals for literal in goal]
    numbers: set[int] = set()
    while agenda:
        literal = agenda.pop()
        if literal in wanted:
            continue
        wanted.add(literal)
        for body in bodies(literal.atom) if literal.negated() not in wanted else ():
            agenda += [signed for part in body for signed in (part, part.negated())]
        for number in set(makers[literal]) - numbers:
            numbers.add(number)
            agenda += _asked(steps[number])
    named = {literal.atom for literal in wanted}
    return [_seen(steps[number], named) for number in sorted(numbers)], named


def _makers(steps: Sequence[AdlAction]) -> dict[Literal, list[int]]:
    makers: dict[Literal, list[int]] = defaultdict(list)
    for number, step in enumerate(steps):
        for effect in step.effects:
            for literal in effect.made:
                makers[literal].append(number)
    return makers


def _asked(step: AdlAction) -> list[Literal]:
    """Return the preconditions of `step`, and the conditions of its effects with either sign."""
    literals = list(step.asked)
    for effect in step.effects:
        for literal in effect.condition:
            literals += [literal, literal.negated()]
    return literals


def _seen(step: AdlAction, named: set[Atom]) -> AdlAction:
    effects = (
        AdlEffect(effect.condition, tuple(literal for literal in effect.made if literal.atom in named))
        for effect in step.effects
    )
    return AdlAction(step.operator, step.asked, tuple(effect for effect in effects if effect.made))
