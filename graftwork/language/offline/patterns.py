"""Goal phrases as patterns: alternatives ``put|place``, optional words ``[down]``, slots ``{thing}``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from graftwork.language.offline.tokens import AND
from semantics.atoms import And, Atom, Formula, Not, Or, literals
from semantics.errors import FormulaError, UsageError
from semantics.parsing import parse_formula
from semantics.vocabulary import GoalPhrase, Vocabulary

__all__ = ["Match", "Pattern", "compiled", "filled", "verbs"]

Element = frozenset[str] | str
"""Words of which one has to stand here, or the name of a slot."""

_PART = re.compile(r"\[([^\[\]]*)\]|\{([A-Za-z]\w*)\}|([^\s\[\]{}]+)")
_SLOT = re.compile(r"\{([A-Za-z]\w*)\}")
_MARK = "slot-"
_ME = frozenset({"me"})
_JOINING = frozenset({AND, "or"})
"""No slot begins or ends with one of these."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where the elements of a pattern lie in the words it matched.

    Attributes:
        slots: First and behind-last word of each slot.
        ends: Behind-last word of each element, in order.
    """

    slots: Mapping[str, tuple[int, int]]
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A goal phrase, ready to be matched.

    Attributes:
        phrase: As the domain gives it.
        variants: Its elements, with and without each optional part; the fullest first.
        template: Its goal; a name ``slot-thing`` stands for the slot ``thing``.
        free: Slots of the goal that the pattern does not hold: ``robot``, ``speaker``, or a noun such as ``trash``.
        denied: By slot, the predicate that the goal denies of it and the slot that stands beside it there: what is
            taken out of something is in it now.
        recipient: The slot that stands where the phrase has "me", so that what is said of the speaker can be said of
            anybody: "give me the cup", "give the person the cup".
    """

    phrase: GoalPhrase
    variants: tuple[tuple[Element, ...], ...]
    template: Formula
    free: tuple[str, ...] = ()
    denied: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    recipient: str | None = None

    def matches(self, words: tuple[str, ...]) -> Iterator[Match]:
        """Yield every way in which the pattern covers all of `words`."""
        for variant in self.variants:
            for ends in _fitted(variant, words, 0, 0):
                starts = (0, *ends[:-1])
                elements = zip(variant, starts, ends, strict=True)
                spans = {each: (start, end) for each, start, end in elements if isinstance(each, str)}
                if not any({words[start], words[end - 1]} & _JOINING for start, end in spans.values()):
                    yield Match(spans, ends)


def compiled(vocabulary: Vocabulary) -> tuple[Pattern, ...]:
    """Return the patterns of a vocabulary, in order of preference.

    Raises:
        UsageError: A phrase that cannot be read; the message names it.
    """
    patterns = tuple(map(_pattern, vocabulary.phrases))
    return (*patterns, *filter(None, (_to_anybody(pattern, vocabulary) for pattern in patterns)))


def verbs(patterns: tuple[Pattern, ...]) -> tuple[str, ...]:
    """Return the words that a phrase can begin with, sorted."""
    first = (variant[0] for pattern in patterns for variant in pattern.variants if variant)
    return tuple(sorted({word for element in first if isinstance(element, frozenset) for word in element}))


def filled(template: Formula, binding: Mapping[str, str]) -> Formula:
    """Put names into the slots of a template."""
    match template:
        case Atom(predicate, args):
            return Atom(predicate, tuple(binding.get(arg.removeprefix(_MARK), arg) for arg in args))
        case Not(part):
            return Not(filled(part, binding))
        case And(parts):
            return And(tuple(filled(part, binding) for part in parts))
        case Or(parts):
            return Or(tuple(filled(part, binding) for part in parts))
        case _:
            raise UsageError(f"a phrase's goal holds {template}; expected atoms, 'and', 'or' and 'not'")


def _pattern(phrase: GoalPhrase) -> Pattern:
    if _PART.sub("", phrase.pattern).strip():
        raise UsageError(f"phrase '{phrase.pattern}': a bracket or brace without its counterpart")
    held = {match[2] for match in _PART.finditer(phrase.pattern) if match[2]}
    free = tuple(slot for slot in dict.fromkeys(_SLOT.findall(phrase.goal)) if slot not in held)
    try:
        template = parse_formula(_SLOT.sub(lambda match: f"{_MARK}{match[1]}", phrase.goal))
    except FormulaError as error:
        raise UsageError(f"phrase '{phrase.pattern}': its goal '{phrase.goal}': {error.reason}") from error
    return Pattern(phrase, _variants(phrase.pattern), template, free, _denied(template))


def _denied(template: Formula) -> dict[str, tuple[str, str]]:
    """Return the slots that stand first in a denied relation to another slot."""
    relations = [atom for atom, positive in literals(template) if not positive and len(atom.args) == 2]
    return {
        one.removeprefix(_MARK): (predicate, other.removeprefix(_MARK))
        for predicate, (one, other) in relations
        if one.startswith(_MARK) and other.startswith(_MARK)
    }


def _to_anybody(pattern: Pattern, vocabulary: Vocabulary) -> Pattern | None:
    """Return the pattern with a slot in the place of "me", if it has one that stands for the speaker."""
    if "speaker" not in pattern.free or not any(_ME in variant for variant in pattern.variants):
        return None
    arguments = (
        pair
        for atom, _ in literals(pattern.template)
        if atom.predicate in vocabulary.predicates
        for pair in zip(atom.args, vocabulary.predicates[atom.predicate].parameters, strict=False)
    )
    needed = next((affordance for arg, affordance in arguments if arg == f"{_MARK}speaker"), "object")
    slots = {**pattern.phrase.slots, "speaker": needed}
    return replace(
        pattern,
        phrase=replace(pattern.phrase, slots=slots),
        variants=tuple(
            tuple("speaker" if each == _ME else each for each in variant)
            for variant in pattern.variants
            if _ME in variant
        ),
        free=tuple(slot for slot in pattern.free if slot != "speaker"),
        recipient="speaker",
    )


def _variants(pattern: str) -> tuple[tuple[Element, ...], ...]:
    parts: list[tuple[tuple[Element, ...], ...]] = []
    for optional, slot, words in (match.groups() for match in _PART.finditer(pattern)):
        if slot:
            parts.append(((slot,),))
        elif words:
            parts.append(((_alternatives(words),),))
        else:
            parts.append((tuple(map(_alternatives, optional.split())), ()))
    return tuple(tuple(element for part in choice for element in part) for choice in product(*parts))


def _alternatives(words: str) -> frozenset[str]:
    return frozenset(word.lower() for word in words.split("|") if word)


def _fitted(variant: tuple[Element, ...], words: tuple[str, ...], element: int, at: int) -> Iterator[tuple[int, ...]]:
    """Yield the ends of the elements from `element` on, so that they cover the words from `at` on."""
    if element == len(variant):
        if at == len(words):
            yield ()
        return
    wanted = variant[element]
    if isinstance(wanted, frozenset):
        ends = range(at + 1, at + 2) if at < len(words) and words[at] in wanted else range(0)
    elif element == len(variant) - 1:
        ends = range(max(len(words), at + 1), len(words) + 1)
    else:
        ends = range(at + 1, len(words) - (len(variant) - element - 1) + 1)
    for end in ends:
        for rest in _fitted(variant, words, element + 1, end):
            yield (end, *rest)
