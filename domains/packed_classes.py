"""`PackedClasses`: the classes of a world that uses class packs, of which there are thousands.

What is listed are the world's own classes, and those that things of its scene have: planning, checks and pages go over
these. Every other class of a pack is made when its name is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from domains.declarations import ObjectClass
from semantics.errors import UsageError

__all__ = ["PackedClasses"]


@dataclass(frozen=True)
class PackedClasses(Mapping[str, ObjectClass]):
    """Classes by name; a lookup finds those of the packs too, a walk over it does not.

    Attributes:
        listed: The classes that a walk goes over.
        digest: Of the packs; classes with the same digest find the same ones.
        read: Returns a class of the packs by its name.
        names: The names of the classes of the packs.
        words: What people call the classes of the packs, in plain form, with the names of those that it may mean.
        kind_words: The kind of each further word of people for a kind of the packs.
        given: The affordances that classes of the packs may have.
    """

    listed: Mapping[str, ObjectClass]
    digest: str
    read: Callable[[str], ObjectClass] = field(compare=False)
    names: Collection[str] = field(compare=False)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    kind_words: Mapping[str, str] = field(default_factory=dict, compare=False)
    given: frozenset[str] = field(default=frozenset(), compare=False)
    _made: dict[str, ObjectClass] = field(default_factory=dict, compare=False)

    def meant(self, word: str) -> tuple[str, ...]:
        """Return the names of the classes of packs that a word in its plain form may mean."""
        return self.words.get(word, ())

    @property
    def every(self) -> Iterator[ObjectClass]:
        """Every class that can be used, also those of the packs that nobody has asked for."""
        return filter(None, map(self.usable, dict.fromkeys((*self.listed, *self.names))))

    def usable(self, name: str) -> ObjectClass | None:
        """Return a class; None if what its pack says of it cannot be used."""
        try:
            return self[name]
        except UsageError:
            return None

    def listing(self, classes: Mapping[str, ObjectClass]) -> PackedClasses:
        """Return the same classes, with these among the listed ones."""
        return replace(self, listed={**self.listed, **classes})

    def __getitem__(self, name: str) -> ObjectClass:
        if name in self.listed:
            return self.listed[name]
        if name not in self._made:
            self._made[name] = self.read(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.listed or name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def __reduce__(self) -> tuple[type[PackedClasses], tuple[object, ...]]:
        """Keep what was made: another process meets no other class."""
        return PackedClasses, (self.listed, self.digest, self._made.__getitem__, tuple(self._made))
