"""Segments of a sentence, and the order in which a person wants them done.

A segment is in lower case and without polite words; it ends where a clause or a list may continue. Each has a `stage`:
what has a smaller one is to hold before. "Open the fridge, then bring me the milk" and "before you bring me the milk,
open the fridge" both have two stages, in the same order. "And" and a full stop say no order. Words of order are never
dropped: they make stages, they stand where nothing can be ordered ("then bring me the milk"), or they stay in the
segment, where no phrase takes them and the sentence is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from graftwork.language.offline.frames import (
    PLACING,
    SHOULD,
    TOKEN,
    WANT,
    rewrite,
    spelled_out,
    tables,
    without_manners,
)
from graftwork.language.offline.recasts import recast
from graftwork.language.offline.references import each_with_its_thing, without_commas
from graftwork.language.offline.said_values import SaidValue, with_quantities, with_wait
from graftwork.language.offline.statements import NO_WISH, PRONOUNS, STATING, remark_at, unnumbered
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.words.english import gerunds, noun_phrase, past_forms

MOST_CHARACTERS = 500
MOST_SEGMENTS = 24

TIMES = frozenset(tables()["order"]["times"].split())
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
        is_statement: Whether it has the form of a statement, and may be a remark.
        also: Whether it names one thing more: "and the banana too".
        announces: Whether what follows is said to be about it: "let us make it higher: …", "I need room here, so …".
    """

    words: tuple[str, ...]
    boundary: Boundary
    stage: int = 0
    first: bool = False
    last: bool = False
    values: tuple[SaidValue, ...] = ()
    views: tuple[SaidView, ...] = ()
    is_statement: bool = False
    also: bool = False
    announces: bool = False


_BOUNDARIES = {"and": Boundary.AND, "also": Boundary.AND, ",": Boundary.COMMA} | dict.fromkeys(".;:!?", Boundary.FULL)


class _Mark(StrEnum):
    """What words of order say about the clause that they stand at."""

    THEN = "then"  # after all that was said before
    AHEAD = "ahead"  # before all that was said before
    FIRST = "first"  # before the others
    LAST = "last"  # after the others


def _marks(name: str) -> dict[tuple[str, ...], _Mark]:
    """Return words of order of ``english.yaml`` with what they say."""
    return {words: _Mark(mark) for mark, text in tables()["order"][name].items() for words in spelled_out(text)}


_ANYWHERE = _marks("anywhere")
_AT_BEGIN = _ANYWHERE | _marks("at_begin")
_AT_END = {
    words: {_Mark.THEN: _Mark.LAST, _Mark.AHEAD: _Mark.FIRST}.get(mark, mark) for words, mark in _ANYWHERE.items()
} | _marks("at_end")
_ORDERS_NOTHING = frozenset(words for words in (*_AT_BEGIN, *_AT_END) if _AT_BEGIN.get(words) is not _Mark.FIRST) - {
    *spelled_out(tables()["order"]["alone"])
}
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


def tokens_of(
    instruction: str, verbs: Collection[str] = (), spelled: Callable[[str], str] = lambda word: word
) -> list[str]:
    """Return the words and the punctuation of an instruction in lower case; each quantity is one word."""
    found = [token.replace(" ", "") for token in TOKEN.findall(instruction.lower())]  # a point has blanks in it
    rewritten = each_with_its_thing(recast(rewrite([*found, "."], verbs, spelled), verbs), verbs)
    return with_wait(with_quantities(rewritten), verbs)


def words_in(instruction: str) -> tuple[str, ...]:
    """Return the words of a sentence without its punctuation."""
    return tuple(token for token in tokens_of(instruction) if token not in _BOUNDARIES or token == "and")


def segments(
    instruction: str,
    verbs: Collection[str] = (),
    is_noun: Callable[[str], bool] = lambda word: False,
    spelled: Callable[[str], str] = lambda word: word,
) -> tuple[Segment, ...] | Rejection:
    """Cut an instruction into segments; reject it if it cannot be an English sentence, or if its order is unclear.

    Args:
        instruction: One or a few English sentences.
        verbs: The words that a clause can begin with, for clauses such as "after opening the fridge".
        is_noun: Returns whether a word belongs to the name or the description of a thing.
        spelled: Returns the word that is meant by a typing error.
    """
    text = unicodedata.normalize("NFKC", instruction).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    text = unnumbered(text)
    strange = re.sub(r"[\s\"“”]", "", TOKEN.sub(" ", text.lower()))
    if strange or len(instruction) > MOST_CHARACTERS:
        from graftwork.language.offline.unreadable import unreadable  # most sentences can be read

        return Rejection((unreadable(instruction, strange, MOST_CHARACTERS),))
    every = frozenset(verbs)
    tokens = without_commas(tokens_of(text, every, spelled))
    cut = _Cut(tokens, every, is_noun, is_polite="please" in instruction.lower())
    parts = cut.segments()
    if not parts:
        from graftwork.language.offline.unreadable import nothing_asked

        return Rejection((nothing_asked(instruction),))
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
    """Cuts a sentence, from left to right."""

    tokens: list[str]  # the words and punctuation marks; the last one is a full stop
    verbs: frozenset[str]  # the verbs of the domain
    is_noun: Callable[[str], bool]  # returns whether a word belongs to the name or the description of a thing
    unclear: str = ""  # why the order is not clear; empty if it is
    broken_off: bool = False  # whether a sentence ends with "and"
    put_off: str = ""  # the first words that order what is asked for; of no effect if that is one thing
    begins_put_off: bool = False  # whether they stand before all that is asked for
    is_polite: bool = False  # whether it says "please", so that a mere thing is asked for: "the milk, please"
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
        at_begin = not without_manners(tuple(self._words))
        if token in ("and", "but", "an") and at + 1 < len(self.tokens) and self._begins_anew(at + 1, token):
            self._flush(Boundary.AND)
            return at + 1
        if token in _BOUNDARIES:
            return self._joined(at)
        if (end := self._remark(at, at_begin)) > at:
            return end
        if (found := self._mark_at(at, at_begin)) is not None:
            mark, length = found
            self._take(mark, " ".join(self.tokens[at : at + length]))
            return at + length
        if (end := self._subordinate_at(at, at_begin)) > at:
            return end
        if at_begin and self._is_gerund(at):
            token = self.gerunds[token]  # "before opening …, and closing …", "would you mind closing …"
        elif at_begin and token == "you" and self.tokens[at + 1] in self.verbs:
            return at + 1
        self._words.append(token)
        return at + 1

    def _begins_anew(self, at: int, conjunction: str) -> bool:
        """Return whether a mark begins at a position, or behind "but" what is an order, and no exception."""
        orders = self.tokens[at] in ("leave", "keep", "let", "do") or self.tokens[at] in self.verbs
        return (conjunction == "but" and orders) or self._mark_at(at, at_begin=True) is not None

    def _subordinate_at(self, at: int, at_begin: bool) -> int:
        """Take up a begin of a clause with "before" or "after"; return its end, or the position."""
        for conjunction in _BEFORE + _AFTER:
            if self._says(at, conjunction) and (read := self._subordinate(at + len(conjunction), conjunction)):
                self._begin_subordinate(conjunction in _AFTER, at_begin, " ".join(conjunction))
                self._words = [read[1]]
                return read[0]
        return at

    def _is_gerund(self, at: int) -> bool:
        """Return whether a clause begins with the gerund at a position: "closing …", unlike "looking from there"."""
        token = self.tokens[at]
        is_seen = token == "looking" and self.tokens[at + 1] in ("from", "at")
        return token in self.gerunds and token not in self.verbs and not is_seen

    def _joined(self, at: int) -> int:
        boundary = _BOUNDARIES[self.tokens[at]]
        if boundary is Boundary.FULL and at and self.tokens[at - 1] == "and":
            self.broken_off = True
        if self.tokens[at] in (",", ":") and self._is_place_ahead(at + 1):
            if self.tokens[at + 1] not in self.verbs:
                self._words.append(WANT)  # "in the bowl: the orange block"
            return at + 1
        self._flush(boundary)
        if self.tokens[at] == ":" and self._parts:
            at_wish = -1 - (self._parts[-1].is_statement and len(self._parts) > 1)  # "I need it for my homework, so …"
            self._parts[at_wish] = replace(self._parts[at_wish], announces=True)
        if boundary is Boundary.FULL:
            self._stage, self._back, self._is_subordinate, self._first = self._order[-1], None, False, False
            if self._main is not None:
                self.unclear = self.unclear or f"after '{' '.join(self._parts[-1].words)}', the main clause is missing"
                self._main = None
        elif self._begins_main(at + 1):
            self._end_subordinate(boundary)
        return at + 1

    def _remark(self, at: int, at_begin: bool) -> int:
        """Take up what may be a remark; return its end, or the position if there is none."""
        end = remark_at(self.tokens, at, self.verbs, at_begin=at_begin and self._may_state(self.tokens[at]))
        if end > at:
            self._flush(Boundary.FULL)
            self._parts.append(Segment(tuple(self.tokens[at:end]), Boundary.FULL, self._stage, is_statement=True))
        return end

    def _may_state(self, token: str) -> bool:
        """Return whether a clause that begins with a word may be a remark: "… is open and the door is shut" goes on."""
        if token in STATING or self._boundary is Boundary.FULL or (token in PRONOUNS and not self._boundary):
            return True
        ahead = takewhile(lambda part: part.boundary is not Boundary.FULL, reversed(self._parts))
        wished = any({WANT, SHOULD} & {*part.words} for part in (*ahead, *self._parts[-1:]))
        return self._boundary is Boundary.COMMA and not wished

    def _is_place_ahead(self, at: int) -> bool:
        """Return whether the words so far are a place, and what is to be there begins at a position."""
        words, token = without_manners(tuple(self._words)), self.tokens[at]
        begins = token in self.verbs or token in _THE or self.is_noun(token) or token in ("all", "every", "both")
        is_place = len(words) > 1 and words[0] in PLACING and not {WANT, SHOULD, *NO_WISH} & {*words}
        return is_place and begins

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
        if words in (("first",), ("second",), ("third",)) and at_begin:
            return after in _AFTER_FIRST | _THE | self.verbs
        return after not in _NO_MARK.get(words, ())

    def _says(self, at: int, words: tuple[str, ...]) -> bool:
        return tuple(self.tokens[at : at + len(words)]) == words

    def _take(self, mark: _Mark, words: str) -> None:
        """Take up a mark."""
        puts_off = not self.put_off and tuple(words.split()) in _ORDERS_NOTHING
        self.put_off = words if puts_off else self.put_off
        self.begins_put_off |= puts_off and not self._parts and not without_manners(tuple(self._words))
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
        polite = without_manners(tuple(self._words))
        orders = SHOULD in polite or (polite[1:2] and polite[1] in self.verbs)
        if polite[:1] == ("but",) and orders and (SHOULD in polite or not self._first):
            polite = polite[1:]  # "I am tired, but …": what follows is a wish, and no exception
        if polite and self._boundary is Boundary.FULL and self._lacks_verb(polite):
            polite = (WANT, *polite)  # "mug on the table"
        if polite:
            if self._pending is not None:
                self._begin_stage(self._pending)
            if self._first and polite[0] not in self.verbs:
                self._boundary = Boundary.FULL  # "…, the cup first" goes on with no list
            also = bool(self._parts) and (self._words[-1:] == ["too"] or self._words[-2:] == ["as", "well"])
            also = also and polite[0] not in self.verbs and PLACING.isdisjoint(polite)
            listed = [*takewhile(self._is_listed, reversed(self._parts))] if also else []
            if listed and not PLACING.isdisjoint(self._parts[-1 - len(listed)].words):
                self._parts[-len(listed)] = replace(listed[-1], boundary=Boundary.FULL, also=True)  # "…, the cup and …"
            before = Boundary.FULL if also and not listed else self._boundary
            self._parts.append(Segment(polite, before, self._stage, self._first, also=also))
            self._boundary, self._first = boundary, False
        elif not self._words or not self._parts:
            self._boundary = max(self._boundary, boundary) if self._parts else Boundary.FULL
        self._words = []

    def _is_listed(self, part: Segment) -> bool:
        """Return whether a segment only names one thing more of a list."""
        said = {*part.words[1:]} & (PLACING | {WANT, SHOULD})
        return part.boundary is not Boundary.FULL and part.words[0] not in self.verbs and not said

    def _lacks_verb(self, words: tuple[str, ...]) -> bool:
        """Return whether words are a thing and a place, and nothing else: "the cup on the table"."""
        opening = _THE | {"all", "every", "both", *self.participles}
        begins = words[0] in opening or noun_phrase(words).head != words or self.is_noun(words[0])
        has_place = bool({*words[1:-1]} & PLACING) and words[-1] not in PLACING and NO_WISH.isdisjoint(words)
        is_asked = self.is_polite and not self._parts and NO_WISH.isdisjoint(words)
        return self._pending is None and words[0] not in self.verbs and begins and (has_place or is_asked)

    def _begin_stage(self, mark: _Mark) -> None:
        stage = len(self._order)
        if mark is _Mark.THEN:
            self._order.append(stage)
        else:
            self._order.insert(self._order.index(self._stage), stage)
        self._pending, self._stage, self._boundary = None, stage, Boundary.FULL
