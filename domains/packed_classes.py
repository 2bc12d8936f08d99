"""`PackedClasses`: the classes of a world that uses class packs, of which there are thousands.

What is listed are the world's own classes, and those that things of its scene have: planning, checks and pages go over
these. Every other class of a pack is made when its name is looked up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Protocol

from domains.declarations import ObjectClass

__all__ = ["PackedClasses"]


class PackWords(Protocol):
    """What people call the classes of packs, in plain form."""

    names: Collection[str]

    def meant(self, word: str) -> tuple[str, ...]:
        """Return the names of the classes that a word may mean."""
        ...

    def __contains__(self, word: object) -> bool: ...


class PackedClasses(Mapping[str, ObjectClass]):
    """Classes by name; a lookup finds those of the packs too, a walk over it does not.

    Attributes:
        digest: Of the packs; classes with the same digest find the same ones.
        words: What people call the classes that are not listed.
        kind_words: The kind of each further word of people for a kind of the packs.
        given: The affordances that classes of the packs may have.
    """

    def __init__(
        self,
        listed: Mapping[str, ObjectClass],
        further: Mapping[str, ObjectClass],
        digest: str,
        words: PackWords | tuple[()] = (),
        kind_words: Mapping[str, str] | None = None,
        given: frozenset[str] = frozenset(),
    ) -> None:
        self._listed = listed
        self._further = further
        self.digest = digest
        self.words = words
        self.kind_words = kind_words or {}
        self.given = given

    def meant(self, word: str) -> tuple[str, ...]:
        """Return the names of the classes of packs that a word in its plain form may mean."""
        return self.words.meant(word) if self.words else ()

    @property
    def every(self) -> Iterator[ObjectClass]:
        """Every class, also those of the packs that nobody has asked for."""
        names = self.words.names if self.words else ()
        return (self[name] for name in dict.fromkeys((*self._listed, *names)))

    def __getitem__(self, name: str) -> ObjectClass:
        return self._listed[name] if name in self._listed else self._further[name]

    def __contains__(self, name: object) -> bool:
        return name in self._listed or name in self._further

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def __eq__(self, other: object) -> bool:
        is_same = isinstance(other, PackedClasses) and self.digest == other.digest
        return is_same and dict(self.items()) == dict(other.items())  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[PackedClasses], tuple[object, ...]]:
        """Keep what was made: another process meets no other class."""
        made = {name: self._further[name] for name in self._further}
        return PackedClasses, (dict(self._listed), made, self.digest)

    def listing(self, classes: Iterable[ObjectClass]) -> PackedClasses:
        """Return the same classes, with these among the listed ones."""
        listed = {**self._listed, **{each.name: each for each in classes}}
        return PackedClasses(listed, self._further, self.digest, self.words, self.kind_words, self.given)
