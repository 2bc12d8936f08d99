"""What becomes of an answer that was not understood: the question is put once more, and then it ends with the reason.

An answer may also be a request of its own ("put the apple on the table"), which takes the place of the one in doubt, or
a question back ("where is the red one?"), which is answered before the first question is put again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest

from graftwork.decision.model import Decision, FinalDecision, PersonAnswer, PlanDecision
from graftwork.language.conversation import stands_alone
from graftwork.record.episode import Outcome
from semantics.logic.atoms import literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal
from semantics.plain_text import shortened

UNCLEAR = frozenset({Code.NOT_UNDERSTOOD, Code.UNKNOWN_NAME, Code.UNREADABLE})
AGAIN = "I do not understand"


def counted_answers(answers: Sequence[PersonAnswer]) -> tuple[PersonAnswer, ...]:
    """Return the answers without those whose question was put again."""
    again = [answer.question.first or None for answer in answers[1:]]
    firsts = [answer.question.first or answer.question.text for answer in answers]
    return tuple(answer for answer, first, put in zip_longest(answers, firsts, again) if first != put)


def with_answer_read(
    decide: Callable[[], Decision], answers: Sequence[PersonAnswer], decide_anew: Callable[[str], Decision]
) -> Decision:
    """Return what the answers make of a request; or what the last of them leads to, if it is a request of its own.

    Args:
        decide: Decides about the request with its answers.
        answers: The answers that count, oldest first.
        decide_anew: Decides about other words instead.
    """
    last = answers[-1]
    # A whole order is no description: "put the milk get me the bread" must never be read as if it said something.
    anew = decide_anew(last.words) if stands_alone(last.words) else None
    if anew is not None and _is_request(anew) and not _chooses(anew, last):
        return _read_anew(anew, last)
    decision = decide()
    if isinstance(decision, PlanDecision) or decision.outcome is not Outcome.REFUSED:
        return decision
    if any(reason.code not in UNCLEAR for reason in decision.feedback):
        return decision
    anew = anew or decide_anew(last.words)
    if isinstance(anew, PlanDecision) or _is_request(anew):
        return _read_anew(anew, last)
    if anew.outcome is Outcome.ANSWERED:
        return _put_again(anew.message, last)
    if last.question.text.startswith(AGAIN):
        return decision
    why = decision.feedback[0].why.rstrip(".")
    return _put_again(f"{AGAIN} '{shortened(last.words)}' as an answer: {why}.", last)


def _is_request(decision: Decision) -> bool:
    return isinstance(decision, PlanDecision) or decision.outcome is Outcome.ALREADY


def _chooses(decision: Decision, last: PersonAnswer) -> bool:
    """Return whether a request is about nothing but options of the question: "bring me the red one" only says which."""
    offered = {word for option in last.question.options for word in option.split()}
    checked = decision.goal
    goal = checked.goal if isinstance(checked, CheckedGoal) else checked
    facts = () if goal is None else [fact for stage in goal.stages for fact in literals(stage.formula)]
    return all(fact.atom.args[:1] and fact.atom.args[0] in offered for fact in facts)


def _read_anew(anew: Decision, last: PersonAnswer) -> Decision:
    return with_notes(anew, (f"'{shortened(last.words)}' was read as another request, not as an answer.",))


def _put_again(trouble: str, last: PersonAnswer) -> FinalDecision:
    """Return the decision that a question is put again, after what there is to say of its answer."""
    first = last.question.first or last.question.text
    question = replace(last.question, text=f"{trouble} {first}", first=first)
    reason = question.feedback or Feedback(Code.QUESTION, shortened(last.words), question.text)
    return FinalDecision(Outcome.QUESTION, question.text, (reason,), question=question, offer=last.offer)


def with_notes(decision: Decision, notes: Sequence[str]) -> Decision:
    """Return a decision that tells of the reading, in the notes of its goal."""
    checked = decision.goal
    if not isinstance(checked, CheckedGoal):
        return decision
    return replace(decision, goal=replace(checked, goal=replace(checked.goal, notes=(*notes, *checked.goal.notes))))
