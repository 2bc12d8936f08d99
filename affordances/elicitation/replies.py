"""Read the reply of a model: yes or no, or a list of affordances. A reply that cannot be read never counts as yes.

A server that obeys the schema sends JSON. Others send prose, code fences and reasoning. These readers accept only
replies with a clear meaning and return `Feedback` for all others, so that the question is asked again. Text after the
JSON could take it back, so such a reply has no clear meaning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from semantics.hints import nearest
from semantics.logic.feedback import Code, Feedback
from semantics.plain_text import shortened
from semantics.words.spelling import surely

YES_NO_KEY = "answer"
LIST_KEY = "affordances"

NOTHING_MORE = re.compile(r"\s*+(?:(?:```|~~~)\s*+)?(?:\.\s*+)?")
"""What may follow the JSON value of a reply: white space, a closing fence and a final dot."""
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_THOUGHTS_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_FENCE = re.compile(r"```[a-z]*+(.*?)```", re.DOTALL | re.IGNORECASE)
_LEADING = re.compile(
    r"[\s\"'*_`]*+(?:answer\s*+:\s*+)?[\"'*_`]*+(yes|no)\b[\"'*_`]*+(?:\s*$|\s*[.,:;!\n]|\s+[-–—]|\s+(?:it|they|this|that|an?|the)\b)",  # noqa: RUF001 - the dash is meant
    re.IGNORECASE,
)
_WORDS: dict[object, bool] = {True: True, False: False, "yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of affordances from a reply.

    Attributes:
        names: The affordances of the ontology in the list.
        feedback: One record for each name that is not in the ontology.
    """

    names: frozenset[str]
    feedback: tuple[Feedback, ...] = ()


def read_yes_no(text: str) -> bool | Feedback:
    """Read one yes or no.

    Args:
        text: The reply: ``{"answer": "yes"}``, or prose that begins with the answer and does not contradict it.
    """
    bare = _bare(text)
    document = json_in(bare)
    if isinstance(document, dict):
        document = document.get(YES_NO_KEY, "")
    if isinstance(document, str | bool):
        word = document.strip().strip(".!").lower() if isinstance(document, str) else document
        return _WORDS[word] if word in _WORDS else _unreadable(text, "it is neither yes nor no")
    leading = _LEADING.match(bare)
    words = {word.lower() for word in re.findall(r"\b(?:yes|no)\b", bare, re.IGNORECASE)}
    if leading is None or len(words) > 1:
        return _unreadable(text, "it is neither yes nor no")
    return leading[1].lower() == "yes"


def read_list(text: str, names: Iterable[str]) -> Listed | Feedback:
    """Read a list of affordances; correct names that are clearly misspelt, and report unknown names.

    Args:
        text: The reply: ``{"affordances": ["grasp"]}`` or the list alone.
        names: All affordances in the question.
    """
    document = json_in(_bare(text))
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


def _bare(text: str) -> str:
    """Remove the reasoning and the code fence of a reply, if nothing follows the fence."""
    # What opens after the last end has none, and each of many would search the rest of the text for it.
    end = max((match.end() for match in _THOUGHTS_END.finditer(text)), default=0)
    text = (_THOUGHTS.sub("", text[:end]) + text[end:]).strip()
    fence = _FENCE.search(text)
    return fence[1].strip() if fence and NOTHING_MORE.fullmatch(text, fence.end()) else text


def json_in(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the JSON value in a reply, also when there is prose before it.

    Returns: None when there is none, when text follows it, or when a key occurs twice.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_unique)
    for start in sorted({0, text.find("{"), text.find("[")} - {-1}):
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        return value if NOTHING_MORE.fullmatch(text, end) else None
    return None


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a key occurs twice")
    return document


def _unreadable(text: str, why: str) -> Feedback:
    what = f"the reply '{shortened(text)}'" if text.strip() else "an empty reply"
    return Feedback(Code.UNREADABLE, what, why)


def _unknown(name: str, names: Iterable[str]) -> Feedback:
    close = nearest(name, names)
    how = f"Perhaps {' or '.join(close)} was meant; it was not counted." if close else "It was not counted."
    return Feedback(Code.UNKNOWN_NAME, f"affordance '{shortened(name)}'", "the ontology has no such one", how, (name,))
