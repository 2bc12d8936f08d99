"""`Slots`: reads the words of a slot, and finds the objects that they name.

A slot holds one or several noun phrases and pronouns. Each is read with the names of the scene, with the believed
places of its objects, and with what was named before it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb, prod

from graftwork.language.offline.patterns import AND, said
from graftwork.language.offline.places import PlaceDescription, PlaceReader
from graftwork.language.offline.recall import meant_earlier
from graftwork.language.offline.references import COLOURS, exception_in, noun_missing, number_in, of_them, put_fully
from graftwork.language.offline.referents import (
    ME,
    MOST_ALTERNATIVES,
    ONE,
    PRONOUNS,
    YOU,
    Doubt,
    Pairing,
    Referent,
    Spoken,
    can_be_others,
    cut_at,
    joined,
    last_spoken_of,
    left_of,
    nearest_beside,
    nothing_there,
    nouns_able,
    nouns_of,
    pairing_in,
    place_note,
    spoken_of,
    too_many,
    with_joints,
)
from semantics.logic.goal import Every
from semantics.words.english import Quantifier, noun_phrase, singulars
from semantics.words.lexicon import MatchKind
from semantics.words.names import Ambiguous, NameIndex, Resolved, Unknown, movable
from semantics.words.positions import chosen_by_distance, distance_in


@dataclass(slots=True)
class Slots:
    """Resolves the words of a slot with the `names` of the scene and the `places` of its objects."""

    names: NameIndex
    places: PlaceReader
    earlier: tuple[tuple[Referent, ...], ...] = ()
    """What earlier turns of the conversation were about, the last turn first."""
    spoken: Sequence[Spoken] = ()
    """What each clause before has named."""
    is_placing: bool = False
    """Whether the clause that is read puts something somewhere."""

    def referent(
        self,
        words: tuple[str, ...],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None = None,
        alike: Referent | None = None,
        beside: Sequence[Referent] = (),
    ) -> Referent:
        """Return the referent of `words`.

        Args:
            words: One or several noun phrases and pronouns.
            affordance: The affordance that the slot needs.
            before: Earlier referents, which a pronoun can refer to.
            among: Preferred objects, because the goal fits them, or None.
            alike: What stands in the same place of the clause before, to which this one is parallel: what a pronoun is
                taken for that can stand for several, as in "the fork left of the plate and the knife right of it".
            beside: Other referents of the same clause, of which "the red one" may have its noun.
        """
        is_first = not any(each.thing for each in before)
        if said(words) in PRONOUNS:
            meant = meant_earlier(said(words), affordance, self.earlier, self.names.lexicon) if is_first else None
            return meant or self._looked_back(said(words), affordance, before, alike)
        if is_first:
            before = [each for turn in reversed(self.earlier) for each in reversed(turn)]
        return self._named(words, affordance, before, among, beside)

    def _named(
        self,
        words: tuple[str, ...],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None,
        beside: Sequence[Referent],
    ) -> Referent:
        """Return the referent of noun phrases."""
        words = with_joints(words)
        pairing = pairing_in(said(words), self.names.traits)
        if pairing is not None:
            return self._paired(said(words), pairing, affordance)
        if (cut := exception_in(words)) is not None:
            return self._except(words, cut, affordance, before, among, beside)
        plainly = tuple(word for word in words if word != AND)
        if plainly != words and "or" not in words and self.names.described(noun_phrase(plainly)):
            words = plainly  # "the red and white cup" is one thing
        if AND not in words and "or" not in words:
            mixed = self._mixture(words, affordance, before, beside) if "with" in words else None
            return mixed or self._single(words, affordance, before, among, beside)
        text = said(words)
        if "or" not in words:
            parts = self._with_nouns(cut_at(words, AND))
            if any("to" in part and self.names.knows(part[-1]) for part in parts[:-1]):
                # "the knife to cut the bread and the tomato": what the knife is for may go on
                return Referent(text, doubts=(Unknown(text, (), "which words belong together is not clear"),))
            return self._list(text, parts, affordance, before, among, beside)
        if AND in words:
            return Referent(text, doubts=(Unknown(text, (), "it joins things by 'and' and by 'or' at once"),))
        cut_words = self._with_nouns(cut_at(words, "or"))
        every = [self._single(part, affordance, before, among, beside) for part in cut_words]
        return joined(text, every, [names for part in every for names in part.alternatives])

    def _mixture(
        self, words: tuple[str, ...], affordance: str | None, before: Sequence[Referent], beside: Sequence[Referent]
    ) -> Referent | None:
        """Read "juice with mint" as both, where they are poured and cannot stand beside each other."""
        both = self._list(said(words), cut_at(words, "with"), affordance, before, None, beside)
        is_poured = not both.doubts and not both.misfits and not movable(both.names, self.names.vocabulary)
        return both if is_poured else None

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
        beside: Sequence[Referent],
    ) -> Referent:
        """Read a list such as "the cup and the plate"; an "all" also applies to the bare nouns that follow it."""
        if len(cut) == 1:
            return self._single(cut[0], affordance, before, among, beside)
        parts: list[Referent] = []
        every = False
        for part in cut:
            phrase = noun_phrase(part)
            bare = phrase.head == part and part[0] not in ME | YOU | PRONOUNS
            words = ("all", *part) if every and bare else part
            parts.append(self._single(words, affordance, before, among, (*beside, *parts)))
            every = phrase.quantifier is Quantifier.ALL or (every and bare)
            if phrase.other and noun_phrase(cut[0]).quantifier in (Quantifier.ANY, Quantifier.COUNT):
                parts[-1] = replace(parts[-1], misfits=2)  # "one of them and the others" would be all of them
        if prod(len(part.alternatives) for part in parts) > MOST_ALTERNATIVES:
            return Referent(text, doubts=(too_many(text),))
        choices = product(*(part.alternatives for part in parts))
        return joined(text, parts, [tuple(name for names in choice for name in names) for choice in choices])

    def _except(
        self,
        words: tuple[str, ...],
        cut: tuple[int, int],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None,
        beside: Sequence[Referent],
    ) -> Referent:
        """Read "all the cups except the red one", "all but one of the cups" and "not the red cup but the blue one"."""
        text, base, rest = said(words), words[: cut[0]], words[cut[1] :]
        base = base[:-1] if base[-1:] == (AND,) else base
        if base[:1] == ("not",):
            other = self.referent(base[1:], affordance, before, beside=beside)
            return self.referent(rest, affordance, before, beside=(*beside, other))
        number, of = number_in(rest)
        if not noun_phrase(base).head:
            left_out = () if number else self.noun_of(self.referent(rest, None, before))
            base = (*base, *(left_out or noun_phrase(of).head))
        whole = self.referent(base, affordance, before, among, beside=beside)
        if number:
            if whole.doubts or len(whole.alternatives) > 1 or number >= len(whole.names):
                return replace(whole, words=text, doubts=whole.doubts or (too_many(text),), alternatives=())
            names = tuple(sorted(whole.names))
            note = f"'{text}' was read as any {len(names) - number} of {', '.join(names)}."
            resolved = Resolved(text, names, MatchKind.CLASS, len(names) - number, note, not whole.misfits)
            return self._resolved(text, resolved, affordance)
        out = self.referent(rest, None, before, beside=(*beside, whole))
        fits = words[cut[0] : cut[1]] == ("not",) and not self.referent(rest, affordance, before, beside=beside).misfits
        if fits and len(whole.names) == 1 and not (whole.doubts or out.doubts or whole.names & out.names):
            return whole  # "the red mug, not the green one"
        left = left_of(text, whole, out)
        spot = self.places.read(rest)
        if spot is None or whole.within:
            return left
        # "All the cups except the red one on the table" may speak of the cups on the table alone.
        there = self.referent((*base, *rest[len(spot.core) :]), affordance, before, beside=beside)
        nearer = left_of(text, there, self.referent(spot.core, None, before, beside=(*beside, there)))
        if left.doubts or nearer.doubts or left.names == nearer.names:
            return left if nearer.doubts else nearer
        options = tuple(" and ".join(sorted(each.names)) for each in (nearer, left))
        why = f"'{said(rest[len(spot.core) :])}' can belong to all of it"
        return Referent(text, doubts=(Ambiguous(text, options, why, MatchKind.PLACE),))

    def _single(
        self,
        words: tuple[str, ...],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None = None,
        beside: Sequence[Referent] = (),
    ) -> Referent:
        """Read one noun phrase or pronoun."""
        text, words = said(words), put_fully(words)
        if "'s " in text and self.names.knows(text.replace("'s ", " ")):
            words = tuple(text.replace("'s ", " ").split())  # "the fridge's door" may be a name
        if text in ME | YOU:
            return self._person(text, affordance)
        if text in PRONOUNS:
            return self._looked_back(text, affordance, before)
        if (things := of_them(words)) is not None:
            them = self._looked_back("them", None, before)
            them = self._of_its_sort(words, before) or them if them.doubts else them
            read = self._resolved(text, self.names.resolve(said(things), affordance, them.names), affordance)
            notes = tuple(note.replace(said(things), text) for note in read.notes)
            doubts = tuple(replace(each, words=text) for each in read.doubts)
            return replace(them, words=text) if them.doubts else replace(read, notes=notes, doubts=doubts)
        if (lacking := noun_missing(words)) is not None and not self.names.knows(text):
            return self._with_noun(text, lacking, affordance, before, among, beside)
        by_distance = None if self.names.knows(text) else self._by_distance(words, affordance, before)
        return by_distance or self._described(words, affordance, before, among, beside)

    def _described(
        self,
        words: tuple[str, ...],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None,
        beside: Sequence[Referent],
    ) -> Referent:
        """Read a noun phrase with its noun: by a place, by what it carries, or by itself."""
        text, others = said(words), self._others(words, (*before, *beside))
        if others[1] and words[:2] == ("the", "other") and len(self.names.meant(text)) == 2:
            words = ("another", *words[2:])  # of two things, one of which is still open
        if (carrying := self._carrying(words, affordance, before, is_plain=False)) is not None:
            return carrying
        spot = self.places.read(words) if len(words) > 2 else None  # a thing, words for a place, another thing
        if spot is not None and not self.names.knows(said(words)):
            return self._placed(text, spot, affordance, before, others)
        resolved = self.names.resolve(said(words), affordance, among, others[0])
        # The preferred objects only break ties: if none of them fits the words, all objects of the scene count.
        if among is not None and not isinstance(resolved, Resolved):
            resolved = self.names.resolve(text, affordance, None, others[0])
        if isinstance(resolved, Resolved):
            taken = sum(len(each.alternatives[0]) for each in others[1])
            if resolved.choose == len(resolved.names) > taken:  # "one of the cups … and the others"
                resolved = replace(resolved, choose=resolved.choose - taken)
            read = replace(self._resolved(text, resolved, affordance), unlike=others[1])
            return (
                read
                if can_be_others(read)
                else Referent(text, doubts=(Unknown(text, (), "there is no other one here"),))
            )
        return (
            spoken_of(words, resolved, before, self.names)
            or self._carrying(words, affordance, before, is_plain=True)
            or self._resolved(text, resolved, affordance)
        )

    def _others(
        self, words: tuple[str, ...], named: Sequence[Referent]
    ) -> tuple[frozenset[str] | None, tuple[Referent, ...]]:
        """Return what "the other cup" is other than: the things, and the referents that leave a choice open."""
        phrase = noun_phrase(words)
        if not phrase.other:
            return None, ()
        things = self.names.vocabulary.things
        spot = self.places.read(words)
        core = said(spot.core if spot is not None else words)
        meant = frozenset(things if noun_phrase(core.split()).of_any_kind else self.names.meant(core))
        spoken = [referent for referent in named if referent.thing and referent.names & meant]
        fixed = [referent.names for referent in spoken if len(referent.alternatives) == 1]
        return frozenset().union(*fixed) if spoken else None, tuple(
            each for each in spoken if len(each.alternatives) > 1
        )

    def noun_of(self, referent: Referent) -> tuple[str, ...]:
        """Return the first noun of a referent: "cup" of "the red cup on the table"."""
        return next(nouns_of(referent, self.names, self.places), ())

    def _with_noun(
        self,
        text: str,
        lacking: tuple[tuple[str, ...], int],
        affordance: str | None,
        before: Sequence[Referent],
        among: frozenset[str] | None,
        beside: Sequence[Referent],
    ) -> Referent:
        """Read "the green one" with the noun of what was named before; where several nouns would do, ask."""
        words, at = lacking
        found = (noun for each in reversed((*before, *beside)) for noun in nouns_of(each, self.names, self.places))
        nouns = dict.fromkeys((*noun[:-1], (*singulars(noun[-1]), noun[-1])[0]) for noun in found)
        is_bare = said(words) == text
        if words[at - 1] in COLOURS and (is_bare or not nouns):  # "red on green"
            nouns |= dict.fromkeys(nouns_able(affordance, self.names))
        able = sorted(nouns, key=lambda noun: not self.names.lexicon.able(self.names.meant(said(noun)), affordance))
        tried = [self._single((*words[:at], *noun, *words[at:]), affordance, before, among, beside) for noun in able]
        sure = [each for each in tried if not each.doubts]
        fewest = min((each.misfits for each in sure), default=0)
        if is_bare and COLOURS & {*words}:  # "in the blue" may be on the blue block, or in the blue bowl
            tried, fewest = tried * (not fewest), 1 - fewest
        fit = {each.alternatives: each for each in sure if each.misfits <= fewest}
        if len(fit) > 1:
            options = tuple(each.words for each in fit.values())
            return Referent(text, doubts=(Ambiguous(text, options, "it can stand for several", MatchKind.PRONOUN),))
        asked = [
            Referent(text, doubts=(replace(doubt, words=text if doubt.words == each.words else doubt.words),))
            for each in tried
            for doubt in each.doubts[:1]
            if isinstance(doubt, Ambiguous)
        ]
        lone = next((word for word in text.split() if word in ("one", "ones")), text)
        why = Unknown(lone, (), "nothing was named before that it can stand for", "Name what is meant.")
        strange = (
            Referent(text, doubts=(replace(doubt, missing=True),))  # told once
            for each in reversed(before)
            for doubt in each.doubts
            if each.thing and isinstance(doubt, Unknown)
        )
        return next(iter((*fit.values(), *asked, *tried, *strange)), Referent(text, doubts=(why,)))

    def _by_distance(
        self, words: tuple[str, ...], affordance: str | None, before: Sequence[Referent]
    ) -> Referent | None:
        """Read "the cup closest to the sink"; without words for from where, it has to be so for both who talk."""
        parted = distance_in(words)
        phrase = noun_phrase(parted[0] if parted is not None else ())
        whole = self._described(("all", *phrase.head), affordance, before, None, ()) if phrase.head else None
        if parted is None or whole is None or whole.doubts:
            return None
        origin = self._single(parted[2], None, before) if parted[2] else None
        if origin is not None and origin.doubts:
            return Referent(said(words), doubts=origin.doubts)
        able = self.names.lexicon.able(sorted(whole.names), affordance)
        plural = self.names.lexicon.find(self.names.noun(said(phrase.head)))[1]
        where, vocabulary, near = self.names.positions, self.names.vocabulary, parted[1]
        names = able or tuple(sorted(whole.names)), None if origin is None else tuple(sorted(origin.names))
        read = chosen_by_distance(said(words), phrase, names, where, vocabulary, near=near, plural=plural)
        return replace(self._resolved(said(words), read, affordance), within=whole.within, misfits=int(not able))

    def _carrying(
        self, words: tuple[str, ...], affordance: str | None, before: Sequence[Referent], *, is_plain: bool
    ) -> Referent | None:
        """Read "the table with the oranges on it" or, what `is_plain`, "the box of eggs": by what is on it or in it."""
        parted = self.places.carrying(words, is_plain=is_plain)
        if parted is None:
            return None
        core, relations, what = parted
        if words[len(core)] == "with" and is_plain and isinstance(self.names.resolve(said(core), affordance), Resolved):
            return None  # "the plate with the sponge" may say what it is to be done with
        load = self._single(what, None, before)
        under = self.places.under(relations, load.names).union(*map(self.places.going_with, load.names))
        resolved = self.names.resolve(said(core), affordance, under) if under else None
        if load.doubts or not isinstance(resolved, Resolved):
            return None
        read = self._resolved(said(core), resolved, affordance)
        note = f"'{said(words)}' was read as {' or '.join(sorted(read.names))}, by what is believed to be there now."
        return replace(read, words=said(words), notes=(*load.notes, note), within=(load, *load.within), every=())

    def _resolved(self, text: str, resolved: Resolved | Doubt, affordance: str | None) -> Referent:
        if not isinstance(resolved, Resolved):
            return Referent(text, doubts=(resolved,))
        if comb(len(resolved.names), resolved.choose) > MOST_ALTERNATIVES:
            return Referent(text, doubts=(too_many(text),))
        alternatives = tuple(combinations(resolved.names, resolved.choose))
        if resolved.different:
            of = {name: self.names.vocabulary.things[name].class_name for name in resolved.names}
            alternatives = tuple(names for names in alternatives if len({of[name] for name in names}) == len(names))
        every = (Every(text, resolved.names, affordance or ""),) if resolved.every else ()
        notes = tuple(filter(None, (resolved.note,)))
        return Referent(text, alternatives, notes, misfits=int(not resolved.fits), every=every)

    def _placed(
        self,
        text: str,
        spot: PlaceDescription,
        affordance: str | None,
        before: Sequence[Referent],
        others: tuple[frozenset[str] | None, tuple[Referent, ...]],
    ) -> Referent:
        """Read a noun phrase with a place: its objects are those that are believed to be at the place."""
        parameters = self.names.vocabulary.predicates
        needed = {parameters[relation].parameters[1] for relation in spot.relations}
        within = self._single(spot.where, needed.pop() if len(needed) == 1 else None, before)
        if within.doubts:
            return Referent(text, doubts=within.doubts, within=(within,))
        core, relations = said(spot.core), self.places.fitting(spot.relations, within.names, affordance)
        if (near := nearest_beside(self.names, text, spot, within, affordance)) is not None:
            return replace(self._resolved(text, near, affordance), within=(within, *within.within))
        resolved = self.names.resolve(core, affordance, self._among(spot, relations, within, affordance), others[0])
        if isinstance(resolved, Unknown) and not spot.denied:
            # An apple in a bowl on a table is on the table, when none stands there by itself.
            there = self.places.there(relations, within.names, mixed=True)
            resolved = self.names.resolve(core, affordance, there, others[0])
        if isinstance(resolved, Unknown):
            spot = replace(spot, relations=relations)
            doubt = nothing_there(self.names, self.places, text, spot, affordance, within)
            return Referent(text, doubts=(doubt,), within=(within,))
        read = self._resolved(core, resolved, affordance)
        relation = f"{'not ' * spot.denied}{self.places.said(relations)}"
        counting = (note for note in read.notes if "counting" in note)
        notes = (*within.notes, *counting, *place_note(text, read, relation, within))
        every = tuple(replace(each, words=text) for each in read.every)
        return replace(read, words=text, notes=notes, within=(within, *within.within), every=every, unlike=others[1])

    def _among(
        self, spot: PlaceDescription, relations: Collection[str], within: Referent, affordance: str | None
    ) -> frozenset[str]:
        """Return the objects at a place, or those that are not there if the words deny it."""
        if not spot.denied:
            return self.places.there(relations, within.names)
        there = self.places.there(relations, within.names, mixed=True)
        able = self.names.lexicon.able(self.names.vocabulary.things, affordance)
        return frozenset(able) - there - within.names

    def _person(self, text: str, affordance: str | None) -> Referent:
        vocabulary = self.names.vocabulary
        name = vocabulary.speaker if text in ME else vocabulary.robot
        if name is None or name not in vocabulary.things:
            return Referent(
                text, doubts=(Unknown(text, (), "nobody in this scene is known to be that", "Name who is meant."),)
            )
        fits = bool(self.names.lexicon.able((name,), affordance))
        return Referent(text, ((name,),), misfits=int(not fits), thing=False)

    def _of_its_sort(self, words: tuple[str, ...], before: Sequence[Referent]) -> Referent | None:
        """Return both or all things of the sort of the one that was named last: "both", after "bring me a can"."""
        names = next(
            (each.names for each in reversed(before) if each.thing and each.single and each.names), frozenset()
        )
        things = self.names.vocabulary.things
        sorts = {things[name].class_name for name in names if name in things}
        every = tuple(sorted(name for name, thing in things.items() if {thing.class_name} == sorts))
        meant = {"both": len(every) == 2, "all": len(every) > 1}.get(words[0], False)
        return Referent(said(words), (every,)) if meant else None

    def _looked_back(
        self, text: str, affordance: str | None, before: Sequence[Referent], alike: Referent | None = None
    ) -> Referent:
        """Resolve a pronoun to the only earlier referent with the needed affordance; if there are several, ask."""
        mentioned = {referent.alternatives: referent for referent in before if referent.thing and referent.alternatives}
        is_single = text in ONE
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
        if not able and doubtful:
            return doubtful[-1]
        if not usable:
            return Referent(
                text,
                doubts=(Unknown(text, (), "nothing was named before that it can stand for", "Name what is meant."),),
            )
        if len(usable) > 1 and alike not in usable:
            usable = last_spoken_of(usable, self.spoken, self.names.vocabulary, is_placing=self.is_placing)
        if len(usable) > 1 and alike not in usable:
            options = tuple(referent.words for referent in usable)
            why = f"it can stand for {' and for '.join(options)}"
            return Referent(text, doubts=(Ambiguous(text, options, why, MatchKind.PRONOUN),))
        meant = alike if alike in usable else usable[0]
        # Where nothing fits, "on it" is not read as "in it": another pattern has fewer misfits.
        return meant if self.names.lexicon.able(meant.names, affordance) else replace(meant, misfits=1)
