"""Phrases of a world that stand for programs: moving the hand, rows and towers, "5 cm to the left".

A world lists what no goal says with a program over slots (`ProgramPhrase`). A sentence with one of them becomes one
program: its phrases in their order, and what is left of it as goals that the program achieves. A slot takes what is
named, or what the rules of its kind take, such as a place or a way: they are data (`said_programs.yaml`). All of it has
to be understood; what is taken as given is told by the program at its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from graftwork.language.offline.clause import Remark
from graftwork.language.offline.frames import POINT, WANT, without_manners
from graftwork.language.offline.patterns import AND, known_words, said, spans, verbs
from graftwork.language.offline.places import PlaceReader
from graftwork.language.offline.referents import ONE, PRONOUNS, Referent
from graftwork.language.offline.remarks import asides_of
from graftwork.language.offline.said_values import quantity_in
from graftwork.language.offline.segments import Boundary, Segment, segments
from graftwork.language.offline.slots import Slots
from graftwork.language.offline.typing_errors import Spelling
from semantics.logic.atoms import literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.quantity import Dimension
from semantics.logic.reply import ProgramText
from semantics.logic.vocabulary import ProgramPhrase
from semantics.words.english import noun_phrase, spoken_number
from semantics.words.names import Ambiguous, NameIndex

Words = tuple[str, ...]
_MEASURES = {
    "metres": Dimension.LENGTH,
    "degrees": Dimension.ANGLE,
    "millilitres": Dimension.VOLUME,
    "seconds": Dimension.DURATION,
    "pace": Dimension.SPEED,
    "percent": Dimension.SHARE,
}
_SLOT = re.compile(r"\{([a-z]\w*)\}")
_CALL = re.compile(r"\b([a-z]\w*)\(")


@cache
def _rules() -> Mapping[str, tuple[ProgramPhrase, ...]]:
    """Return the rules of each kind of slot."""
    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    tables: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    rules = {kind: tuple(ProgramPhrase(**each) for each in listed) for kind, listed in tables["rules"].items()}
    for kind, texts in tables["words"].items():
        words = {phrase: str(text) for text, phrases in texts.items() for phrase in phrases}
        rules[kind] = (ProgramPhrase(("{word}",), "{word}", words={"word": words}),)
    return rules


_LONGEST = 40  # words of a phrase with a program; each place where they can be cut is tried


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words that were understood: their text in a program, what was taken as given, what they name, what is unclear."""

    text: str
    told: tuple[str, ...] = ()
    named: tuple[Referent, ...] = ()
    doubts: tuple[Ambiguous, ...] = ()


@dataclass(slots=True)
class _Sentence:
    """A sentence in reading."""

    slots: Slots  # resolves what is named
    rest: Callable[[str], object]  # reads what stands between phrases as a goal
    parts: list[_Phrase | Goal] = field(default_factory=list)  # the phrases and goals that were read
    named: list[Referent] = field(default_factory=list)  # what was named so far
    between: list[str] = field(default_factory=list)  # the words since the last phrase
    refused: object = None  # what came of words that are no goal, or of a name that several things may have
    asides: Mapping[Words, Remark] = field(default_factory=dict)  # the segments that may be remarks, by their words

    def take(self, read: Sequence[Segment], at: int) -> int:
        """Read what begins at a segment; return where it ends."""
        before, ways = list(self.named), list(self._ways(read, at))
        if ways and self.between and not PRONOUNS.isdisjoint(read[at].words):
            self.named += _named_in(self.rest(" and ".join(self.between)), self.slots.names.vocabulary.robot)
        for end, words in ways:
            if (phrase := self._phrase(words)) is not None:
                self.end_goal(phrase)
                self.parts.append(phrase)
                self.named += phrase.named
                self.refused = self.refused or next(map(_which, phrase.doubts), None)
                return end
        self.named = before
        remark = self.asides.get(read[at].words)
        if remark is not None and not self.between and _is_mere(remark):
            self.named += remark.mentioned
            self.parts.append(_Phrase("", (f"'{said(remark.words)}' was taken as a remark.",)))
        else:
            self.between.append(self._with_names(read[at].words))
        return at + 1

    def _ways(self, read: Sequence[Segment], at: int) -> Iterator[tuple[int, Words]]:
        """Yield the words from a segment on that have the form of a phrase with a program, the longest first."""
        patterns = [pattern for each in self.slots.names.vocabulary.programs.values() for pattern in each.patterns]
        for end in range(len(read), at, -1):
            if all(_continues(last, each) for last, each in pairwise(read[at:end])):
                commas = sum(each.boundary is Boundary.COMMA for each in read[at + 1 : end])
                for words in dict.fromkeys(_words_of(read[at:end], kept) for kept in (commas, commas - 1, 0)):
                    plain = without_manners(words)
                    if len(plain) <= _LONGEST and any(
                        next(spans(pattern, plain), None) is not None for pattern in patterns
                    ):
                        yield end, words

    def _with_names(self, words: Words) -> str:
        """Return the words of a goal, with the thing of the phrases before it in the place of "it"."""
        things = {each.alternatives for each in self.named}
        is_clear = not self.between and len(things) == 1 and all(each.single for each in self.named)
        name = next(iter(self.named[0].names)) if is_clear and len(self.named[0].names) == 1 else ""
        return said(name if name and word in ONE else word for word in words)

    def end_goal(self, phrase: _Phrase | None = None) -> None:
        """Take the words since the last phrase as a goal; what is only taken in the hand is moved by the next one."""
        goal = self.rest(" and ".join(self.between)) if self.between else None
        if isinstance(goal, Goal) and not goal.values:
            self.parts += () if phrase is not None and _only_takes(goal, phrase) else (goal,)
        elif self.between:
            self.refused = self.refused or goal
        self.between = []

    def _phrase(self, words: Words) -> _Phrase | None:
        """Return what all words mean by a phrase with a program, what is clear first."""
        programs, plain = self.slots.names.vocabulary.programs.values(), without_manners(words)
        found = (phrase for program in programs for phrase in self.read(program, plain))
        return min(found, key=lambda phrase: len(phrase.doubts), default=None)

    def read(self, rule: ProgramPhrase, words: Words) -> Iterator[_Phrase]:
        """Yield what words mean by a rule."""
        for pattern in rule.patterns:
            for places in spans(pattern, words):
                filled: dict[str, _Phrase] = {}
                for slot, span in places.items():
                    own = words[slice(*span)]
                    word = rule.words.get(slot, {}).get(" ".join(own))
                    meant = None if word is None else _Phrase(word)
                    if slot not in rule.words:
                        beside = [referent for each in filled.values() for referent in each.named]
                        meant = self._slot(rule.slots.get(slot, slot), own, beside)
                    if meant is None:
                        break
                    filled[slot] = meant
                else:
                    yield _joined(rule, filled, words)

    def _slot(self, kind: str, words: Words, beside: Sequence[Referent]) -> _Phrase | None:
        """Return what a slot of a kind takes words for; None if they are not understood so."""
        if kind in _rules():
            return next((meant for rule in _rules()[kind] for meant in self.read(rule, words)), None)
        if kind == "number":
            number = float(words[0]) if re.fullmatch(r"\d+", words[0]) else spoken_number(words)
            return None if number is None else _Phrase(f"{number:g}")
        if kind == "point":
            is_point = len(words) == 1 and re.fullmatch(POINT, words[0])
            return _Phrase(f"point{words[0].replace(',', ', ')}") if is_point else None
        if kind in _MEASURES:
            quantity = quantity_in(words[0]) if len(words) == 1 else None
            fits = quantity is not None and quantity.dimension is _MEASURES[kind]
            return _Phrase(f"{quantity.base:g}") if quantity is not None and fits else None
        how, _, affordance = kind.rpartition(" ")
        if how == "like":
            return self._alike(words, affordance, beside)
        if how == "every":
            meant = self.slots.names.meant(said(noun_phrase(words).head))
            names = tuple(self.slots.names.lexicon.able(meant, affordance))
            return _Phrase(f"[{', '.join(names)}]") if names else None
        meant_so = self._things(words, affordance, beside, is_list=how in ("all", "several"))
        return (
            None if how == "several" and meant_so and meant_so.text.count(",") < meant_so.text.count("[") else meant_so
        )

    def _alike(self, words: Words, sort: str, beside: Sequence[Referent]) -> _Phrase | None:
        """Return the one thing that words name, if it affords all that a class does, or is of a kind."""
        known = self.slots.names.vocabulary
        meant = self._things(words, "object", beside, is_list=False)
        things = [known.things[name] for each in (meant.named if meant is not None else ()) for name in each.names]
        needed = known.classes.get(sort)
        fits = all(sort in each.kinds if needed is None else each.affords(needed) for each in things)
        return meant if things and fits else None

    def _things(self, words: Words, affordance: str, beside: Sequence[Referent], *, is_list: bool) -> _Phrase | None:
        """Return the one thing that words name, or the list of them."""
        traits, noun = self.slots.names.traits.before(words)
        if traits and not noun:
            words = ("the", *words, "one")  # a colour alone, as in "with red at the bottom"
        referent = self.slots.referent(words, affordance, self.named, beside=beside)
        doubts = tuple(doubt for doubt in referent.doubts if isinstance(doubt, Ambiguous))
        if referent.misfits or len(doubts) < len(referent.doubts):
            return None
        names = [name.replace("-", "_") for name in (*referent.alternatives, ("",))[0]]
        if not doubts and (not names or (len(names) > 1 and not is_list)):
            return None
        told = (f"I take {' and '.join(names)} as '{said(words)}'.",) if len(referent.alternatives) > 1 else ()
        text = f"[{', '.join(names)}]" if is_list else (names or [""])[0]
        return _Phrase(text, (*referent.notes, *told), (referent,), doubts)


def _continues(last: Segment, segment: Segment) -> bool:
    """Return whether a segment may belong to the same phrase: "then" and "so that" join, and a full stop does not."""
    is_part = segment.is_statement or segment.words[0] == WANT  # "and the red one on top"
    return is_part or segment.boundary is not Boundary.FULL or segment.stage != last.stage


def _words_of(read: Sequence[Segment], commas: int) -> Words:
    """Return the words of segments, whose first commas join a list; others say nothing: "turn it, by 90 degrees"."""
    words = list(read[0].words)
    for each in read[1:]:
        commas -= each.boundary is Boundary.COMMA
        joins = each.is_statement or (each.boundary is Boundary.COMMA and commas < 0)
        words += each.words if joins else (AND, *each.words)
    return tuple(" ".join(words).replace("each-other", "each other").split())


def _joined(rule: ProgramPhrase, filled: Mapping[str, _Phrase], words: Words) -> _Phrase:
    """Return a rule with its slots filled."""
    texts = {slot: meant.text for slot, meant in filled.items()} | {"said": said(words)}
    own, tell = (_SLOT.sub(lambda match: texts[match[1]], text) for text in (rule.text, rule.tell))
    every = [*filled.values(), _Phrase("", (tell,) if tell else ())]
    return _Phrase(
        own,
        tuple(note for each in every for note in each.told),
        tuple(referent for each in every for referent in each.named),
        tuple(doubt for each in every for doubt in each.doubts),
    )


def program_in(
    words: str, names: NameIndex, rest: Callable[[str], object]
) -> ProgramText | Question | Rejection | None:
    """Return the program that a sentence stands for; None if no phrase with a program is in it.

    Args:
        words: The sentence.
        names: The names and the phrases of the world, with what is believed.
        rest: Reads the other words of the sentence as a goal.
    """
    vocabulary = names.vocabulary
    own = re.findall("[a-z]+", " ".join(text for each in vocabulary.programs.values() for text in each.patterns))
    spelling = Spelling(known_words(vocabulary) | {*own}, names)
    read = segments(words, verbs(vocabulary), spelling.is_noun, spelling.meant)
    if isinstance(read, Rejection):
        return None  # the reader of goals says why
    sentence, at = _Sentence(Slots(names, PlaceReader(vocabulary, names.state)), rest), 0
    sentence.asides = asides_of(read, sentence.slots)
    ordered = sorted(read, key=lambda segment: segment.stage)
    while at < len(ordered):
        at = sentence.take(ordered, at)
    has_program = any(isinstance(part, _Phrase) and part.text for part in sentence.parts)
    if any(segment.first or segment.last for segment in read) or not has_program:
        return None
    sentence.end_goal()
    if sentence.refused is not None:
        return sentence.refused if isinstance(sentence.refused, Question | Rejection) else None
    return _program(sentence.parts, vocabulary.programs)


def phrase_in(words: Words, names: NameIndex, programs: Mapping[str, ProgramPhrase]) -> str | None:
    """Return the program that all words stand for as one phrase, if it is clear what they name; None otherwise."""
    sentence = _Sentence(Slots(names, PlaceReader(names.vocabulary, names.state)), lambda _: None)
    words = without_manners(tuple(AND if word == "and" else word for word in words))
    found = (phrase for program in programs.values() for phrase in sentence.read(program, words))
    return next((phrase.text for phrase in found if not (phrase.doubts or phrase.told)), None)


def _named_in(goal: object, robot: str) -> list[Referent]:
    """Return what a goal names, for pronouns after it."""
    atoms = literals(goal.formula) if isinstance(goal, Goal) else ()
    names = dict.fromkeys(name for atom, _ in atoms for name in atom.args if name != robot)
    return [Referent(name, ((name,),)) for name in names]


def _is_mere(remark: Remark) -> bool:
    """Return whether a statement is clear in what it is about, and denies nothing."""
    is_clear = not any(thing.doubts or len(thing.alternatives) > 1 for thing in remark.mentioned)
    return is_clear and {"not", "nobody", "nothing", "one", "ones"}.isdisjoint(remark.words)


def _only_takes(goal: Goal, phrase: _Phrase) -> bool:
    """Return whether a goal is no more than to take what the next phrase moves: "pick it up and …"."""
    things, facts = {name for referent in phrase.named for name in referent.names}, list(literals(goal.formula))
    return not goal.later and all(len(atom.args) == 2 and atom.args[0] in things for atom, _ in facts)


def _which(doubt: Ambiguous) -> Question:
    feedback = Feedback(Code.AMBIGUOUS, f"'{doubt.words}'", f"{doubt.why}.", culprits=(doubt.words,))
    return Question.among(doubt.options, feedback)


def _program(parts: Sequence[_Phrase | Goal], programs: Mapping[str, ProgramPhrase]) -> ProgramText:
    told, texts = dict[str, None](), list[str]()
    for part in parts:
        told |= dict.fromkeys(part.notes if isinstance(part, Goal) else part.told)
        texts += [f'achieve("{each.formula}")' for each in part.stages] if isinstance(part, Goal) else [part.text]
    texts = list(filter(None, texts))
    body = "\n".join((*(f'say("{text}")' for text in told), *texts))
    return ProgramText("\n\n\n".join((*dict.fromkeys(functions_called(body, programs)), body)))


def functions_called(text: str, programs: Mapping[str, ProgramPhrase]) -> Iterator[str]:
    """Yield the functions of the world that a program calls, each after those that it calls itself."""
    for name in dict.fromkeys(_CALL.findall(text)):
        if name in programs and not programs[name].patterns and f"def {name}(" not in text:
            yield from (*functions_called(programs[name].text, programs), programs[name].text)
