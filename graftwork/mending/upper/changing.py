"""`Changed`: what the wiring wants to know of a turn that changes the goal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bt.repairing import Finder, Query, Turn
from graftwork.deciding.partly import Offer
from graftwork.deciding.substituting import Consent
from graftwork.language.answers import with_answer
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Question, Rejection
from semantics.protocols import NoPlan
from semantics.state import State

__all__ = ["MOST_ROUNDS", "YES", "Changed", "Finding", "asked_first", "changed_goal", "noted", "with_consent"]

YES = "yes"
MOST_ROUNDS = 4
"""How often a person is asked about one failure, the first time included."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Another goal, and what it leaves out if it is a part of the one before."""

    goal: CheckedGoal
    partly: Offer | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A turn that a person has to agree to, and the question that asks for it."""

    turn: Turn
    question: Question


def changed_goal(turn: Turn) -> CheckedGoal | None:
    """Return the goal that a turn brings; None when the goal stays as it was."""
    if isinstance(turn.token, Changed):
        return turn.token.goal
    return turn.token if isinstance(turn.token, CheckedGoal) else None


def noted(goal: CheckedGoal, *notes: str) -> CheckedGoal:
    """Return a goal with more notes."""
    return replace(goal, goal=replace(goal.goal, notes=(*goal.goal.notes, *notes)))


def with_consent(find: Callable[[State, Feedback], Finding | NoPlan], consent: Consent) -> Finder:
    """Return the finder that takes what is found where that is allowed, and asks a person first where it is not."""

    def found(state: State, feedback: Feedback) -> Turn | Query | NoPlan:
        finding = find(state, feedback)
        if isinstance(finding, NoPlan):
            return finding
        if consent is Consent.ALLOW:
            return finding.turn
        return asked_first(finding, lambda state: find(state, feedback))

    return found


def asked_first(finding: Finding, again: Callable[[State], Finding | NoPlan], rounds: int = 0) -> Query:
    """Return the query that asks a person to agree to what was found.

    What they agree to is done and nothing else: where something else is found by then, they are asked about that.

    Args:
        finding: What was found.
        again: Finds it once more, from what is believed when the answer comes.
        rounds: How often they were asked before.
    """

    def heard(words: str, state: State) -> Turn | Query | NoPlan:
        answer = with_answer("", finding.question, words)
        if isinstance(answer, Rejection):
            return NoPlan(answer.feedback[0])
        found = again(state) if answer == YES else finding
        if isinstance(found, NoPlan):
            return found
        if answer == YES and found.question.text == finding.question.text:
            return found.turn
        if rounds + 1 >= MOST_ROUNDS:
            why = f"they were asked {MOST_ROUNDS} times, and have not agreed"
            return NoPlan(Feedback(Code.NOT_UNDERSTOOD, "the person", why))
        return asked_first(found, again, rounds + 1)

    return Query(finding.question, heard)
