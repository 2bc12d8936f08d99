"""`without_refused`: what an answer proposes to say, without what would be refused if a person said it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from graftwork.language.answers import with_answer
from graftwork.language.offline.segments import tokens_of
from semantics.logic.feedback import Code
from semantics.logic.goal import Question, Rejection


def without_refused(answer: Question | Rejection, words: str, read: Callable[[str], object]) -> Question | Rejection:
    """Return an answer without the proposals that would be refused if a person said them.

    If nothing that words in doubt may mean is taken, the answer is why; a guess at an unknown word is left out.

    Args:
        answer: The answer.
        words: What was said.
        read: Reads other words, and returns a rejection if they would be refused.
    """
    reasons = answer.feedback if isinstance(answer, Rejection) else tuple(filter(None, (answer.feedback,)))
    known, refused = {(reason.code, reason.what) for reason in reasons}, dict[str, Rejection]()
    for reason in reasons:
        for proposed in reason.instead:
            said = with_answer(" ".join(tokens_of(words)), Question("", (proposed,), reason), proposed)
            again = read(str(said))
            if isinstance(again, Rejection) and not {(each.code, each.what) for each in again.feedback} <= known:
                refused[proposed] = again
    left = [tuple(proposed for proposed in reason.instead if proposed not in refused) for reason in reasons]
    is_guess = isinstance(answer, Question) and answer.is_guess
    if not refused:
        return answer
    if isinstance(answer, Question) and left[0]:
        return Question.among(left[0], reasons[0], guessed=is_guess)
    if not (is_guess or left[0]) and len(reasons) == 1 and reasons[0].code is Code.AMBIGUOUS:
        return next(iter(refused.values()))
    checked = (reason.proposing(kept) for reason, kept in zip(reasons, left, strict=True))
    return Rejection(tuple(replace(each, code=Code.UNKNOWN_NAME if is_guess else each.code) for each in checked))
