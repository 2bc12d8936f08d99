"""Written names and verbs, and the objects and capabilities that they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from domains.model import Domain
from semantics.english import singulars
from semantics.errors import nearest
from semantics.feedback import Code, Feedback
from semantics.spelling import surely
from semantics.vocabulary import Thing

__all__ = [
    "ALIKE",
    "Lookup",
    "capabilities_of",
    "plain_name",
]


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
        close = nearest(name, dict.fromkeys((*self.things, *self._classes)))
        how = f"Did you mean {' or '.join(close)}?" if close else ""
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
    close = nearest(word, verbs)
    how = f"Did you mean {' or '.join(close)}?" if close else f"There are {', '.join(sorted(domain.capabilities))}."
    return Feedback(Code.UNKNOWN_NAME, f"'{word}'", "nobody here knows how to do that", how, (word,))


def _called(word: str, domain: Domain) -> tuple[str, ...]:
    return tuple(
        name
        for name, capability in domain.capabilities.items()
        if word in (plain_name(name), *(plain_name(alias) for alias in capability.aliases))
    )
