"""A line of a text, and the mistake that it comes of, if any."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Line", "Mistake"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that the model makes whenever it writes what it is about.

    Attributes:
        kind: Cause and deed, as the logs are counted, such as ``not-in-hand pour``.
        name: What it is about: a bottle, a piece, a word.
    """

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Line:
    """One command, as it is written.

    Attributes:
        text: Such as ``get gin_bottle from shelf hand_left``.
        mistake: What makes it fail; None when nothing does.
    """

    text: str
    mistake: Mistake | None = None

    @property
    def words(self) -> list[str]:
        """The words of the text."""
        return self.text.split()

    def starts(self, *words: str) -> bool:
        """Return whether it begins with these words."""
        return self.words[: len(words)] == list(words)
