"""Read the reply of a model: yes or no, or a list of affordances. A reply that cannot be read never counts as yes.

A server that obeys the schema sends JSON. Others send prose, code fences and reasoning. These readers accept only
replies with a clear meaning and return `Feedback` for all others, so that the question is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from semantics.body.answer_values import only_value, without_thoughts
from semantics.hints import nearest, surely
from semantics.logic.feedback import Code, Feedback
from semantics.plain_text import shortened

YES_NO_KEY = "answer"
LIST_KEY = "affordances"

_LEADING = re.compile(
    r"[\s\"'*_`]*+(?:answer\s*+:\s*+)?[\"'*_`]*+(yes|no)\b[\"'*_`]*+(?:\s*$|\s*[.,:;!\n]|\s+[-–—]|\s+(?:it|they|this|that|an?|the)\b)",  # noqa: RUF001 - the dash is meant
    re.IGNORECASE,
)
_WORDS: dict[object, bool] = {True: True, False: False, "yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of affordances from a reply."""

    names: frozenset[str]  # the affordances of the ontology in the list
    feedback: tuple[Feedback, ...] = ()  # one record for each name that is not in the ontology


def read_yes_no(text: str) -> bool | Feedback:
    """Read one yes or no.

    Args:
        text: The reply: ``{"answer": "yes"}``, or prose that begins with the answer and does not contradict it.
    """
    document, said = only_value(text), without_thoughts(text).strip()
    answer = document.get(YES_NO_KEY) if isinstance(document, dict) else said
    word = answer.strip().strip(".!").lower() if isinstance(answer, str) else answer
    if isinstance(word, str | bool) and word in _WORDS:
        return _WORDS[word]
    leading = None if isinstance(document, dict) else _LEADING.match(said)
    words = {word.lower() for word in re.findall(r"\b(?:yes|no)\b", said, re.IGNORECASE)}
    if leading is None or len(words) > 1:
        return _unreadable(text, "it is neither yes nor no")
    return leading[1].lower() == "yes"


def read_list(text: str, names: Iterable[str]) -> Listed | Feedback:
    """Read a list of affordances; correct names that are clearly misspelt, and report unknown names.

    Args:
        text: The reply: ``{"affordances": ["grasp"]}`` or the list alone.
        names: All affordances in the question.
    """
    document = only_value(text)
    listed = document.get(LIST_KEY) if isinstance(document, dict) else document
    if not isinstance(listed, list):
        return _unreadable(text, "it is no list of affordances")
    offered = tuple(names)
    read = {str(item): affordance_named(item, offered) for item in listed}
    known = frozenset(name for name in read.values() if name is not None)
    if listed and not known:
        return _unreadable(text, "it names no affordance that was offered")
    return Listed(known, tuple(_unknown(item, offered) for item, name in read.items() if name is None))


def affordance_named(text: object, names: Iterable[str]) -> str | None:
    """Return the affordance that a text names (exactly, with blanks or capitals, or with a typing error), or None."""
    if not isinstance(text, str):
        return None
    offered = tuple(names)
    word = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    if word in offered:
        return word
    sure = [name for name in offered if surely(word, name)]
    return sure[0] if len(sure) == 1 else None


def _unreadable(text: str, why: str) -> Feedback:
    what = f"the reply '{shortened(text)}'" if text.strip() else "an empty reply"
    return Feedback(Code.UNREADABLE, what, why)


def _unknown(name: str, names: Iterable[str]) -> Feedback:
    close = nearest(name, names)
    how = f"Perhaps {' or '.join(close)} was meant; it was not counted." if close else "It was not counted."
    return Feedback(Code.UNKNOWN_NAME, f"affordance '{shortened(name)}'", "the ontology has no such one", how, (name,))
