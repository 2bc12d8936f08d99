"""A ground ADL task: steps with conditions and effects, rules of derived atoms, a start, and goals; and its text.

In the text for Fast Downward's search program (see `planning.task.sas`), each atom is a variable with two values, and 0
means true. An effect line begins with its conditions. A derived atom has a layer, is false at the start, and follows
from rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planning.task.sas import operator_lines, sas_text
from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.state import Operator


@dataclass(frozen=True, slots=True)
class AdlEffect:
    """Literals that become true if `condition` held before. Deleted literals come first."""

    condition: Conjunct
    made: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class AdlAction:
    """An operator in one of its alternatives, with its precondition, its effects and its cost."""

    operator: Operator
    asked: Conjunct
    effects: tuple[AdlEffect, ...]

    @property
    def conditional(self) -> bool:
        """Whether some effect has a condition."""
        return any(effect.condition for effect in self.effects)


@dataclass(frozen=True, slots=True)
class AdlRule:
    """`head` holds where `body` does. Rules of a `layer` negate only atoms that lower layers derive."""

    head: Atom
    body: Conjunct
    layer: int


@dataclass(frozen=True, slots=True)
class AdlTask:
    """The input of a search."""

    steps: tuple[AdlAction, ...]  # the operators in their alternatives
    rules: tuple[AdlRule, ...]  # the rules of the derived atoms that remain
    start: frozenset[Atom]  # the atoms that hold at the start
    goals: tuple[Conjunct, ...]  # conjunctions; the plan must reach one of them
    numbers: tuple[int, ...]  # for each of `goals`, the index of the conjunct in the original goal
    guessed: bool = False  # whether an effect depends on a number that is not planned with; then no cost is proved

    @property
    def features(self) -> frozenset[str]:
        """The features that a search must support: ``axioms``, ``conditional-effects``."""
        features = {"axioms"} if self.rules else set()
        return frozenset(
            features | {"conditional-effects"} if any(step.conditional for step in self.steps) else features
        )


Numbers = dict[Atom, int]


def write_adl(task: AdlTask) -> str:
    """Return `task` as text; the step at index 7 is called ``o7``, the end of goal 0 ``done0``."""
    layers = {rule.head: rule.layer for rule in task.rules}
    numbers = {atom: number for number, atom in enumerate(sorted(_named(task)))}
    rules = []
    for rule in task.rules:
        body = _values(rule.body, numbers)
        rules.append(["begin_rule", str(len(body)), *body, f"{numbers[rule.head]} 1 0", "end_rule"])
    return sas_text(
        [(layers.get(atom, -1), 2) for atom in numbers],
        ["0" if atom in task.start and atom not in layers else "1" for atom in numbers],
        [_values(goal, numbers) for goal in task.goals],
        [_operator(f"o{number}", step, numbers) for number, step in enumerate(task.steps)],
        rules,
    )


def _named(task: AdlTask) -> set[Atom]:
    atoms = {rule.head for rule in task.rules}
    conjuncts = [*task.goals, *(rule.body for rule in task.rules)]
    for step in task.steps:
        conjuncts.append(step.asked)
        for effect in step.effects:
            conjuncts.append(effect.condition)
            atoms.update(literal.atom for literal in effect.made)
    return atoms.union(literal.atom for conjunct in conjuncts for literal in conjunct)


def _values(literals: Conjunct, numbers: Numbers) -> list[str]:
    return [f"{numbers[atom]} {0 if positive else 1}" for atom, positive in sorted(literals)]


def _operator(name: str, step: AdlAction, numbers: Numbers) -> list[str]:
    changed = {literal.atom for effect in step.effects for literal in effect.made}
    prevail = _values(frozenset(literal for literal in step.asked if literal.atom not in changed), numbers)
    return operator_lines(name, prevail, list(_effects(step, numbers)), step.operator.cost)


def _effects(step: AdlAction, numbers: Numbers) -> Iterator[str]:
    """Yield effect lines, deletions first. The first line of each variable contains the required value."""
    before = {literal.atom: 0 if literal.positive else 1 for literal in step.asked}
    pairs = [(literal, effect.condition) for effect in step.effects for literal in effect.made]
    for literal, condition in sorted(pairs, key=lambda pair: pair[0].positive):
        asked = before.pop(literal.atom, -1)
        conditions = "".join(f"{value} " for value in _values(condition, numbers))
        yield f"{len(condition)} {conditions}{numbers[literal.atom]} {asked} {0 if literal.positive else 1}"
