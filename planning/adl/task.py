"""A ground rich problem: steps with what they ask for and make, rules of derived atoms, a start, and goals."""

from __future__ import annotations

from dataclasses import dataclass

from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import Operator

__all__ = ["AdlAction", "AdlEffect", "AdlRule", "AdlTask"]


@dataclass(frozen=True, slots=True)
class AdlEffect:
    """Literals made true where `condition` held before; those made false come first."""

    condition: Conjunct
    made: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class AdlAction:
    """An operator in one of its alternatives: what is asked for, what is made, and its cost."""

    operator: Operator
    asked: Conjunct
    effects: tuple[AdlEffect, ...]

    @property
    def conditional(self) -> bool:
        """Whether some effect depends on what held before."""
        return any(effect.condition for effect in self.effects)


@dataclass(frozen=True, slots=True)
class AdlRule:
    """`head` holds where `body` does; rules of a `layer` deny only what lower layers derive."""

    head: Atom
    body: Conjunct
    layer: int


@dataclass(frozen=True, slots=True)
class AdlTask:
    """What a search works on.

    Attributes:
        steps: Operators in their alternatives.
        rules: Of the derived atoms that remain.
        start: What holds at the start.
        goals: Conjunctions, one of which has to be reached.
        numbers: Which of the conjuncts asked for each of `goals` is.
        guessed: Whether an effect depends on a number that is not planned with, so that no cost is proved.
    """

    steps: tuple[AdlAction, ...]
    rules: tuple[AdlRule, ...]
    start: frozenset[Atom]
    goals: tuple[Conjunct, ...]
    numbers: tuple[int, ...]
    guessed: bool = False

    @property
    def features(self) -> frozenset[str]:
        """What a search has to take: ``axioms``, ``conditional-effects``."""
        features = {"axioms"} if self.rules else set()
        return frozenset(
            features | {"conditional-effects"} if any(step.conditional for step in self.steps) else features
        )
