"""Whether a text tells what it must, and nothing that is not so, by the words of things and facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from benchmarks.words.verdicts import Judged, Verdict
from benchmarks.words.worlds import Place
from semantics.logic.atoms import Atom, Not

__all__ = ["Telling", "judge_answer", "says"]

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
YES, NO = (
    r"yes|yeah|yep|indeed|it is|i am|i can|i do",
    r"no|nope|not|nothing|none|cannot|can't|isn't|aren't|don't|doesn't",
)
DENIED = re.compile(rf"\b({NO}|never|without|no longer)\b")
PERSONS = {"robot": "i|me|my|robot|gripper", "human": "you|your|yours|person|human"}
"""What the one who speaks is called, and the one who is spoken to, by class."""
HOLDING = dict.fromkeys(("inhand", "holding"), "have|has|got|hold|hand|carry|carries|with")
BEFORE_PLACES = {"on": "on|onto|upon|on top of", "in": "in|into|inside|within", "at": "at|by|near|beside|front of"}
"""The words that say a relation, by its predicate: of holding anywhere, of places right before the place."""
EMPTY = frozenset(re.findall(r"\w+", "a an and are at be has have in is it of on or that the there to with"))
IGNORANT = re.compile(r"\b(not|nobody|do not|don't|cannot) (be )?(know|known|knows|sure|tell|say)\b|\bunknown\b")
SENTENCE = re.compile(r"[.;!?\n]+(?=\s|$)|,?\s+but\s+|^(?:yes|no)\b,?", re.MULTILINE)
ENDING = r"(?:s|es|ed|d|ing|ly|er)?"


def says(text: str, words: str) -> bool:
    """Return whether a text says one of the words between strokes; figures count as whole words only."""
    return any(_pattern(word).search(text.lower()) is not None for word in words.split("|"))


@cache
def _pattern(word: str) -> re.Pattern[str]:
    spoken = _spoken(word)
    if word.isdigit():
        return re.compile(rf"(?<![\w.]){spoken}(?![\w])")
    ending = ENDING if len(word) > 2 else ""  # "is" is not more than one "i"
    return re.compile(rf"(?<![a-z0-9]){spoken}{ending}\d*(?![a-z0-9])")


def _spoken(words: str) -> str:
    """Return the pattern of words, in which an underscore is a blank."""
    each = (re.escape(word.strip().lower().replace("_", " ")) for word in words.split("|"))
    return "|".join(each).replace(r"\ ", "[ _]")


class Telling:
    """What a text tells about a scene.

    Args:
        text: The text.
        place: The scene.
    """

    def __init__(self, text: str, place: Place) -> None:
        self.text, self._place = text.lower(), place
        self._sentences = [part for part in SENTENCE.split(self.text) if part.strip()]

    def names(self, name: str, among: Iterable[str] = ()) -> bool:
        """Return whether it names a thing, or by the word of its class all things of which nothing is not `among`."""
        return any(says(self.text, word) for word in self._words(name, frozenset(among)))

    def states(self, fact: str) -> bool:
        """Return whether a sentence of it states a fact, or the denial of one, in whatever words."""
        atom, positive = self._read(fact)
        return any((DENIED.search(part) is None) is positive for part in self._about(atom))

    def claims(self, fact: str) -> bool:
        """Return whether a sentence of it states a fact as one that holds now, with the word of its relation.

        "I took the milk from the table" does not claim that the milk is on the table, nor that I hold it.
        """
        atom, positive = self._read(fact)
        claims = (part for part in self._about(atom) if self._relates(part, atom))
        return any((DENIED.search(part) is None) is positive for part in claims)

    def _read(self, fact: str) -> tuple[Atom, bool]:
        read = self._place.condition(fact)
        atom = read.part if isinstance(read, Not) else read
        assert isinstance(atom, Atom)
        return atom, not isinstance(read, Not)

    def _relates(self, sentence: str, atom: Atom) -> bool:
        """Return whether a sentence says how the things of a fact are related: a place by a word right before it."""
        if atom.predicate in HOLDING:
            return says(sentence, HOLDING[atom.predicate])
        if atom.predicate not in BEFORE_PLACES:
            return True
        words = "|".join(_spoken(word) for word in self._words(atom.args[-1], frozenset()))
        now = re.sub(r"\b(?:was|were|used to be)\b.*", "", sentence)
        return re.search(rf"\b(?:{BEFORE_PLACES[atom.predicate]})\s+(?:\w+\s+){{0,2}}?(?:{words})\b", now) is not None

    def _about(self, atom: Atom) -> Iterator[str]:
        """Yield the sentences that name all things of a fact, and for a fact about one thing its word too."""
        said = self._place.domain.predicates[atom.predicate].predicate.description
        bare = re.sub(r"\{\d\}", " ", said).lower()
        words = [word for word in re.findall(r"[a-z]+", bare) if word not in EMPTY] if len(atom.args) < 2 else []
        for part in self._sentences:
            if all(self._has(part, arg, atom.args) for arg in atom.args) and all(says(part, word) for word in words):
                yield part

    def _has(self, sentence: str, name: str, among: Iterable[str]) -> bool:
        return any(says(sentence, word) for word in self._words(name, frozenset(among)))

    def _words(self, name: str, among: frozenset[str]) -> Iterator[str]:
        """Yield what a thing may be called: its name, and the words of its class where no other thing has them."""
        thing = self._place.things[name]
        yield name
        yield from (PERSONS[thing.class_name],) if thing.class_name in PERSONS else ()
        if self._alone(name, among):
            ending = "s" if among - {name} and not self._alone(name, frozenset()) else ""
            words = (thing.class_name, *self._place.domain.classes[thing.class_name].words)
            yield from (f"{word}{ending}" for word in words)

    def _alone(self, name: str, among: frozenset[str]) -> bool:
        kind = self._place.things[name].class_name
        alike = {other for other, thing in self._place.things.items() if thing.class_name == kind}
        return alike <= among | {name}

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers that it says."""
        figures = {int(figure) for figure in re.findall(r"(?<![\w.])\d+(?![\w]|\.\d)", self.text)}
        return frozenset(figures | {number for number, word in enumerate(NUMBERS) if says(self.text, word)})

    @property
    def agrees(self) -> bool | None:
        """Whether it says yes or no; None if neither, or that it does not know."""
        if IGNORANT.search(self.text):
            return None
        said = re.search(rf"\b(?:(?P<no>{NO})|(?P<yes>{YES}))\b", self.text)
        return None if said is None else said["yes"] is not None

    def lacks(self, answer: Mapping[str, Any]) -> str:
        """Return what of an answer is not told; empty if all is."""
        for fact in answer.get("facts", ()):
            if not self.states(fact):
                return f"{fact} is not stated"
        if "count" in answer and answer["count"] not in self.numbers:
            return f"{answer['count']} is not said"
        if "yes" in answer and self.agrees is not answer["yes"]:
            return f"{'yes' if answer['yes'] else 'no'} is not said"
        things = answer.get("things", ())
        for name in things:
            if not self.names(name, things):
                return f"{name} is not named"
        return next((f"'{words}' is not said" for words in answer.get("words", ()) if not says(self.text, words)), "")

    def contradicts(self, answer: Mapping[str, Any]) -> str:
        """Return what it says instead of an answer, where that is another number or the opposite; else empty."""
        if "count" in answer and self.numbers and answer["count"] not in self.numbers:
            return f"it says {sorted(self.numbers)} instead of {answer['count']}"
        if "yes" in answer and self.agrees is (not answer["yes"]):
            return f"it says {'no' if answer['yes'] else 'yes'}"
        return ""


def judge_answer(told: Sequence[str], answer: Mapping[str, Any], untrue: Iterable[str], place: Place) -> Judged:
    """Return what an answer in words is worth: it tells what it must, and nothing that is not so."""
    text = "\n".join(told)
    telling = Telling(text, place)
    said = next((fact for fact in untrue if telling.claims(fact)), "") or telling.contradicts(answer)
    if said:
        return Judged(Verdict.WRONG, "words", f"{said}: {text}")
    if lacking := telling.lacks(answer):
        return Judged(Verdict.REFUSED, "words", f"{lacking}: {text}")
    return Judged(Verdict.RIGHT, "words")
