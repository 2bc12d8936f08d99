"""Wanted literals: those of which more never hurts, closed under what effects depend on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from planning.adl.task import AdlAction, AdlRule
from semantics.atoms import Literal

__all__ = ["Wanted", "made_by"]


class Wanted:
    """What is wanted; both signs of an atom may be.

    Attributes:
        literals: The literals that are wanted.
    """

    def __init__(self, steps: Iterable[AdlAction], rules: Iterable[AdlRule]) -> None:
        """Take the steps that are taken, and the rules; what they ask for has to be added."""
        self.literals: set[Literal] = set()
        self._by: dict[Literal, set[Literal]] = defaultdict(set)
        for step in steps:
            for effect in step.effects:
                for made in effect.made if effect.condition else ():
                    self._by[made] |= effect.condition
                    self._by[made.negated()] |= {literal.negated() for literal in effect.condition}
        for rule in rules:
            for literal in (Literal(rule.head), Literal(rule.head, False)):
                self._by[literal] |= {signed for part in rule.body for signed in (part, part.negated())}

    def add(self, literals: Iterable[Literal]) -> None:
        """Want `literals`, and what they depend on."""
        agenda = list(literals)
        while agenda:
            literal = agenda.pop()
            if literal not in self.literals:
                self.literals.add(literal)
                agenda += self._by.get(literal, ())


def made_by(steps: Iterable[AdlAction]) -> set[Literal]:
    """Return what some of `steps` makes, perhaps under a condition."""
    return {literal for step in steps for effect in step.effects for literal in effect.made}
