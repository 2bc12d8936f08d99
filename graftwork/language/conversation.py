"""Asks a language model for a goal, and asks again with the reasons until a goal passes the check.

Only a goal that passed `check`, a question, or a refusal leaves this module. So an instruction that tries to manipulate
the model can do no more than choose another valid goal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graftwork.errors import ModelNonsenseError, ModelUnreachableError
from graftwork.language.prompts import GOAL_SCHEMA, MOST_ERRORS, correction, instruction_turn, system_prompt
from graftwork.language.replies import LONGEST_REPLY, Unreadable, read_reply
from semantics.body.protocols import AbandonableModel, LanguageModel, Message, ModelReply, ServedModel
from semantics.errors import GraftworkError, UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.plain_text import plain, shortened

__all__ = ["Check", "Transcript", "ask_for_goal"]

MOST_ASKS = 5
LONGEST_CAUSE = 200
_INSTEAD = "try another model, or use --model offline"

Check = Callable[[Goal], CheckedGoal | Rejection]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation with a model.

    Attributes:
        messages: Every turn, the model's included.
        feedback: The mistakes of each unusable answer, in order.
        calls: Number of requests to the model.
        tokens: Number of tokens.
    """

    messages: tuple[Message, ...]
    feedback: tuple[Feedback, ...] = ()
    calls: int = 0
    tokens: int = 0


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
    called_off: Callable[[], object] = lambda: False,
) -> tuple[CheckedGoal | Rejection | Question, Transcript]:
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
        called_off: Returns whether the goal is no longer needed; then the request is abandoned, and none follows.

    Returns:
        The first goal that passes, a question, or the last rejection; and the conversation.

    Raises:
        UsageError: `tries` is below 1.
        OutsideError: The model does not answer, or none of its answers can be read (`ModelNonsenseError`).
    """
    if tries < 1:
        raise UsageError(f"a model has to be asked at least once, not {tries} times")
    request = "\n\n".join(part for part in (instruction_turn(instruction, answers), situation) if part)
    opening = [Message("system", system_prompt(vocabulary, state)), Message("user", request)]
    return _argue(opening, instruction, model, check, tries, called_off)


def _argue(
    conversation: list[Message],
    instruction: str,
    model: LanguageModel,
    check: Check,
    tries: int,
    called_off: Callable[[], object],
) -> tuple[CheckedGoal | Rejection | Question, Transcript]:
    """Send each unusable answer back to the model with all its mistakes."""
    wrong: list[Unreadable] = []
    tokens = 0
    for _ in range(tries):
        if wrong and called_off():
            break
        reply = _completed(model, tuple(conversation), called_off)
        tokens += reply.tokens
        conversation.append(Message("assistant", reply.text[:LONGEST_REPLY]))
        judged = _judge(reply.text, instruction, check)
        if not isinstance(judged, Unreadable):
            return judged, _transcript(conversation, wrong, tokens)
        wrong.append(judged)
        conversation.append(Message("user", correction(judged.feedback)))
    if all(answer.nonsense for answer in wrong):
        raise _nonsense(model, wrong)
    return Rejection(wrong[-1].feedback[:MOST_ERRORS]), _transcript(conversation[:-1], wrong, tokens)


def _completed(model: LanguageModel, messages: Sequence[Message], called_off: Callable[[], object]) -> ModelReply:
    """Return the answer of a model; whatever fails in it becomes an error of the model."""
    server = model.server if isinstance(model, ServedModel) else model.name
    try:
        if isinstance(model, AbandonableModel):
            reply = model.complete_unless(called_off, messages, schema=GOAL_SCHEMA)
        else:
            reply = model.complete(messages, schema=GOAL_SCHEMA)
    except GraftworkError:
        raise
    except Exception as error:
        what = f"it failed ({type(error).__name__}: {shortened(plain(error), LONGEST_CAUSE)})"
        raise ModelUnreachableError(server, what, _INSTEAD) from error
    if not isinstance(reply, ModelReply):
        raise ModelNonsenseError(server, f"its answer is no ModelReply but {type(reply).__name__}", _INSTEAD)
    return reply


def _judge(text: str, instruction: str, check: Check) -> CheckedGoal | Rejection | Question | Unreadable:
    read = read_reply(text)
    if isinstance(read, Unreadable):
        return read
    if read.goals:
        first, *later = read.goals
        checked = check(replace(first, text=instruction, later=tuple(later)))
        return Unreadable(checked.feedback) if isinstance(checked, Rejection) else checked
    if read.question is not None:
        why = "the model needs an answer first"
        return Question(read.question, feedback=Feedback(Code.QUESTION, shortened(instruction), why, read.question))
    return Rejection((Feedback(Code.NOT_UNDERSTOOD, shortened(instruction), read.refusal or "", recoverable=False),))


def _transcript(conversation: Sequence[Message], wrong: Sequence[Unreadable], tokens: int) -> Transcript:
    feedback = tuple(record for answer in wrong for record in answer.feedback[:MOST_ERRORS])
    calls = sum(message.role == "assistant" for message in conversation)
    return Transcript(tuple(conversation), feedback, calls, tokens)


def _nonsense(model: LanguageModel, wrong: Sequence[Unreadable]) -> ModelNonsenseError:
    last = wrong[-1].feedback[0].what
    server = model.server if isinstance(model, ServedModel) else model.name
    what = f"{len(wrong)} answers and none can be read, the last one was {last!r}"
    return ModelNonsenseError(server, what, _INSTEAD)
