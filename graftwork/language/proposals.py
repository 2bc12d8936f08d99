"""`with_sound_proposals`: no answer proposes words that would be refused when they are said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from graftwork.language.answers import in_place
from graftwork.language.offline.refusals import GUESS
from graftwork.language.offline.segments import tokens_of
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal, Question, Rejection
from semantics.sentences import quoted_choice

__all__ = ["with_sound_proposals"]

Answer = CheckedGoal | Goal | Question | Rejection


def with_sound_proposals(answer: Question | Rejection, instruction: str, read: Callable[[str], Answer]) -> Answer:
    """Return an answer without the proposals that would be refused if a person said them.

    If nothing that words in doubt may mean is taken, the answer is why; a guess at an unknown word is left out.

    Args:
        answer: A question, or a rejection; their reasons propose what to say `instead` of their first culprit.
        instruction: What was said.
        read: Reads and checks an instruction.
    """
    reasons = answer.feedback if isinstance(answer, Rejection) else (answer.feedback,) if answer.feedback else ()
    said = " ".join(tokens_of(instruction))
    refused: list[Rejection] = []

    def kept(reason: Feedback) -> Feedback:
        others = {(other.code, other.what) for other in reasons if other is not reason}
        sound = []
        for proposal in reason.instead:
            again = read(in_place(said, reason.culprits[0], proposal))
            if not isinstance(again, Rejection) or others >= {(each.code, each.what) for each in again.feedback}:
                sound.append(proposal)
            else:
                refused.append(again)
        how = _narrowed(reason.how, reason.instead, sound) if sound or not reason.instead else ""
        return replace(reason, how=how, instead=tuple(sound))

    checked = tuple(map(kept, reasons))
    if not refused:
        return answer
    (first, *more) = checked
    is_guess = isinstance(answer, Question) and answer.text.startswith(GUESS)
    if not first.instead and not more and first.code is Code.AMBIGUOUS and not is_guess:
        return refused[0]
    if isinstance(answer, Question) and first.instead:
        return Question(_narrowed(answer.text, answer.options, first.instead), first.instead, first)
    return Rejection(tuple(replace(reason, code=Code.UNKNOWN_NAME) if is_guess else reason for reason in checked))


def _narrowed(text: str, all_of: tuple[str, ...], some: Sequence[str]) -> str:
    """Return a text with a list of proposals cut to some of them, in each of the ways in which lists are written."""
    for write in (" or ".join, ", ".join, quoted_choice):
        text = text.replace(write(all_of), write(some))
    return text
