"""Answers: what a person says to a question of the offline interpreter, put in the place of the words in doubt.

"Yes" takes the likeliest option, a number the option at that place, "no" ends it; anything else is new words.
"""

from __future__ import annotations

import re

from semantics.feedback import Code, Feedback
from semantics.goal import Question, Rejection
from semantics.lexicon import plain
from semantics.sentences import shortened

__all__ = ["with_answer"]

_YES = frozenset(
    {"yes", "y", "yep", "yeah", "yup", "ok", "okay", "sure", "right", "correct", "exactly", "of course", "certainly"}
    | {"yes i did", "i did", "that is right", "that's right", "that one", "indeed", "aye", "fine", "true"}
)
_NO = frozenset(
    {"no", "n", "nope", "nah", "none", "neither", "none of them", "none of these", "neither of them", "no i did not"}
    | {"no i didn't", "not at all", "never mind", "nevermind", "wrong", "forget it", "leave it", "nothing"}
)
_MANNERS = re.compile(r"\b(please|pls|thanks|thank you)\b")


def with_answer(instruction: str, question: Question, reply: str) -> str | Rejection:
    """Return the instruction with `said` in the place of the words that were in doubt; a refusal when it was "no"."""
    answer = _plain(reply)
    if answer in _NO:
        return Rejection((_declined(question),))
    if not question.options and answer in _YES:
        return instruction  # nothing was offered, so the question stands
    chosen = _option(answer, question.options) or _without_no(reply)
    words = _doubtful(question)
    spaced = r"\s+".join(map(re.escape, words.split()))
    match = re.search(rf"(?<!\w){spaced}(?!\w)", instruction, re.IGNORECASE)
    return instruction[: match.start()] + chosen + instruction[match.end() :] if words and match else chosen


def _option(answer: str, options: tuple[str, ...]) -> str:
    """Return the option that an answer chooses, or nothing."""
    if options and answer in _YES:
        return options[0]
    if answer.isascii() and answer.isdigit() and 0 < int(answer[:4]) <= len(options):
        return options[int(answer[:4]) - 1]
    return next((option for option in options if plain(option) == plain(answer)), "")


def _plain(answer: str) -> str:
    """Write an answer in small letters, without manners and punctuation."""
    bare = _MANNERS.sub(" ", re.sub(r"[^\w\s'-]", " ", answer.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))
    return " ".join(bare.split()).strip("'- ")


def _without_no(answer: str) -> str:
    """Leave out a "no," before what is meant instead."""
    rest = re.sub(r"^\s*(no|nope)\s*[,.;:!]+\s*", "", answer, flags=re.IGNORECASE).strip()
    return rest or answer


def _doubtful(question: Question) -> str:
    return question.feedback.culprits[0] if question.feedback and question.feedback.culprits else ""


def _declined(question: Question) -> Feedback:
    words = _doubtful(question)
    why = f'the answer to "{shortened(question.text, 120)}" was no.'
    how = f"Say it again with other words in the place of '{shortened(words)}'." if words else "Say it in other words."
    return Feedback(Code.DECLINED, "the instruction", why, how, (words,) if words else ())
