"""Wanted literals: more of them never hurts (the plan is monotone in them). They include what effects depend on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from planning.adl.task import AdlAction, AdlRule
from semantics.logic.atoms import Literal


class Wanted:
    """The wanted literals; both signs of an atom may be wanted.

    Attributes:
        literals: The literals that are wanted.
    """

    def __init__(self, steps: Iterable[AdlAction], rules: Iterable[AdlRule]) -> None:
        """Index what effects and rules depend on. The caller must add the goals and the preconditions."""
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
        """Add `literals` and what they depend on."""
        agenda = list(literals)
        while agenda:
            literal = agenda.pop()
            if literal not in self.literals:
                self.literals.add(literal)
                agenda += self._by.get(literal, ())


def made_by(steps: Iterable[AdlAction]) -> set[Literal]:
    """Return the literals that some of `steps` make, perhaps conditionally."""
    return {literal for step in steps for effect in step.effects for literal in effect.made}
