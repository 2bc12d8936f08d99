"""A goal of which only a part can be had: the most valuable part is offered, with the reason for what is left out.

It is offered where planning knows that the whole cannot be reached. Nothing is left out without being said: a person is
asked, or finds it among the goal's notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graftwork.language.answers import with_answer
from planning import PartialPlan
from semantics.atoms import And, Conjunct, Formula, Literal, Not
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal, Question, Rejection
from semantics.protocols import NoPlan
from semantics.sentences import in_words, shortened
from semantics.state import State
from semantics.vocabulary import Predicate

__all__ = ["Offer", "PartialGoal", "has_parts", "offer", "offer_of"]

YES = "yes"
KNOWN = frozenset({Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN})
"""Refusals that say what of a goal cannot be had, and not that time was short."""


@dataclass(frozen=True, slots=True)
class PartialGoal:
    """A goal of which the part that is worth most is wanted, whatever is left out.

    Attributes:
        goal: All that is wished for, in words or as a goal; of one conjunction.
        weights: What each wish is worth; one where nothing is said.
        hard: What may not be left out.
    """

    goal: str | Goal
    weights: Mapping[Literal, float] = field(default_factory=dict)
    hard: Conjunct = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """A part instead of the whole.

    Attributes:
        part: What can be had, with its plan.
        goal: The goal that is left, with what is left out among its notes.
        question: What the person is asked.
    """

    part: PartialPlan
    goal: CheckedGoal
    question: Question

    def answered(self, reply: str) -> bool | Rejection:
        """Return whether an answer takes the offer, refuses it (a rejection), or says something else."""
        answer = with_answer("", self.question, reply)
        return answer if isinstance(answer, Rejection) else answer == YES

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        left = self.part.left_out.items()
        return {
            "reached": sorted(map(str, self.part.reached)),
            "left_out": [{"literal": str(literal), "feedback": why.as_dict()} for literal, why in sorted(left)],
            "value": self.part.value,
            "optimal": self.part.optimal,
        }


def has_parts(goal: CheckedGoal, refused: NoPlan) -> bool:
    """Return whether a part is worth looking for: of one conjunction, that is known not to be reachable as a whole."""
    is_certain = refused.feedback.code in KNOWN
    return is_certain and len(goal.conjuncts) == 1 and len(goal.conjuncts[0]) > 1


def offer(
    goal: CheckedGoal, part: PartialPlan, state: State, predicates: Mapping[str, Predicate], since: State | None = None
) -> Offer | None:
    """Put a part of `goal` as a question; None when nothing would be gained by it.

    Args:
        goal: What was wanted.
        part: What can be had of it.
        state: What is believed.
        predicates: Their sentences.
        since: Where a run began, when one is under way: what it has reached already is a gain.
    """
    before = state if since is None else since
    if not part.left_out or before.satisfies(part.reached) or (since is None and not part.plan.steps):
        return None
    return offer_of(goal.goal, part, before, predicates)


def offer_of(goal: Goal, part: PartialPlan, before: State, predicates: Mapping[str, Predicate]) -> Offer:
    """Put a part of `goal` as a question, whatever it is worth; `before` is what held before anything was done."""
    formula = _formula(part)
    reasons = tuple(f"Left out: {shortened(str(why), 300)}" for _, why in sorted(part.left_out.items()))
    gain = in_words(_gained(part, before), predicates)
    left = Goal(formula, goal.text, (*goal.notes, *reasons))
    text = f"Not all of that can be had. {' '.join(map(str, part.left_out.values()))} Would this do: {gain}?"
    why = Feedback(Code.QUESTION, f"'{shortened(goal.text or str(goal))}'", "only a part can be had", text)
    return Offer(part, CheckedGoal(left, (part.reached,)), Question(text, (YES, "no"), why))


def _formula(part: PartialPlan) -> Formula:
    return _together(sorted(part.reached))


def _gained(part: PartialPlan, state: State) -> Formula:
    return _together([literal for literal in sorted(part.reached) if not state.holds(literal)])


def _together(facts: list[Literal]) -> Formula:
    parts = tuple(literal.atom if literal.positive else Not(literal.atom) for literal in facts)
    return parts[0] if len(parts) == 1 else And(parts)
