"""Values in a sentence: how fast, how long, how much. They stand beside the goal and are taken out of its clauses.

A world says which values its capabilities take, and which words mean one: "slowly" may be a speed of 20 cm/s. A
quantity means the value with its dimension: "at 20 cm/s" is a speed. What stands in a clause is meant for all that is
done at the same stage, since no step of a plan belongs to one clause.

A number with a unit, as in "ten seconds", "half a minute", "0.5 m/s", becomes one token, such as ``10s``, where it can
be nothing else: at the end of a clause, or before "of" or a preposition. So "a second cup" stays as it is, and "wait a
second" does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, permutations, product

from semantics.logic.feedback import Code, Feedback
from semantics.logic.quantity import UNITS, Dimension, Quantity, ValueModel, unit_said
from semantics.words.english import NUMBER_BEGINNINGS, TABLES, a_noun, listed, spoken_number

_SLASHED = "|".join(sorted((unit.lower() for unit in UNITS if "/" in unit), key=len, reverse=True))
QUANTITY = rf"\d+\.\d+(?:(?:{_SLASHED})\b|[^\W\d_]*)|\d*(?:{_SLASHED})\b"
"""A pattern of the tokens that no other word is: decimal numbers, and units with a slash."""
_ATTACHED = re.compile(r"(\d+(?:\.\d+)?(?:e\+\d+)?)([a-z%]+(?:/[a-z]+)?)")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_BEHIND = frozenset({
    ",", ".", ";", ":", "!", "?", "and", "then", "but", "at", "to", "in", "into", "on", "onto", "for", "with", "of",
    "from", "by", "before", "after", "while", "until", "left", "right", "behind", "away", "above", "below", "over",
    "up", "down", "toward", "towards", "north", "south", "east", "west", "forward", "forwards", "backwards", "closer",
    "higher", "lower", "farther", "further", "around", "each", "clockwise", "counterclockwise", "anticlockwise",
    "apart", "against", "between", "off",
})  # fmt: skip
"""What may stand behind a quantity; before anything else, its unit may be part of a name."""
_BESIDE = frozenset({"left", "right", "behind", "in", "to", "on", "north", "south", "east", "west", "from", "away"})
"""Before these words, a length is a distance, and not a height."""
_HEDGES = tuple(sorted((tuple(words.split()) for words in listed(TABLES["hedges"])), key=len, reverse=True))
DISTANCE = "distance"
_MOST_NUMBER = 6
_MOST_UNIT = 3
_LARGEST = 1e300  # a longer number is as far out of every range
Models = Mapping[str, tuple[ValueModel, ...]]
"""What capabilities take beside things, by the name of the capability."""
Values = tuple[tuple[str, Quantity], ...]
"""Quantities by the name of a value, or by that of a capability and of its value, as in ``move.speed``."""
_LEADING = frozenset({"at", "with", "by", "for", "of"})
_TIMES = frozenset({"in", "after", "before", "within", "until", "till", "every"})
"""Words that make of a duration the time at which something is to be done: "in ten seconds"."""
_NO_VALUE = _TIMES | {"than", "about", "around", "the"}
"""Words before a quantity that make something else of it."""
_LONGEST_WORD = 3


@dataclass(frozen=True, slots=True)
class SaidValue:
    """A value in a sentence.

    Attributes:
        words: The words that say it.
        values: What they mean.
    """

    words: str
    values: Values


SaidClause = tuple[str, Sequence[SaidValue], Collection[str]]
"""The words, the values and the predicates of the goal of a clause."""


def values_taken_out(
    words: tuple[str, ...], models: Models, is_name: Callable[[str], bool]
) -> tuple[tuple[str, ...], tuple[SaidValue, ...], Feedback | None]:
    """Return words without those for values, the values, and why one of them is unclear."""
    left: list[str] = []
    said: list[SaidValue] = []
    at = 0
    while at < len(words):
        length, found = _value_at(words, at, models, is_name)
        if isinstance(found, Feedback):
            return words, (), found
        if found is None:
            left += words[at : at + length]
        else:
            said.append(found)
        at += length
    return tuple(left), tuple(said), None


def _value_at(
    words: tuple[str, ...], at: int, models: Models, is_name: Callable[[str], bool]
) -> tuple[int, SaidValue | Feedback | None]:
    """Return the number of words that are read at a position, and the value that they are; None for another word."""
    for length in range(min(_LONGEST_WORD, len(words) - at), 0, -1):
        text = " ".join(words[at : at + length])
        if (meant := tuple(_meanings(text, models))) and _is_whole(words[at + length : at + length + 1], meant):
            return length, None if _is_named(words, at, at + length, is_name) else SaidValue(text, meant)
    start = at + 1 if words[at] in _LEADING else at
    start, name = _named(words, start, models) if start > at else (start, "")
    quantity = quantity_in(words[start]) if start < len(words) else None
    if quantity is not None and quantity.dimension is Dimension.LENGTH and not name and _with(DISTANCE, models):
        name = DISTANCE if words[start + 1 : start + 2] and words[start + 1] in _BESIDE else ""
    is_amount = int(words[start + 1 : start + 2] == ("of",))  # "with 30 ml of water": its "with" belongs to the water
    is_of_it = is_amount and words[start + 2 :] in (("it",), ("them",))  # "wipe the table, half of it"
    before = words[at - 1] if at else ""
    if quantity is not None and quantity.dimension is Dimension.DURATION and before in _TIMES:
        return 1, _no_time(f"{before} {quantity}", quantity, models)
    if quantity is None or before in _NO_VALUE or (is_amount and start > at and not name):
        return 1, None
    return start + 1 + is_amount + is_of_it - at, _meant(quantity, " ".join(words[at : start + 1]), name, models)


def _is_whole(behind: tuple[str, ...], meant: Values) -> bool:
    """Return whether words mean a value before what stands behind them; "a little" does not mean a length of water."""
    is_length = any(quantity.dimension is Dimension.LENGTH for _, quantity in meant)
    return not (is_length and behind) or behind[0] in _BEHIND - {"of"}


def _is_named(words: tuple[str, ...], start: int, end: int, is_name: Callable[[str], bool]) -> bool:
    """Return whether the words from `start` to `end` belong to the name of a thing."""
    spans = product(
        range(max(0, start - _LONGEST_WORD), start + 1), range(end, min(len(words), end + _LONGEST_WORD) + 1)
    )
    return any(is_name(" ".join(words[first:last])) for first, last in spans if last - first > end - start)


def _named(words: tuple[str, ...], at: int, models: Models) -> tuple[int, str]:
    """Return where the quantity of "a speed of 20 cm/s" stands, and the name of the value; "" if none is named."""
    start = at + 1 if words[at : at + 1] in (("a",), ("an",), ("the",)) else at
    for name in {model.name for taken in models.values() for model in taken}:
        said = tuple(name.replace("_", " ").split())
        end = start + len(said)
        if words[start:end] == said:
            return end + (words[end : end + 1] == ("of",)), name
    return at, ""


def _meanings(word: str, models: Models) -> Iterator[tuple[str, Quantity]]:
    """Yield what a word such as "slowly" means: for all capabilities at once where it is the same for all."""
    meant = {
        (capability, model.name): Quantity(model.words[word], model.unit)
        for capability, taken in models.items()
        for model in taken
        if word in model.words
    }
    for name in sorted({name for _, name in meant}):
        of_all = [(capability, meant.get((capability, name))) for capability in _with(name, models)]
        if len({quantity for _, quantity in of_all}) == 1:
            yield name, meant[of_all[0][0], name]
        else:
            yield from ((f"{capability}.{name}", quantity) for capability, quantity in of_all if quantity is not None)


def _with(name: str, models: Models) -> list[str]:
    return sorted(capability for capability, taken in models.items() if any(model.name == name for model in taken))


def _meant(quantity: Quantity, text: str, name: str, models: Models) -> SaidValue | Feedback:
    """Return the value that a quantity is, by its dimension or by the name that was said."""
    every = {model.name: model for taken in models.values() for model in taken}
    names = [name] if name else sorted(own for own, model in every.items() if model.dimension is quantity.dimension)
    if len(names) == 1:
        return SaidValue(text, ((names[0], quantity),))
    instead = tuple(f"with {a_noun(own.replace('_', ' '))} of {quantity}" for own in names)
    if names:
        why, how = f"it may be the {' or the '.join(names)}.", f"Say {' or '.join(map(repr, instead))}."
    else:
        what = quantity.dimension
        why = f"it is {a_noun(what)}, and nothing that is done here takes one."
        how = f"What can be said is {' or '.join(model.form for model in every.values())}."
    return Feedback(Code.AMBIGUOUS if names else Code.NOT_UNDERSTOOD, f"'{text}'", why, how, (text,), instead=instead)


def _no_time(text: str, quantity: Quantity, models: Models) -> Feedback:
    why = "the time at which something is to be done cannot be said."
    waits = any(model.dimension is Dimension.DURATION for taken in models.values() for model in taken)
    return Feedback(Code.NOT_UNDERSTOOD, f"'{text}'", why, f"Say 'wait {quantity}, then …'." if waits else "", (text,))


def values_of(said: Sequence[SaidValue], clauses: Sequence[SaidClause]) -> tuple[Values, tuple[str, ...]] | Feedback:
    """Return the values of a stage with a note on each word; feedback if it is unclear what they mean.

    Args:
        said: All values of the stage.
        clauses: The clauses of the stage.
    """
    values: dict[str, Quantity] = {}
    measured = {name for each in said if _is_measured(each) for name, _ in each.values}
    said = [each for each in said if _is_measured(each) or not {name for name, _ in each.values} <= measured]
    for each in said:
        for name, quantity in each.values:
            if values.get(name, quantity) != quantity:
                words = " and ".join(f"'{one.words}'" for one in said if name in dict(one.values))
                why = f"its {name} is said twice: {words}."
                how = "Say what is done so and what is done otherwise one after the other, with 'then'."
                done = " and ".join(words for words, _, _ in clauses)
                return Feedback(Code.AMBIGUOUS, f"'{done}'", why, how, (name,))
            values[name] = quantity
    return _half_said(clauses) or (tuple(sorted(values.items())), tuple(_notes(said)))


def of_relation(said: SaidValue, made: Collection[str], models: Models) -> SaidValue:
    """Return a value for the actions alone that are named for what a clause asks for, if some that take it are.

    So "the fork 5 cm left of the plate and the knife 2 cm right of it" says two distances.

    Args:
        said: The value.
        made: The predicates of the goal of the clause.
        models: What capabilities take beside things.
    """
    endings = tuple(f"_{each}" for each in made)
    values: list[tuple[str, Quantity]] = []
    for name, quantity in said.values:
        own = [taker for taker in _with(name, models) if taker.endswith(endings)]
        values += [(f"{taker}.{name}", quantity) for taker in own] or [(name, quantity)]
    # A word such as "a little" has a meaning for each relation.
    meant = [(name, quantity) for name, quantity in values if name.partition(".")[0].endswith(endings)]
    return replace(said, values=tuple(meant or values))


def _half_said(clauses: Sequence[SaidClause]) -> Feedback | None:
    """Return why a value of one clause would count for another one too, of which it was not said; None if none would.

    What is said of a relation holds for all facts of this relation that one stage asks for.
    """
    for (_, values, _), (words, others, made) in permutations(clauses, 2):
        told = {name for other in others for name, _ in other.values}
        for value in values:
            for name, _ in value.values:
                taker, dot, own = name.rpartition(".")
                if dot and name not in told and any(taker.endswith(f"_{each}") for each in made):
                    why = f"'{value.words}' would count for it too, as both are done at the same stage."
                    how = f"Say its {own} as well, or say the two one after the other, with 'then'."
                    return Feedback(Code.AMBIGUOUS, f"'{words}'", why, how, (own,))
    return None


def _is_measured(said: SaidValue) -> bool:
    """Return whether a value was said as a quantity; beside it, "carefully" says no more."""
    return quantity_in(said.words.split()[-1]) is not None


def _notes(said: Iterable[SaidValue]) -> Iterator[str]:
    for each in said:
        if _is_measured(each):
            continue  # it means what it says
        meant = ", ".join(f"{name} {quantity}" for name, quantity in each.values)
        yield f"'{each.words}' was read as {meant}."


_DELAYING = frozenset({",", "not", "before", "earlier", "sooner", "from", "now", "time", "or", "no", "and"})


def with_wait(tokens: Sequence[str], verbs: Collection[str]) -> list[str]:
    """Return tokens with "wait …, then" for the time after which all is to be done: "in two minutes, bring me …"."""
    for at in range(len(tokens) - 2) if "wait" in verbs else ():
        quantity = quantity_in(tokens[at + 1]) if tokens[at] in ("in", "after") else None
        if quantity is not None and quantity.dimension is Dimension.DURATION:
            rest = list(dropwhile(_DELAYING.__contains__, tokens[at + 2 :]))
            is_last, words = rest[:1] == ["."], {*tokens[:at]}
            if at == 0 and not is_last:
                return ["wait", tokens[1], "then", *rest]
            if is_last and words.isdisjoint({"and", ",", ".", "then", "wait", "before", "hold", "is"}):
                return ["wait", tokens[at + 1], "then", *tokens[:at], "."]
    return list(tokens)


def with_quantities(tokens: Sequence[str]) -> list[str]:
    """Return tokens in lower case, the last of which is a full stop, with each quantity as one of them."""
    joined: list[str] = []
    at = 0
    while at < len(tokens):
        begins_number = tokens[at][:1].isdigit() or tokens[at].partition("-")[0] in NUMBER_BEGINNINGS
        found = (_share_at(tokens, at) or _quantity_at(tokens, at)) if begins_number else None
        if found is not None:
            joined = _without_hedge(joined, -1)
        joined.append(tokens[at] if found is None else str(found[0]).lower())
        at += 1 if found is None else found[1]
        if found is not None:
            at = len(tokens) - len(_without_hedge(tokens[at:], 1))
    return joined


def _without_hedge(tokens: Sequence[str], step: int) -> list[str]:
    """Return tokens without words beside a quantity that leave it as it is, at their begin (1) or at their end (-1)."""
    words = tuple(tokens)[::step]
    length = next((len(run) for run in _HEDGES if words[: len(run)] == run[::step]), 0)
    return list(words[length:][::step])


def _share_at(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """Return the share that begins at a position, as in "a third of it" and "half full", and its number of tokens."""
    for length in (2, 1):
        share, behind = spoken_number(tuple(tokens[at : at + length])), tokens[at + length : at + length + 2]
        is_part = behind[:1] == ["of"] and behind[1:] not in (["a"], ["an"])
        is_part = is_part and (behind[1:] == ["it"] or "half" not in tokens[at : at + length])
        is_part = is_part or behind[:1] == ["full"] or (tokens[at - 1] == "to" and {*behind[:1]} <= _BEHIND)
        if share is not None and 0.0 < share < 1.0 and is_part:
            return Quantity(round(100.0 * share, 3), "%"), length
    return None


def quantity_in(token: str) -> Quantity | None:
    """Return the quantity that is a token of `with_quantities`; None for any other one."""
    match = _ATTACHED.fullmatch(token)
    unit = None if match is None else unit_said((match[2],))
    return None if match is None or unit is None else Quantity(float(match[1]), unit)


def _quantity_at(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """Return the quantity that begins at a position, and its number of tokens."""
    for length in range(min(_MOST_NUMBER, len(tokens) - at - 1), 0, -1):
        is_written = length == 1 and _DIGITS.fullmatch(tokens[at])
        number = float(tokens[at]) if is_written else spoken_number(tuple(tokens[at : at + length]))
        for unit, end in _units_at(tokens, at + length) if number is not None else ():
            if len(tokens[at + length]) == 1 and not _DIGITS.fullmatch(tokens[at]):
                continue  # "a m" and "two l" are no quantities
            more, last = _more(tokens, end, unit)
            if tokens[last] in _BEHIND:
                return Quantity(min((number or 0.0) + more, _LARGEST), unit), last - at
    return None


def _units_at(tokens: Sequence[str], at: int) -> Iterator[tuple[str, int]]:
    """Yield each unit that begins at a position, the longest first, with its end."""
    for length in range(min(_MOST_UNIT, len(tokens) - at - 1), 0, -1):
        unit = unit_said(tokens[at : at + length])
        if unit is not None:
            yield unit, at + length


def _more(tokens: Sequence[str], end: int, unit: str) -> tuple[float, int]:
    """Return what comes to a quantity that ends at a position, and where it ends then.

    This is the half of "a minute and a half", and the seconds of "a minute and thirty seconds". Nothing comes to a
    speed: "0.5 m/s 20 cm/s" are two.
    """
    if "/" in unit:
        return 0.0, end
    start = end + (tokens[end] == "and")
    if start > end and tuple(tokens[start : start + 2]) == ("a", "half"):
        return 0.5, start + 2
    second = _quantity_at(tokens, start)
    if second is None or second[0].dimension is not UNITS[unit].dimension or second[0].base >= UNITS[unit].factor:
        return 0.0, end
    return second[0].to(unit).number, start + second[1]
