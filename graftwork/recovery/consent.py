"""Another goal that a person may have to agree to before it is pursued."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bt.recovery import Answer, Ask, NewGoal, Nothing, Request
from graftwork.decision.partial_goal import Offer
from graftwork.language.answers import with_answer
from graftwork.setup.limits import Consent
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Question, Rejection
from semantics.protocols import NoPlan

__all__ = ["MOST_ROUNDS", "YES", "Changed", "Finding", "asked_first", "changed_goal", "with_consent"]

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
    """Another goal that a person has to agree to, and the question that asks for it."""

    goal: NewGoal
    question: Question


Find = Callable[[Request], Finding | NoPlan]


def changed_goal(answer: object) -> CheckedGoal | None:
    """Return the goal that an answer of a strategy brings; None when the goal stays as it was."""
    token = answer.token if isinstance(answer, NewGoal) else None
    if isinstance(token, Changed):
        return token.goal
    return token if isinstance(token, CheckedGoal) else None


def with_consent(find: Find, consent: Consent, request: Request) -> Answer:
    """Return what is found where that is allowed, and a question to a person where it is not."""
    finding = find(request)
    if isinstance(finding, NoPlan):
        return Nothing.of(finding)
    return finding.goal if consent is Consent.ALLOW else asked_first(finding, find)


def asked_first(finding: Finding, find: Find, rounds: int = 0) -> Ask:
    """Return the question that asks a person to agree to what was found.

    What they agree to is done and nothing else: where something else is found by then, they are asked about that.

    Args:
        finding: What was found.
        find: Finds it once more, from what is believed when the answer comes.
        rounds: How often they were asked before.
    """

    def heard(words: str, now: Request) -> Answer:
        answer = with_answer("", finding.question, words)
        if isinstance(answer, Rejection):
            return Nothing(answer.feedback[0])
        current = find(now) if answer == YES else finding
        if isinstance(current, NoPlan):
            return Nothing.of(current)
        if answer == YES and current.question.text == finding.question.text:
            return current.goal
        if rounds + 1 >= MOST_ROUNDS:
            why = f"they were asked {MOST_ROUNDS} times, and have not agreed"
            return Nothing(Feedback(Code.NOT_UNDERSTOOD, "the person", why))
        return asked_first(current, find, rounds + 1)

    return Ask(finding.question, heard)
