"""The reading of one clause.

Each clause is matched with every pattern. The reading with the fewest doubts wins, then the one whose objects have the
needed affordances, then the pattern that the domain lists first. A clause without a verb takes over the beginning of
the clause before it: "put the cup on the table and the plate in the sink".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from graftwork.language.offline.clause import (
    MOST_JOINTS,
    Clause,
    MeaningfulClause,
    Remark,
    carry_contents,
    other_readings,
    pour_contents,
    readings_behind,
)
from graftwork.language.offline.frames import CONDITIONAL, PLACING, SHOULD, WANT, rewordings, spoken
from graftwork.language.offline.patterns import (
    AND,
    MARK,
    NOT_IS,
    Match,
    Pattern,
    compiled,
    matches_of,
    said,
    slots_in,
    spans,
)
from graftwork.language.offline.recall import clause_of, clauses_said, named_to_return, place_before
from graftwork.language.offline.references import REFERENCES, in_other_words, rewritten
from graftwork.language.offline.referents import BEGINS_PART, ONE, PRONOUNS, Pairs, Referent, pairs_of, with_partners
from graftwork.language.offline.segments import Segment
from graftwork.language.offline.slots import Slots
from semantics.logic.atoms import Atom, literals
from semantics.logic.vocabulary import Vocabulary
from semantics.words.names import Ambiguous, MatchKind, Resolved, Unknown, movable

if TYPE_CHECKING:
    from graftwork.language.conversation import Turn

_THERE = "there"
_BEING_THERE = {(_THERE, verb) for verb in ("is", "are", "was", "were", "has")}
"""What tells that there is something, and names no place."""
_IN = {
    "off": "off",
    "from": "from",
    "of": "of",
    "in": "in",
    "on": "on",
    "inside": "in",
    "into": "in",
    "onto": "on",
    "to": "to",
}
MOST_READINGS = 48  # maximum number of matches for the same words
_FOR = "for"
_ME = ("me",)
_BY_THEMSELVES = {"robot": ("you",), "speaker": ("me",)}
"""The words for slots of a goal that a pattern need not contain."""


Placed = tuple[Clause, tuple[Segment, ...]]
"""A clause with its segments."""


_MOST_REWORDINGS = 2
"""How often a clause is put in other words; "with a with b" would be "with b with a", and that the first again."""

_LONG = 30  # words; nobody says more of them so, and each place where they can be cut is tried


@dataclass(slots=True)
class Clauses:
    """Reads clauses with the phrases of a world.

    Attributes:
        turns: What was said before.
        answered: What a person has said of things that phrases leave open, as words for their slots.
        asides: The words that may be remarks, if nothing else.
        assumed: Notes on what was assumed before anything was read.
    """

    slots: Slots
    turns: Sequence[Turn] = ()
    answered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asides: Mapping[tuple[str, ...], Remark] = field(default_factory=dict)
    _covered: dict[tuple[str, ...], tuple[tuple[Pattern, Match], ...]] = field(default_factory=dict, init=False)
    _plain: dict[tuple[str, ...], MeaningfulClause | None] = field(default_factory=dict, init=False)
    _said: tuple[MeaningfulClause, ...] | None = field(default=None, init=False)
    assumed: tuple[str, ...] = ()
    _depth: int = field(default=0, init=False)
    _heard: Sequence[Clause] = field(default=(), init=False)
    _topmost: tuple[Referent, bool] | None = field(default=None, init=False)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of the phrases, in order of preference."""
        return compiled(self.slots.names.vocabulary)

    def read(
        self, words: tuple[str, ...], before: Sequence[Clause], *, begins_stage: bool = False
    ) -> MeaningfulClause | None:
        """Return the best reading of `words` that follow the clauses `before`, or None.

        Args:
            words: The words.
            before: The clauses before them.
            begins_stage: Whether a word of order stands between, as in "put the cup in the sink, then the plate".
        """
        plain = self._plain.get(words)
        if words in self._plain and (not before or plain is None or not plain.doubts):
            return plain
        spoken = [clause for clause in before if isinstance(clause, MeaningfulClause | Remark)]
        mentioned = [referent for clause in spoken for referent in clause.mentioned]
        self.slots.spoken = tuple((clause.mentioned, *clause.about) for clause in spoken)
        self._heard = before
        before = [clause for clause in before if not isinstance(clause, Remark)]
        self._topmost = self._stacked(before)
        readings = list(self._readings(words, before, mentioned, begins_stage))
        # "for me" may belong to the name of a thing, so it is split off only when no other reading is without doubt.
        if _FOR in words[2:-1] and not any(wish.trouble == 0 for wish in readings):
            readings += self._favours(words, spoken)
        best = min(readings, key=lambda wish: wish.trouble, default=None)
        # Only a reading that does not depend on the clauses before may be cached.
        is_plain = REFERENCES.isdisjoint(words) and (not before or best is None or not best.doubts)
        is_plain = is_plain and self._depth < _MOST_REWORDINGS
        if is_plain and self.cover(words) and (best is None or not best.like):
            self._plain[words] = best
        return best

    def _readings(
        self, words: tuple[str, ...], before: Sequence[Clause], mentioned: Sequence[Referent], begins_stage: bool
    ) -> Iterator[MeaningfulClause]:
        """Yield the readings of words: by themselves, or else as a continuation of what was said before."""
        covered = rewritten(words, self.cover)
        readings = [self.wish_of(anew, pattern, match, mentioned, {}) for anew, pattern, match in covered]
        readings = [wish for wish in readings if not wish.doubts or sorted(wish.words) == sorted(words)]
        if (self.turns or mentioned) and (returned := self._back(words, before, mentioned)) is not None:
            readings.append(returned)
        if _THERE in words and words[:2] not in _BEING_THERE:
            readings = [*self._there(words, before, mentioned), *readings]  # rather than "in it"
        readings += self._reworded(words, before, readings)
        readings += other_readings(self, words, before, mentioned, readings)
        yield from readings
        # "Make sure the fridge is closed and the cup is clean": a state behind a wish is wished as well.
        is_wished = isinstance(last := next(reversed(before), None), MeaningfulClause) and last.words[0] == WANT
        is_wished = is_wished and all({"is", "are"} & {*each} for each in (words, before[-1].words))
        if readings and not (is_wished and all(wish.doubts for wish in readings)):
            return
        if before and isinstance(before[-1], MeaningfulClause):
            yield from readings_behind(self, words, before[-1], mentioned)
            if begins_stage:
                yield from self.in_place_of(words, before[-1], mentioned)
            for anew in (words, *(in_other_words(words) if words.count(AND) <= MOST_JOINTS else ())):
                yield from self.elliptical(anew, before[-1], mentioned)
        elif not before and not self._depth:
            yield from self._continued(words)

    def _reworded(
        self, words: tuple[str, ...], before: Sequence[Clause], readings: Sequence[MeaningfulClause]
    ) -> Iterator[MeaningfulClause]:
        """Read "give the table a wipe" as "wipe the table": what is meant instead of what no phrase says."""
        if any(wish.trouble == 0 for wish in readings) or self._depth == _MOST_REWORDINGS or len(words) > _LONG:
            return
        self._depth, before = self._depth + 1, self._heard
        for said_so, meant in rewordings():
            for slots in spans(said_so, words):
                anew = tuple(
                    each
                    for word in meant.split()
                    for each in (words[slice(*slots[word.strip("{}")])] if word.startswith("{") else (word,))
                )
                if (wish := self.read(anew, before)) is not None:
                    yield replace(wish, like=wish.like or said(words))
        self._depth -= 1

    def _continued(self, words: tuple[str, ...]) -> Iterator[MeaningfulClause]:
        """Read words as a continuation of the last turn, if they name what is known, and other things than there."""
        if words[0] in ("not", "no", "but", "except", "without"):
            return  # what is left out of the last turn is no wish of its own
        for clause in reversed(self.said_before):
            asked = [each.names for each in clause.referents.values()]
            for wish in (*self.in_place_of(words, clause, ()), *self.elliptical(words, clause, ())):
                is_new = [each.names for each in wish.referents.values()] != asked
                if words[-1] == "one" and not (is_new or wish.doubts):
                    return  # it was done with this one
                if is_new and all(isinstance(doubt, Ambiguous) or doubt.missing for doubt in wish.doubts):
                    yield replace(wish, like=said(words))

    @property
    def said_before(self) -> tuple[MeaningfulClause, ...]:
        """The clauses of the last turn that asked for something."""
        if self._said is None:
            self._said = ()  # while they are read
            last = next((turn for turn in reversed(self.turns) if turn.facts), None)
            every = () if last is None else clauses_said(last.facts, self.slots.names.vocabulary)
            self._said = tuple(wish for words in every if (wish := self.read(words, ())) is not None)
        return self._said

    def _back(
        self, words: tuple[str, ...], before: Sequence[Clause], mentioned: Sequence[Referent]
    ) -> MeaningfulClause | None:
        """Read "put it back where it was", of things that an earlier turn has moved."""
        named, is_usual = named_to_return(words)
        if not named:
            return None
        slots, places = self.slots, self.slots.places
        is_pronoun, vocabulary = said(named) in PRONOUNS, slots.names.vocabulary
        own = [each for each in mentioned if each.thing and movable(each.names, vocabulary)]
        is_own = bool(own) or not is_pronoun
        earlier = [each for each in chain(*slots.earlier) if movable(each.names, vocabulary)]
        referents = [slots.referent(named, None, own)] if is_own else earlier
        turns = self.turns[::-1] if is_usual else self.turns
        hands = slots.names.lexicon.able(vocabulary.things, vocabulary.actor) * (words[:1] in spoken("setting"))
        for meant, names in [(each, names) for each in referents for names in each.alternatives]:
            if is_pronoun and (len(names) == 1) != (said(named) in ONE):
                continue
            # "Wash it and put it back": where it is now.
            now = [places.fact_of(name) if is_own and before and is_pronoun else None for name in names]
            found = [place_before(name, turns, places, at, hands) for name, at in zip(names, now, strict=True)]
            atoms = [atom for atom in found if atom is not None]
            if len(atoms) == len(names) and len({atom.predicate for atom in atoms}) == 1:
                wish = self._at(atoms, said(words))
                if wish is None or wish.pairs:
                    return wish
                return replace(wish, referents={**wish.referents, next(iter(wish.match.slots)): meant})
        return None

    def _at(self, atoms: Sequence[Atom], like: str) -> MeaningfulClause | None:
        """Return the clause that asks for facts of one predicate, read from words `like` these."""
        where = tuple(dict.fromkeys(atom.args[1] for atom in atoms))
        names = [atom.args[0] for atom in atoms]
        asked = clause_of(atoms[0].predicate, names, where[:1], self.slots.names.vocabulary)
        wish = self.read(asked, ()) if asked else None
        if wish is None or len(where) == 1:
            return wish and replace(wish, like=like)
        thing, spot = list(wish.match.slots)
        every = {**wish.referents, spot: Referent(" and ".join(where), (where,))}
        return replace(
            wish, referents=every, pairs={spot: (thing, {a.args[0]: (a.args[1],) for a in atoms})}, like=like
        )

    def _there(
        self, words: tuple[str, ...], before: Sequence[Clause], mentioned: Sequence[Referent]
    ) -> list[MeaningfulClause]:
        """Read "there" as the last place that was named: in this sentence, or else in an earlier turn."""
        at, heard = words.index(_THERE), self._heard or before
        start = at - (at > 0 and words[at - 1] in _IN)
        preposition = (_IN[words[start]],) if start < at else ()
        named = [each for each in reversed(mentioned) if each.thing]
        layers = (self._but_left(named, heard), *map(reversed, self.slots.earlier))
        for layer in layers:
            for spot in layer:
                if len(spot.alternatives) != 1 or len(spot.names) != 1:
                    continue
                readings = [
                    replace(wish, like=said(words))
                    for relation in ([preposition] if preposition else [("on",), ("in",), ("to",)])
                    if (wish := self.read((*words[:start], *relation, *spot.names, *words[at + 1 :]), heard))
                    and not wish.doubts
                    and not any(each.misfits for each in wish.referents.values())
                    and sum(not spot.names.isdisjoint(each.names) for each in wish.referents.values()) == 1
                ]
                if readings:
                    return readings[:1]
        return []

    def _but_left(self, named: Sequence[Referent], heard: Sequence[Clause]) -> Sequence[Referent]:
        """Return what was named without what things are to leave: "out of the sink", where another place was named."""
        left = [
            clause.referents[slot]
            for clause in heard
            if isinstance(clause, MeaningfulClause)
            for atom, is_wanted in literals(clause.pattern.template)
            for slot in slots_in(atom)[1:]
            if not is_wanted and slot in clause.referents
        ]
        others = [each for each in named if each not in left]
        return others if any(not movable(each.names, self.slots.names.vocabulary) for each in others) else named

    def _favours(self, words: tuple[str, ...], before: Sequence[Clause]) -> Iterator[MeaningfulClause]:
        """Read "open the box for me" as "open the box", and "fetch the cup for me" as "fetch me the cup"."""
        at = len(words) - 1 - words[::-1].index(_FOR)
        whom = words[at + 1 :]
        if whom != _ME and not self._is_actor(whom, self.slots.names.vocabulary.actor):
            return
        plainly = self.read(words[:at], before)
        spoken_of = plainly is not None and {"speaker"} & {*plainly.pattern.free, *plainly.referents}
        if plainly is not None and "robot" not in plainly.pattern.free and (whom == _ME or not spoken_of):
            yield plainly
        shifted = self.read((words[0], *whom, *words[1:at]), before)
        if shifted is not None:
            yield shifted

    def cover(self, words: tuple[str, ...]) -> tuple[tuple[Pattern, Match], ...]:
        """Return the patterns that match words, and how."""
        if words not in self._covered:
            matches = (
                (pattern, match)
                for pattern, match in matches_of(
                    words,
                    self.slots.names.vocabulary,
                    lambda each: not (each.is_state or (each.is_frame and words[0] in CONDITIONAL)),
                )
                # The words in place of "me" name an agent, so that no wrong split of the words matches.
                if pattern.recipient is None
                or self._is_actor(
                    words[slice(*match.slots[pattern.recipient])], pattern.phrase.slots.get(pattern.recipient)
                )
            )
            self._covered[words] = tuple(islice(matches, MOST_READINGS))
        return self._covered[words]

    def _is_actor(self, words: tuple[str, ...], affordance: str | None) -> bool:
        resolved = self.slots.names.resolve(said(words), affordance)
        return isinstance(resolved, Resolved) and resolved.fits

    def elliptical(
        self, words: tuple[str, ...], last: MeaningfulClause, mentioned: Sequence[Referent]
    ) -> Iterator[MeaningfulClause]:
        """Read words together with a beginning of the clause before, the longest beginning first."""
        if SHOULD in last.words and SHOULD not in words and (at := next(filter(PLACING.__contains__, words[1:]), "")):
            at_place = words.index(at)  # "the milk should be in the fridge and the cup on the counter"
            full = (*words[:at_place], SHOULD, *words[at_place:])
            yield from (self.wish_of(full, pattern, match, mentioned, {}) for pattern, match in self.cover(full))
        for end in reversed(last.match.ends[:-1]):
            taken_over = {
                last.match.slots[slot]: referent
                for slot, referent in last.referents.items()
                if slot in last.match.slots and last.match.slots[slot][1] <= end
            }
            joined = last.words[:end] + words
            for pattern, match in self.cover(joined):
                if match.ends[-2:-1] == (end,) and isinstance(pattern.variants[0][-1], str):
                    continue  # a bare noun continues a list and is no clause
                if any(start < end < stop and words[0] in BEGINS_PART for start, stop in match.slots.values()):
                    continue  # what was said apart is no list
                if pattern is not last.pattern and len(_supports(pattern, self.slots.names.vocabulary)) > 1:
                    continue  # "green on blue and red on yellow" is no "green on red on yellow"
                yield self.wish_of(joined, pattern, match, mentioned, taken_over, last)

    def in_place_of(
        self, words: tuple[str, ...], last: MeaningfulClause, mentioned: Sequence[Referent]
    ) -> Iterator[MeaningfulClause]:
        """Read words as a slot of the clause before, what it is about first, with the rest as it was."""
        said_of = words
        about = [span for slot, span in last.match.slots.items() if last.referents[slot] in last.about[0]]
        for slot, (start, end) in sorted(last.match.slots.items(), key=lambda each: (each[1] not in about, each[1])):
            noun = self.slots.noun_of(last.referents[slot])  # "the green one" instead of "a red block" is a block
            words = (*said_of[:-1], *noun) if said_of[-1:] == ("one",) and noun else said_of
            joined = last.words[:start] + words + last.words[end:]
            longer = len(words) - (end - start)
            spans = {
                (first + longer, after + longer) if first >= end else (first, after): last.referents[slot]
                for slot, (first, after) in last.match.slots.items()
                if (first, after) != (start, end)
            }
            covered = [each for each in self.cover(joined) if (start, start + len(words)) in each[1].slots.values()]
            for pattern, match in [each for each in covered if each[0] is last.pattern] or covered:
                yield self.wish_of(joined, pattern, match, mentioned, spans)

    def wish_of(
        self,
        words: tuple[str, ...],
        pattern: Pattern,
        match: Match,
        mentioned: Sequence[Referent],
        taken_over: dict[tuple[int, int], Referent],
        like: MeaningfulClause | None = None,
    ) -> MeaningfulClause:
        """Return a clause; in one that is built `like` the last one, a pronoun stands for what was in its place."""
        earlier = [like.referents[slot] for slot in like.match.slots] if like is not None else []
        alike = dict(zip(match.slots, earlier, strict=False))
        asked = pattern.phrase.slots
        held = self._held_slots(pattern) if pattern.denied else {}
        referents: dict[str, Referent] = {}
        alike |= self._on_topmost(words, pattern, match)
        self.slots.is_placing = any(len(atom.args) > 1 for atom, _ in literals(pattern.template))
        under = _supports(pattern, self.slots.names.vocabulary)
        # Places come first, then the objects that leave them.
        for slot in sorted(match.slots, key=lambda name: name in pattern.denied):
            span = match.slots[slot]
            among = self._taken_from(pattern, slot, referents) if slot in pattern.denied else None
            beside = tuple(each for referent in referents.values() for each in (*referent.within, referent))
            referent = taken_over.get(span) or self.slots.referent(
                words[slice(*span)], asked.get(slot), mentioned, among, alike.get(slot), beside
            )
            referents[slot] = self._somewhere(referent, pattern.denied[slot][0]) if slot in held.values() else referent
        for slot in pattern.free:
            if slot not in held:
                words_for = _BY_THEMSELVES.get(slot) or self.answered.get(slot) or ("the", *slot.split("_"))
                referents[slot] = self.slots.referent(words_for, asked.get(slot), ())
        for slot in match.slots.keys() - {name for atom, _ in literals(pattern.template) for name in slots_in(atom)}:
            referents[slot] = self._tool(referents[slot], asked[slot])
        pour_contents(self, pattern, referents)
        carry_contents(self, pattern, referents)
        pairs: dict[str, Pairs] = {}
        if any(referent.pairing for referent in referents.values()):
            pairs = dict(pairs_of(match.slots, referents, self.slots.names.traits))
        for slot, (by, partners_of) in pairs.items():
            referents[slot] = with_partners(referents[slot], referents[by], partners_of)
        referents = {slot: _single(each, pattern, is_tower=len(under) > 1) for slot, each in referents.items()}
        named = frozenset().union(*(each.names for each in referents.values() if len(each.names) == 1))
        # Without what another slot names: "all the blocks on the red block" are the others.
        referents = {slot: each if each.single else each.without(named) for slot, each in referents.items()}
        places = {slot: (by, self.slots.places.place_of(pattern.denied[by][0])) for slot, by in held.items()}
        meant = [name for by in held.values() for name in referents[by].names]
        return MeaningfulClause(
            words, pattern, match, referents, places, self.slots.places.whereabouts(meant) if meant else (), pairs
        )

    def _on_topmost(self, words: tuple[str, ...], pattern: Pattern, match: Match) -> dict[str, Referent]:
        """Return what "it" means where something goes on it, if that is what was put on another thing."""
        on, topmost = self.slots.names.vocabulary.on, self._topmost
        places = {atom.args[1:] for atom, _ in literals(pattern.template) if atom.predicate == on}
        return {
            slot: topmost[0]
            for slot, (start, _) in match.slots.items()
            if topmost and (f"{MARK}{slot}",) in places and (topmost[1] or "top" in words[start - 2 : start])
        }

    def _stacked(self, before: Sequence[Clause]) -> tuple[Referent, bool] | None:
        """Return what the last clause puts on another thing, and whether both are of one sort.

        Then "it" is the first; what is "on top of it" is on the first anyway.
        """
        last, vocabulary = before[-1] if before else None, self.slots.names.vocabulary
        if not isinstance(last, MeaningfulClause) or not all(last.about) or last.made != {vocabulary.on}:
            return None
        what, where = (each[0] for each in last.about)
        sorts = {vocabulary.things[name].class_name for name in (*what.names, *where.names)}
        return what, len(sorts) == 1

    def _tool(self, referent: Referent, affordance: str) -> Referent:
        """Return what is named as a tool; in doubt if there are others with which a plan could do the same.

        A tool that stands nowhere is one that is only supposed to be here: nothing can be done with it.
        """
        names, state = self.slots.names, self.slots.places.state
        there = {arg for atom in state.atoms for arg in atom.args}
        others = {*names.lexicon.able(names.vocabulary.things, affordance)} - referent.names
        if referent.doubts or not others or (there.isdisjoint(referent.names) and not referent.misfits):
            return referent
        why = f"with which of several it is done cannot be said, and {', '.join(sorted(others))} would do as well"
        return replace(referent, alternatives=(), doubts=(Unknown(referent.words, (), why, "Leave it out."),))

    def _held_slots(self, pattern: Pattern) -> dict[str, str]:
        """Return the slots of the goal that stand for an object's present place, each with the slot of the object."""
        names = self.slots.names
        return {
            spot: slot
            for slot, (_, spot) in pattern.denied.items()
            if spot in pattern.free and spot not in _BY_THEMSELVES and not names.knows(spot)
        }

    def _taken_from(self, pattern: Pattern, slot: str, referents: Mapping[str, Referent]) -> frozenset[str] | None:
        """Return the preferred objects of a slot: those at the place that the goal wants them to leave."""
        relation, spot = pattern.denied[slot]
        if spot in referents:
            return self.slots.places.there((relation,), referents[spot].names)
        return frozenset(self.slots.places.place_of(relation)) if spot in pattern.free else None

    def _somewhere(self, referent: Referent, relation: str) -> Referent:
        """Keep the alternatives in which every object has a known place under the relation."""
        places = self.slots.places.place_of(relation)
        alternatives = tuple(names for names in referent.alternatives if all(name in places for name in names))
        if referent.doubts or alternatives == referent.alternatives:
            return referent
        if alternatives and referent.words not in PRONOUNS:
            return replace(referent, alternatives=alternatives)
        word = self.slots.places.said((relation,)) or relation
        elsewhere = sorted(name for name in referent.names if name not in places)
        whereabouts = ", ".join(self.slots.places.whereabouts(elsewhere))
        why = f"it is not known to be {word} anything"
        how = f"As far as is known, {whereabouts}." if whereabouts else "Say where it is to be in the end."
        return replace(
            referent, alternatives=(), misfits=0, doubts=(Unknown(referent.words, (), why, how, missing=True),)
        )


def _supports(pattern: Pattern, vocabulary: Vocabulary) -> set[str]:
    """Return the slots of what something is to stand on; a tower has several."""
    return {slots_in(atom)[1] for atom, _ in literals(pattern.template) if atom.predicate == vocabulary.on}


def _single(referent: Referent, pattern: Pattern, *, is_tower: bool) -> Referent:
    """Return a referent; in doubt if it has to be one thing: "a door must not be open" speaks of every door."""
    choices = referent.names if is_tower else referent.alternatives if NOT_IS in pattern.phrase.pattern else ()
    options = tuple(" and ".join(names) for names in referent.alternatives)
    doubt = Ambiguous(referent.words, options, "it does not say which one", MatchKind.CLASS)
    return referent if len(choices) < 2 else replace(referent, alternatives=(), doubts=(doubt,))
