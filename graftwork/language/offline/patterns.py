"""Patterns of words for the goal phrases of a domain.

A pattern has alternatives ``put|place``, optional words ``[down]`` and slots ``{thing}``. Every word about a world
comes from its vocabulary.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby, product
from operator import itemgetter
from typing import TypeVar, cast

from graftwork.language.offline.frames import PLACING, Element, Variant, frames_of, tables
from semantics.errors import FormulaError, UsageError
from semantics.logic.atoms import And, Atom, Formula, Not, Or, literals, rebuilt
from semantics.logic.parsing import parse_formula
from semantics.logic.vocabulary import GoalPhrase, Vocabulary

Computed = TypeVar("Computed")
_SHARED: deque[tuple[Sequence[GoalPhrase], Mapping[str, object], dict[str, object]]] = deque(maxlen=8)
"""The phrases and predicates of the last vocabularies, with what was computed from them."""
AND = "&"  # joins the parts of a list inside a clause; no sentence can contain it as a word
VIEWER = "seen_from"  # the slot for who sees the directions of a clause; it stands in no phrase
_PART = re.compile(r"\[([^\[\]]*)\]|\{([A-Za-z]\w*)\}|([^\s\[\]{}]+)")
_SLOT = re.compile(r"\{([A-Za-z]\w*)\}")
MARK = "slot-"
_STATE = (re.compile(r"\{0\} is [a-z ]+"), re.compile(r"\{0\} is [a-z ]+ \{1\}"))
"""The sentences of facts about one thing and about two that are read as states."""
_FACT = re.compile(r"(\(not )?(\([^()]+\))\)?")
_IS = re.compile(r"\{\w+\} is (?!not )")
NOT_IS = " is not "  # in a phrase for what must not be
_ME = frozenset({"me"})
MOST_COMPILED = 4096  # how many phrases of all worlds are compiled at most
_JOINING = frozenset({AND, "or"})
"""No slot begins or ends with one of these."""


@dataclass(frozen=True, slots=True)
class Match:
    """The positions of a pattern's elements in the matched words."""

    slots: Mapping[str, tuple[int, int]]  # start and end (exclusive) of each slot, as word indices
    ends: tuple[int, ...]  # end (exclusive) of each element, in order


@dataclass(frozen=True)
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
        is_frame: Whether it is a phrase in another frame of English than the world's (see `frames`).
    """

    phrase: GoalPhrase
    variants: tuple[tuple[Element, ...], ...]
    template: Formula
    free: tuple[str, ...] = ()
    denied: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    recipient: str | None = None
    is_frame: bool = False

    @property
    def is_state(self) -> bool:
        """Whether it says how something is, and does not ask for it: "the door is open"."""
        return not self.is_frame and isinstance(self.variants[0][0], str)

    @cached_property
    def _needed(self) -> tuple[tuple[Variant, frozenset[str], tuple[frozenset[str], ...]], ...]:
        """Each variant with the words that it can begin with, if not with a slot, and the words that it needs."""
        every = ((variant, tuple(each for each in variant if not isinstance(each, str))) for variant in self.variants)
        return tuple((own, frozenset() if isinstance(own[0], str) else own[0], needed) for own, needed in every)

    def matches(self, words: tuple[str, ...], variants: Iterable[int] | None = None) -> Iterator[Match]:
        """Yield every match with all of `words`, of some of its variants if their numbers are given."""
        said = frozenset(words)
        for variant, first, needed in self._needed if variants is None else map(self._needed.__getitem__, variants):
            if (first and words[0] not in first) or any(element.isdisjoint(said) for element in needed):
                continue
            for ends in _fitted(variant, words, 0, 0):
                starts = (0, *ends[:-1])
                elements = zip(variant, starts, ends, strict=True)
                spans = {element: (start, end) for element, start, end in elements if isinstance(element, str)}
                if self.recipient is not None and words[spans[self.recipient][0]] in _ME:
                    continue  # the phrase itself matches "me"
                if any(
                    words[start] in _ME and words[start + 1 : end] and words[start + 1] != AND
                    for start, end in spans.values()
                ):
                    continue  # "bring me the cup" brings no "me the cup"
                if not any({words[start], words[end - 1]} & _JOINING for start, end in spans.values()):
                    yield Match(spans, ends)


def compiled(vocabulary: Vocabulary) -> tuple[Pattern, ...]:
    """Return the patterns of a vocabulary, in order of preference.

    Raises:
        UsageError: A phrase cannot be read; the message names it.
    """
    return _computed_once("patterns", vocabulary, lambda: _patterns_of(vocabulary))


def matches_of(
    words: tuple[str, ...], vocabulary: Vocabulary, is_asked: Callable[[Pattern], bool]
) -> Iterator[tuple[Pattern, Match]]:
    """Yield the patterns that match all of some words, in order of preference, and how.

    Only variants whose rarest word is among them are tried.
    """
    patterns = compiled(vocabulary)
    index = _computed_once("patterns by word", vocabulary, lambda: _by_rarest_word(patterns))
    fit = sorted({each for word in {*words, ""} for each in index.get(word, ())})
    for at, variants in groupby(fit, itemgetter(0)):
        if is_asked(patterns[at]):
            yield from ((patterns[at], match) for match in patterns[at].matches(words, map(itemgetter(1), variants)))


def _by_rarest_word(patterns: Sequence[Pattern]) -> dict[str, set[tuple[int, int]]]:
    """Return the variants of patterns, each as two numbers, by the words of their rarest element."""
    every = [
        (at, number, needed)
        for at, pattern in enumerate(patterns)
        for number, (_, _, needed) in enumerate(pattern._needed)
    ]
    uses = Counter(element for _, _, needed in every for element in needed)
    often = Counter[str]()
    for element, count in uses.items():
        often.update(dict.fromkeys(element, count))
    weights = {element: sum(often[word] for word in element) for element in uses}
    found = defaultdict[str, set[tuple[int, int]]](set)
    for at, number, needed in every:
        for word in min(needed, key=weights.__getitem__, default=("",)):
            found[word].add((at, number))
    return dict(found)


def _patterns_of(vocabulary: Vocabulary) -> tuple[Pattern, ...]:
    patterns = [Pattern(phrase, *_compiled(phrase.pattern, phrase.goal)) for phrase in vocabulary.phrases]
    patterns += (Pattern(phrase, *_compiled(phrase.pattern, phrase.goal)) for phrase in _derived_from(vocabulary))
    frames = (
        replace(each, variants=_frames(each.phrase.pattern, _is_placing(each)), is_frame=True) for each in patterns
    )
    others = (_to_anybody(pattern, vocabulary) for pattern in patterns)
    return (*patterns, *filter(None, others), *(frame for frame in frames if frame.variants))


def _derived_from(vocabulary: Vocabulary) -> Iterator[GoalPhrase]:
    """Yield the phrases for states, and for places with the furniture said: "on the table right of the plate"."""
    states = tuple(_states_of(vocabulary))
    yield from states
    for phrase in (*vocabulary.phrases, *states):
        fact = _FACT.fullmatch(phrase.goal) if _IS.match(phrase.pattern) else None
        if fact and not vocabulary.predicates[fact[2].strip("()").split()[0]].on_demand:
            denied = fact[2] if fact[1] else f"(not {phrase.goal})"
            yield replace(phrase, pattern=phrase.pattern.replace("} is ", f"}}{NOT_IS}", 1), goal=denied)
    predicates = vocabulary.predicates
    on = next((name for name, predicate in predicates.items() if predicate.description == "{0} is on {1}"), "")
    for phrase in vocabulary.phrases if on else ():
        relation = predicates.get(phrase.goal.lstrip("(").partition(" ")[0])
        if relation is not None and relation.on_demand and "{thing} " in phrase.pattern:
            pattern = phrase.pattern.replace("{thing} ", "{thing} on|onto {support} ", 1)
            slots = {**phrase.slots, "support": predicates[on].parameters[1]}
            yield GoalPhrase(pattern, f"(and ({on} {{thing}} {{support}}) {phrase.goal})", slots)


def _states_of(vocabulary: Vocabulary) -> Iterator[GoalPhrase]:
    """Yield a phrase for each predicate that says how something is, such as "{0} is on {1}"."""
    for name, predicate in vocabulary.predicates.items():
        count = len(predicate.parameters)
        if predicate.goal and _STATE[count - 1 : count] and _STATE[count - 1].fullmatch(predicate.description):
            slots = {f"the{number}": affordance for number, affordance in enumerate(predicate.parameters)}
            pattern = predicate.description.format(*(f"{{{slot}}}" for slot in slots))
            yield GoalPhrase(pattern, f"({name} {' '.join(f'{{{slot}}}' for slot in slots)})", slots)


def _is_placing(pattern: Pattern) -> bool:
    return all(len(atom.args) > 1 for atom, _ in literals(pattern.template))


@lru_cache(maxsize=MOST_COMPILED)
def _frames(pattern: str, is_placing: bool) -> tuple[Variant, ...]:
    slot, is_denied, state = pattern.partition(NOT_IS)
    if is_denied:
        every = (text.format(x=slot, state=state) for text in tables()["denials"])
        return tuple(variant for text in every for variant in variants_of(text))
    return tuple(frames_of(pattern.split()[0].split("|")[0], variants_of(pattern), is_placing=is_placing))


def verbs(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the words that a phrase of a vocabulary can begin with, sorted."""
    return _computed_once("verbs", vocabulary, lambda: verbs_in(compiled(vocabulary)))


def verbs_in(patterns: Iterable[Pattern]) -> tuple[str, ...]:
    """Return the words that some patterns can begin with, sorted."""
    first = {variant[0] for pattern in patterns for variant in pattern.variants}
    every = frozenset[str]().union(*(element for element in first if isinstance(element, frozenset)))
    return tuple(sorted(every - PLACING - {"i"}))


def known_words(vocabulary: Vocabulary) -> frozenset[str]:
    """Return every word that stands in a phrase of a vocabulary."""
    return _computed_once("words of phrases", vocabulary, lambda: _words_in(compiled(vocabulary)))


def _words_in(patterns: Sequence[Pattern]) -> frozenset[str]:
    elements = {element for pattern in patterns for variant in pattern.variants for element in variant}
    return frozenset().union(*(element for element in elements if isinstance(element, frozenset)))


def _computed_once(name: str, vocabulary: Vocabulary, compute: Callable[[], Computed]) -> Computed:
    """Return what is computed from the phrases of a vocabulary; other vocabularies with the same phrases share it."""
    made = vocabulary.computed.get("phrases")
    if not isinstance(made, dict):
        known = (each for *of, each in _SHARED if of == [vocabulary.phrases, vocabulary.predicates])
        if (made := next(known, None)) is None:
            made = dict[str, object]()
            _SHARED.append((vocabulary.phrases, vocabulary.predicates, made))
        vocabulary.computed["phrases"] = made
    if name not in made:
        made[name] = compute()
    return cast("Computed", made[name])


def slots_in(atom: Atom) -> tuple[str, ...]:
    """Return the slots that an atom of a template names."""
    return tuple(arg.removeprefix(MARK) for arg in atom.args)


def filled(template: Formula, binding: Mapping[str, str]) -> Formula:
    """Return a template with names in its slots."""
    match template:
        case Atom(predicate, args):
            return Atom(predicate, tuple(binding.get(arg.removeprefix(MARK), arg) for arg in args))
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
            return part if twin is None else Atom(twin, (*part.args, f"{MARK}{VIEWER}"))
        return rebuilt(part, seen)

    made = (twins[atom.predicate] for atom, _ in literals(pattern.template) if atom.predicate in twins)
    slots = {**pattern.phrase.slots, VIEWER: vocabulary.predicates[next(made)].parameters[-1]}
    return replace(pattern, phrase=replace(pattern.phrase, slots=slots), template=seen(pattern.template))


def relation_words(vocabulary: Vocabulary) -> dict[str, str]:
    """Return the predicates of relations that are sensed on demand, by the words that phrases have for them.

    These are the words between the two slots of a phrase: "left of" of ``put {thing} [to the] left of {other}``.
    """
    return _computed_once("words of relations", vocabulary, lambda: _relation_words(vocabulary))


def _relation_words(vocabulary: Vocabulary) -> dict[str, str]:
    found: dict[str, str] = {}
    wanted = {name for name, predicate in vocabulary.predicates.items() if predicate.on_demand}
    for phrase in vocabulary.phrases:
        if phrase.goal.lstrip("( ").partition(" ")[0] not in wanted:
            continue
        variants, goal, *_ = _compiled(phrase.pattern, phrase.goal)
        if not isinstance(goal, Atom) or len(goal.args) != 2:
            continue
        first, second = (arg.removeprefix(MARK) for arg in goal.args)
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
        template = parse_formula(_SLOT.sub(lambda match: f"{MARK}{match[1]}", goal))
    except FormulaError as error:
        raise UsageError(f"phrase '{pattern}': its goal '{goal}': {error.reason}") from error
    relations = [atom for atom, positive in literals(template) if not positive and len(atom.args) == 2]
    denied = {
        subject.removeprefix(MARK): (predicate, location.removeprefix(MARK))
        for predicate, (subject, location) in relations
        if subject.startswith(MARK) and location.startswith(MARK)
    }
    return variants_of(pattern), template, free, denied


def spans(pattern: str, words: tuple[str, ...]) -> Iterator[Mapping[str, tuple[int, int]]]:
    """Yield where the slots of a pattern stand in words that it matches all of; the longest variant comes first."""
    for variant in variants_of(pattern):
        for ends in _fitted(variant, words, 0, 0):
            elements = zip(variant, (0, *ends[:-1]), ends, strict=True)
            yield {element: (start, end) for element, start, end in elements if isinstance(element, str)}


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
    needed = next((affordance for arg, affordance in arguments if arg == f"{MARK}speaker"), "object")
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


@lru_cache(maxsize=MOST_COMPILED)
def variants_of(pattern: str) -> tuple[tuple[Element, ...], ...]:
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
