"""Text for people: formulas as the sentences of their predicates, and shortened foreign text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from semantics.atoms import And, Atom, Formula, Not, Or
from semantics.quantity import Quantity
from semantics.vocabulary import Predicate

__all__ = ["counted", "in_words", "number_in_words", "shortened", "together"]

MOST_QUOTED = 60
"""How many characters of foreign text a message repeats."""


def shortened(text: str, most: int = MOST_QUOTED) -> str:
    """Return `text` on one line, cut to `most` characters with an ellipsis; only its beginning is read."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[: most - 1].rstrip()}…"


def in_words(formula: Formula, predicates: Mapping[str, Predicate]) -> str:
    """Write ``(and (in juice0 fridge0) (closed fridge0))`` as "juice0 is in fridge0 and fridge0 is closed"."""
    match formula:
        case Atom():
            return _atom(formula, predicates)
        case Not(part):
            return f"it is not so that {in_words(part, predicates)}"
        case And(parts):
            return together(in_words(part, predicates) for part in parts) or "nothing is asked for"
        case Or(parts):
            return together((in_words(part, predicates) for part in parts), "or") or "nothing will do"
        case _:
            return str(formula)


def _atom(atom: Atom, predicates: Mapping[str, Predicate]) -> str:
    predicate = predicates.get(atom.predicate)
    if predicate is None or len(predicate.parameters) != len(atom.args):
        return str(atom)
    sentence = predicate.description
    for number, arg in enumerate(atom.args):
        sentence = sentence.replace(f"{{{number}}}", arg)
    return sentence.rstrip(".")


def number_in_words(fluent: Atom, quantity: Quantity, sentence: str) -> str:
    """Write the value of a number by its sentence, such as "{0} holds {value}"; without one "(level jar0) is 20ml"."""
    if not sentence:
        return f"{fluent} is {quantity.rounded}"
    for index, arg in enumerate(fluent.args):
        sentence = sentence.replace(f"{{{index}}}", arg)
    return sentence.replace("{value}", str(quantity.rounded)).rstrip(".")


def counted(number: int, word: str) -> str:
    """Return a number with its noun, in the plural if needed: "1 file", "2 files"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def together(parts: Iterable[str], word: str = "and") -> str:
    """Join parts of a sentence."""
    phrases = list(parts)
    return f" {word} ".join((", ".join(phrases[:-1]), phrases[-1])) if len(phrases) > 1 else "".join(phrases)
