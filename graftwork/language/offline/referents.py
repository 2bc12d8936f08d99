"""The objects that the words of a slot name.

A `Referent` has alternatives. Each alternative is a tuple of objects that are all meant: "a cup" has several
alternatives with one object each, "the cup and the plate" has one alternative with two objects. A pronoun takes over
the referent itself, so that "open a drawer and close it" speaks of the same drawer.

Objects go in pairs by a value: "put the blocks in the bowls with matching colours", "put each block in a bowl of
another colour". Each object of one slot goes with those of the other slot that have the same value of an attribute, or
another one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, product
from math import comb, prod

from graftwork.language.offline.patterns import AND, said
from graftwork.language.offline.places import PlaceDescription, PlaceReader
from semantics.logic.goal import Every
from semantics.logic.vocabulary import Vocabulary
from semantics.words.description import TraitReader
from semantics.words.english import THINGS, Quantifier, noun_phrase, singulars
from semantics.words.lexicon import MatchKind
from semantics.words.names import Ambiguous, NameIndex, Resolved, Unknown
from semantics.words.spelling import distance

Doubt = Ambiguous | Unknown
MOST_ALTERNATIVES = 64
MOST_NOTED = 6

_ME = frozenset({"me", "myself"})
_YOU = frozenset({"you", "yourself"})
_ONE = frozenset({"it"})
_MANY = frozenset({"them", "they"})
PRONOUNS = _ONE | _MANY
"""Pronouns for an object that was named before."""
_KINDS: Mapping[str, bool] = {
    **dict.fromkeys(("matching", "same", "equal", "own", "corresponding"), True),
    **dict.fromkeys(("mismatched", "mismatching", "different", "another", "other"), False),
}
_MATCHING = ("matching", "mismatched", "corresponding")
_BEHIND = re.compile(
    r"(?P<core>.+) (?:with|of) (?P<whose>(?:the|a|an|its|their) )?(?:(?P<kind>[a-z]+) )?(?P<name>[a-z]+)"
)
_BEFORE = re.compile(r"(?:the|its|their|a|an) (?P<kind>[a-z]+) (?P<core>.+)")
Pairs = tuple[str, Mapping[str, tuple[str, ...]]]
"""The slot that another slot goes with, and the partners of each object there."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """How objects are paired: the attribute, and whether they have the same value of it; `core` are the other words."""

    core: str
    attribute: str
    same: bool


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
        """Whether the words are like "everything": several objects that a later "it" can refer to."""
        return self.words.split()[:1] in ([word] for word in THINGS)

    @property
    def names(self) -> frozenset[str]:
        """Every name in any alternative."""
        return frozenset(name for names in self.alternatives for name in names)


@dataclass(slots=True)
class Slots:
    """Resolves the words of a slot with the `names` of the scene and the `places` of its objects."""

    names: NameIndex
    places: PlaceReader

    def referent(
        self,
        words: tuple[str, ...],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None = None,
        alike: Referent | None = None,
    ) -> Referent:
        """Return the referent of `words`.

        Args:
            words: One or several noun phrases and pronouns.
            affordance: The affordance that the slot needs.
            before: Earlier referents, which a pronoun can refer to.
            among: Preferred objects, because the goal fits them, or None.
            alike: What stands in the same place of the clause before, to which this one is parallel: what a pronoun is
                taken for that can stand for several, as in "the fork left of the plate and the knife right of it".
        """
        if said(words) in PRONOUNS:
            return self._looked_back(said(words), affordance, before, alike)
        pairing = pairing_in(said(words), self.names.traits)
        if pairing is not None:
            return self._paired(said(words), pairing, affordance)
        plainly = tuple(word for word in words if word != AND)
        if plainly != words and "or" not in words and self.names.described(noun_phrase(plainly)):
            words = plainly  # "the red and white cup" is one thing
        if AND not in words and "or" not in words:
            return self._single(words, affordance, before, among)
        text = said(words)
        if "or" not in words:
            return self._list(text, self._with_nouns(_cut(words, AND)), affordance, before, among)
        if AND in words:
            return Referent(text, doubts=(Unknown(text, (), "it joins things by 'and' and by 'or' at once"),))
        parts = [self._single(part, affordance, before, among) for part in self._with_nouns(_cut(words, "or"))]
        return _joined(text, parts, [names for part in parts for names in part.alternatives])

    def _paired(self, text: str, pairing: Pairing, affordance: str | None) -> Referent:
        """Return everything that a noun with a pairing can mean; which of it goes with what is decided later."""
        meant = self.names.meant(pairing.core)
        names = self.names.lexicon.able(meant, affordance) or meant
        if not names:
            return Referent(text, doubts=(Unknown(pairing.core, (), f"there is no {pairing.core} here"),))
        return Referent(text, (names,), misfits=int(names != meant), pairing=pairing)

    def _with_nouns(self, parts: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Add the noun to parts that lack it: "the red" of "the red and the blue cup" is "the red cup"."""
        noun: tuple[str, ...] = ()
        completed: list[tuple[str, ...]] = []
        for part in reversed(parts):
            traits, rest = self.names.traits.before(noun_phrase(part).head)
            lacks_noun = bool(traits) and not rest and not self.names.knows(said(part))
            completed.append((*part, *noun) if lacks_noun else part)
            noun = rest if traits and rest else noun if traits else ()
        return completed[::-1]

    def _list(
        self,
        text: str,
        cut: Sequence[tuple[str, ...]],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None,
    ) -> Referent:
        """Read a list such as "the cup and the plate"; an "all" also applies to the bare nouns that follow it."""
        if len(cut) == 1:
            return self._single(cut[0], affordance, before, among)
        parts: list[Referent] = []
        every = False
        for part in cut:
            phrase = noun_phrase(part)
            bare = phrase.head == part and part[0] not in _ME | _YOU | PRONOUNS
            parts.append(self._single(("all", *part) if every and bare else part, affordance, before, among))
            every = phrase.quantifier is Quantifier.ALL or (every and bare)
        if prod(len(part.alternatives) for part in parts) > MOST_ALTERNATIVES:
            return Referent(text, doubts=(_too_many(text),))
        choices = product(*(part.alternatives for part in parts))
        return _joined(text, parts, [tuple(name for names in choice for name in names) for choice in choices])

    def _single(
        self,
        words: tuple[str, ...],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None = None,
    ) -> Referent:
        """Read one noun phrase or pronoun."""
        text = said(words)
        if text in _ME | _YOU:
            return self._person(text, affordance)
        if text in PRONOUNS:
            return self._looked_back(text, affordance, before)
        spot = self.places.read(words) if len(words) > 2 else None  # a thing, words for a place, another thing
        if spot is not None and not self.names.knows(text):
            return self._placed(text, spot, affordance, before)
        resolved = self.names.resolve(text, affordance, among)
        # The preferred objects only break ties: if none of them fits the words, all objects of the scene count.
        if among is not None and not isinstance(resolved, Resolved):
            resolved = self.names.resolve(text, affordance)
        return self._resolved(text, resolved, affordance)

    def _resolved(self, text: str, resolved: Resolved | Doubt, affordance: str | None) -> Referent:
        if not isinstance(resolved, Resolved):
            return Referent(text, doubts=(resolved,))
        if comb(len(resolved.names), resolved.choose) > MOST_ALTERNATIVES:
            return Referent(text, doubts=(_too_many(text),))
        alternatives = tuple(combinations(resolved.names, resolved.choose))
        every = (Every(text, resolved.names, affordance or ""),) if resolved.every else ()
        notes = (resolved.note,) if resolved.note else ()
        return Referent(text, alternatives, notes, misfits=int(not resolved.fits), every=every)

    def _placed(
        self, text: str, spot: PlaceDescription, affordance: str | None, before: Sequence[Referent]
    ) -> Referent:
        """Read a noun phrase with a place: its objects are those that are believed to be at the place."""
        parameters = self.names.vocabulary.predicates
        needed = {parameters[relation].parameters[1] for relation in spot.relations}
        within = self._single(spot.where, needed.pop() if len(needed) == 1 else None, before)
        if within.doubts:
            return Referent(text, doubts=within.doubts, within=(within,))
        core, relations = said(spot.core), self.places.fitting(spot.relations, within.names, affordance)
        resolved = self.names.resolve(core, affordance, self._among(spot, relations, within, affordance))
        if isinstance(resolved, Unknown) and not spot.denied:
            # An apple in a bowl on a table is on the table, when none stands there by itself.
            resolved = self.names.resolve(core, affordance, self.places.there(relations, within.names, mixed=True))
        if isinstance(resolved, Unknown):
            spot = replace(spot, relations=relations)
            return Referent(text, doubts=(self._nothing_there(text, spot, affordance, within),), within=(within,))
        read = self._resolved(core, resolved, affordance)
        relation = f"{'not ' * spot.denied}{self.places.said(relations)}"
        notes = (*within.notes, *_place_note(text, read, relation, within))
        every = tuple(replace(each, words=text) for each in read.every)
        return replace(read, words=text, notes=notes, within=(within, *within.within), every=every)

    def _among(
        self, spot: PlaceDescription, relations: Collection[str], within: Referent, affordance: str | None
    ) -> frozenset[str]:
        """Return the objects at a place, or those that are not there if the words deny it."""
        if not spot.denied:
            return self.places.there(relations, within.names)
        there = self.places.there(relations, within.names, mixed=True)
        able = self.names.lexicon.able(self.names.vocabulary.things, affordance)
        return frozenset(able) - there - within.names

    def _nothing_there(self, text: str, spot: PlaceDescription, affordance: str | None, within: Referent) -> Doubt:
        """Return the doubt for a place without such objects: unknown words, or objects that are elsewhere."""
        core = said(spot.core)
        anywhere = self.names.resolve(core, affordance)
        any_kind = noun_phrase(spot.core).of_any_kind
        if not any_kind and isinstance(anywhere, Unknown):
            return anywhere
        names = anywhere.names if isinstance(anywhere, Resolved) else self.names.meant(core)
        what = "nothing" if any_kind else f"nothing that '{core}' can mean"
        there = f"{self.places.said(spot.relations)} {' or '.join(sorted(within.names))}"
        why = f"{what} is known {'not ' * spot.denied}to be {there}"
        whereabouts = ", ".join(self.places.whereabouts(names))
        return Unknown(
            text,
            (),
            why,
            f"As far as is known, {whereabouts}." if whereabouts else "Say where else they may be.",
            missing=True,
        )

    def _person(self, text: str, affordance: str | None) -> Referent:
        vocabulary = self.names.vocabulary
        name = vocabulary.speaker if text in _ME else vocabulary.robot
        if name is None or name not in vocabulary.things:
            return Referent(
                text, doubts=(Unknown(text, (), "nobody in this scene is known to be that", "Name who is meant."),)
            )
        fits = bool(self.names.lexicon.able((name,), affordance))
        return Referent(text, ((name,),), misfits=int(not fits), thing=False)

    def _looked_back(
        self, text: str, affordance: str | None, before: Sequence[Referent], alike: Referent | None = None
    ) -> Referent:
        """Resolve a pronoun to the only earlier referent with the needed affordance; if there are several, ask."""
        mentioned = {referent.alternatives: referent for referent in before if referent.thing and referent.alternatives}
        is_single = text in _ONE
        candidates = [
            referent
            for referent in reversed(mentioned.values())
            if referent.single == is_single or (is_single and referent.everything)
        ]
        able = [
            referent
            for referent in candidates
            if set(self.names.lexicon.able(referent.names, affordance)) == referent.names
        ]
        usable = able or candidates
        doubtful = [referent for referent in before if referent.thing and referent.doubts]
        if not usable and doubtful:
            return doubtful[-1]
        if not usable:
            return Referent(
                text,
                doubts=(Unknown(text, (), "nothing was named before that it can stand for", "Name what is meant."),),
            )
        if len(usable) > 1 and alike not in usable:
            options = tuple(referent.words for referent in usable)
            why = f"it can stand for {' and for '.join(options)}"
            return Referent(text, doubts=(Ambiguous(text, options, why, MatchKind.PRONOUN),))
        meant = alike if alike in usable else usable[0]
        # Where nothing fits, "on it" is not read as "in it": another pattern has fewer misfits.
        return meant if self.names.lexicon.able(meant.names, affordance) else replace(meant, misfits=1)


def _cut(words: tuple[str, ...], at: str) -> list[tuple[str, ...]]:
    """Split words at every `at`; drop "either", and "both" unless it counts, as it does in "both mugs and a cup"."""
    parts = [tuple(group) for is_part, group in groupby(words, at.__ne__) if is_part]
    first, other = (*parts, (), ())[:2]
    noun = first[1:]
    counts = noun_phrase(noun).head == noun and noun_phrase(other).head != other and any(map(singulars, noun[-1:]))
    if other and (first[0] == "either" or (first[0] == "both" and not counts)):
        parts[0] = noun
    return [part for part in parts if part]


def _joined(text: str, parts: Sequence[Referent], alternatives: Iterable[tuple[str, ...]]) -> Referent:
    distinct = dict.fromkeys(tuple(dict.fromkeys(names)) for names in alternatives)
    doubts = tuple(doubt for part in parts for doubt in part.doubts)
    notes = tuple(note for part in parts for note in part.notes)
    misfits = sum(part.misfits for part in parts)
    within = tuple(spot for part in parts for spot in part.within)
    every = tuple(each for part in parts for each in part.every)
    return Referent(text, () if doubts else tuple(distinct), notes, doubts, misfits, within=within, every=every)


def _place_note(text: str, read: Referent, relation: str, within: Referent) -> tuple[str, ...]:
    if read.doubts:
        return ()
    which = " or ".join(" and ".join(names) for names in read.alternatives[:MOST_NOTED])
    more = " or …" if len(read.alternatives) > MOST_NOTED else ""
    places = " or ".join(sorted(within.names))
    return (f"'{text}' was read as {which}{more}, by what is believed to be {relation} {places} now.",)


def _too_many(text: str) -> Unknown:
    return Unknown(text, (), f"it leaves more than {MOST_ALTERNATIVES} choices open")


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
