"""`Lexicon`: every word of a vocabulary, and the things it names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from semantics.logic.vocabulary import Vocabulary
from semantics.words.english import singulars


class MatchKind(StrEnum):
    """How a word was recognised, surest first."""

    SYMBOL = "symbol"
    CLASS = "class"
    SYNONYM = "synonym"
    KIND = "kind"
    PLACE = "place"
    SPELLING = "spelling"
    MEANING = "meaning"
    PRONOUN = "pronoun"


@dataclass(frozen=True, slots=True)
class WordEntry:
    """The meaning of one known word: the things of the scene that it names, sorted, and how it names them."""

    names: tuple[str, ...]
    how: MatchKind


class Lexicon:
    """The words of a vocabulary by their plain form, as declared (in the singular); `parts` are the single words."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._things, self._further = vocabulary.things, vocabulary.further
        gathered: dict[str, dict[MatchKind, set[str]]] = {}
        for word, entry in _all_entries(vocabulary):
            gathered.setdefault(plain(word), {}).setdefault(entry.how, set()).update(entry.names)
        self._entries: Mapping[str, tuple[WordEntry, ...]] = {
            word: tuple(WordEntry(tuple(sorted(names)), how) for how, names in names_by_kind.items())
            for word, names_by_kind in gathered.items()
        }
        self._present: dict[str | None, tuple[str, ...]] = {}
        self.parts = frozenset(part for word in self._entries for part in word.split())

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Lexicon:
        """Return the words of a vocabulary, which are gathered once."""
        made = vocabulary.computed.get("lexicon")
        if not isinstance(made, cls):
            made = vocabulary.computed["lexicon"] = cls(vocabulary)
        return made

    @property
    def words(self) -> frozenset[str]:
        """The single words that known names are made of."""
        return self.parts

    def knows(self, word: str) -> bool:
        """Return whether `word`, or a word it is the plural of, is known or part of a known name."""
        return any(form in self.parts for form in (word, *singulars(word)))

    def find(self, head: tuple[str, ...], affordance: str | None = None) -> tuple[WordEntry | None, bool]:
        """Return the best entry for a noun, and whether the noun is a plural.

        Entries with things that have `affordance` come first, then entries with any things, then words without things;
        among equals, the surest `MatchKind` wins.
        """
        for form in (head, *singular_forms(head)):
            entries = self._entries.get(" ".join(form))
            if entries:
                kinds = list(MatchKind)
                best = min(
                    entries,
                    key=lambda each: (not self.able(each.names, affordance), not each.names, kinds.index(each.how)),
                )
                return best, form != head or self._is_plural(head, best)
        for form in (head, *singular_forms(head)):
            if " ".join(form) in self._further:
                return WordEntry((), MatchKind.CLASS), form != head
        return None, False

    def _is_plural(self, head: tuple[str, ...], entry: WordEntry) -> bool:
        """Return whether a declared word is the plural of another declared word for the same things."""
        others = (self._entries.get(" ".join(form), ()) for form in singular_forms(head))
        return any(entry.names and other.names == entry.names for entries in others for other in entries)

    def able(self, names: Iterable[str], affordance: str | None) -> tuple[str, ...]:
        """Return those of `names` that have the affordance; None and ``object`` match all."""
        if affordance in (None, "object"):
            return tuple(names)
        return tuple(name for name in names if affordance in self._things[name].affordances)

    def present(self, affordance: str | None = None) -> tuple[str, ...]:
        """Return the known words, symbols left out, for things of the scene that have the affordance."""
        if affordance not in self._present:
            self._present[affordance] = tuple(
                word
                for word, entries in self._entries.items()
                if any(entry.how is not MatchKind.SYMBOL and self.able(entry.names, affordance) for entry in entries)
            )
        return self._present[affordance]


def singular_forms(head: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield what a noun may be the plural of; in "pieces of fruit" it is the first word that has a plural."""
    at = head.index("of") - 1 if "of" in head[1:] else len(head) - 1
    return ((*head[:at], form, *head[at + 1 :]) for form in singulars(head[at]))


def plain(words: str) -> str:
    """Write words in lower case, single-spaced, and underscores and hyphens as spaces."""
    return " ".join(words.lower().replace("_", " ").replace("-", " ").split())


def _all_entries(vocabulary: Vocabulary) -> Iterable[tuple[str, WordEntry]]:
    of_class, of_kind = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for name, thing in vocabulary.things.items():
        stem = name.rstrip("0123456789")
        contents = " of ".join(reversed(name.split("_", 1)))  # "bowl of mint"
        yield from (
            (word, WordEntry((name,), MatchKind.SYMBOL)) for word in (name, f"{stem} {name[len(stem) :]}", contents)
        )
        yield thing.class_name, WordEntry((name,), MatchKind.CLASS)
        of_class[thing.class_name].append(name)
        for word in thing.words:
            yield word, WordEntry((name,), MatchKind.SYNONYM)
        for kind in thing.kinds:
            of_kind[kind].append(name)
            yield kind, WordEntry((name,), MatchKind.KIND)
    for class_name in vocabulary.classes:
        yield class_name, WordEntry((), MatchKind.CLASS)
    for kind in vocabulary.kinds:
        yield kind, WordEntry((), MatchKind.KIND)
    for word, meant in vocabulary.synonyms.items():
        yield word, WordEntry(tuple(of_class[meant]), MatchKind.SYNONYM)
        if meant in vocabulary.kinds:
            yield word, WordEntry(tuple(of_kind[meant]), MatchKind.KIND)


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
        different: Whether those that are meant have to be of different classes.
    """

    words: str
    names: tuple[str, ...]
    how: MatchKind
    choose: int = 1
    note: str = ""
    fits: bool = True
    every: bool = False
    different: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Words that could mean several things, or that only resemble a known one."""

    words: str  # the words in doubt; each option can stand in their place
    options: tuple[str, ...]  # what they may mean, likeliest first
    why: str  # the reason, one sentence
    how: MatchKind  # how the options were found


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


Resolution = Resolved | Ambiguous | Unknown


def only(names: tuple[str, ...]) -> str:
    """Return why words that mean more things than there are name nothing."""
    return f"there {'is' if len(names) == 1 else 'are'} only {len(names)} here: {', '.join(names)}"
