"""From words to symbols: "the cup" to ``cup0``, "all the fruit" to every fruit of the scene.

The cheapest reliable way comes first: a symbol, a class, a synonym, a kind (each also in the plural), a typing error.
When several things match, "an apple" means any of them and "the apple" leads to a question; a word that only resembles
a known one, in spelling or in meaning, leads to a question too. No guess is silent: a note states each assumption.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from semantics.errors import OutsideError
from semantics.geometry.relations import RELATIONS
from semantics.hints import distance, nearest, surely
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.description import Description, Rank, TraitReader, is_of_sort, use_in
from semantics.words.embedding import Embedder
from semantics.words.english import (
    ATTITUDES,
    GRAMMAR,
    MASSES,
    PORTIONS,
    THINGS,
    NounPhrase,
    Quantifier,
    noun_phrase,
    quantifier_of,
    singulars,
    superlatives,
)
from semantics.words.lexicon import Ambiguous, Lexicon, MatchKind, Resolution, Resolved, Unknown, WordEntry, only, plain
from semantics.words.positions import SIDES, Positions, chosen_by_side, side_in

__all__ = ["Ambiguous", "MatchKind", "NameIndex", "Resolution", "Resolved", "Unknown", "movable"]

MOST_OPTIONS = 6
LEAST_LIKENESS = 0.45  # cosine below which no word is suggested ("glass" and "sponge" have 0.38)
RELATION_WORDS = frozenset().union(*(relation.split("_") for relation in RELATIONS))
"""Words that say where things are, such as "row" and "edge"; no misspelt names of things."""
_ONE_THING = (("thing",), ("object",), ("item",))
LIKENESS_MARGIN = 0.12  # how far below the best cosine that of a further suggestion may lie


@dataclass(slots=True)
class NameIndex:
    """The words of a vocabulary, ready to be resolved.

    Attributes:
        vocabulary: What may be named.
        embed: Compares by meaning, or None.
        state: The believed state, for descriptions such as "the open bottle".
        positions: Where things are, for descriptions such as "the second cup from the left"; None if that is unknown.
    """

    vocabulary: Vocabulary
    embed: Embedder | None = None
    state: State = field(default_factory=State)
    positions: Positions | None = None
    lexicon: Lexicon = field(init=False)
    traits: TraitReader = field(init=False)
    _resolved: dict[tuple[object, ...], Resolution] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.lexicon = Lexicon.of(self.vocabulary)
        self.traits = TraitReader(self.vocabulary, self.state)

    @classmethod
    def of(cls, vocabulary: Vocabulary, state: State, positions: Positions | None) -> NameIndex:
        """Return the words of a vocabulary for what is believed now; what was resolved for it before is kept."""
        names = cls(vocabulary, state=state, positions=positions)
        match vocabulary.computed.get("resolved"):
            case (last, places, dict(resolved)) if last is state and places is positions:
                names._resolved = resolved
        vocabulary.computed["resolved"] = state, positions, names._resolved
        return names

    def knows(self, words: str) -> bool:
        """Return whether a noun phrase as a whole is a known noun, with or without a determiner."""
        head = noun_phrase(plain(words).split()).head
        return bool(head) and self.lexicon.find(head)[0] is not None

    def meant(self, words: str) -> tuple[str, ...]:
        """Return every thing that the noun of `words` can stand for, sorted."""
        head = self.noun(words)
        entry = self.lexicon.find(head)[0] if head else None
        return entry.names if entry is not None else ()

    def noun(self, words: str) -> tuple[str, ...]:
        """Return the noun of a noun phrase without its determiner and adjectives."""
        phrase = noun_phrase(plain(words).split())
        if not phrase.head or self.lexicon.find(phrase.head)[0] is not None:
            return phrase.head
        description = self.described(phrase)
        return phrase.head if description is None else description.noun

    def resolve(
        self,
        words: str,
        affordance: str | None = None,
        among: frozenset[str] | None = None,
        beyond: frozenset[str] | None = None,
    ) -> Resolution:
        """Resolve a noun phrase.

        Args:
            words: Such as ``the red cup`` or ``all the fruit``.
            affordance: What the thing is needed for; it chooses among several things and excludes none.
            among: The only things that can be meant, for instance because their place was said; None for all.
            beyond: The things that "the other cup" is other than; None if it is not known which these are.
        """
        key = (words, affordance, among, beyond)
        if key not in self._resolved:
            left = self._others(words, among, beyond)
            self._resolved[key] = (
                left if isinstance(left, Ambiguous | Unknown) else self._resolve(words, affordance, left)
            )
        return self._resolved[key]

    def _others(
        self, words: str, among: frozenset[str] | None, beyond: frozenset[str] | None
    ) -> frozenset[str] | Ambiguous | Unknown | None:
        """Return what can be meant without what "the other cup" is other than."""
        phrase = noun_phrase(plain(words).split())
        if not phrase.other:
            return among
        meant = self.meant(words)
        if beyond is None and phrase.of_any_kind:
            return Unknown(words, (), "it does not say than which one", "Name what is meant.")
        left = frozenset(self.vocabulary.things if among is None else among) - (beyond or frozenset())
        if meant and (beyond is None or left.isdisjoint(meant)):
            why = "it does not say than which one" if beyond is None else "there is no other one here"
            return Ambiguous(words, meant[:MOST_OPTIONS], why, MatchKind.CLASS)
        return among if phrase.of_any_kind and among is None else left

    def _resolve(self, words: str, affordance: str | None, among: frozenset[str] | None) -> Resolution:
        phrase = noun_phrase(plain(words).split())
        entry, plural = self.lexicon.find(phrase.head, affordance) if phrase.head else (None, False)
        if entry is None and phrase.of_any_kind:
            if among is None:
                how = f"Add where they are, as in '{words or 'everything'} on …', or name them, as in 'all the …'."
                return Unknown(words, (), "it does not say which things", how)
            entry, plural = WordEntry(tuple(sorted(among)), MatchKind.PLACE), phrase.head[:1] not in _ONE_THING
        if entry is not None:
            return self._counted(words, phrase, entry, plural, affordance, among)
        if not phrase.head:
            return Unknown(words, (), "no thing is named")
        if (description := self.described(phrase)) is not None:
            return self._described(words, phrase, description, affordance, among)
        by_more = self._by_use_or_side(words, phrase, affordance, among)
        if (by_more := by_more or self._by_last_word(words, phrase, affordance, among)) is not None:
            return by_more
        traits, rest = self.traits.before(phrase.head)
        if traits and rest and not GRAMMAR & set(rest):  # the noun is not known: correct it
            having = frozenset(self.traits.fitting(traits, among or tuple(self.vocabulary.things)))
            return self._misspelt(words, replace(phrase, head=rest), affordance, having)
        return self._in_part(words, phrase.head) or self._misspelt(words, phrase, affordance, among)

    def _by_last_word(
        self, words: str, phrase: NounPhrase, affordance: str | None, among: frozenset[str] | None
    ) -> Resolution | None:
        """Resolve "the box" as the cereal box, where it is the only box."""
        ending = f" {' '.join(phrase.head)}"
        longer = [word.split() for word in self.lexicon.present() if word.endswith(ending)]
        found = [self.lexicon.find(tuple(word))[0] for word in longer if phrase.head[-1] not in SIDES]
        names = tuple(sorted({name for entry in found if entry is not None for name in entry.names}))
        entry = WordEntry(names, MatchKind.SYNONYM)
        return self._counted(words, phrase, entry, False, affordance, among) if names else None

    def _by_use_or_side(
        self, words: str, phrase: NounPhrase, affordance: str | None, among: frozenset[str] | None
    ) -> Resolution | None:
        """Resolve "a slice of bread", "something to cut the bread with", "the second can from the left"."""
        if phrase.head[0] in PORTIONS and (whole := _without_of(phrase.head[1:])):
            meant = self.meant(" ".join(whole))
            if (poured := self.lexicon.able(meant, affordance)) and not movable(poured, self.vocabulary):
                return self._resolve(f"the {' '.join(whole)}", affordance, among)
            why = f"how much of it, as '{phrase.head[0]}' says, cannot be asked for; the whole of it can"
            return Ambiguous(words, meant[:MOST_OPTIONS], why, MatchKind.CLASS) if meant else None
        if (use := use_in(phrase.head, self.vocabulary.uses)) is not None:
            things = self.vocabulary.things
            able = (name for name in things if among is None or name in among)
            fit = frozenset(name for name in able if any(is_of_sort(things[name], sort) for sort in use.sorts))
            core = " ".join((*plain(words).split()[: -len(phrase.head)], *use.core))
            found = self._resolve(core, affordance, fit)
            if not isinstance(found, Resolved):
                return found
            which = " or ".join(found.names) if found.choose == 1 else " and ".join(found.names)
            return replace(found, words=words, note=f"'{words}' was read as {which}, by what one can {use.said}.")
        said = side_in(" ".join(phrase.head))
        named = None if said is None else self.resolve(f"all {said.core}", affordance, among)
        if said is None or not isinstance(named, Resolved):
            return None
        names = self.lexicon.able(named.names, affordance) or named.names
        plural = self.lexicon.find(self.noun(said.core))[1]
        chosen = chosen_by_side(words, phrase, said, names, self.positions, self.vocabulary, plural=plural)
        return replace(chosen, fits=named.fits or names != named.names) if isinstance(chosen, Resolved) else chosen

    def described(self, phrase: NounPhrase) -> Description | None:
        """Return the noun and the traits of a noun phrase; None if it has no traits."""
        return self.traits.read(phrase.head, self._is_noun)

    def _is_noun(self, words: tuple[str, ...]) -> bool:
        return (len(words) == 1 and words[0] in THINGS) or self.lexicon.find(words)[0] is not None

    def _described(
        self,
        words: str,
        phrase: NounPhrase,
        description: Description,
        affordance: str | None,
        among: frozenset[str] | None,
    ) -> Resolution:
        """Resolve a noun with traits: those of the things that the noun means count that have all traits."""
        entry, plural = self.lexicon.find(description.noun, affordance)
        if entry is None and description.noun[0] in THINGS:  # "everything that is red": what would do for the purpose
            able = self.lexicon.able(sorted(self.vocabulary.things), affordance)
            entry, plural = WordEntry(able, MatchKind.KIND), description.noun[0].endswith("s")
            phrase = replace(phrase, quantifier=quantifier_of(description.noun[0]) or phrase.quantifier)
        meant = () if entry is None else tuple(name for name in entry.names if among is None or name in among)
        fitting = self.traits.fitting(description.traits, meant)
        if entry is None or not fitting:
            return self._undescribed(description, meant, among)
        if description.rank is not None:
            return self._superlative(words, phrase, description.rank, fitting, affordance, plural=plural)
        counted = self._counted(words, phrase, WordEntry(fitting, entry.how), plural, affordance, among)
        return _by_belief(counted, description)

    def _undescribed(self, description: Description, meant: tuple[str, ...], among: frozenset[str] | None) -> Unknown:
        """Return that nothing is as described, and what the things are like that the noun means."""
        here = "here" if among is None else "there"
        noun = _singular(description.noun)
        if not meant:
            return Unknown(noun, (), f"there is no {noun} {here}")
        said = replace(description, noun=tuple(noun.split())).said
        return Unknown(
            noun if any(trait.denied for trait in description.traits) else said,
            (meant[0],),
            f"there is no {said} {here}; {self.traits.why_not(description.traits, meant)}",
            f"Name one that there is, such as {meant[0]}.",
            missing=True,
        )

    def _superlative(
        self,
        words: str,
        phrase: NounPhrase,
        rank: Rank,
        names: tuple[str, ...],
        affordance: str | None,
        *,
        plural: bool,
    ) -> Resolution:
        """Resolve "the biggest bowl", "the second biggest bowl" and "the two biggest bowls"."""
        able = self.lexicon.able(names, affordance) or names
        if rank.vague and (plural or not phrase.definite):
            why = f"it does not say how {rank.words} it must be"
            return Unknown(words, (), why, f"Say which one, such as 'the {superlatives(rank.words)[-2:][0]} …'.")
        if rank.of_two and len(able) != 2:
            why = f"'{rank.words}' compares two things, and {len(able)} fit: {', '.join(able)}"
            return Unknown(words, (), why, "Say which one in another way.")
        levels = self.traits.ranked(rank, able)
        if not levels:
            return Unknown(words, (), f"the {rank.attribute} of none of {', '.join(able)} is known", missing=True)
        order = [name for level in levels for name in level]
        first, count = max(phrase.ordinal, 1) - 1, _ranks_asked(phrase, len(levels[0]), plural=plural)
        if first + count > len(order):
            return Unknown(words, (), only(tuple(order)))
        chosen = order[first : first + count]
        known = ", ".join(self.traits.numbers(rank, order))
        if alike := _alike_at_the_border(levels, chosen):
            sure = [name for name in chosen if name not in alike]
            choices = combinations(alike, count - len(sure))
            options = tuple(" and ".join((*sure, *choice)) for choice in choices)[:MOST_OPTIONS]
            return Ambiguous(words, options, f"some are alike in {rank.attribute}: {known}", MatchKind.CLASS)
        fits = set(chosen) <= set(self.lexicon.able(names, affordance))
        note = f"'{words}' was read as {', '.join(chosen)}, of {known}." if len(order) > 1 else ""
        return Resolved(words, tuple(sorted(chosen)), MatchKind.CLASS, len(chosen), note, fits)

    def _counted(
        self,
        words: str,
        phrase: NounPhrase,
        entry: WordEntry,
        plural: bool,
        affordance: str | None,
        among: frozenset[str] | None,
    ) -> Resolution:
        """Apply the determiner to the things that a noun stands for; "the cups" are all of them."""
        head = " ".join(phrase.head)
        every = (plural or head in MASSES) and phrase.definite and not phrase.ordinal
        meant = entry.names if among is None else tuple(name for name in entry.names if name in among)
        able = self.lexicon.able(meant, affordance)
        names = meant if every or phrase.quantifier is Quantifier.ALL else able or meant
        if not names:
            return Unknown(head, (), f"there is no {_singular(phrase.head)} {'here' if among is None else 'there'}")
        fits = set(names) <= set(able)
        if phrase.ordinal:
            return _ordinal(words, phrase, entry.how, names, fits)
        if every and len(names) > 1:
            note = f"'{words}' was read as all of {', '.join(names)}."
            return Resolved(words, names, entry.how, len(names), note, fits, every=True)
        classes = len({self.vocabulary.things[name].class_name for name in names})
        if len(names) == 1 and phrase.quantifier in (Quantifier.HALF, Quantifier.MOST):
            return Ambiguous(words, names, f"there is only one {_singular(phrase.head)} here", entry.how)
        different = phrase.different and classes > 1
        choose = _how_many(phrase, len(names), classes)
        if different and choose > classes:
            return Unknown(words, (), f"there are only {classes} different ones here: {', '.join(names)}")
        if choose > len(names):
            return Unknown(words, (), only(names))
        if choose:
            note = _note(words, names, choose, entry.how)
            is_every = every or phrase.quantifier is Quantifier.ALL
            return Resolved(words, names, entry.how, choose, note, fits, every=is_every, different=different)
        everything = (f"all the {head}",) if plural or entry.how is MatchKind.KIND else ()
        options = (*everything, *names[:MOST_OPTIONS], f"any {_singular(phrase.head)}")
        return Ambiguous(words, options, f"there are {len(names)} that fit: {', '.join(names)}", entry.how)

    def _in_part(self, words: str, head: tuple[str, ...]) -> Resolution | None:
        """Explain words of which only a part is known: the rest is an adjective before it, or words after it."""
        for start in range(1, len(head)):
            entry, _ = self.lexicon.find(head[start:])
            if entry is not None and entry.names and not GRAMMAR & set(head[:start]) and "'" not in words:
                why = f"nothing is known of '{' '.join(head[:start])}'"
                if len(entry.names) == 1 and ATTITUDES.issuperset(head[:start]):
                    return Resolved(words, entry.names, entry.how, 1, f"'{words}' was read as {entry.names[0]}.", True)
                return Ambiguous(words, entry.names[:MOST_OPTIONS], why, entry.how)
        is_misspelt = any(surely(" ".join(head), name) for name in self._symbols())
        for end in range(len(head) - 1, 0, -1):
            if self.lexicon.find(head[:end])[0] is not None and not is_misspelt:
                why = f"after '{' '.join(head[:end])}' it is not understood"
                return Unknown(" ".join(head[end:]), (), why, "Leave it out, or say it in other words.")
        return None

    def _misspelt(
        self, words: str, phrase: NounPhrase, affordance: str | None, among: frozenset[str] | None
    ) -> Resolution:
        """Correct a typing error if the intended word is certain; otherwise ask."""
        head = " ".join(phrase.head)
        if re.fullmatch(r"[a-z]\S*\d+", head):  # a name of one thing is not another one's with a typing error
            return Unknown(head, nearest(head, self.vocabulary.things), f"there is no {head} here")
        if phrase.head[-1] in RELATION_WORDS or not (GRAMMAR - {"of"}).isdisjoint(phrase.head):
            return Unknown(head, (), "it names no thing", "Say it in other words.")
        forms = (head, *singulars(head))
        symbols = (name for name in self._symbols() if (" " in name) <= (" " in head))
        known = dict.fromkeys((*self.lexicon.present(), *symbols))
        ranked = sorted((min(distance(form, word) for form in forms), word) for word in known)
        # Short words are near to many others, so only one mistake is allowed in them.
        fewest = min(ranked[0][0], 1 if len(head) < 5 else 2) if ranked else 0
        close = [word for mistakes, word in ranked if mistakes == fewest]
        if not close:
            return self._alike(head, affordance)
        best = close[0]
        alone = len(ranked) == 1 or ranked[1][0] > ranked[0][0]
        entry, _ = self.lexicon.find(tuple(best.split()), affordance)
        if entry is not None and alone and any(surely(form, best) for form in forms):
            corrected = WordEntry(entry.names, MatchKind.SPELLING)
            return self._counted(words, phrase, corrected, not surely(head, best), affordance, among)
        return Ambiguous(head, tuple(close[:MOST_OPTIONS]), "no such word is known", MatchKind.SPELLING)

    def _symbols(self) -> list[str]:
        """Return the names of things that are words: no number tells them from others."""
        return [plain(name) for name in self.vocabulary.things if name.replace("_", "").isalpha()]

    def _alike(self, head: str, affordance: str | None) -> Ambiguous | Unknown:
        """Suggest words of similar meaning that stand for things of one class; "furniture" is no other word for one."""
        words = [word for word in self.lexicon.present(affordance) if len(self._classes(word, affordance)) == 1]
        why = "no such thing is known"
        if self.embed is not None and words:
            try:
                likeness = self.embed.similarities(head, words)
            except OutsideError as error:
                return Unknown(head, nearest(head, words), f"{why}, and it was not compared by meaning: {error}")
            ranked = sorted(zip(likeness, words, strict=True), reverse=True)
            least = max(LEAST_LIKENESS, ranked[0][0] - LIKENESS_MARGIN)
            options = tuple(word for value, word in ranked if value >= least)[:3]
            if options:
                return Ambiguous(head, options, f"{why}; this is nearest in meaning", MatchKind.MEANING)
        return Unknown(head, nearest(head, words), why)

    def _classes(self, word: str, affordance: str | None) -> set[str]:
        entry, _ = self.lexicon.find(tuple(word.split()), affordance)
        return {self.vocabulary.things[name].class_name for name in entry.names} if entry is not None else set()


def movable(names: Iterable[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return those of `names` that can be put somewhere, unlike furniture, and unlike what is poured."""
    on = vocabulary.predicates.get(vocabulary.on)
    return Lexicon.of(vocabulary).able(names, on.parameters[0] if on is not None else None)


def _without_of(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[1:] if words[:1] == ("of",) else words


def _singular(head: tuple[str, ...]) -> str:
    if not head:
        return "thing"
    return " ".join((*head[:-1], (*singulars(head[-1]), head[-1])[0]))


def _by_belief(resolved: Resolution, description: Description) -> Resolution:
    """Add the note that a state such as "open" was judged by what is believed."""
    states = [trait.said for trait in description.traits if trait.predicates]
    if not states or not isinstance(resolved, Resolved):
        return resolved
    note = (
        f"'{resolved.words}' was read as {', '.join(resolved.names)}, by what is believed to be {' and '.join(states)}."
    )
    return replace(resolved, note=note)


def _ranks_asked(phrase: NounPhrase, alike: int, *, plural: bool) -> int:
    """Return how many things a superlative means; "the biggest bowls" are the `alike` ones that are the biggest."""
    if phrase.quantifier in (Quantifier.COUNT, Quantifier.THE_COUNT):
        return phrase.count
    every = phrase.quantifier is Quantifier.ALL or (plural and phrase.quantifier is Quantifier.THE)
    return alike if every and not phrase.ordinal else 1


def _alike_at_the_border(levels: Sequence[Sequence[str]], chosen: Sequence[str]) -> list[str]:
    """Return the equal things of which some are chosen and others are not."""
    return [name for level in levels if set(level) & set(chosen) and not set(level) <= set(chosen) for name in level]


def _how_many(phrase: NounPhrase, present: int, classes: int) -> int:
    """Return how many of the `present` things, of so many classes, are meant; 0 when a question is needed."""
    if phrase.quantifier is Quantifier.HALF:
        return present // 2 if present % 2 == 0 else 0
    return {
        Quantifier.ALL: present,
        Quantifier.ANY: 1,
        Quantifier.COUNT: phrase.count,
        Quantifier.THE_COUNT: phrase.count if present <= phrase.count else 0,
        Quantifier.EACH: classes if classes > 1 else 0,
        Quantifier.MOST: present // 2 + 1,
    }.get(phrase.quantifier, 1 if present == 1 else 0)


def _ordinal(words: str, phrase: NounPhrase, how: MatchKind, names: tuple[str, ...], fits: bool) -> Resolved | Unknown:
    if phrase.ordinal > len(names):
        return Unknown(words, (), only(names))
    name = names[phrase.ordinal - 1]
    return Resolved(words, (name,), how, 1, f"'{words}' was read as {name}, counting {', '.join(names)}.", fits)


def _note(words: str, names: tuple[str, ...], choose: int, how: MatchKind) -> str:
    if choose < len(names):
        return f"'{words}' was read as any {choose} of {', '.join(names)}."
    if how in (MatchKind.SYMBOL, MatchKind.CLASS):
        return ""
    return f"'{words}' was read as {', '.join(names)} ({how})."
