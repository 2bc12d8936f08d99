"""Patterns of words for the goal phrases of a domain.

A pattern has alternatives ``put|place``, optional words ``[down]`` and slots ``{thing}``. Every word about a world
comes from its vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product

from semantics.errors import FormulaError, UsageError
from semantics.logic.atoms import And, Atom, Formula, Not, Or, literals, rebuilt
from semantics.logic.parsing import parse_formula
from semantics.logic.vocabulary import GoalPhrase, Vocabulary

Element = frozenset[str] | str
"""A set of words, one of which must match, or the name of a slot."""

AND = "&"
"""Joins the parts of a list inside a clause; no sentence can contain it as a word."""
VIEWER = "seen_from"
"""The slot for who sees the directions of a clause; it stands in no phrase."""
_PART = re.compile(r"\[([^\[\]]*)\]|\{([A-Za-z]\w*)\}|([^\s\[\]{}]+)")
_SLOT = re.compile(r"\{([A-Za-z]\w*)\}")
_MARK = "slot-"
_ME = frozenset({"me"})
MOST_COMPILED = 4096
"""How many phrases of all worlds are compiled at most."""
_JOINING = frozenset({AND, "or"})
"""No slot begins or ends with one of these."""


@dataclass(frozen=True, slots=True)
class Match:
    """The positions of a pattern's elements in the matched words.

    Attributes:
        slots: Start and end (exclusive) of each slot, as word indices.
        ends: End (exclusive) of each element, in order.
    """

    slots: Mapping[str, tuple[int, int]]
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled goal phrase.

    Attributes:
        phrase: The phrase of the domain.
        variants: Its elements, with and without each optional part; the longest variant first.
        template: Its goal; a name ``slot-thing`` stands for the slot ``thing``.
        free: Slots of the goal that are not in the pattern: ``robot``, ``speaker``, or a noun such as ``trash``.
        denied: For each slot that the goal negates, the predicate and the other slot of the negated fact: an object
            that is to leave a container is in it now.
        recipient: The slot that replaces "me" in the phrase, so that it works for any person: "give me the cup", "give
            the person the cup".
    """

    phrase: GoalPhrase
    variants: tuple[tuple[Element, ...], ...]
    template: Formula
    free: tuple[str, ...] = ()
    denied: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    recipient: str | None = None

    def matches(self, words: tuple[str, ...]) -> Iterator[Match]:
        """Yield every match of the pattern with all of `words`."""
        for variant in self.variants:
            for ends in _fitted(variant, words, 0, 0):
                starts = (0, *ends[:-1])
                elements = zip(variant, starts, ends, strict=True)
                spans = {element: (start, end) for element, start, end in elements if isinstance(element, str)}
                if self.recipient is not None and words[spans[self.recipient][0]] in _ME:
                    continue  # the phrase itself matches "me"
                if not any({words[start], words[end - 1]} & _JOINING for start, end in spans.values()):
                    yield Match(spans, ends)


def compiled(vocabulary: Vocabulary) -> tuple[Pattern, ...]:
    """Return the patterns of a vocabulary, in order of preference.

    Raises:
        UsageError: A phrase cannot be read; the message names it.
    """
    patterns = tuple(Pattern(phrase, *_compiled(phrase.pattern, phrase.goal)) for phrase in vocabulary.phrases)
    return (*patterns, *filter(None, (_to_anybody(pattern, vocabulary) for pattern in patterns)))


def verbs(patterns: tuple[Pattern, ...]) -> tuple[str, ...]:
    """Return the words that a phrase can begin with, sorted."""
    first = (variant[0] for pattern in patterns for variant in pattern.variants if variant)
    return tuple(sorted({word for element in first if isinstance(element, frozenset) for word in element}))


def filled(template: Formula, binding: Mapping[str, str]) -> Formula:
    """Return a template with names in its slots."""
    match template:
        case Atom(predicate, args):
            return Atom(predicate, tuple(binding.get(arg.removeprefix(_MARK), arg) for arg in args))
        case Not() | And() | Or():
            return rebuilt(template, lambda part: filled(part, binding))
        case _:
            raise UsageError(f"a phrase's goal holds {template}; expected atoms, 'and', 'or' and 'not'")


def with_viewer(pattern: Pattern, twins: Mapping[str, str], vocabulary: Vocabulary) -> Pattern:
    """Return a pattern whose goal names a viewer, in the slot `VIEWER`.

    Args:
        pattern: The pattern; at least one predicate of its goal is in `twins`.
        twins: The predicate that names its viewer as the last argument, for each that does not.
        vocabulary: The predicates, which say what a viewer has to afford.
    """

    def seen(part: Formula) -> Formula:
        if isinstance(part, Atom):
            twin = twins.get(part.predicate)
            return part if twin is None else Atom(twin, (*part.args, f"{_MARK}{VIEWER}"))
        return rebuilt(part, seen)

    made = (twins[atom.predicate] for atom, _ in literals(pattern.template) if atom.predicate in twins)
    slots = {**pattern.phrase.slots, VIEWER: vocabulary.predicates[next(made)].parameters[-1]}
    return replace(pattern, phrase=replace(pattern.phrase, slots=slots), template=seen(pattern.template))


def relation_words(vocabulary: Vocabulary) -> dict[str, str]:
    """Return the predicates of relations that are sensed on demand, by the words that phrases have for them.

    These are the words between the two slots of a phrase: "left of" of ``put {thing} [to the] left of {other}``.
    """
    found: dict[str, str] = {}
    wanted = {name for name, predicate in vocabulary.predicates.items() if predicate.on_demand}
    for phrase in vocabulary.phrases:
        if phrase.goal.lstrip("( ").partition(" ")[0] not in wanted:
            continue
        variants, goal, *_ = _compiled(phrase.pattern, phrase.goal)
        if not isinstance(goal, Atom) or len(goal.args) != 2:
            continue
        first, second = (arg.removeprefix(_MARK) for arg in goal.args)
        for variant in variants:
            between = variant[variant.index(first) + 1 : variant.index(second)]
            spoken = product(*(part for part in between if not isinstance(part, str)))
            found |= dict.fromkeys(map(" ".join, spoken), goal.predicate)
    return found


@lru_cache(maxsize=MOST_COMPILED)
def _compiled(
    pattern: str, goal: str
) -> tuple[tuple[tuple[Element, ...], ...], Formula, tuple[str, ...], Mapping[str, tuple[str, str]]]:
    """Compile a phrase: return what a `Pattern` has beside it; negated facts about two slots stand under the first."""
    if _PART.sub("", pattern).strip():
        raise UsageError(f"phrase '{pattern}': a bracket or brace without its counterpart")
    held = {match[2] for match in _PART.finditer(pattern) if match[2]}
    free = tuple(slot for slot in dict.fromkeys(_SLOT.findall(goal)) if slot not in held)
    try:
        template = parse_formula(_SLOT.sub(lambda match: f"{_MARK}{match[1]}", goal))
    except FormulaError as error:
        raise UsageError(f"phrase '{pattern}': its goal '{goal}': {error.reason}") from error
    relations = [atom for atom, positive in literals(template) if not positive and len(atom.args) == 2]
    denied = {
        subject.removeprefix(_MARK): (predicate, location.removeprefix(_MARK))
        for predicate, (subject, location) in relations
        if subject.startswith(_MARK) and location.startswith(_MARK)
    }
    return _variants(pattern), template, free, denied


def _to_anybody(pattern: Pattern, vocabulary: Vocabulary) -> Pattern | None:
    """Return the pattern with a slot in place of "me"; None if it does not speak of the speaker."""
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
            tuple("speaker" if element == _ME else element for element in variant)
            for variant in pattern.variants
            if _ME in variant
        ),
        free=tuple(slot for slot in pattern.free if slot != "speaker"),
        recipient="speaker",
    )


def _variants(pattern: str) -> tuple[tuple[Element, ...], ...]:
    """Return the elements of a pattern, with and without each optional part."""
    parts: list[tuple[tuple[Element, ...], ...]] = []
    for optional, slot, words in (match.groups() for match in _PART.finditer(pattern)):
        if slot:
            parts.append(((slot,),))
            continue
        tokens = [AND if word == "and" else word for word in (words or optional).lower().split()]
        elements = tuple(frozenset(filter(None, alternatives.split("|"))) for alternatives in tokens)
        parts.append((elements,) if words else (elements, ()))
    return tuple(tuple(element for part in choice for element in part) for choice in product(*parts))


def _fitted(variant: tuple[Element, ...], words: tuple[str, ...], element: int, at: int) -> Iterator[tuple[int, ...]]:
    """Yield the ends of the elements from index `element` that match all words from index `at`."""
    if element == len(variant):
        if at == len(words):
            yield ()
        return
    wanted = variant[element]
    if isinstance(wanted, frozenset):
        ends = range(at + 1, at + 2) if at < len(words) and words[at] in wanted else range(0)
    elif element == len(variant) - 1:
        # A slot at the end of the pattern must take all remaining words.
        ends = range(max(len(words), at + 1), len(words) + 1)
    else:
        # A slot in the middle leaves at least one word for each element behind it.
        ends = range(at + 1, len(words) - (len(variant) - element - 1) + 1)
    for end in ends:
        for rest in _fitted(variant, words, element + 1, end):
            yield (end, *rest)


def said(words: Iterable[str]) -> str:
    """Return words as the person said them."""
    return " ".join(words).replace(f" {AND} ", " and ")
