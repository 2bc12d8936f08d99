"""A changed goal that may need a person's consent before it is pursued."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bt.recovery import Answer, Ask, NewGoal, Nothing, Request
from graftwork.decision.partial_goal import Offer
from graftwork.language.answers import with_answer
from graftwork.setup.limits import Consent
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Question, Rejection

YES = "yes"
MOST_ROUNDS = 4  # maximum number of questions to a person about one failure


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed goal; `partly` is set if it is a part of the goal before."""

    goal: CheckedGoal
    partly: Offer | None = None


@dataclass(frozen=True, slots=True)
class ProposedGoal:
    """A proposed goal that may need consent, and the question that asks for it."""

    goal: NewGoal
    question: Question


Find = Callable[[Request], ProposedGoal | NoPlan]


def changed_goal(answer: object) -> CheckedGoal | None:
    """Return the new goal in a strategy's answer; None when the goal does not change."""
    token = answer.token if isinstance(answer, NewGoal) else None
    if isinstance(token, Changed):
        return token.goal
    return token if isinstance(token, CheckedGoal) else None


def with_consent(find: Find, consent: Consent, request: Request) -> Answer:
    """Return the proposed goal if the consent allows it, else a question to the person."""
    proposed = find(request)
    if isinstance(proposed, NoPlan):
        return Nothing.of(proposed)
    return proposed.goal if consent is Consent.ALLOW else asked_first(proposed, find)


def asked_first(proposed: ProposedGoal, find: Find, rounds: int = 0) -> Ask:
    """Return the question for a person's consent to a proposed goal.

    Consent holds only for that goal. If the search then finds another one, the person is asked again.

    Args:
        proposed: The proposed goal.
        find: Searches again, from the state that is believed when the answer arrives.
        rounds: Number of earlier questions.
    """

    def heard(words: str, now: Request) -> Answer:
        answer = with_answer("", proposed.question, words)
        if isinstance(answer, Rejection):
            return Nothing(answer.feedback[0])
        current = find(now) if answer == YES else proposed
        if isinstance(current, NoPlan):
            return Nothing.of(current)
        if answer == YES and current.question.text == proposed.question.text:
            return current.goal
        if rounds + 1 >= MOST_ROUNDS:
            why = f"they were asked {MOST_ROUNDS} times, and have not agreed"
            return Nothing(Feedback(Code.NOT_UNDERSTOOD, "the person", why))
        return asked_first(current, find, rounds + 1)

    return Ask(proposed.question, heard)
