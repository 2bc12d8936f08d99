"""Text for people: formulas as the sentences of their predicates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from semantics.logic.atoms import Atom, Formula
from semantics.logic.quantity import Quantity
from semantics.logic.vocabulary import Predicate
from semantics.plain_text import together

_INNER = r"(?:[^()]|\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\))*+\))*+"
_LEFT = re.compile(rf"“[^“”\n]*+”|\"[^\"\n]*+\"|(?<!\w)'[^\n]{{0,500}}?'(?!\w)|\((?:forall|exists|imply) {_INNER}\)")
"""What stays as it is, with its brackets put aside meanwhile: quoted words, and formulas with variables."""
_ATOM = re.compile(r"\(([\w-]+)(?: [^()\s]+)*\)")
_FORMULA = re.compile(r"\x02[^\x02\x03]*\x03|\((?:[^()]|\([^()]*\))*\)")
"""A formula that is written in words, between two control characters, or one that is left in PDDL."""
_JOINED = re.compile(rf"\((and|or|not)((?: (?:{_FORMULA.pattern}))*)\)")
_VALUES = re.compile(r"(?<=\x03)(?: :[a-z][\w.]* [^\s,:]+)+")
_EMPTY = {"and": "nothing is asked for", "or": "nothing will do"}


def in_words(formula: Formula, predicates: Mapping[str, Predicate]) -> str:
    """Write ``(and (in juice0 fridge0) (closed fridge0))`` as "juice0 is in fridge0 and fridge0 is closed"."""
    return pddl_in_words(str(formula), {name: predicate.description for name, predicate in predicates.items()})


def pddl_in_words(text: str, sentences: Mapping[str, str]) -> str:
    """Write each fact, action and condition in PDDL within a text as its sentence.

    Args:
        text: Any text.
        sentences: The sentence of predicates and actions by name, with ``{0}``, ``{1}`` for the arguments.
    """

    def told(match: re.Match[str]) -> str:
        sentence = sentence_of(match[0], sentences) if match[1] in sentences else "{"
        return match[0] if "{" in sentence else f"\x02{sentence}\x03"

    def joined(match: re.Match[str]) -> str:
        parts = [part.strip("\x02\x03") for part in _FORMULA.findall(match[2])]
        if match[1] == "or" and len(parts) > 1:  # numbered, since an alternative may itself be joined by "and"
            numbered = ", ".join(f"({number}) {part}" for number, part in enumerate(parts, 1))
            return f"\x02one of these: {numbered}\x03"
        return f"\x02{'it is not so that ' * (match[1] == 'not')}{together(parts) or _EMPTY.get(match[1])}\x03"

    text = _LEFT.sub(lambda match: f"\x02{match[0].translate({40: 4, 41: 5})}\x03", text)
    before, text = "", _ATOM.sub(told, text)
    while text != before:
        before, text = text, _JOINED.sub(joined, text)
    text = _VALUES.sub(lambda match: f" ({match[0][2:].replace(' :', ', ')})", text) if "\x03" in text else text
    return text.translate({2: None, 3: None, 4: "(", 5: ")"})


def sentences_in(vocabulary: Mapping[str, Any]) -> dict[str, str]:
    """Return the sentence of each fact and action of a ``vocabulary`` event of a record, by name."""
    tables = (vocabulary.get("facts"), vocabulary.get("actions"))
    return {name: str(text) for table in tables if isinstance(table, Mapping) for name, text in table.items()}


def sentence_of(fact: str, sentences: Mapping[str, str]) -> str:
    """Return a fact or an action such as ``(open robot0 fridge0)`` in words; by its name if it has no sentence.

    The values of an action are told behind: ``robot0 goes to table0 (speed 20cm/s)``.
    """
    name, *words = fact.strip("()").split() or [""]
    end = next((at for at, word in enumerate(words) if word.startswith(":")), len(words))
    args, values = words[:end], words[end:]
    sentence = sentences.get(name, "").rstrip(".") or " ".join((name.replace("_", " "), *args))
    for number, arg in enumerate(args):
        sentence = sentence.replace(f"{{{number}}}", arg)
    told = " ".join(values).replace(" :", ", ").removeprefix(":")
    return sentence + (f" ({told})" if told else "")


def number_in_words(fluent: Atom, quantity: Quantity, sentence: str) -> str:
    """Write the value of a number by its sentence, such as "{0} holds {value}"; without one "(level jar0) is 20ml"."""
    if not sentence:
        return f"{fluent} is {quantity.rounded}"
    return sentence_of(str(fluent), {fluent.predicate: sentence}).replace("{value}", str(quantity.rounded))
