"""A ground ADL task: steps with conditions and effects, rules of derived atoms, a start, and goals."""

from __future__ import annotations

from dataclasses import dataclass

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
    """The input of a search.

    Attributes:
        steps: The operators in their alternatives.
        rules: The rules of the derived atoms that remain.
        start: The atoms that hold at the start.
        goals: Conjunctions; the plan must reach one of them.
        numbers: For each of `goals`, the index of the conjunct in the original goal.
        guessed: Whether an effect depends on a number that is not planned with; then no cost is proved.
    """

    steps: tuple[AdlAction, ...]
    rules: tuple[AdlRule, ...]
    start: frozenset[Atom]
    goals: tuple[Conjunct, ...]
    numbers: tuple[int, ...]
    guessed: bool = False

    @property
    def features(self) -> frozenset[str]:
        """The features that a search must support: ``axioms``, ``conditional-effects``."""
        features = {"axioms"} if self.rules else set()
        return frozenset(
            features | {"conditional-effects"} if any(step.conditional for step in self.steps) else features
        )
