"""Turns a written command into an action of the domain, or into the reason why it names none.

Errors of notation are corrected before any rung of the ladder is asked: punctuation and capitals, hyphens, plurals,
another number at the end of a name, synonyms of a verb, filler words, amounts, an agent that is missing or named twice.
The result depends only on the text and the scene. The function never chooses between two meanings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, permutations, product

from domains.capability import Capability
from domains.model import Domain
from domains.problem import Problem
from semantics.errors import UsageError
from semantics.hints import did_you_mean, hint
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Operator
from semantics.logic.vocabulary import Thing
from semantics.words.english import singulars
from semantics.words.spelling import surely

__all__ = ["ALIKE", "AMOUNT", "FILLERS", "Lookup", "Meant", "completed", "meant"]

ENVELOPE = re.compile(r"^\s*(\[[^\]]*\]|\d+[.)]|[-*])\s*")
FILLERS = frozenset(
    {"the", "a", "an", "from", "to", "into", "onto", "in", "on", "at", "with", "using", "by", "of", "and", "then"}
)
AMOUNT = re.compile(r"^\d+(\.\d+)?\.?(_?(%|ml|cl|l|g|dosis|portions?|pieces?|liters?))?$")
MOST_WORDS = 4
"""The largest number of words in a name or a verb."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The meaning of a command, as far as its words give it.

    Attributes:
        capability: The name of the capability.
        binding: The objects for its parameters; parameters that the command does not name are missing.
        changed: Whether the command had to be corrected.
    """

    capability: str
    binding: Mapping[str, str]
    changed: bool


def meant(text: str, domain: Domain, things: Mapping[str, Thing]) -> Meant | Feedback:
    """Return the meaning of a command, or the feedback which part of it is unknown, with the nearest names.

    Args:
        text: The command, ``get gin_bottle from shelf hand_left`` or ``(get robot0 left_hand gin_bottle shelf)``.
        domain: The domain with its capabilities.
        things: The objects of the scene, by name.
    """
    words = _words(text)
    if not words:
        return Feedback(Code.UNREADABLE, f"'{text.strip()}'", "there is no command in it")
    verb, rest = _verb(words, domain)
    candidates = capabilities_of(verb, domain)
    if isinstance(candidates, Feedback):
        return candidates
    names = _names(rest, things)
    if isinstance(names, Feedback):
        return names
    named = tuple(name for name in dict.fromkeys(names) if not _is_only_agent(name, domain, things))
    lookup = Lookup(things)
    for capabilities, kin in product(candidates, (False, True)):
        choices = [lookup.kin(name) if kin else (name,) for name in named]
        fits = [
            (capability, way)
            for capability in capabilities
            for names in islice(product(*choices), 1 if not kin else None)
            for way in _ways(domain.capabilities[capability], names, things, domain)
        ]
        if len({capability for capability, _ in fits}) == 1 and fits:
            capability, binding = fits[0]
            return Meant(capability, binding, kin or _says_it(words, capability, named, domain, things))
        if fits:
            options = ", ".join(sorted({name for name, _ in fits}))
            return Feedback(Code.AMBIGUOUS, f"'{text.strip()}'", f"it may mean {options}", culprits=(verb,))
    return _unfit(verb, (*candidates[0], *candidates[1]), named)


def _words(text: str) -> list[str]:
    """Return the words of a command; the notation ``get(a, b)`` is understood too."""
    bare = ENVELOPE.sub("", text.strip())
    return [word for word in re.split(r"[\s,()]+", bare) if word.strip(EDGES)]


def _verb(words: Sequence[str], domain: Domain) -> tuple[str, Sequence[str]]:
    """Return the longest sequence of words at the start that names a capability, and the words after it."""
    for length in range(min(MOST_WORDS, len(words)), 1, -1):
        verb = "_".join(map(plain_name, words[:length]))
        if not isinstance(capabilities_of(verb, domain), Feedback):
            return verb, words[length:]
    return words[0], words[1:]


def _names(words: Sequence[str], things: Mapping[str, Thing]) -> list[str] | Feedback:
    """Return the objects that the words name, longest names first; filler words and amounts are skipped."""
    lookup, names, at = Lookup(things), [], 0
    while at < len(words):
        length = next(
            (
                size
                for size in range(min(MOST_WORDS, len(words) - at), 1, -1)
                if _is_name(words[at : at + size], lookup)
            ),
            1,
        )
        word = " ".join(words[at : at + length])
        at += length
        if length == 1 and (plain_name(word) in FILLERS or AMOUNT.match(word.strip(EDGES).lower())):
            continue
        name = lookup.named(word)
        if isinstance(name, Feedback):
            return name
        names.append(name)
    return names


def _is_name(words: Sequence[str], lookup: Lookup) -> bool:
    """Return whether several words form one name, and no single word of them is a name."""
    alone = any(isinstance(lookup.named(word), str) or plain_name(word) in FILLERS for word in words)
    return not alone and isinstance(lookup.named(" ".join(words)), str)


def _is_only_agent(name: str, domain: Domain, things: Mapping[str, Thing]) -> bool:
    agents = [name for name, thing in things.items() if _acts(thing, domain)]
    return agents == [name]


def _acts(thing: Thing, domain: Domain) -> bool:
    model = domain.agents.get(thing.class_name)
    return model is not None and bool(model.capabilities)


def _ways(
    capability: Capability, named: Sequence[str], things: Mapping[str, Thing], domain: Domain
) -> Iterator[Mapping[str, str]]:
    """Yield the bindings of the parameters to the named objects: in their order, or in the only order that fits."""
    numbers = range(len(capability.parameters))
    fitting = [
        places for places in combinations(numbers, len(named)) if _fits(capability, places, named, things, domain)
    ]
    if not fitting:
        others = [
            places for places in permutations(numbers, len(named)) if _fits(capability, places, named, things, domain)
        ]
        fitting = others if len(others) == 1 else []
    yield from (
        {capability.parameters[at].name: name for at, name in zip(places, named, strict=True)} for places in fitting
    )


def _fits(
    capability: Capability, places: Sequence[int], named: Sequence[str], things: Mapping[str, Thing], domain: Domain
) -> bool:
    return all(
        things[name].affords(capability.parameters[at].affordances)
        and (at > 0 or capability.agentless or _acts(things[name], domain))
        for at, name in zip(places, named, strict=True)
    )


def _says_it(
    words: Sequence[str], capability: str, named: Sequence[str], domain: Domain, things: Mapping[str, Thing]
) -> bool:
    """Return whether the command was corrected in more than filler words and amounts."""
    spoken = [word for word in words[1:] if word not in FILLERS and not AMOUNT.match(word)]
    return words[0] != capability or [word for word in spoken if not _is_only_agent(word, domain, things)] != list(
        named
    )


def _unfit(verb: str, capabilities: Sequence[str], named: Sequence[str]) -> Feedback:
    actions = ", ".join(dict.fromkeys(capabilities))
    why = f"{', '.join(named) or 'nothing'} is not what can be had for {actions}"
    return Feedback(Code.WRONG_AFFORDANCE, f"'{plain_name(verb)}'", why, culprits=tuple(named))


def completed(said: Meant, problem: Problem) -> Operator | Feedback:
    """Return the operator of a command; parameters that it does not name are chosen by the believed state.

    The choice is the operator with the fewest missing preconditions, the first one among equals. If a missing literal
    is one that no capability can change (salt from a bottle of gin), the command is reported as one that does not fit.
    """
    domain, things, state = problem.domain, problem.objects, problem.state
    capability = domain.capabilities[said.capability]
    choices = [_choices(number, said, capability, domain, things) for number in range(len(capability.parameters))]
    best: tuple[int, Operator] | None = None
    for args in product(*choices):
        try:
            operator = problem.ground(Action(capability.name, args))
            lacking = len(state.missing(operator.precondition))
        except UsageError:
            continue
        if best is None or lacking < best[0]:
            best = lacking, operator
    if best is None or any(
        literal.atom.predicate in domain.static_predicates for literal in state.missing(best[1].precondition)
    ):
        return _unfit(said.capability, (said.capability,), tuple(said.binding.values()))
    return best[1]


def _choices(
    number: int, said: Meant, capability: Capability, domain: Domain, things: Mapping[str, Thing]
) -> Sequence[str]:
    parameter = capability.parameters[number]
    if parameter.name in said.binding:
        return (said.binding[parameter.name],)
    able = [name for name, thing in things.items() if thing.affords(parameter.affordances)]
    acting = number == 0 and not capability.agentless
    return [name for name in able if not acting or _acts(things[name], domain)]


EDGES = "\"'`.,;:!?()[]{}<>*"
INDEX = re.compile(r"_?\d+$")


def plain_name(word: str) -> str:
    """Return a word in lower case without punctuation around it, its parts joined by underscores."""
    return re.sub(r"[\s\-]+", "_", word.strip().strip(EDGES).strip()).lower()


@dataclass(frozen=True)
class Lookup:
    """Finds the objects of a scene by the names that people may use.

    Six rules are tried in this order: the name itself, its parts in another order, another number at its end, singular
    or plural, the only object of a class, a typing error. The first rule that fits decides, and it has to give exactly
    one object. Similarity is never enough: a tomato juice is no lime juice.

    Attributes:
        things: All objects of the scene, by name.
    """

    things: Mapping[str, Thing]

    def named(self, word: str) -> str | Feedback:
        """Return the object that `word` means, or the feedback why it is unknown, with the nearest names."""
        name = plain_name(word)
        for rule in (self._same, self._same_parts, self._other_index, self._other_number, self._only_one, self._slip):
            matches = tuple(dict.fromkeys(rule(name)))
            if len(matches) == 1:
                return matches[0]
            if matches:
                how = f"Say which: {', '.join(matches[:6])}."
                return Feedback(Code.AMBIGUOUS, f"'{name}'", f"{len(matches)} things are meant by it", how, (name,))
        how = hint(name, dict.fromkeys((*self.things, *self._classes)), "object")
        return Feedback(Code.UNKNOWN_NAME, f"'{name}'", "no such thing is known", how, (name,))

    def kin(self, name: str) -> tuple[str, ...]:
        """Return `name` and the names that differ by a number at the end: ``mint``, ``mint1``, ``mint2``."""
        return (name, *(other for other in self.things if other != name and INDEX.sub("", other) == name))

    @cached_property
    def _plain(self) -> Mapping[str, str]:
        return {plain_name(name): name for name in self.things}

    @cached_property
    def _classes(self) -> Mapping[str, tuple[str, ...]]:
        """The objects of each class, by the name of the class and its synonyms."""
        by_word: dict[str, list[str]] = {}
        for name, thing in self.things.items():
            for word in dict.fromkeys((thing.class_name, *thing.words)):
                by_word.setdefault(plain_name(word), []).append(name)
        return {word: tuple(names) for word, names in by_word.items()}

    def _same(self, name: str) -> Iterable[str]:
        return (self._plain[name],) if name in self._plain else ()

    def _same_parts(self, name: str) -> Iterator[str]:
        parts, letters = sorted(name.split("_")), name.replace("_", "")
        for other, thing in self._plain.items():
            if sorted(other.split("_")) == parts or other.replace("_", "") == letters:
                yield thing

    def _other_index(self, name: str) -> Iterator[str]:
        """Yield the names that differ only by the number at the end, or have none."""
        stem = INDEX.sub("", name)
        yield from self._same(stem) or self._classes.get(stem, ())

    def _other_number(self, name: str) -> Iterator[str]:
        """Yield the names that differ only by singular or plural."""
        head, _, last = name.rpartition("_")
        for form in (*singulars(last), f"{last}s", f"{last}es"):
            whole = f"{head}_{form}" if head else form
            yield from self._same(whole) or self._classes.get(whole, ())

    def _only_one(self, name: str) -> Iterable[str]:
        return self._classes.get(name, ())

    def _slip(self, name: str) -> Iterator[str]:
        """Yield the names that differ by a typing error in one part: lime juice is no lime slice."""
        parts = name.split("_")
        for other, thing in self._plain.items():
            pairs = [
                (part, other_part)
                for part, other_part in zip(parts, other.split("_"), strict=False)
                if part != other_part
            ]
            if len(parts) == len(other.split("_")) and len(pairs) == 1 and surely(*pairs[0]):
                yield thing


ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"put", "place", "put_in", "putin", "put_down", "set_down", "insert", "add", "drop", "stack"})
    | {"place_on_top"},
    frozenset({"get", "take", "grasp", "grab", "pick", "pick_up", "take_out", "fetch", "lift", "unstack"}),
    frozenset({"open", "open_door", "unscrew", "uncap"}),
    frozenset({"close", "close_door", "shut", "screw", "cap"}),
    frozenset({"pour", "pour_mix", "fill"}),
    frozenset({"switch_on", "switch_off", "turn_on", "turn_off", "finger_push", "push", "press"}),
    frozenset({"gaze", "look", "look_at", "glance", "glance_at"}),
    frozenset({"give", "handover", "hand_over", "pass"}),
    frozenset({"move", "go", "go_to", "drive", "drive_to", "move_to"}),
)
"""Groups of verbs that people and language models use as synonyms; the objects decide which verb is meant."""


def capabilities_of(verb: str, domain: Domain) -> tuple[tuple[str, ...], tuple[str, ...]] | Feedback:
    """Return the capabilities that a verb names and those of its synonyms, or the feedback that none is known."""
    word = plain_name(verb)
    exact = _called(word, domain)
    alike = {other for group in ALIKE if word in group for other in group}
    more = tuple(name for other in sorted(alike) for name in _called(other, domain) if name not in exact)
    if exact or more:
        return exact, tuple(dict.fromkeys(more))
    verbs = {alias for name, capability in domain.capabilities.items() for alias in (name, *capability.aliases)}
    slips = [other for other in verbs if surely(word, plain_name(other))]
    if len(slips) == 1:
        return _called(plain_name(slips[0]), domain), ()
    how = did_you_mean(word, verbs) or hint(word, sorted(domain.capabilities), "capability", world=domain.reference)
    return Feedback(Code.UNKNOWN_NAME, f"'{word}'", "nobody here knows how to do that", how, (word,))


def _called(word: str, domain: Domain) -> tuple[str, ...]:
    return tuple(
        name
        for name, capability in domain.capabilities.items()
        if word in (plain_name(name), *(plain_name(alias) for alias in capability.aliases))
    )
