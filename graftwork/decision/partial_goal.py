"""Partial goals: when a goal cannot be reached completely, its most valuable part is offered, with the reasons.

A part is offered only when the planner knows that the complete goal is unreachable. Nothing is left out silently: the
person is asked, or reads it in the notes of the goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graftwork.language.answers import with_answer
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import And, Conjunct, Formula, Literal, conjunction
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.reply import ProgramText
from semantics.logic.sentences import in_words
from semantics.logic.state import State
from semantics.logic.vocabulary import Predicate
from semantics.plain_text import shortened

if TYPE_CHECKING:
    from planning import PartialPlan
    from semantics.logic.lesson import Lesson

YES = "yes"
KNOWN = frozenset({Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN})
"""Refusals that prove the goal unreachable, in contrast to a time limit."""


@dataclass(frozen=True, slots=True)
class GoalProposal:
    """A proposal to pursue another goal."""

    goal: CheckedGoal  # the goal; its notes say what differs
    question: Question  # the question to the person, to answer with yes or no

    def answered(self, reply: str) -> bool | Rejection:
        """Return True for an answer that accepts the offer, a rejection for a no, and False for anything else."""
        return _consent_in(reply, self.question)


@dataclass(frozen=True, slots=True)
class ProgramProposal:
    """A proposal to run a program that a language model has written."""

    program: ProgramText
    question: Question

    def answered(self, reply: str) -> bool | Rejection:
        """Return what an answer says, as `GoalProposal.answered` does."""
        return _consent_in(reply, self.question)


@dataclass(frozen=True, slots=True)
class LessonProposal:
    """A proposal to keep what a person has taught, or to forget it."""

    lesson: Lesson | None  # the lesson; None if lessons are only forgotten
    told: str  # what is kept or forgotten, in words
    question: Question
    replaces: tuple[int, ...] = ()  # the numbers of the lessons that are forgotten

    def answered(self, reply: str) -> bool | Rejection:
        """Return what an answer says, as `GoalProposal.answered` does."""
        return _consent_in(reply, self.question)


def _consent_in(reply: str, question: Question) -> bool | Rejection:
    answer = with_answer("", question, reply)
    return answer if isinstance(answer, Rejection) else answer == YES


@dataclass(frozen=True, slots=True)
class Offer(GoalProposal):
    """An offer to reach a part of a goal."""

    part: PartialPlan  # the reachable part, with its plan

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
    """Return whether a goal may have a reachable part: it is one conjunction that is known to be unreachable."""
    is_certain = refused.feedback.code in KNOWN
    return is_certain and not goal.goal.later and len(goal.conjuncts) == 1 and len(goal.conjuncts[0]) > 1


def offer(
    goal: CheckedGoal, part: PartialPlan, state: State, predicates: Mapping[str, Predicate], since: State | None = None
) -> Offer | None:
    """Return the offer of a part of `goal`; None when the part gains nothing.

    Args:
        goal: The complete goal.
        part: Its reachable part.
        state: The believed state.
        predicates: The predicates, with their sentences.
        since: The start state of the run if one is in progress, so that what it has reached counts as a gain.
    """
    before = state if since is None else since
    if not part.left_out or before.satisfies(part.reached) or (since is None and not part.plan.steps):
        return None
    return offer_of(goal.goal, part, before, predicates)


def offer_of(goal: Goal, part: PartialPlan, before: State, predicates: Mapping[str, Predicate]) -> Offer:
    """Return the offer of a part of `goal`, without looking at its gain; `before` is the state before the run."""
    formula = _together(part.reached)
    reasons = tuple(f"Left out: {shortened(str(why), 300)}" for _, why in sorted(part.left_out.items()))
    gain = in_words(_together(literal for literal in part.reached if not before.holds(literal)), predicates)
    left = replace(goal, formula=formula, notes=(*goal.notes, *reasons), later=())
    text = f"Not all of that can be had. {' '.join(map(str, part.left_out.values()))} Would this do: {gain}?"
    why = Feedback(Code.QUESTION, f"'{shortened(goal.text or str(goal))}'", "only a part can be had", text)
    return Offer(CheckedGoal(left, (part.reached,)), Question(text, (YES, "no"), why), part)


def offer_without(left: CheckedGoal, refused: Feedback, predicates: Mapping[str, Predicate]) -> GoalProposal:
    """Return the offer of the goals that are left of an order of which one is `refused`."""
    gain = " and then ".join(in_words(stage.formula, predicates) for stage in left.goal.stages)
    text = f"Not all of that can be had. {refused} Would this do: {gain}?"
    why = Feedback(Code.QUESTION, f"'{shortened(left.goal.text)}'", "only a part can be had", text)
    noted = replace(left.goal, notes=(*left.goal.notes, f"Left out: {shortened(str(refused), 300)}"))
    return GoalProposal(replace(left, goal=noted), Question(text, (YES, "no"), why))


def only_conjunct(conjuncts: Sequence[Conjunct]) -> Conjunct:
    """Return the conjunction of a goal of which a part is wanted.

    Raises:
        UsageError: The goal has alternatives.
    """
    if len(conjuncts) != 1:
        raise UsageError(f"the goal has {len(conjuncts)} alternatives; only a conjunction has parts")
    return conjuncts[0]


def _together(facts: Iterable[Literal]) -> Formula:
    parts = conjunction(facts).parts
    return parts[0] if len(parts) == 1 else And(parts)
