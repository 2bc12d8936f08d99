"""`Stamped`: a mapping in which what the latest sensing confirmed gets its time when it is looked at.

A sensing that shows a thousand facts again changes the time of a thousand beliefs and nothing else; so this time is
kept once. A next mapping shares what did not change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, KeysView, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Stamped(Mapping[Key, Value]):
    """An immutable mapping.

    Args:
        kept: All values, by key; those of `now` with the time at which they became what they are.
        now: The keys that the latest sensing confirmed.
        stamp: Returns a value as of this sensing.
    """

    def __init__(
        self,
        kept: dict[Key, Value],
        now: frozenset[Key] = frozenset(),
        stamp: Callable[[Value], Value] = lambda value: value,
    ) -> None:
        self._kept, self.now, self.stamp = kept, now, stamp

    def __getitem__(self, key: Key) -> Value:
        value = self._kept[key]
        return self.stamp(value) if key in self.now else value

    def __contains__(self, key: object) -> bool:
        return key in self._kept

    def __iter__(self) -> Iterator[Key]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def __repr__(self) -> str:
        return repr(dict(self))

    def keys(self) -> KeysView[Key]:
        """Return the keys, which are compared as fast as those of a dictionary."""
        return self._kept.keys()

    def after(
        self,
        now: frozenset[Key],
        stamp: Callable[[Value], Value],
        lost: Collection[Key],
        new: Mapping[Key, Value],
    ) -> Stamped[Key, Value]:
        """Return the mapping after the next sensing.

        Args:
            now: The keys that it confirms.
            stamp: Returns a value as of it.
            lost: Those that are no keys any more.
            new: Values that are new, or other ones than before.
        """
        left = () if now is self.now else self.now - now
        stamped = {key: self[key] for key in left if key in self._kept}
        if not (stamped or lost or new):
            return Stamped(self._kept, now, stamp)
        kept = {**self._kept, **stamped, **new}
        for key in lost:
            kept.pop(key, None)
        return Stamped(kept, now, stamp)


def same_keys(first: Mapping[Key, Value], second: Mapping[Key, Value]) -> bool:
    """Return whether two mappings have the same keys; of those that share what they keep, at once."""
    shared = isinstance(first, Stamped) and isinstance(second, Stamped) and first._kept is second._kept
    return shared or first.keys() == second.keys()


def without(values: Mapping[Key, Value], keys: Collection[Key]) -> Mapping[Key, Value]:
    """Return a mapping without some keys."""
    if not isinstance(values, Stamped):
        return {key: value for key, value in values.items() if key not in keys}
    return values.after(values.now.difference(keys), values.stamp, keys, {})
