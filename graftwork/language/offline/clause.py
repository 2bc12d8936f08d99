"""A clause of a sentence: its words, and what they mean; and readings of clauses that no phrase says as they are.

"There should be no fruit on the table", "chop the leek with the knife", "sliced bread on the plate", "put the fork
where the spoon is"; and behind a wish "not on the counter", "but clean". Each is told as what it was read as.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from graftwork.language.offline.frames import PLACING, SHOULD, WANT, english
from graftwork.language.offline.patterns import AND, MARK, Match, Pattern, said, slots_in
from graftwork.language.offline.places import INSIDE
from graftwork.language.offline.references import exception_in
from graftwork.language.offline.referents import Doubt, Pairs, Referent
from graftwork.language.offline.said_values import SaidValue
from graftwork.language.offline.slots import Slots
from semantics.logic.atoms import And, Atom, Literal, Not, conjoined, literals
from semantics.logic.vocabulary import Vocabulary
from semantics.words.description import is_of_sort
from semantics.words.names import Ambiguous, MatchKind, Unknown, movable

POINTED_OUT = 0.05
"""Weight of a place that describes an object. It makes "put the cup on the tray and the plate in the sink" two clauses
rather than one about the cup that is on the tray."""
MISSING = 0.9  # weight of an object that is not at the named place


@dataclass(frozen=True, eq=False, slots=True)
class Clause:
    """The words of a clause; a `MeaningfulClause` also has a pattern that matches them."""

    words: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Remark(Clause):
    """Words that ask for nothing by themselves, with the things that they name."""

    mentioned: tuple[Referent, ...] = ()
    about: tuple[tuple[Referent, ...], tuple[Referent, ...]] = ((), ())


@dataclass(frozen=True, eq=False, slots=True)
class MeaningfulClause(Clause):
    """A clause with a meaning.

    Attributes:
        words: The words that the pattern matches, with those taken over from the clause before.
        pattern: The pattern.
        match: The positions of its elements in `words`.
        referents: The objects of each slot.
        held: For each slot without words, the slot of the object and the believed place of each such object: the place
            that "take out the milk" does not name.
        taken_for_so: The believed places of these objects, in words.
        pairs: For a slot whose objects go with those of another one, that other slot, and the partners of each object.
        values: How it is to be done: what was said of a speed, a duration, an amount.
        like: What was said, if it was read by means of an earlier turn.
    """

    pattern: Pattern
    match: Match
    referents: dict[str, Referent]
    held: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)
    taken_for_so: tuple[str, ...] = ()
    pairs: Mapping[str, Pairs] = field(default_factory=dict)
    values: tuple[SaidValue, ...] = ()
    like: str = ""

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The doubts about all its slots."""
        return tuple(doubt for referent in self.referents.values() for doubt in referent.doubts)

    @property
    def notes(self) -> tuple[str, ...]:
        """The assumptions, one sentence each."""
        notes = [note for referent in self.referents.values() for note in referent.notes]
        for slot, (start, end) in self.match.slots.items():
            referent, text = self.referents[slot], said(self.words[start:end])
            if referent.words not in (text, text.replace(" and ", " ")):
                notes.append(f"'{text}' was read as '{referent.words}'.")
        notes += [f"It is believed that {fact}." for fact in self.taken_for_so]
        if self.like:
            notes.append(f"'{self.like}' was read as '{said(self.words).removeprefix('want ')}'.")
        return tuple(notes)

    @property
    def made(self) -> set[str]:
        """The predicates of its goal."""
        return {atom.predicate for atom, _ in literals(self.pattern.template)}

    @property
    def mentioned(self) -> tuple[Referent, ...]:
        """The referents that it mentions, in the order of its words."""
        named = (self.referents[slot] for slot in self.match.slots)
        return tuple(item for referent in named for item in (*referent.within, referent))

    @property
    def about(self) -> tuple[tuple[Referent, ...], tuple[Referent, ...]]:
        """What its goal is about, and where it puts that: the first and the other arguments of its facts."""
        atoms = [(atom.args, positive) for atom, positive in literals(self.pattern.template)]
        first = {args[0].removeprefix(MARK) for args, _ in atoms if args}
        places = {arg.removeprefix(MARK) for args, positive in atoms for arg in args[1:] if positive}
        about, where = ([each for slot, each in self.referents.items() if slot in slots] for slots in (first, places))
        return tuple(about), tuple(where)

    @property
    def trouble(self) -> float:
        """The penalty of this reading: unknown words weigh most, then missing affordances, then describing places."""
        certain = [referent for referent in self.referents.values() if not referent.doubts]
        weights = sum(_weight(doubt) for doubt in self.doubts)
        weights += POINTED_OUT * sum(len(referent.within) for referent in certain)
        return weights + 0.4 * sum(referent.misfits for referent in self.referents.values())


def _weight(doubt: Doubt) -> float:
    """Return the penalty of a doubt: smallest for an ambiguity, and smaller for fewer unknown words."""
    if isinstance(doubt, Unknown) and doubt.missing:
        return MISSING
    return 1.0 + 0.01 * len(doubt.words.split()) if isinstance(doubt, Unknown) else 0.5


Words = tuple[str, ...]
Mentioned = Sequence[Referent]
MOST_JOINTS = 2  # most lists are joined at so many places that no other words are tried for them
_MEANS = {"using": "with", "at": "in", "under": "in"}
_DETERMINERS = frozenset({"a", "an", "some", "one", "the"})


class _Reader(Protocol):
    """What reads clauses: `clauses.Clauses`."""

    slots: Slots

    def read(self, words: Words, before: Sequence[Clause]) -> MeaningfulClause | None: ...

    def cover(self, words: Words) -> tuple[tuple[Pattern, Match], ...]: ...

    def wish_of(
        self,
        words: Words,
        pattern: Pattern,
        match: Match,
        mentioned: Mentioned,
        taken_over: dict[tuple[int, int], Referent],
    ) -> MeaningfulClause: ...

    def elliptical(self, words: Words, last: MeaningfulClause, mentioned: Mentioned) -> Iterator[MeaningfulClause]: ...

    def in_place_of(self, words: Words, last: MeaningfulClause, mentioned: Mentioned) -> Iterator[MeaningfulClause]: ...


def other_readings(
    reader: _Reader, words: Words, before: Sequence[Clause], mentioned: Mentioned, readings: Sequence[MeaningfulClause]
) -> Iterator[MeaningfulClause]:
    """Yield readings by what is believed of things, beside those that words have by themselves."""
    if "where" in words[1:-2] and words[-1] in ("is", "are"):
        yield from _read_beside(reader, words, before, mentioned)
    if words[:2] in ((WANT, "no"), (WANT, "nothing")):
        yield from _read_none_of(reader, words, mentioned)
    if words.count(AND) <= MOST_JOINTS and all(wish.doubts for wish in readings):
        yield from _read_by_means(reader, words, mentioned)
        yield from _read_made_so(reader, words, mentioned)


def readings_behind(
    reader: _Reader, words: Words, last: MeaningfulClause, mentioned: Mentioned
) -> Iterator[MeaningfulClause]:
    """Yield readings of words that say more of the clause before, and that no pattern matches by themselves."""
    if words.count(AND) > MOST_JOINTS:
        return
    yield from _read_denied(reader, words, last, mentioned)
    yield from _read_state_of(reader, words, last, mentioned)
    if words[0] == "with":  # "juice in the glass, with mint"
        for wish in reader.in_place_of(words[1:], last, mentioned):
            if not any(
                movable(each.names, reader.slots.names.vocabulary)
                for each in wish.referents.values()
                if words[1:] == tuple(each.words.split())
            ):
                yield wish


def _read_none_of(reader: _Reader, words: Words, mentioned: Mentioned) -> Iterator[MeaningfulClause]:
    """Read "there should be no fruit on the table" as what must not hold of all the fruit."""
    rest = tuple(word for word in words[2:] if word not in ("left", "more"))
    noun = ("everything",) if words[1] == "nothing" else ("all", "the")
    meant = {(1, 2): reader.slots.referent((*noun, *rest), None, mentioned)}
    every = (WANT, *noun, *rest[: (exception_in(rest) or (None,))[0]])
    for pattern, match in reader.cover(every):
        if isinstance(pattern.template, Atom) and len(match.slots) == len(pattern.template.args):
            denied = replace(pattern, template=Not(pattern.template))
            taken = meant if words[1] == "nothing" else {}
            yield replace(reader.wish_of(every, denied, match, mentioned, taken), like=said(words))


def _read_by_means(reader: _Reader, words: Words, mentioned: Mentioned) -> Iterator[MeaningfulClause]:
    """Read "chop the leek with the knife" as "chop the leek" where nothing else would do for that."""
    uses, things = reader.slots.names.vocabulary.uses, reader.slots.names.vocabulary.things
    verbs = {words[0], *(verb for verb, others in english().verbs.items() if words[0] in others)}
    for at in range(2, len(words) - 1):
        sorts = {sort for verb in verbs for sort in uses.get(f"{verb} {_MEANS.get(words[at], words[at])}", ())}
        able = {name for name, thing in things.items() if any(is_of_sort(thing, sort) for sort in sorts)}
        if able and able == reader.slots.referent(words[at + 1 :], None, mentioned).names:
            for pattern, match in reader.cover(words[:at]):
                yield replace(reader.wish_of(words[:at], pattern, match, mentioned, {}), like=said(words))


def _read_made_so(reader: _Reader, words: Words, mentioned: Mentioned) -> Iterator[MeaningfulClause]:
    """Read "sliced bread on the plate" as bread on the plate that is to be sliced, where none is."""
    for pattern, match in reader.cover(words):
        for slot, (start, end) in match.slots.items():
            at = start + (words[start] in _DETERMINERS)
            states = reader.cover(("it", SHOULD, *words[at : at + 1])) if at < end - 1 else ()
            state = next((fact for each, _ in states if (fact := _only_fact(each)) is not None), None)
            if state is None:
                continue
            plainly = (*words[:at], *words[at + 1 :])
            made = Atom(state.predicate, (f"{MARK}{slot}",))
            if words[start] == "the" and Literal(made, True) not in set(literals(pattern.template)):
                continue  # one that is so already
            for other, its in reader.cover(plainly):
                if other is pattern and its.slots[slot] == (start, end - 1):
                    both = replace(pattern, template=And((*conjoined(pattern.template), made)))
                    yield replace(reader.wish_of(plainly, both, its, mentioned, {}), like=said(words))


def _read_denied(
    reader: _Reader, words: Words, last: MeaningfulClause, mentioned: Mentioned
) -> Iterator[MeaningfulClause]:
    """Read "not on the counter", behind a wish of where a thing should be."""
    if words[0] == "not" and words[1:2] and words[1] in PLACING:
        for wish in reader.elliptical(words[1:], last, mentioned):
            if isinstance(wish.pattern.template, Atom):
                yield replace(wish, pattern=replace(wish.pattern, template=Not(wish.pattern.template)))


def _read_state_of(
    reader: _Reader, words: Words, last: MeaningfulClause, mentioned: Mentioned
) -> Iterator[MeaningfulClause]:
    """Read "but clean" and "in slices", behind a wish, as how the thing that it is about should be."""
    whole = ("it", SHOULD, *(words[1:] if words[0] == "but" else words))
    for pattern, match in reader.cover(whole):
        if len(last.about[0]) == 1 and (0, 1) in match.slots.values() and _only_fact(pattern) is not None:
            wish = reader.wish_of(whole, pattern, match, mentioned, {(0, 1): last.about[0][0]})
            yield replace(wish, like=said(words))


def _read_beside(
    reader: _Reader, words: Words, before: Sequence[Clause], mentioned: Mentioned
) -> Iterator[MeaningfulClause]:
    """Read "put the fork where the spoon is" by what the spoon is believed to be on or in."""
    at = words.index("where")
    thing = reader.slots.referent(words[at + 1 : -1], None, mentioned)
    fact = reader.slots.places.fact_of(*thing.names) if len(thing.names) == 1 else None
    spoken = None if fact is None else reader.slots.places.said((fact.predicate,))
    if fact is not None and spoken:
        wish = reader.read((*words[:at], spoken, fact.args[1]), before)
        if wish is not None:
            yield replace(wish, like=said(words))


def pour_contents(reader: _Reader, pattern: Pattern, referents: dict[str, Referent]) -> None:
    """Change "pour the box into the bowl" to what is in the box; "put the cereal in the bowl" may mean both."""
    vocabulary = reader.slots.names.vocabulary
    for atom, positive in literals(pattern.template):
        slots = [arg.removeprefix(MARK) for arg in atom.args]
        if not positive or len(slots) != 2 or not referents.keys() >= {*slots}:
            continue
        (what, where), named = (referents[slot] for slot in slots), referents[slots[0]].names
        held = [each for each in reader.slots.places.state.atoms if each.args[1:] and {each.args[1]} == named]
        held = [each for each in held if not movable(each.args[:1], vocabulary)]
        if len(held) == 1 and held[0].predicate == atom.predicate:
            note = f"'{what.words}' was read as {held[0].args[0]}, which is in it."
            referents[slots[0]] = replace(what, alternatives=(held[0].args[:1],), notes=(note,), misfits=0)
        elif held and movable(named, vocabulary) and movable(where.names, vocabulary):
            options = (*sorted(named), *(each.args[0] for each in held))
            doubt = Ambiguous(what.words, options, "it can be the whole, or what is in it", MatchKind.CLASS)
            referents[slots[0]] = replace(what, alternatives=(), doubts=(doubt,))
        elif movable(named, vocabulary) and _is_for_what_is_poured(atom.predicate, vocabulary):
            referents[slots[0]] = replace(what, misfits=what.misfits + 1)


def carry_contents(reader: _Reader, pattern: Pattern, referents: dict[str, Referent]) -> None:
    """Change "put the milk on the tray", where milk can only be poured, to the one thing that it is in."""
    slots, vocabulary = reader.slots, reader.slots.names.vocabulary
    for atom, _ in literals(pattern.template):
        where = [referents[each].names for each in slots_in(atom)[1:] if each in referents]
        if vocabulary.predicates[atom.predicate].description == INSIDE and any(
            movable(each, vocabulary) for each in where
        ):
            return  # into a bowl it is poured
    for slot, what in referents.items():
        able, needed = slots.names.lexicon.able, pattern.phrase.slots.get(slot)
        if not what.misfits or len(what.alternatives) != 1 or movable(what.names, vocabulary):
            continue
        own = what.alternatives[0]
        every = [able((name,), needed) or able(slots.places.going_with(name), needed) for name in own]
        several = next((found for found in every if len(found) > 1), ())
        if any(not each.names.isdisjoint(found) for each in what.within for found in every):
            continue  # "the oats out of the box" are not the box
        if several:
            doubt = Ambiguous(what.words, several, "it is in several things", MatchKind.CLASS)
            referents[slot] = replace(what, alternatives=(), misfits=0, doubts=(doubt,))
        elif all(every):
            names = tuple(found[0] for found in every)
            note = f"'{what.words}' was read as {' and '.join(sorted(names))}, which it is in."
            within = (replace(what, misfits=0),)  # "take the milk and pour it"
            notes = (*what.notes, note)
            referents[slot] = replace(what, alternatives=(names,), notes=notes, misfits=0, every=(), within=within)


def _is_for_what_is_poured(name: str, vocabulary: Vocabulary) -> bool:
    """Return whether a predicate says in the same words of what is poured what another one says of what is carried."""
    carried, predicate = vocabulary.predicates.get(vocabulary.on), vocabulary.predicates[name]
    alike = [each for each in vocabulary.predicates.values() if each.description == predicate.description]
    return carried is not None and any(
        each.parameters[0] == carried.parameters[0] != predicate.parameters[0] for each in alike
    )


def _only_fact(pattern: Pattern) -> Atom | None:
    """Return the fact that a pattern asks for, if it is one of one thing: "it should be clean"."""
    fact = pattern.template
    return fact if isinstance(fact, Atom) and len(fact.args) == 1 and not pattern.free else None
