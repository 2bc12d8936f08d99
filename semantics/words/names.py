"""From words to symbols: "the cup" to ``cup0``, "all the fruit" to every fruit of the scene.

The cheapest reliable way comes first: a symbol, a class, a synonym, a kind (each also in the plural), a typing error.
When several things match, "an apple" means any of them and "the apple" leads to a question; a word that only resembles
a known one, in spelling or in meaning, leads to a question too. No guess is silent: a note states each assumption.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from semantics.errors import OutsideError
from semantics.geometry.relations import RELATIONS
from semantics.hints import nearest
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.description import Description, Rank, TraitReader
from semantics.words.embedding import Embedder
from semantics.words.english import (
    GRAMMAR,
    THINGS,
    NounPhrase,
    Quantifier,
    noun_phrase,
    quantifier_of,
    singulars,
    superlatives,
)
from semantics.words.lexicon import Lexicon, MatchKind, WordEntry, plain
from semantics.words.spelling import distance, surely

__all__ = ["Ambiguous", "MatchKind", "NameIndex", "Resolved", "Unknown"]

MOST_OPTIONS = 6
LEAST_LIKENESS = 0.45
"""Cosine below which no word is suggested ("glass" and "sponge" have 0.38)."""
RELATION_WORDS = frozenset().union(*(relation.split("_") for relation in RELATIONS))
"""Words that say where things are, such as "row" and "edge"; no misspelt names of things."""
LIKENESS_MARGIN = 0.12
"""How far below the best cosine that of a further suggestion may lie."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Words with a sure meaning.

    Attributes:
        words: As they were said.
        names: The matching things, sorted.
        how: How they were recognised.
        choose: How many of `names` are meant: all of them, or any of them if the number is smaller.
        note: What was assumed, one sentence, or empty.
        fits: Whether each of `names` has the affordance asked for.
        every: Whether the words mean all things of their sort, whatever these are.
    """

    words: str
    names: tuple[str, ...]
    how: MatchKind
    choose: int = 1
    note: str = ""
    fits: bool = True
    every: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Words that could mean several things, or that only resemble a known one.

    Attributes:
        words: The words in doubt; each option can stand in their place.
        options: What they may mean, likeliest first.
        why: The reason, one sentence.
        how: How the options were found.
    """

    words: str
    options: tuple[str, ...]
    why: str
    how: MatchKind


@dataclass(frozen=True, slots=True)
class Unknown:
    """Words without a known meaning.

    Attributes:
        words: The words in doubt.
        nearest: Known names that resemble them, the most alike first.
        why: The reason, one sentence.
        how: What to say instead, where the problem is no unknown name, so that similar names do not help.
        missing: Whether the words are known, but the scene has nothing that they name.
    """

    words: str
    nearest: tuple[str, ...]
    why: str
    how: str = ""
    missing: bool = False


@dataclass(slots=True)
class NameIndex:
    """The words of a vocabulary, ready to be resolved.

    Attributes:
        vocabulary: What may be named.
        embed: Compares by meaning, or None.
        state: The believed state, for descriptions such as "the open bottle".
    """

    vocabulary: Vocabulary
    embed: Embedder | None = None
    state: State = field(default_factory=State)
    lexicon: Lexicon = field(init=False)
    traits: TraitReader = field(init=False)
    _resolved: dict[tuple[str, str | None, frozenset[str] | None], Resolved | Ambiguous | Unknown] = field(
        default_factory=dict, init=False
    )

    def __post_init__(self) -> None:
        self.lexicon = Lexicon.of(self.vocabulary)
        self.traits = TraitReader(self.vocabulary, self.state)

    def knows(self, words: str) -> bool:
        """Return whether a noun phrase as a whole is a known noun, with or without a determiner."""
        head = noun_phrase(plain(words).split()).head
        return bool(head) and self.lexicon.find(head)[0] is not None

    def meant(self, words: str) -> tuple[str, ...]:
        """Return every thing that the noun of `words` can stand for, sorted."""
        head = noun_phrase(plain(words).split()).head
        entry = self.lexicon.find(head)[0] if head else None
        return entry.names if entry is not None else ()

    def resolve(
        self, words: str, affordance: str | None = None, among: frozenset[str] | None = None
    ) -> Resolved | Ambiguous | Unknown:
        """Resolve a noun phrase.

        Args:
            words: Such as ``the red cup`` or ``all the fruit``.
            affordance: What the thing is needed for; it chooses among several things and excludes none.
            among: The only things that can be meant, for instance because their place was said; None for all.
        """
        key = (words, affordance, among)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(words, affordance, among)
        return self._resolved[key]

    def _resolve(
        self, words: str, affordance: str | None, among: frozenset[str] | None
    ) -> Resolved | Ambiguous | Unknown:
        phrase = noun_phrase(plain(words).split())
        entry, plural = self.lexicon.find(phrase.head, affordance) if phrase.head else (None, False)
        if entry is None and phrase.of_any_kind:
            if among is None:
                how = f"Add where they are, as in '{words or 'everything'} on …', or name them, as in 'all the …'."
                return Unknown(words, (), "it does not say which things", how)
            entry, plural = WordEntry(tuple(sorted(among)), MatchKind.PLACE), True
        if entry is not None:
            return self._counted(words, phrase, entry, plural, affordance, among)
        if not phrase.head:
            return Unknown(words, (), "no thing is named")
        if (description := self.described(phrase)) is not None:
            return self._described(words, phrase, description, affordance, among)
        traits, rest = self.traits.before(phrase.head)
        if traits and rest and not GRAMMAR & set(rest):  # the noun is not known: correct it
            having = frozenset(self.traits.fitting(traits, among or tuple(self.vocabulary.things)))
            return self._misspelt(words, replace(phrase, head=rest), affordance, having)
        return self._in_part(words, phrase.head) or self._misspelt(words, phrase, affordance, among)

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
    ) -> Resolved | Ambiguous | Unknown:
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
    ) -> Resolved | Ambiguous | Unknown:
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
            return Unknown(words, (), _only(tuple(order)))
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
    ) -> Resolved | Ambiguous | Unknown:
        """Apply the determiner to the things that a noun stands for; "the cups" are all of them."""
        head = " ".join(phrase.head)
        every = plural and phrase.definite and not phrase.ordinal
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
        choose = _how_many(phrase, len(names))
        if choose > len(names):
            return Unknown(words, (), _only(names))
        if choose:
            note = _note(words, names, choose, entry.how)
            is_every = every or phrase.quantifier is Quantifier.ALL
            return Resolved(words, names, entry.how, choose, note, fits, every=is_every)
        everything = (f"all the {head}",) if plural or entry.how is MatchKind.KIND else ()
        options = (*everything, *names[:MOST_OPTIONS], f"any {_singular(phrase.head)}")
        return Ambiguous(words, options, f"there are {len(names)} that fit: {', '.join(names)}", entry.how)

    def _in_part(self, words: str, head: tuple[str, ...]) -> Ambiguous | Unknown | None:
        """Explain words of which only a part is known: the rest is an adjective before it, or words after it."""
        for start in range(1, len(head)):
            entry, _ = self.lexicon.find(head[start:])
            if entry is not None and entry.names and not GRAMMAR & set(head[:start]) and "'" not in words:
                why = f"nothing is known of '{' '.join(head[:start])}'"
                return Ambiguous(words, entry.names[:MOST_OPTIONS], why, entry.how)
        for end in range(len(head) - 1, 0, -1):
            if self.lexicon.find(head[:end])[0] is not None:
                why = f"after '{' '.join(head[:end])}' it is not understood"
                return Unknown(" ".join(head[end:]), (), why, "Leave it out, or say it in other words.")
        return None

    def _misspelt(
        self, words: str, phrase: NounPhrase, affordance: str | None, among: frozenset[str] | None
    ) -> Resolved | Ambiguous | Unknown:
        """Correct a typing error if the intended word is certain; otherwise ask."""
        head = " ".join(phrase.head)
        if re.fullmatch(r"[a-z]\S*\d+", head):  # a name of one thing is not another one's with a typing error
            return Unknown(head, nearest(head, self.vocabulary.things), f"there is no {head} here")
        if phrase.head[-1] in RELATION_WORDS or not GRAMMAR.isdisjoint(phrase.head):
            return Unknown(head, (), "it names no thing", "Say it in other words.")
        forms = (head, *singulars(head))
        ranked = sorted((min(distance(form, word) for form in forms), word) for word in self.lexicon.present())
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


def _singular(head: tuple[str, ...]) -> str:
    if not head:
        return "thing"
    return " ".join((*head[:-1], (*singulars(head[-1]), head[-1])[0]))


def _by_belief(resolved: Resolved | Ambiguous | Unknown, description: Description) -> Resolved | Ambiguous | Unknown:
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


def _how_many(phrase: NounPhrase, present: int) -> int:
    """Return how many of the `present` things are meant; 0 when a question is needed."""
    match phrase.quantifier:
        case Quantifier.ALL:
            return present
        case Quantifier.ANY:
            return 1
        case Quantifier.COUNT:
            return phrase.count
        case Quantifier.THE_COUNT:
            return phrase.count if present <= phrase.count else 0
        case _:
            return 1 if present == 1 else 0


def _ordinal(words: str, phrase: NounPhrase, how: MatchKind, names: tuple[str, ...], fits: bool) -> Resolved | Unknown:
    if phrase.ordinal > len(names):
        return Unknown(words, (), _only(names))
    name = names[phrase.ordinal - 1]
    return Resolved(words, (name,), how, 1, f"'{words}' was read as {name}, counting {', '.join(names)}.", fits)


def _note(words: str, names: tuple[str, ...], choose: int, how: MatchKind) -> str:
    if choose < len(names):
        return f"'{words}' was read as any {choose} of {', '.join(names)}."
    if how in (MatchKind.SYMBOL, MatchKind.CLASS):
        return ""
    return f"'{words}' was read as {', '.join(names)} ({how})."


def _only(names: tuple[str, ...]) -> str:
    return f"there {'is' if len(names) == 1 else 'are'} only {len(names)} here: {', '.join(names)}"
