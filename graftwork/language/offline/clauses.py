"""Clauses: how the words between two joints are read as one wish, in the light of those before.

Every pattern that covers the words is tried; the reading with the least doubt wins, then the one whose slots have the
affordances that are needed, then the pattern that the domain names first. A clause without a verb takes over the
beginning of the clause before: "put the cup on the table and the plate in the sink".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from graftwork.language.offline.patterns import Match, Pattern
from graftwork.language.offline.referents import PRONOUNS, Doubt, Referent, Slots
from graftwork.language.offline.tokens import said
from semantics.naming import Unknown

__all__ = ["Clause", "Clauses", "Wish"]

MOST_READINGS = 24
"""How many ways of covering the same words are looked at."""
_FOR_ME = ("for", "me")
_BY_THEMSELVES = {"robot": ("you",), "speaker": ("me",)}
"""Slots of a goal that no pattern need hold."""


@dataclass(frozen=True, eq=False, slots=True)
class Clause:
    """Words that no pattern covers, or, as a `Wish`, words that one does."""

    words: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Wish(Clause):
    """A clause with a meaning.

    Attributes:
        words: The words that the pattern covers, those taken over from the clause before included.
        pattern: The pattern.
        match: Where its elements lie in `words`.
        referents: What each slot names.
    """

    pattern: Pattern
    match: Match
    referents: dict[str, Referent]

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is not known about it."""
        return tuple(doubt for referent in self.referents.values() for doubt in referent.doubts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed."""
        notes = [note for referent in self.referents.values() for note in referent.notes]
        for slot, (start, end) in self.match.slots.items():
            referent, text = self.referents[slot], said(self.words[start:end])
            if text in PRONOUNS:
                notes.append(f"'{text}' was read as '{referent.words}'.")
        return tuple(notes)

    @property
    def mentioned(self) -> tuple[Referent, ...]:
        """What it speaks of, in the order of its words."""
        return tuple(self.referents[slot] for slot in self.match.slots)

    @property
    def trouble(self) -> float:
        """How doubtful it is: unknown words weigh most, a missing affordance least."""
        weights = sum(_weight(doubt) for doubt in self.doubts)
        return weights + 0.4 * sum(referent.misfits for referent in self.referents.values())


@dataclass(slots=True)
class Clauses:
    """Reads clauses with the patterns of a domain."""

    patterns: tuple[Pattern, ...]
    slots: Slots
    _covered: dict[tuple[str, ...], tuple[tuple[Pattern, Match], ...]] = field(default_factory=dict, init=False)
    _plain: dict[tuple[str, ...], Wish | None] = field(default_factory=dict, init=False)

    def read(self, words: tuple[str, ...], before: Sequence[Clause]) -> Wish | None:
        """Return the best reading of `words` after the clauses `before`, or None."""
        if words in self._plain:
            return self._plain[words]
        mentioned = [referent for clause in before if isinstance(clause, Wish) for referent in clause.mentioned]
        readings = [self._wish(words, pattern, match, mentioned, {}) for pattern, match in self._cover(words)]
        if not readings and before and isinstance(before[-1], Wish):
            readings = list(self._elliptical(words, before[-1], mentioned))
        if words[-2:] == _FOR_ME and not any(wish.trouble == 0 for wish in readings):
            readings += [wish for wish in self._favour(words[:-2], before) if "robot" not in wish.pattern.free]
        best = min(readings, key=lambda wish: wish.trouble, default=None)
        if self._cover(words) and not PRONOUNS & set(words):
            self._plain[words] = best
        return best

    def _favour(self, words: tuple[str, ...], before: Sequence[Clause]) -> Iterator[Wish]:
        """Read a wish without its "for me", which says nothing of what should hold."""
        wish = self.read(words, before) if words else None
        if wish is not None:
            yield wish

    def _cover(self, words: tuple[str, ...]) -> tuple[tuple[Pattern, Match], ...]:
        if words not in self._covered:
            found = ((pattern, match) for pattern in self.patterns for match in pattern.matches(words))
            self._covered[words] = tuple(islice(found, MOST_READINGS))
        return self._covered[words]

    def _elliptical(self, words: tuple[str, ...], last: Wish, mentioned: Sequence[Referent]) -> Iterator[Wish]:
        """Read words after some of the beginning of the clause before, the longest beginning first."""
        for end in reversed(last.match.ends[:-1]):
            kept = {
                last.match.slots[slot]: referent
                for slot, referent in last.referents.items()
                if slot in last.match.slots and last.match.slots[slot][1] <= end
            }
            whole = last.words[:end] + words
            for pattern, match in self._cover(whole):
                if match.ends[-2:-1] == (end,) and isinstance(pattern.variants[0][-1], str):
                    continue  # a bare noun goes on with a list, it is no clause
                yield self._wish(whole, pattern, match, mentioned, kept)

    def _wish(
        self,
        words: tuple[str, ...],
        pattern: Pattern,
        match: Match,
        mentioned: Sequence[Referent],
        kept: dict[tuple[int, int], Referent],
    ) -> Wish:
        asked = pattern.phrase.slots
        referents = {
            slot: kept.get(span) or self.slots.referent(words[slice(*span)], asked.get(slot), mentioned)
            for slot, span in match.slots.items()
        }
        for slot in pattern.free:
            words_for = _BY_THEMSELVES.get(slot) or ("the", *slot.split("_"))
            referents[slot] = self.slots.referent(words_for, asked.get(slot), ())
        return Wish(words, pattern, match, referents)


def _weight(doubt: Doubt) -> float:
    """Return how much a doubt counts; the fewer words it blames, the better it explains."""
    return 1.0 + 0.01 * len(doubt.words.split()) if isinstance(doubt, Unknown) else 0.5
