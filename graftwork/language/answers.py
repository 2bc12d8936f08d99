"""Answers to a question of the offline interpreter: an answer replaces the unclear words of the instruction.

"Yes" chooses the first option, a number chooses the option at that position, "no" declines, and other words are used as
they are. "The red one" repeats the noun of the question: "the red cup".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Question, Rejection
from semantics.plain_text import shortened
from semantics.words.english import noun_phrase, singulars
from semantics.words.lexicon import plain

_YES = frozenset(
    {"yes", "y", "yep", "yeah", "yup", "ok", "okay", "sure", "right", "correct", "exactly", "of course", "certainly"}
    | {"yes i did", "i did", "that is right", "that's right", "that one", "indeed", "aye", "fine", "true"}
)
_NO = frozenset(
    {"no", "n", "nope", "nah", "none", "neither", "none of them", "none of these", "neither of them", "no i did not"}
    | {"no i didn't", "not at all", "never mind", "nevermind", "wrong", "forget it", "leave it", "nothing"}
)
_ONE = re.compile(r"(?<=\w )(?<!\bno )(ones?)\b(?! of\b)", re.IGNORECASE)
_MANNERS = re.compile(r"\b(please|pls|thanks|thank you)\b")


def with_answer(instruction: str, question: Question, reply: str) -> str | Rejection:
    """Return the instruction with the answer `said` in place of the unclear words; a rejection for "no"."""
    answer = _plain(reply)
    if answer in _NO:
        return Rejection((_declined(question),))
    if not question.options and answer in _YES:
        return instruction  # the question has no options, so it stays open
    words = _doubtful(question)
    chosen = _option(answer, question.options) or _with_noun(_without_no(reply), words)
    spaced = r"\s+".join(map(re.escape, words.split()))
    match = re.search(rf"(?<!\w){spaced}(?!\w)", instruction, re.IGNORECASE)
    return instruction[: match.start()] + chosen + instruction[match.end() :] if words and match else chosen


def _option(answer: str, options: tuple[str, ...]) -> str:
    """Return the option that an answer chooses, or an empty text."""
    if options and answer in _YES:
        return options[0]
    return numbered(answer, options) or next((option for option in options if plain(option) == plain(answer)), "")


def numbered(answer: str, options: Sequence[str]) -> str:
    """Return the option that a number chooses, or an empty text."""
    is_number = answer.isascii() and answer.isdigit() and 0 < int(answer[:4]) <= len(options)
    return options[int(answer[:4]) - 1] if is_number else ""


def _plain(answer: str) -> str:
    """Return an answer in lower case, without polite words and punctuation."""
    bare = _MANNERS.sub(" ", re.sub(r"[^\w\s'-]", " ", answer.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))
    return " ".join(bare.split()).strip("'- ")


def _without_no(answer: str) -> str:
    """Remove a leading "no," from an answer such as "no, the cup"."""
    rest = re.sub(r"^\s*(no|nope)\s*[,.;:!]+\s*", "", answer, flags=re.IGNORECASE).strip()
    return rest or answer


def _with_noun(answer: str, words: str) -> str:
    """Return an answer with the noun of the unclear words in the place of "one" and "ones", as in "the red one"."""
    head = noun_phrase(words.split()).head
    if not head or _ONE.search(answer) is None:
        return answer
    noun, single = head[-1], next(iter(singulars(head[-1])), head[-1])
    return _ONE.sub(
        lambda match: single if match[1].lower() == "one" else noun if noun != single else f"{noun}s", answer
    )


def _doubtful(question: Question) -> str:
    return question.feedback.culprits[0] if question.feedback and question.feedback.culprits else ""


def _declined(question: Question) -> Feedback:
    words = _doubtful(question)
    why = f'the answer to "{shortened(question.text, 120)}" was no.'
    how = f"Say it again with other words in the place of '{shortened(words)}'." if words else "Say it in other words."
    return Feedback(Code.DECLINED, "the instruction", why, how, (words,) if words else ())
