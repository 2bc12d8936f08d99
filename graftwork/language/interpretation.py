"""`interpret`: from words to a checked goal, by the offline interpreter or a language model.

Both find a goal in their own way; the check is the same.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from graftwork.language.answers import with_answer
from graftwork.language.models import Fallback
from semantics.body.exchange import ModelUse
from semantics.body.protocols import LanguageModel
from semantics.errors import ModelError
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.embedding import Embedder

if TYPE_CHECKING:
    from graftwork.language.conversation import Check

__all__ = ["interpret"]

logger = logging.getLogger("graftwork")

Answer = CheckedGoal | Question | Rejection


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
    use: ModelUse | None = None,
    called_off: Callable[[], object] = lambda: False,
) -> Answer:
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
        use: Counts these requests.
        called_off: Returns whether the goal is no longer needed, so that a request to the model is abandoned.

    Raises:
        OutsideError: The model cannot be reached or gives no usable answer.
    """
    *others, last = model.models if isinstance(model, Fallback) else (model,)
    told: list[str] = []

    def read(reader: LanguageModel | None) -> Answer:
        if reader is None:
            return _read_offline(instruction, vocabulary, state, check, answers, embedder)
        from graftwork.language.conversation import ask_for_goal

        asked = [(question.text, words) for question, words in answers]
        ask = partial(ask_for_goal, tries=tries, answers=asked, use=use, called_off=called_off)
        return ask(instruction, vocabulary, state, reader, check)[0]

    for reader in others:
        try:
            return _with_notes(read(reader), told)
        except ModelError as error:
            if called_off():
                raise
            name = "" if reader is None else reader.name
            told.append(f"{name} gave no usable answer ({error.what}), so the next one read the sentence anew.")
            logger.warning(told[-1])
    return _with_notes(read(last), told)


def _read_offline(
    instruction: str,
    vocabulary: Vocabulary,
    state: State,
    check: Check,
    answers: Sequence[tuple[Question, str]],
    embedder: Embedder | None,
) -> Answer:
    """Read words by grammar and check the goal, without proposals that would be refused."""
    for question, words in answers:
        answered = with_answer(instruction, question, words)
        if isinstance(answered, Rejection):
            return answered
        instruction = answered
    from graftwork.language.offline import interpret as interpret_offline

    def read(words: str) -> Answer:
        goal = interpret_offline(words, vocabulary, state, embedder=embedder)
        return check(goal) if isinstance(goal, Goal) else goal

    answer = read(instruction)
    return answer if isinstance(answer, CheckedGoal) else _without_refused(answer, instruction, read)


def _with_notes(answer: Answer, notes: Sequence[str]) -> Answer:
    """Return an answer that tells which models gave none."""
    if not notes or not isinstance(answer, CheckedGoal):
        return answer
    return replace(answer, goal=replace(answer.goal, notes=(*notes, *answer.goal.notes)))


def _without_refused(answer: Question | Rejection, instruction: str, read: Callable[[str], Answer]) -> Answer:
    """Return an answer without the proposals that would be refused if a person said them.

    If nothing that words in doubt may mean is taken, the answer is why; a guess at an unknown word is left out.
    """
    reasons = answer.feedback if isinstance(answer, Rejection) else tuple(filter(None, (answer.feedback,)))
    from graftwork.language.offline.segments import tokens_of

    known, refused = {(reason.code, reason.what) for reason in reasons}, dict[str, Rejection]()
    for reason in reasons:
        for words in reason.instead:
            said = with_answer(" ".join(tokens_of(instruction)), Question("", (words,), reason), words)
            again = read(str(said))
            if isinstance(again, Rejection) and not {(each.code, each.what) for each in again.feedback} <= known:
                refused[words] = again
    left = [tuple(words for words in reason.instead if words not in refused) for reason in reasons]
    is_guess = isinstance(answer, Question) and answer.text.startswith("Did you mean")
    if not refused:
        return answer
    if isinstance(answer, Question) and left[0]:
        return Question.among(left[0], reasons[0], guessed=is_guess)
    if not (is_guess or left[0]) and len(reasons) == 1 and reasons[0].code is Code.AMBIGUOUS:
        return next(iter(refused.values()))
    checked = (reason.proposing(kept) for reason, kept in zip(reasons, left, strict=True))
    return Rejection(tuple(replace(each, code=Code.UNKNOWN_NAME if is_guess else each.code) for each in checked))
