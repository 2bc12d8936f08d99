"""Clauses: how the words between two joints are read as one wish, in the light of those before.

Every pattern that covers the words is tried; the reading with the least doubt wins, then the one whose slots have the
affordances that are needed, then the pattern that the domain names first. A clause without a verb takes over the
beginning of the clause before: "put the cup on the table and the plate in the sink".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from graftwork.language.offline.patterns import Match, Pattern
from graftwork.language.offline.referents import PRONOUNS, Doubt, Referent, Slots
from graftwork.language.offline.tokens import said
from semantics.naming import Resolved, Unknown

__all__ = ["Clause", "Clauses", "Wish"]

MOST_READINGS = 24
"""How many ways of covering the same words are looked at."""
POINTED_OUT = 0.05
"""Weight of a place that a thing is pointed out by: "put the cup on the tray and the plate in the sink" is two wishes
rather than one about the cup that is on the tray."""
MISSING = 0.9
"""Weight of a thing that is not where it was said to be."""
_FOR = "for"
_ME = ("me",)
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
        held: By slot that no words fill, the slot it goes with and, by thing, where that is believed to be: what "take
            out the milk" is to be out of.
        taken_for_so: What is believed of where these things are, in words.
    """

    pattern: Pattern
    match: Match
    referents: dict[str, Referent]
    held: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)
    taken_for_so: tuple[str, ...] = ()

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
        notes += [f"It is believed that {fact}." for fact in self.taken_for_so]
        return tuple(notes)

    @property
    def places(self) -> int:
        """How many places its words point things out by, for things that are found there."""
        return sum(len(referent.within) for referent in self.referents.values() if not referent.doubts)

    @property
    def mentioned(self) -> tuple[Referent, ...]:
        """What it speaks of, in the order of its words."""
        named = (self.referents[slot] for slot in self.match.slots)
        return tuple(each for referent in named for each in (*referent.within, referent))

    @property
    def trouble(self) -> float:
        """How doubtful it is: unknown words weigh most, then a missing affordance, least a place to point out by."""
        weights = sum(_weight(doubt) for doubt in self.doubts) + POINTED_OUT * self.places
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
        if _FOR in words[2:-1] and not any(wish.trouble == 0 for wish in readings):
            readings += self._favours(words, before)
        best = min(readings, key=lambda wish: wish.trouble, default=None)
        if self._cover(words) and not PRONOUNS & set(words):
            self._plain[words] = best
        return best

    def _favours(self, words: tuple[str, ...], before: Sequence[Clause]) -> Iterator[Wish]:
        """Read "open the box for me" as "open the box", and "fetch the cup for me" as "fetch me the cup"."""
        at = len(words) - 1 - words[::-1].index(_FOR)
        whom = words[at + 1 :]
        if whom != _ME and not self._is_actor(whom, "actor"):
            return
        plainly = self.read(words[:at], before)
        if plainly is not None and "robot" not in plainly.pattern.free:
            yield plainly
        shifted = self.read((words[0], *whom, *words[1:at]), before)
        if shifted is not None:
            yield shifted

    def _cover(self, words: tuple[str, ...]) -> tuple[tuple[Pattern, Match], ...]:
        if words not in self._covered:
            found = ((pattern, match) for pattern in self.patterns for match in pattern.matches(words))
            fitting = (each for each in found if self._has_recipient(words, *each))
            self._covered[words] = tuple(islice(fitting, MOST_READINGS))
        return self._covered[words]

    def _has_recipient(self, words: tuple[str, ...], pattern: Pattern, match: Match) -> bool:
        """Return whether the words in the place of "me" name somebody, so that no other split is taken for one."""
        if pattern.recipient is None:
            return True
        affordance = pattern.phrase.slots.get(pattern.recipient)
        return self._is_actor(words[slice(*match.slots[pattern.recipient])], affordance)

    def _is_actor(self, words: tuple[str, ...], affordance: str | None) -> bool:
        found = self.slots.names.resolve(said(words), affordance)
        return isinstance(found, Resolved) and found.fits

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
        held = self._held_slots(pattern)
        referents: dict[str, Referent] = {}
        for slot in sorted(match.slots, key=lambda each: each in pattern.denied):  # a place before what is taken away
            span = match.slots[slot]
            among = self._taken_from(pattern, slot, referents)
            found = kept.get(span) or self.slots.referent(words[slice(*span)], asked.get(slot), mentioned, among)
            referents[slot] = self._somewhere(found, pattern.denied[slot][0]) if slot in held.values() else found
        for slot in pattern.free:
            if slot not in held:
                words_for = _BY_THEMSELVES.get(slot) or ("the", *slot.split("_"))
                referents[slot] = self.slots.referent(words_for, asked.get(slot), ())
        places = {slot: (by, self.slots.places.place_of(pattern.denied[by][0])) for slot, by in held.items()}
        meant = [name for by in held.values() for name in referents[by].names]
        return Wish(words, pattern, match, referents, places, self.slots.places.whereabouts(meant))

    def _held_slots(self, pattern: Pattern) -> dict[str, str]:
        """Return the slots that only the goal has and that stand for the place where a thing is, with its slot."""
        names = self.slots.names
        return {
            spot: slot
            for slot, (_, spot) in pattern.denied.items()
            if spot in pattern.free and spot not in _BY_THEMSELVES and not names.knows(spot)
        }

    def _taken_from(self, pattern: Pattern, slot: str, referents: Mapping[str, Referent]) -> frozenset[str] | None:
        """Return the things a slot means first of all: those that are where the goal says they shall not be."""
        if slot not in pattern.denied:
            return None
        relation, spot = pattern.denied[slot]
        if spot in referents:
            return self.slots.places.there((relation,), referents[spot].names)
        return frozenset(self.slots.places.place_of(relation)) if spot in pattern.free else None

    def _somewhere(self, found: Referent, relation: str) -> Referent:
        """Keep the alternatives of which every thing is known to be in a relation to some place."""
        places = self.slots.places.place_of(relation)
        kept = tuple(names for names in found.alternatives if all(name in places for name in names))
        if found.doubts or kept == found.alternatives:
            return found
        if kept and found.words not in PRONOUNS:
            return replace(found, alternatives=kept)
        word = self.slots.places.said((relation,)) or relation
        elsewhere = sorted(name for name in found.names if name not in places)
        told = ", ".join(self.slots.places.whereabouts(elsewhere))
        why = f"it is not known to be {word} anything"
        how = f"As far as is known, {told}." if told else "Say where it is to be in the end."
        return replace(found, alternatives=(), misfits=0, doubts=(Unknown(found.words, (), why, how, missing=True),))


def _weight(doubt: Doubt) -> float:
    """Return how much a doubt counts; the fewer words it blames, the better it explains, best if it knows them all."""
    if isinstance(doubt, Unknown) and doubt.missing:
        return MISSING
    return 1.0 + 0.01 * len(doubt.words.split()) if isinstance(doubt, Unknown) else 0.5
