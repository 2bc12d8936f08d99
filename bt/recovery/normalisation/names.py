"""One name as it was written, and the thing it can only mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from semantics.english import singulars
from semantics.errors import nearest
from semantics.feedback import Code, Feedback
from semantics.spelling import surely
from semantics.vocabulary import Thing

__all__ = ["Lookup", "plain_name"]

EDGES = "\"'`.,;:!?()[]{}<>*"
INDEX = re.compile(r"_?\d+$")


def plain_name(word: str) -> str:
    """Return a word in small letters, without the marks around it, its parts joined by underscores."""
    return re.sub(r"[\s\-]+", "_", word.strip().strip(EDGES).strip()).lower()


@dataclass(frozen=True)
class Lookup:
    """The things of a scene by what they may be called.

    What a name means has to be the only thing that it can mean by the first of these that fits: the name itself, its
    parts in another order, another number at its end, singular and plural, the only thing of a class, a slip of the
    fingers. A likeness is never enough: there is a tomato juice and no lime juice.

    Attributes:
        things: Everything that exists, by name.
    """

    things: Mapping[str, Thing]

    def named(self, word: str) -> str | Feedback:
        """Return the thing that `word` means, or why nobody knows, with the nearest names."""
        name = plain_name(word)
        for means in (self._same, self._same_parts, self._other_index, self._other_number, self._only_one, self._slip):
            found = tuple(dict.fromkeys(means(name)))
            if len(found) == 1:
                return found[0]
            if found:
                how = f"Say which: {', '.join(found[:6])}."
                return Feedback(Code.AMBIGUOUS, f"'{name}'", f"{len(found)} things are meant by it", how, (name,))
        close = nearest(name, dict.fromkeys((*self.things, *self._classes)))
        how = f"Did you mean {' or '.join(close)}?" if close else ""
        return Feedback(Code.UNKNOWN_NAME, f"'{name}'", "no such thing is known", how, (name,))

    def kin(self, name: str) -> tuple[str, ...]:
        """Return a thing and those that are called the same with a number behind: ``mint``, ``mint1``, ``mint2``."""
        return (name, *(other for other in self.things if other != name and INDEX.sub("", other) == name))

    @cached_property
    def _plain(self) -> Mapping[str, str]:
        return {plain_name(name): name for name in self.things}

    @cached_property
    def _classes(self) -> Mapping[str, tuple[str, ...]]:
        """The things of each class, by its name and its other words."""
        found: dict[str, list[str]] = {}
        for name, thing in self.things.items():
            for word in dict.fromkeys((thing.class_name, *thing.words)):
                found.setdefault(plain_name(word), []).append(name)
        return {word: tuple(names) for word, names in found.items()}

    def _same(self, name: str) -> Iterable[str]:
        return (self._plain[name],) if name in self._plain else ()

    def _same_parts(self, name: str) -> Iterator[str]:
        parts, letters = sorted(name.split("_")), name.replace("_", "")
        for other, thing in self._plain.items():
            if sorted(other.split("_")) == parts or other.replace("_", "") == letters:
                yield thing

    def _other_index(self, name: str) -> Iterator[str]:
        """Yield what is called the same but for the number at the end; a name without one has any."""
        stem = INDEX.sub("", name)
        yield from self._same(stem) or self._classes.get(stem, ())

    def _other_number(self, name: str) -> Iterator[str]:
        """Yield what is called the same in the singular or the plural."""
        head, _, last = name.rpartition("_")
        for form in (*singulars(last), f"{last}s", f"{last}es"):
            whole = f"{head}_{form}" if head else form
            yield from self._same(whole) or self._classes.get(whole, ())

    def _only_one(self, name: str) -> Iterable[str]:
        return self._classes.get(name, ())

    def _slip(self, name: str) -> Iterator[str]:
        """Yield what differs by a slip in a single part: lime juice is no lime slice."""
        parts = name.split("_")
        for other, thing in self._plain.items():
            pairs = [(one, two) for one, two in zip(parts, other.split("_"), strict=False) if one != two]
            if len(parts) == len(other.split("_")) and len(pairs) == 1 and surely(*pairs[0]):
                yield thing
