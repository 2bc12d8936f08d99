"""Answers to a question of the offline interpreter: an answer replaces the unclear words of the instruction.

An answer chooses an option by its words or its number ("2"), by its place among the things ("the second one", "the
last"). "Either" leaves the choice, "both" and "all of them" take several,
"yes" takes the first option and "no" declines. Other words are used as they are: "the red one" repeats the noun of the
question ("the red cup"), and "on the table" says more of it ("the cup on the table"). How people say all this stands
in ``answers.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import yaml

from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Question, Rejection
from semantics.plain_text import shortened
from semantics.words.english import noun_phrase, singulars, spoken_number
from semantics.words.lexicon import plain

_ONE = re.compile(r"(?<=\w )(?<!\bno )(ones?)\b(?! of\b)", re.IGNORECASE)
_NO = re.compile(r"^\s*(no|nope)(\s*[,.;:!]+\s*|\s+(?=(the|not|i|my|that|make|take)\b))", re.IGNORECASE)
_MANNERS = re.compile(r"\b(please|pls|thanks|thank you)\b")


def with_answer(instruction: str, question: Question, reply: str) -> str | Rejection:
    """Return the instruction with the answer `said` in place of the unclear words; a rejection for "no"."""
    answer = _plain(reply)
    if answer in _forms()["no"]:
        return Rejection((_declined(question),))
    if not question.options and answer in _forms()["yes"]:
        return instruction  # the question has no options, so it stays open
    words = _doubtful(question)
    chosen = _option(_without_no(answer), question.options) or _with_noun(_bare(_without_no(reply)), words)
    match = _place_of(words, instruction)
    if match is None:  # the words are in the phrase of the world that was said, and not in the instruction
        return f"{instruction} ({words}: {chosen})" if words.startswith("the ") else chosen
    before, after = instruction[: match.start()], instruction[match.end() :]
    return before + _joined(before, chosen, words) + after


def _place_of(words: str, instruction: str) -> re.Match[str] | None:
    """Return where an instruction says words, or other words that people say for them."""
    from graftwork.language.offline.frames import english  # most sentences raise no question

    others = (" ".join(said) for said, meant in english().runs.items() if " ".join(meant) == words)
    for said in (words, *others):
        spaced = r"\s+".join(map(re.escape, said.split()))
        if (match := re.search(rf"(?<!\w){spaced}(?!\w)", instruction, re.IGNORECASE)) is not None:
            return match
    return None


def numbered(answer: str, options: Sequence[str]) -> str:
    """Return the option that a number chooses, or an empty text."""
    is_number = answer.isascii() and answer.isdigit() and 0 < int(answer[:4]) <= len(options)
    return options[int(answer[:4]) - 1] if is_number else ""


@cache
def _forms() -> Mapping[str, Sequence[str]]:
    forms: Mapping[str, Sequence[str]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return forms


def _option(answer: str, options: tuple[str, ...]) -> str:
    """Return what an answer chooses of the options, as words of an instruction; empty if it chooses nothing."""
    if options and answer in _forms()["yes"]:
        return options[0]
    bare = _bare(answer)
    exact = numbered(answer, options) or next((each for each in options if plain(each) in (plain(answer), bare)), "")
    things = [each for each in options if each.split()[0] not in ("any", "all", "yes", "no")]
    if exact or len(things) < 2:
        return exact
    if bare in _forms()["any"]:
        return next((each for each in options if each.startswith("any ")), " or ".join(things))
    if bare in _forms()["all"] or (bare in _forms()["both"] and len(things) == 2):
        return next((each for each in options if each.startswith("all ")), " and ".join(things))
    return _in_place(bare.removesuffix(" one").split(), options, things)


def _in_place(said: Sequence[str], options: Sequence[str], things: Sequence[str]) -> str:
    """Return the option whose place is said: "the second", "number two", "the last"; empty for other words."""
    bare = tuple(word for word in said if word not in _forms()["position"])
    if len(bare) != 1:
        return ""
    if bare[0] == "last" or (bare[0] in ("former", "latter") and len(things) == 2):
        return things[0 if bare[0] == "former" else -1]
    number = 0 if len(said) == 1 else int(spoken_number(bare) or (bare[0].isdigit() and bare[0]))
    place = noun_phrase((*bare, "one")).ordinal or number
    # Where "all the cups" comes first, the second option is another one than the second thing: so it is no option.
    return things[place - 1] if 0 < place <= len(things) and things[place - 1] == options[place - 1] else ""


def _plain(answer: str) -> str:
    """Return an answer in lower case, without polite words and punctuation."""
    bare = _MANNERS.sub(" ", re.sub(r"[^\w\s'-]", " ", answer.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))
    return " ".join(bare.split()).strip("'- ")


def _bare(answer: str) -> str:
    """Return an answer without what adds nothing to it, such as "I meant" and "would be nice"."""
    before, behind = ("|".join(sorted(_forms()[kind], key=len, reverse=True)) for kind in ("before", "behind"))
    needless = re.compile(rf"^(?:{before})[,;.:!]*\s+(?=\S)|(?<=\S)[,;.:!]*\s+(?:{behind})$", re.IGNORECASE)
    rest = answer.strip().rstrip(".!,;")
    while rest != (less := needless.sub("", rest)):
        rest = less
    return rest


def _without_no(answer: str) -> str:
    """Remove a leading "no" from an answer such as "no, the cup"."""
    rest = _NO.sub("", answer).strip()
    return rest or answer


def _with_noun(answer: str, words: str) -> str:
    """Return an answer with the noun of the unclear words in the place of "one" and "ones", as in "the red one"."""
    head, last = noun_phrase(words.split()).head, answer.split()[-1:]
    if len(answer.split()) < 3 and noun_phrase((*map(str.lower, last), "one")).ordinal:
        answer = f"{answer} one"
    if not head or _ONE.search(answer) is None:
        return answer
    noun, single = head[-1], next(iter(singulars(head[-1])), head[-1])
    return _ONE.sub(
        lambda match: single if match[1].lower() == "one" else noun if noun != single else f"{noun}s", answer
    )


def _joined(before: str, chosen: str, words: str) -> str:
    """Return an answer as it stands behind the words before: a place describes, and nothing is said twice."""
    said, new = before.lower().split(), chosen.lower().split()
    twice = next((count for count in range(len(new) - 1, 0, -1) if said[-count:] == new[:count]), 0)
    if not twice and new[:1] and new[0] in _forms()["place"]:
        return f"{words} {chosen}"
    return " ".join(chosen.split()[twice:]) if twice else chosen


def _doubtful(question: Question) -> str:
    return question.feedback.culprits[0] if question.feedback and question.feedback.culprits else ""


def _declined(question: Question) -> Feedback:
    words = _doubtful(question)
    why = f'the answer to "{shortened(question.text, 120)}" was no.'
    how = f"Say it again with other words in the place of '{shortened(words)}'." if words else "Say it in other words."
    return Feedback(Code.DECLINED, "the instruction", why, how, (words,) if words else ())
