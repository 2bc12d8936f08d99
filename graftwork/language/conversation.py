"""Asks a language model for a goal, and asks again with the reasons until a goal passes the check.

Only a goal that passed `check`, a question, or a refusal leaves this module. So an instruction that tries to manipulate
the model can do no more than choose another valid goal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from graftwork.language.goal_prompt import GOAL_SCHEMA, instruction_turn, system_prompt
from graftwork.language.prompts import MOST_ERRORS, correction
from graftwork.language.replies import read_reply
from semantics.body.exchange import INSTEAD, Exchange, ModelUse, Unusable, server_of
from semantics.body.protocols import LanguageModel, Message
from semantics.errors import UnusableReplyError, UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.reply import Refusal, Reply
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.plain_text import shortened

__all__ = ["Check", "ask_for_goal"]

MOST_ASKS = 5
ANSWERS = ("goal", "question", "refusal")
"""The kinds of reply that answer a request."""

Check = Callable[[Goal], CheckedGoal | Rejection]
Answer = CheckedGoal | Rejection | Question


def ask_for_goal(
    instruction: str,
    vocabulary: Vocabulary,
    state: State,
    model: LanguageModel,
    check: Check,
    *,
    tries: int = MOST_ASKS,
    answers: Sequence[tuple[str, str]] = (),
    situation: str = "",
    use: ModelUse | None = None,
    called_off: Callable[[], object] = lambda: False,
) -> tuple[Answer, Exchange]:
    """Ask `model` for the goal of `instruction`, at most `tries` times in all.

    Args:
        instruction: The words of the person.
        vocabulary: The names that a goal may use.
        state: The believed state.
        model: The language model.
        check: Accepts a goal or returns all its mistakes.
        tries: Maximum number of requests.
        answers: Earlier questions about the instruction, each with the person's answer.
        situation: Description of what happened so far, if the instruction was tried before.
        use: Counts the requests.
        called_off: Returns whether the goal is no longer needed; then the request is abandoned, and none follows.

    Returns:
        The first goal that passes, a question, or the last rejection; and the conversation.

    Raises:
        UsageError: `tries` is below 1.
        OutsideError: The model does not answer, or none of its answers can be read (`UnusableReplyError`).
    """
    if tries < 1:
        raise UsageError(f"a model has to be asked at least once, not {tries} times")
    request = "\n\n".join(part for part in (instruction_turn(instruction, answers), situation) if part)
    opening = [Message("system", system_prompt(vocabulary, state)), Message("user", request)]
    exchange = Exchange(model, opening, GOAL_SCHEMA, use or ModelUse(), called_off)
    judge = partial(_judge, instruction=instruction, check=check)
    answer = cast("Answer | None", exchange.ask(judge, lambda unusable: correction(unusable.feedback), tries))
    if answer is not None:
        return answer, exchange
    wrong = exchange.unusable
    if all(unusable.nonsense for unusable in wrong):
        last = wrong[-1].feedback[0].what
        what = f"{len(wrong)} answers and none can be read, the last one was {last!r}"
        raise UnusableReplyError(server_of(model), what, INSTEAD)
    return Rejection(wrong[-1].feedback[:MOST_ERRORS]), exchange


def _judge(text: str, instruction: str, check: Check) -> Answer | Unusable:
    read = read_reply(text, ANSWERS)
    match read.content if isinstance(read, Reply) else read:
        case Goal() as goal:
            checked = check(replace(goal, text=instruction))
            return Unusable(checked.feedback) if isinstance(checked, Rejection) else checked
        case Question(text=asked, options=options):
            reason = Feedback(Code.QUESTION, shortened(instruction), "the model needs an answer first", asked)
            return Question(asked, options, reason)
        case Refusal(why=why):
            return Rejection((Feedback(Code.NOT_UNDERSTOOD, shortened(instruction), why, recoverable=False),))
        case unusable:
            assert isinstance(unusable, Unusable)
            return unusable
