"""The objects that the words of a slot name.

A `Referent` has alternatives. Each alternative is a tuple of objects that are all meant: "a cup" has several
alternatives with one object each, "the cup and the plate" has one alternative with two objects. A pronoun takes over
the referent itself, so that "open a drawer and close it" speaks of the same drawer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from graftwork.language.offline.frames import CONDITIONAL, PLACING
from graftwork.language.offline.patterns import AND, said
from graftwork.language.offline.places import PlaceDescription, PlaceReader
from semantics.geometry.relations import DIRECTED
from semantics.hints import distance
from semantics.logic.goal import Every
from semantics.logic.vocabulary import Vocabulary
from semantics.words.description import TraitReader
from semantics.words.english import GRAMMAR, MASSES, TABLES, THINGS, listed, noun_phrase, singulars
from semantics.words.lexicon import MatchKind
from semantics.words.names import Ambiguous, NameIndex, Resolution, Resolved, Unknown, movable

_KINDS: Mapping[str, bool] = {
    **dict.fromkeys(("matching", "same", "equal", "own", "corresponding"), True),
    **dict.fromkeys(("mismatched", "mismatching", "different", "another", "other"), False),
}
_MATCHING = ("matching", "mismatched", "corresponding")
_BEHIND = re.compile(
    r"(?P<core>.+) (?:with|of) (?P<whose>(?:the|a|an|its|their) )?(?:(?P<kind>[a-z]+) )?(?P<name>[a-z]+)"
)
_BEFORE = re.compile(r"(?:the|its|their|a|an) (?P<kind>[a-z]+) (?P<core>.+)")


@dataclass(frozen=True, slots=True)
class Pairing:
    """How objects are paired: the attribute, and whether they have the same value of it; `core` are the other words."""

    core: str
    attribute: str
    same: bool


def pairing_in(text: str, traits: TraitReader) -> Pairing | None:
    """Return the pairing that a noun phrase says; None if it says none."""
    match, before = _BEHIND.fullmatch(text), _BEFORE.fullmatch(text)
    if match is None and (before is None or before["kind"] not in _MATCHING):
        return None
    listed = [attribute.name for attribute in traits.vocabulary.attributes.values() if not attribute.is_number]
    if match is not None:
        whose, kind = (match["whose"] or "").strip(), match["kind"] or ""
        same = True if whose in ("its", "their") and not kind else _KINDS.get(kind)
        name = next((name for name in listed if _names(match["name"], name)), None)
        if same is not None and name is not None:
            return Pairing(match["core"], name, same)
    if before is not None and listed and before["kind"] in _MATCHING:
        return Pairing(before["core"], listed[0], _KINDS[before["kind"]])
    return None


def speaks_of_pairs(words: Iterable[str], vocabulary: Vocabulary) -> bool:
    """Return whether one of `words` may say a pairing: "matching", or the name of an attribute."""
    listed = [attribute.name for attribute in vocabulary.attributes.values() if not attribute.is_number]
    return bool(listed) and any(word in _MATCHING or any(_names(word, name) for name in listed) for word in words)


def _names(word: str, attribute: str) -> bool:
    """Return whether a word is the name of an attribute, in the plural or in another spelling: "colors"."""
    return any(distance(form, attribute) <= 1 for form in (word, *singulars(word)))


def partners(
    pairing: Pairing, objects: Iterable[str], others: Iterable[str], traits: TraitReader
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each object with those of `others` that go with it; what has no known value goes with nothing."""
    known = {name: set(traits.values(pairing.attribute, name)) for name in sorted(others)}
    for name in sorted(objects):
        own = set(traits.values(pairing.attribute, name))
        fitting = [
            other
            for other, values in known.items()
            if other != name and own and values and bool(own & values) == pairing.same
        ]
        yield name, tuple(fitting)


Doubt = Ambiguous | Unknown
MOST_ALTERNATIVES = 64
MOST_NOTED = 6

ME = frozenset({"me", "myself"})
YOU = frozenset({"you", "yourself"})
ONE = frozenset({"it", "that", "this", "that one", "this one"})
MANY = frozenset({"them", "they", "those", "these"})
PRONOUNS = ONE | MANY
"""Pronouns for an object that was named before."""
Pairs = tuple[str, Mapping[str, tuple[str, ...]]]
"""The slot that another slot goes with, and the partners of each object there."""


@dataclass(frozen=True, eq=False, slots=True)
class Referent:
    """The objects that a slot names; compared by identity.

    Attributes:
        words: The words of the person.
        alternatives: One of them is meant; each is a tuple of objects that are all meant.
        notes: The assumptions.
        doubts: Why the objects are not known; `alternatives` is then empty.
        misfits: Number of its parts that lack the affordance of the slot.
        thing: Whether a later "it" can refer to it; the speaker and the robot are never "it".
        within: The places that describe it, such as "the fridge" of "the milk in the fridge"; a later "it" can refer to
            one of them.
        pairing: How its objects go with those of another slot, if the words say that.
        every: Its words that mean all things of a sort.
        unlike: Other referents, whose objects are not its own: "another cup" is not "a cup" that was named before.
    """

    words: str
    alternatives: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    misfits: int = 0
    thing: bool = True
    within: tuple[Referent, ...] = ()
    pairing: Pairing | None = None
    every: tuple[Every, ...] = ()
    unlike: tuple[Referent, ...] = ()

    def without(self, named: frozenset[str]) -> Referent:
        """Return the same without some objects, where something is left."""
        others = (tuple(name for name in names if name not in named) for names in self.alternatives)
        left = tuple(dict.fromkeys(filter(None, others)))
        return replace(self, alternatives=left) if left and left != self.alternatives else self

    @property
    def single(self) -> bool:
        """Whether each alternative is one object."""
        return all(len(names) == 1 for names in self.alternatives)

    @property
    def everything(self) -> bool:
        """Whether the words are like "everything" and "the fruit": several objects that a later "it" can refer to."""
        words = self.words.split()
        return words[:1] in ([word] for word in THINGS) or (bool(self.every) and not MASSES.isdisjoint(words))

    @property
    def names(self) -> frozenset[str]:
        """Every name in any alternative."""
        return frozenset(name for names in self.alternatives for name in names)


def can_be_others(referent: Referent) -> bool:
    """Return whether some of its objects are none of those that it is unlike."""
    return all(
        any(set(names).isdisjoint(others) for names in referent.alternatives for others in each.alternatives)
        for each in referent.unlike
    )


def are_others(binding: Mapping[Referent, tuple[str, ...]]) -> bool:
    """Return whether "another cup" is bound to another cup than "a cup" is."""
    pairs = (
        (names, binding[each]) for referent, names in binding.items() for each in referent.unlike if each in binding
    )
    return all(set(names).isdisjoint(others) for names, others in pairs)


def cut_at(words: tuple[str, ...], at: str) -> list[tuple[str, ...]]:
    """Split words at every `at`; drop "either", and "both" unless it counts, as it does in "both mugs and a cup"."""
    parts = [tuple(group) for is_part, group in groupby(words, at.__ne__) if is_part]
    first, other = (*parts, (), ())[:2]
    noun = first[1:]
    counts = noun_phrase(noun).head == noun and noun_phrase(other).head != other and any(map(singulars, noun[-1:]))
    if other and (first[0] == "either" or (first[0] == "both" and not counts)):
        parts[0] = noun
    return [part for part in parts if part]


BEGINS_PART = frozenset(
    {"the", "a", "an", "my", "your", "our", "some", "both", "two", "three", "four", "five", "six", "all", "one"}
)


_NO_NOUN = GRAMMAR.union(*(words.split() for words in listed(TABLES["exceptions"])))
_ONE_THING = PLACING | {"to", "for", "with", "that", "which", "can", "from", "is", "are", "not", *CONDITIONAL}
"""Words that belong to the description of one thing."""


def with_joints(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list with "and" between all its parts: "the milk the bread and two eggs" lacks one."""
    if not _ONE_THING.isdisjoint(words):
        return words  # "something to cut the bread with", "the cup on the table"
    joined_words: list[str] = []
    for at, word in enumerate(words):
        before, after = words[at - 1 : at] if at else (), words[at + 1 : at + 2]
        begins = word in BEGINS_PART and bool(before) and not ({*before, *after} & {AND, "or", "other"})
        is_whole = (
            begins and after and _NO_NOUN.isdisjoint(before) and noun_phrase((*before, "thing")).head != ("thing",)
        )
        joined_words += [AND, word] if is_whole else [word]
    return tuple(joined_words)


def joined(text: str, parts: Sequence[Referent], alternatives: Iterable[tuple[str, ...]]) -> Referent:
    """Return the referent of several parts, with its alternatives."""
    distinct = dict.fromkeys(tuple(dict.fromkeys(names)) for names in alternatives)
    doubts = tuple(doubt for part in parts for doubt in part.doubts)
    notes = tuple(note for part in parts for note in part.notes)
    misfits = sum(part.misfits for part in parts)
    if 0 < sum(part.misfits > 0 for part in parts) < len(parts):
        misfits += 2  # a list of what fits and of what does not is rather two clauses
    within = tuple(spot for part in parts for spot in part.within)
    every = tuple(each for part in parts for each in part.every)
    return Referent(text, () if doubts else tuple(distinct), notes, doubts, misfits, within=within, every=every)


def too_many(text: str) -> Unknown:
    """Return the doubt that words leave too many choices open."""
    return Unknown(text, (), f"it leaves more than {MOST_ALTERNATIVES} choices open")


def pairs_of(
    slots: Iterable[str], referents: Mapping[str, Referent], traits: TraitReader
) -> Iterator[tuple[str, Pairs]]:
    """Yield each slot with a pairing, with the slot that it goes with and the partners of each object there."""
    slots = tuple(slots)
    for slot in slots:
        pairing = referents[slot].pairing
        by = next((other for other in slots if referents[other].pairing is None), None)
        if pairing is not None and by is not None:
            yield slot, (by, dict(partners(pairing, referents[by].names, referents[slot].names, traits)))


def with_partners(paired: Referent, by: Referent, partners_of: Mapping[str, tuple[str, ...]]) -> Referent:
    """Return a referent with a note on what goes with what; with a doubt if nothing goes with anything."""
    if paired.doubts or by.doubts or paired.pairing is None:
        return paired
    told = [f"{' or '.join(names)} for {name}" for name, names in partners_of.items() if names]
    alone = [name for name, names in partners_of.items() if not names]
    which = f"{'the same' if paired.pairing.same else 'another'} {paired.pairing.attribute}"
    if not told:
        why = f"none of {', '.join(sorted(paired.names))} is known to have {which} as {', '.join(alone)}"
        return replace(paired, alternatives=(), doubts=(Unknown(paired.words, (), why, "Name what goes where."),))
    left = f"; nothing for {', '.join(alone)}" if alone else ""
    return replace(paired, notes=(f"'{paired.words}' was read as {', '.join(told)}{left}.",))


def place_note(text: str, read: Referent, relation: str, within: Referent) -> tuple[str, ...]:
    """Return the note of which things words with a place were read as."""
    if read.doubts:
        return ()
    which = " or ".join(" and ".join(names) for names in read.alternatives[:MOST_NOTED])
    more = " or …" if len(read.alternatives) > MOST_NOTED else ""
    places = " or ".join(sorted(within.names))
    return (f"'{text}' was read as {which}{more}, by what is believed to be {relation} {places} now.",)


def left_of(text: str, whole: Referent, out: Referent) -> Referent:
    """Return a referent without the things that another one names."""
    if whole.doubts or out.doubts:
        return Referent(text, doubts=whole.doubts or out.doubts, within=whole.within)
    if len(whole.names) < 2:
        return Referent(text, doubts=(Unknown(text, (), f"'{whole.words}' is not several things"),))
    if len(out.alternatives) > 1:
        return Referent(text, doubts=(Unknown(out.words, (), "it does not say which", "Name what is meant."),))
    if len(whole.alternatives) > 1:
        left = [names for names in whole.alternatives if out.names.isdisjoint(names)]
    else:
        left = [tuple(name for name in whole.alternatives[0] if name not in out.names)]
    if not any(left):
        return Referent(text, doubts=(Unknown(text, (), "nothing is left of it", missing=True),))
    which = " or ".join(" and ".join(names) for names in left[:MOST_NOTED])
    note = f"'{text}' was read as {which}{' or …' if len(left) > MOST_NOTED else ''}."
    return replace(whole, words=text, alternatives=tuple(left), notes=(note,), every=())


def nouns_of(referent: Referent, names: NameIndex, places: PlaceReader) -> Iterator[tuple[str, ...]]:
    """Yield the nouns of a referent: "cup" of "the red cup on the table"."""
    for part in (
        referent.words.replace(" or ", " and ").split(" and ")
        if referent.thing and all(isinstance(doubt, Ambiguous) for doubt in referent.doubts)
        else ()
    ):
        words = tuple(part.split())
        spot = places.read(words)
        noun = names.noun(said(spot.core if spot is not None else words))
        entry = names.lexicon.find(noun)[0] if noun else None
        if entry is not None and entry.how is not MatchKind.SYMBOL:
            yield noun
        elif len(classes := {names.vocabulary.things[name].class_name for name in referent.names}) == 1:
            yield tuple(classes.pop().split("_"))


def nouns_able(affordance: str | None, names: NameIndex) -> Iterator[tuple[str, ...]]:
    """Yield the nouns of the sorts of things that have an affordance, or on which something can stand."""
    things, on = names.vocabulary.things, names.vocabulary.predicates.get(names.vocabulary.on)
    kinds = {affordance, affordance if on is None else on.parameters[1]}
    sorts = {things[name].class_name for each in kinds for name in names.lexicon.able(things, each)}
    yield from (tuple(sort.split("_")) for sort in sorted(sorts))


def spoken_of(words: tuple[str, ...], doubt: Doubt, before: Sequence[Referent], names: NameIndex) -> Referent | None:
    """Return what was named before that "the cup" stands for, where there are several cups."""
    phrase = noun_phrase(words)
    if not isinstance(doubt, Ambiguous) or not phrase.definite or phrase.ordinal or phrase.other:
        return None
    fit = names.resolve(f"all {said(phrase.head)}")
    fitting = set(fit.names) if isinstance(fit, Resolved) else set()
    spoken = {each.alternatives: each for each in before if each.thing and each.single and each.names <= fitting}
    spoken.pop((), None)
    return next(iter(spoken.values())) if len(spoken) == 1 else None


Spoken = tuple[Sequence[Referent], Sequence[Referent], Sequence[Referent]]
"""What a clause names: all of it, what it is about, and where it puts that."""


def last_spoken_of(
    usable: list[Referent], spoken: Sequence[Spoken], vocabulary: Vocabulary, *, is_placing: bool
) -> list[Referent]:
    """Keep what the last clause names that names any of it; rather what it is about than a place that stays.

    Args:
        usable: What a pronoun can stand for.
        spoken: The clauses before.
        vocabulary: The names.
        is_placing: Whether it is to be put somewhere: then it is none that was just put elsewhere.
    """

    def among(others: Sequence[Referent]) -> list[Referent]:
        return [each for each in usable if any(each.alternatives == other.alternatives for other in others)]

    placed = among([each for _, about, places in spoken if any(each.thing for each in places) for each in about])
    for every, about, places in reversed(spoken):
        named, moved = among(every), among(about)
        if len(named) == 1 and is_placing and named[0] in placed:
            holding = among([each for _, _, places in spoken for each in places])
            return [each for each in usable if each not in (*placed, *holding)] or usable
        if named:
            return moved if moved and not any(movable(each.names, vocabulary) for each in among(places)) else named
    return usable


def nearest_beside(
    names: NameIndex, text: str, spot: PlaceDescription, within: Referent, affordance: str | None
) -> Resolution | None:
    """Return what one thing in a direction from another means, by where things are; None where that is not known."""
    phrase, positions, direction = noun_phrase(spot.core), names.positions, DIRECTED.get(min(spot.relations), "")
    if positions is None or not direction or spot.denied or len(spot.relations) > 1 or len(within.names) != 1:
        return None
    if not phrase.head or not phrase.definite or phrase.count > 1 or phrase.ordinal or phrase.other:
        return None
    found, other = names.resolve(f"all {said(phrase.head)}", affordance), min(within.names)
    if names.lexicon.find(phrase.head)[1] or not isinstance(found, Resolved) or not positions.seen((other,)):
        return None
    able = names.lexicon.able(found.names, affordance) or found.names
    return positions.nearest_beside(text, {*positions.seen(able)} - {other}, other, direction)


def nothing_there(
    names: NameIndex, places: PlaceReader, text: str, spot: PlaceDescription, affordance: str | None, within: Referent
) -> Doubt:
    """Return the doubt for a place without such objects: unknown words, or objects that are elsewhere."""
    core = said(spot.core)
    anywhere = names.resolve(core, affordance)
    any_kind = noun_phrase(spot.core).of_any_kind
    if not any_kind and isinstance(anywhere, Unknown):
        return anywhere
    meant = anywhere.names if isinstance(anywhere, Resolved) else names.meant(core)
    what = "nothing" if any_kind else f"nothing that '{core}' can mean"
    there = f"{places.said(spot.relations)} {' or '.join(sorted(within.names))}"
    why = f"{what} is known {'not ' * spot.denied}to be {there}"
    elsewhere = ", ".join(places.whereabouts(meant))
    how = f"As far as is known, {elsewhere}." if elsewhere else "Say where else they may be."
    return Unknown(text, (), why, how, missing=True)
