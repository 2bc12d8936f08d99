"""`interpret`: words to a checked goal, by whoever reads them.

The offline interpreter and a language model differ in how they find a goal, not in how it is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graftwork.language.answers import with_answer
from graftwork.language.conversation import ask_for_goal
from graftwork.language.offline import interpret as interpret_offline
from semantics.embedding import Embedder
from semantics.goal import CheckedGoal, Goal, Question, Rejection
from semantics.protocols import LanguageModel
from semantics.state import State
from semantics.vocabulary import Vocabulary

__all__ = ["Interpretation", "interpret"]

Check = Callable[[Goal], CheckedGoal | Rejection]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What became of the words, and what a language model was asked for it."""

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
) -> Interpretation:
    """Read an instruction; without a model by the offline interpreter.

    Args:
        instruction: What was said.
        vocabulary: What may be named.
        state: What is believed.
        model: Who is asked, or None.
        check: Accepts a goal or says everything that is wrong with it.
        answers: Questions asked before about this instruction, each with the person's answer.
        embedder: Suggests names of like meaning to the offline interpreter, or None.
        tries: How often the model is asked, at most.

    Raises:
        OutsideError: The model cannot be reached or answers nothing usable.
    """
    if model is not None:
        asked = [(question.text, words) for question, words in answers]
        answer, transcript = ask_for_goal(instruction, vocabulary, state, model, check, tries=tries, answers=asked)
        return Interpretation(answer, transcript.calls, transcript.tokens)
    for question, words in answers:
        answered = with_answer(instruction, question, words)
        if isinstance(answered, Rejection):
            return Interpretation(answered)
        instruction = answered
    read = interpret_offline(instruction, vocabulary, state, embedder=embedder)
    return Interpretation(check(read) if isinstance(read, Goal) else read)
