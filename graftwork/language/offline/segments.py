"""Segments of a sentence, and the order in which a person wants them done.

A segment is in lower case and without polite words; it ends where a clause or a list may continue. Each has a `stage`:
what has a smaller one is to hold before. "Open the fridge, then bring me the milk" and "before you bring me the milk,
open the fridge" both have two stages, in the same order. "And" and a full stop say no order. Words of order are never
dropped: they make stages, they stand where nothing can be ordered ("then bring me the milk"), or they stay in the
segment, where no phrase takes them and the sentence is refused.

The words in this module are grammar and polite words; the verbs are those of the domain.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import NamedTuple

from graftwork.language.offline.said_values import QUANTITY, SaidValue, with_quantities
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.plain_text import shortened
from semantics.words.english import gerunds, past_forms

MOST_CHARACTERS = 500
MOST_SEGMENTS = 24

TIMES = frozenset({
    "before", "after", "afterwards", "until", "till", "while", "meanwhile", "when", "whenever", "once", "during",
    "simultaneously", "earlier", "later", "then", "beforehand", "order", "turn", "last",
})  # fmt: skip
"""Words of time and order that no clause may contain; where they could be read, no clause has them any more."""
_VERBS = frozenset({"order", "turn"})
"""Those that begin a clause as its verb: "turn on the stove", unlike "in turn"."""


class Boundary(IntEnum):
    """The boundary between a segment and the one before it."""

    COMMA = 0
    AND = 1
    FULL = 2  # a full stop or "then": a new clause begins


class SaidView(NamedTuple):
    """From where something is meant to be seen: the words of the person, and those that name the viewer."""

    words: str
    viewer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """Words between two joints.

    Attributes:
        words: The words.
        boundary: The boundary before them.
        stage: Its place in the order, from 0; what has the same place has no order.
        first: Whether it is to be done before all others of its stage: "open the fridge first".
        last: Whether it is to be done after all others of its stage.
        values: How it is to be done: what was said of a speed, a duration, an amount.
        views: From where directions are meant, if it was said.
    """

    words: tuple[str, ...]
    boundary: Boundary
    stage: int = 0
    first: bool = False
    last: bool = False
    values: tuple[SaidValue, ...] = ()
    views: tuple[SaidView, ...] = ()


_TOKEN = re.compile(rf"{QUANTITY}|[^\W_]+(?:['_-]?[^\W_]+)*|[,.;:!?]")
_LEFT_OUT = frozenset({"please", "kindly", "pls"})
_BOUNDARIES = {"and": Boundary.AND, "also": Boundary.AND, ",": Boundary.COMMA} | dict.fromkeys(".;:!?", Boundary.FULL)
_OPENINGS = tuple(
    tuple(words.split())
    for words in (
        "i would like you to", "i'd like you to", "i want you to", "i need you to", "would you be so kind as to",
        "would you be so kind to", "be so kind as to", "i would like for you to", "your task is to", "you should",
        "would you mind", "do you mind", "would you", "could you", "can you", "will you", "you can", "go ahead", "now",
        "just", "oh", "hey", "hi", "hello", "ok", "okay", "well", "so", "thanks", "thank you",
    )
)  # fmt: skip
_CLOSINGS = tuple(
    tuple(words.split())
    for words in (
        "right now", "now", "again", "thanks", "thank you", "at once", "will you", "would you", "ok", "okay",
        "as well", "too",
    )
)  # fmt: skip


class _Mark(StrEnum):
    """What words of order say about the clause that they stand at."""

    THEN = "then"  # after all that was said before
    AHEAD = "ahead"  # before all that was said before
    FIRST = "first"  # before the others
    LAST = "last"  # after the others


def _marked(mark: _Mark, *texts: str) -> dict[tuple[str, ...], _Mark]:
    return {tuple(text.split()): mark for text in texts}


_DONE = tuple(
    f"{conjunction} {words}"
    for conjunction in ("once", "when", "after")
    for words in (
        "that is done", "this is done", "that's done", "it is done", "it's done", "done", "finished", "you are done",
        "you're done", "you are finished", "you're finished", "you have finished", "you have done that",
        "you have done this", "you've done that", "doing that", "doing this", "doing so",
    )
    if conjunction != "after" or not words.startswith(("done", "finished"))
)  # fmt: skip
_ANYWHERE = _marked(
    _Mark.THEN, "then", "afterwards", "afterward", "thereafter", "subsequently", "after that", "after this",
    "after which", *_DONE,
) | _marked(_Mark.AHEAD, "before that", "before this", "beforehand")  # fmt: skip
_AT_BEGIN = (
    _ANYWHERE
    | _marked(_Mark.THEN, "next", "later", "later on", "secondly", "thirdly", "lastly", "finally")
    | _marked(_Mark.THEN, "last of all", "at last", "at the end", "in the end", "as a last step", "to finish")
    | _marked(_Mark.FIRST, "first", "firstly", "first of all", "first off", "at first", "to begin with")
    | _marked(_Mark.FIRST, "to start with", "before anything else", "before everything else", "as a first step")
)
_AT_END = (
    {words: {_Mark.THEN: _Mark.LAST, _Mark.AHEAD: _Mark.FIRST}.get(mark, mark) for words, mark in _ANYWHERE.items()}
    | _marked(_Mark.FIRST, "first", "first of all")
    | _marked(_Mark.LAST, "last", "lastly", "later", "later on", "in the end", "at the end", "last of all")
)
_ORDERS_NOTHING = frozenset(words for words in (*_AT_BEGIN, *_AT_END) if _AT_BEGIN.get(words) is not _Mark.FIRST) - {
    ("then",), ("next",), ("secondly",), ("thirdly",), ("lastly",), ("finally",), ("at", "last"), ("to", "finish"),
}  # fmt: skip
"""Words that put off or put before: where there is nothing that they order, they would be without effect."""
_LONGEST_MARK = max(map(len, (*_AT_BEGIN, *_AT_END)))
_NO_MARK: Mapping[tuple[str, ...], frozenset[str]] = {("next",): frozenset({"to", "time"})}
"""Words that make something else of a mark before them: "next to the sink", "next time"."""
_AFTER_FIRST = frozenset({",", "you", "please", "pls", "kindly", "can", "could", "would", "go"})
"""Words, other than a verb, after a "first" that begins a clause: "first cup" is no clause."""
_STARTING = (("start", "by"), ("begin", "by"), ("start", "with"), ("begin", "with"))
"""Words for "first" before a gerund."""
_BEFORE = (("before",), ("prior", "to"))
_AFTER = (("after",), ("once",), ("as", "soon", "as"), ("when",))
_YOU = {"you": (), "you've": ("have",), "you're": ("are",), "you'll": ("will",)}
_HAVING = frozenset({"have", "has", "had", "having"})
_ENDED = frozenset({"finished", "finish", "done", "completed"})
_BEFORE_A_MAIN_CLAUSE = frozenset({"you", "please", "pls", "kindly", "can", "could", "would", "should", "now", "just"})
_THE = frozenset({"the", "a", "an", "my", "your", "this", "that", "these", "those"})
_AFTER_A_FIRST = _THE | {"on", "in", "into", "onto", "to", "at", "under", "inside", "from", "off", "out"}
"""Words after a "first" in the middle of a clause: "put the apple first on the counter", "bring me first the milk"."""


def unordered(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words of time and order in `words`, which were not read."""
    said = tuple(words)
    return tuple(word for at, word in enumerate(said) if word in TIMES and (at or said[1:] == () or word not in _VERBS))


def tokens_of(instruction: str) -> list[str]:
    """Return the words and the punctuation of an instruction in lower case; each quantity is one word."""
    return with_quantities([*_TOKEN.findall(instruction.lower()), "."])


def segments(instruction: str, verbs: Collection[str] = ()) -> tuple[Segment, ...] | Rejection:
    """Cut an instruction into segments; reject it if it cannot be an English sentence, or if its order is unclear.

    Args:
        instruction: One or a few English sentences.
        verbs: The words that a clause can begin with, for clauses such as "after opening the fridge".
    """
    text = unicodedata.normalize("NFKC", instruction).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    strange = re.sub(r"[\s\"“”]", "", _TOKEN.sub(" ", text.lower()))
    if strange or len(instruction) > MOST_CHARACTERS:
        return Rejection((_unreadable(instruction, strange),))
    cut = _Cut(tokens_of(text), frozenset(verbs))
    parts = cut.segments()
    if not parts:
        return Rejection((_nothing(instruction),))
    if cut.unclear:
        why = f"in which order it is meant is not clear: {cut.unclear}."
        how = "Name the jobs in their order, with 'then' between them."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, (cut.unclear.split("'")[1],)),))
    if cut.put_off and (len(parts) == 1 or cut.begins_put_off):
        why = f"'{cut.put_off}' says that something else comes before or after, and it is not said what."
        how = f"Say it without '{cut.put_off}', or name all jobs in their order, with 'then' between them."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, (cut.put_off,)),))
    if cut.broken_off:
        why, how = "it breaks off after 'and'", "Say it to the end, or without the last 'and'."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", f"{why}.", how, ("and",)),))
    if len(parts) > MOST_SEGMENTS:
        why = f"it lists {len(parts)} things, at most {MOST_SEGMENTS} are read at once."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, "Say it in several instructions."),))
    return parts


@dataclass
class _Cut:
    """Cuts a sentence, from left to right.

    Attributes:
        tokens: The words and punctuation marks; the last one is a full stop.
        verbs: The verbs of the domain.
        unclear: Why the order is not clear; empty if it is.
        broken_off: Whether a sentence ends with "and".
        put_off: The first words that order what is asked for; of no effect if that is one thing.
        begins_put_off: Whether they stand before all that is asked for.
    """

    tokens: list[str]
    verbs: frozenset[str]
    unclear: str = ""
    broken_off: bool = False
    put_off: str = ""
    begins_put_off: bool = False
    _parts: list[Segment] = field(default_factory=list)
    _words: list[str] = field(default_factory=list)
    _boundary: Boundary = Boundary.FULL
    _order: list[int] = field(default_factory=lambda: [0])  # the stages by number, in their order
    _stage: int = 0
    _pending: _Mark | None = None
    _first: bool = False
    _main: int | None = None  # the stage of the main clause that a subordinate clause comes before
    _back: int | None = None  # the stage of the main clause that a subordinate clause comes after
    _is_subordinate: bool = False

    @cached_property
    def gerunds(self) -> Mapping[str, str]:
        """The verb of each form such as "putting"."""
        return {form: verb for verb in sorted(self.verbs) for form in gerunds(verb)}

    @cached_property
    def participles(self) -> Mapping[str, str]:
        """The verb of each form such as "opened" and "taken"."""
        return {form: verb for verb in sorted(self.verbs) for form in past_forms(verb)}

    def segments(self) -> tuple[Segment, ...]:
        """Return the segments."""
        at = 0
        while at < len(self.tokens):
            at = self._next(at)
        if self._main is not None:
            self.unclear = self.unclear or f"after '{' '.join(self._parts[-1].words)}', the main clause is missing"
        used = {part.stage for part in self._parts}
        ranks = {number: rank for rank, number in enumerate(number for number in self._order if number in used)}
        return tuple(replace(part, stage=ranks[part.stage]) for part in self._parts)

    def _next(self, at: int) -> int:
        """Read what stands at a position; return the next position."""
        token = self.tokens[at]
        at_begin = not _without_manners(tuple(self._words))
        if token in ("and", "but", "an") and at + 1 < len(self.tokens) and self._mark_at(at + 1, at_begin=True):
            self._flush(Boundary.AND)
            return at + 1
        if token in _BOUNDARIES:
            return self._joined(at)
        if (found := self._mark_at(at, at_begin)) is not None:
            mark, length = found
            self._take(mark, " ".join(self.tokens[at : at + length]))
            return at + length
        for conjunction in _BEFORE + _AFTER:
            if self._says(at, conjunction) and (read := self._subordinate(at + len(conjunction), conjunction)):
                self._begin_subordinate(conjunction in _AFTER, at_begin, " ".join(conjunction))
                self._words = [read[1]]
                return read[0]
        if at_begin and token in self.gerunds and token not in self.verbs:
            token = self.gerunds[token]  # "before opening …, and closing …", "would you mind closing …"
        elif at_begin and token == "you" and self.tokens[at + 1] in self.verbs:
            return at + 1
        self._words.append(token)
        return at + 1

    def _joined(self, at: int) -> int:
        boundary = _BOUNDARIES[self.tokens[at]]
        if boundary is Boundary.FULL and at and self.tokens[at - 1] == "and":
            self.broken_off = True
        self._flush(boundary)
        if boundary is Boundary.FULL:
            self._stage, self._back, self._is_subordinate, self._first = self._order[-1], None, False, False
            if self._main is not None:
                self.unclear = self.unclear or f"after '{' '.join(self._parts[-1].words)}', the main clause is missing"
                self._main = None
        elif self._begins_main(at + 1):
            self._end_subordinate(boundary)
        return at + 1

    def _begins_main(self, at: int) -> bool:
        """Return whether a main clause begins after a subordinate one."""
        if not self._is_subordinate:
            return False
        while self.tokens[at] in _BEFORE_A_MAIN_CLAUSE:
            at += 1
        return self.tokens[at] in self.verbs

    def _end_subordinate(self, boundary: Boundary) -> None:
        if self._main is not None and boundary is not Boundary.AND:
            self._stage, self._main, self._is_subordinate = self._main, None, False
            self._boundary = Boundary.FULL
        elif self._back is not None:
            self._stage, self._back, self._is_subordinate = self._back, None, False
            self._boundary = Boundary.FULL

    def _mark_at(self, at: int, at_begin: bool) -> tuple[_Mark, int] | None:
        """Return the mark at a position and its number of words."""
        if at_begin and any(self._says(at, words) for words in _STARTING) and self.tokens[at + 2] in self.gerunds:
            return _Mark.FIRST, 2
        for length in range(_LONGEST_MARK, 0, -1):
            words = tuple(self.tokens[at : at + length])
            after = self.tokens[at + length] if at + length < len(self.tokens) else "."
            ends = not at_begin and after in _BOUNDARIES
            table = _AT_END if ends else _AT_BEGIN if at_begin else _ANYWHERE
            if words in table and self._means_it(words, after, at_begin):
                return table[words], length
        amid = not at_begin and self.tokens[at] == "first" and self._words[-1] not in _THE
        return (_Mark.FIRST, 1) if amid and self.tokens[at + 1] in _AFTER_A_FIRST else None

    def _means_it(self, words: tuple[str, ...], after: str, at_begin: bool) -> bool:
        """Return whether the words of a mark are one before the word `after`."""
        if words == ("first",) and at_begin:
            return after in _AFTER_FIRST | self.verbs
        return after not in _NO_MARK.get(words, ())

    def _says(self, at: int, words: tuple[str, ...]) -> bool:
        return tuple(self.tokens[at : at + len(words)]) == words

    def _take(self, mark: _Mark, words: str) -> None:
        """Take up a mark."""
        puts_off = not self.put_off and tuple(words.split()) in _ORDERS_NOTHING
        self.put_off = words if puts_off else self.put_off
        self.begins_put_off |= puts_off and not self._parts and not _without_manners(tuple(self._words))
        if mark is _Mark.FIRST:
            self._first = True
        elif mark is _Mark.LAST:
            self._flush(Boundary.COMMA)
            if self._parts:
                boundary = self._parts[-1].boundary if self._parts[-1].words[0] in self.verbs else Boundary.FULL
                self._parts[-1] = replace(self._parts[-1], boundary=boundary, last=True)
        else:
            self._flush(Boundary.FULL)
            if self._main is not None:
                self._end_subordinate(Boundary.FULL)
            elif self._parts:
                if self._back is not None:
                    self._stage, self._back = self._back, None
                if self._order[-1] != self._stage:
                    self.unclear = self.unclear or f"what comes before '{words}'"
                self._pending, self._is_subordinate = mark, False

    def _subordinate(self, at: int, conjunction: tuple[str, ...]) -> tuple[int, str] | None:
        """Return where a clause such as "you have opened …" goes on after its verb, and the verb; None if it is none.

        Args:
            at: The position after the conjunction.
            conjunction: The word or words before it; "when" needs an end: "when you have opened …".
        """
        tokens, verbs, past = self.tokens, self.verbs, conjunction in _AFTER
        subject = tokens[at] in _YOU
        words = [*_YOU.get(tokens[at], ()), *tokens[at + 1 if subject else at :]][:5]
        skipped = at + (1 if subject else 0) - len(_YOU.get(tokens[at], ()))
        index, perfect, ended = 0, False, False
        if (subject and words[0] in _HAVING | {"are"}) or words[0] == "having":
            perfect, index = words[0] in _HAVING, 1
        if index < len(words) and words[index] in _ENDED and (subject or perfect):
            ended, index = True, index + 1
        if index < len(words) and words[index] == "to" and (ended or not subject):
            index += 1
            found = words[index] if index < len(words) and words[index] in verbs else None
        elif index >= len(words):
            found = None
        elif perfect and not ended:
            found = self.participles.get(words[index])
        elif subject and not ended:
            base = words[index] if words[index] in verbs else None
            found = base or (self.participles.get(words[index]) if past else None)
        else:
            found = self.gerunds.get(words[index])
        if found is None or (conjunction == ("when",) and not (perfect or ended)):
            return None
        return skipped + index + 1, found

    def _begin_subordinate(self, ahead: bool, at_begin: bool, conjunction: str) -> None:
        """Begin a clause with "before" or "after"."""
        # After a comma it belongs to what stands before: "bring me the cup, after opening the door".
        before = bool(self._parts) and self._pending is None and self._boundary is Boundary.COMMA
        at_begin = at_begin and not before
        self._flush(Boundary.FULL)
        stage = len(self._order)
        if self._is_subordinate or self._pending is _Mark.AHEAD or (self._order[-1] != self._stage and self._parts):
            self.unclear = self.unclear or f"what '{conjunction}' belongs to"
        self._is_subordinate = True
        if at_begin:
            self._pending = None
            main, under = stage, stage + 1
            self._order += [under, main] if ahead else [main, under]
            self._main, self._stage = main, under
        elif ahead:
            self._order.insert(self._order.index(self._stage), stage)
            self._back, self._stage = self._stage, stage
        else:
            self._order.append(stage)
            self._stage = stage
        self._boundary = Boundary.FULL

    def _flush(self, boundary: Boundary) -> None:
        """End the segment."""
        polite = _without_manners(tuple(self._words))
        if polite:
            if self._pending is not None:
                self._begin_stage(self._pending)
            if self._first and polite[0] not in self.verbs:
                self._boundary = Boundary.FULL  # "…, the cup first" goes on with no list
            self._parts.append(Segment(polite, self._boundary, self._stage, self._first))
            self._boundary, self._first = boundary, False
        elif not self._words or not self._parts:
            self._boundary = max(self._boundary, boundary) if self._parts else Boundary.FULL
        self._words = []

    def _begin_stage(self, mark: _Mark) -> None:
        stage = len(self._order)
        if mark is _Mark.THEN:
            self._order.append(stage)
        else:
            self._order.insert(self._order.index(self._stage), stage)
        self._pending, self._stage, self._boundary = None, stage, Boundary.FULL


def _unreadable(instruction: str, strange: str) -> Feedback:
    """Return why an instruction cannot be read: it is empty, too long, or has the characters `strange`."""
    how = "Say in one English sentence what should hold, such as a thing and where it should be."
    if not instruction.strip():
        return _nothing(instruction)
    if len(instruction) > MOST_CHARACTERS:
        why = f"it has {len(instruction)} characters, at most {MOST_CHARACTERS} are read."
        return Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how)
    shown = (char if char.isprintable() else f"U+{ord(char):04X}" for char in strange[:20])
    culprits = tuple(dict.fromkeys(shown))
    why = f"it holds what is no word: {', '.join(culprits)}."
    return Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, culprits)


def _nothing(instruction: str) -> Feedback:
    what = f"'{shortened(instruction)}'" if instruction.strip() else "the instruction"
    return Feedback(Code.NOT_UNDERSTOOD, what, "it asks for nothing.", "Say what should hold.")


def _without_manners(words: tuple[str, ...]) -> tuple[str, ...]:
    """Remove polite words and phrases."""
    words = tuple(word for word in words if word not in _LEFT_OUT)
    changed = True
    while changed and words:
        changed = False
        for opening in _OPENINGS:
            if words[: len(opening)] == opening:
                words, changed = words[len(opening) :], True
        for closing in _CLOSINGS:
            if words[-len(closing) :] == closing:
                words, changed = words[: -len(closing)], True
    return words
