"""`interpret`: from words to a checked goal, by the offline interpreter or a language model.

Both find a goal in their own way; the check is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graftwork.language.answers import with_answer
from graftwork.language.conversation import Check, ask_for_goal
from graftwork.language.offline import interpret as interpret_offline
from semantics.embedding import Embedder
from semantics.goal import CheckedGoal, Goal, Question, Rejection
from semantics.protocols import LanguageModel
from semantics.state import State
from semantics.vocabulary import Vocabulary

__all__ = ["Interpretation", "interpret"]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The result of an interpretation, and the use of a language model for it."""

    answer: CheckedGoal | Question | Rejection
    model_calls: int = 0
    tokens: int = 0


def interpret(
    instruction: str,
    vocabulary: Vocabulary,
    state: State,
    *,
    model: LanguageModel | None,
    check: Check,
    answers: Sequence[tuple[Question, str]] = (),
    embedder: Embedder | None = None,
    tries: int = 5,
    called_off: Callable[[], object] = lambda: False,
) -> Interpretation:
    """Interpret an instruction.

    Args:
        instruction: The words of the person.
        vocabulary: The names that a goal may use.
        state: The believed state.
        model: The language model; None for the offline interpreter.
        check: Accepts a goal or returns all its mistakes.
        answers: Earlier questions about this instruction, each with the person's answer.
        embedder: Suggests names with a similar meaning to the offline interpreter, or None.
        tries: Maximum number of requests to the model.
        called_off: Returns whether the goal is no longer needed, so that a request to the model is abandoned.

    Raises:
        OutsideError: The model cannot be reached or gives no usable answer.
    """
    if model is not None:
        asked = [(question.text, words) for question, words in answers]
        answer, transcript = ask_for_goal(
            instruction, vocabulary, state, model, check, tries=tries, answers=asked, called_off=called_off
        )
        return Interpretation(answer, transcript.calls, transcript.tokens)
    for question, words in answers:
        answered = with_answer(instruction, question, words)
        if isinstance(answered, Rejection):
            return Interpretation(answered)
        instruction = answered
    read = interpret_offline(instruction, vocabulary, state, embedder=embedder)
    return Interpretation(check(read) if isinstance(read, Goal) else read)
