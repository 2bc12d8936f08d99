"""What a person has taught as programs: phrases with slots, and functions for other programs.

A model's program is corrected until it is right, and kept under the sentence that it was for. The things that the
sentence names are its arguments, so that the same sentence with other things needs no model: the words decide, and what
they name has to afford what the first things afforded. In prompts these programs stand beside those of the world, and
the functions in them may be called by every later program (a skill of LRLL, whose arguments are found by the words).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from bt.programs.writer import identifier
from graftwork.language.offline.frames import without_manners
from graftwork.language.offline.places import PlaceReader
from graftwork.language.offline.referents import Referent
from graftwork.language.offline.said_programs import phrase_in
from graftwork.language.offline.slots import Slots
from graftwork.memory.instruction import instruction_key
from semantics.logic.lesson import Lesson, NumberedLesson, parts_of_program
from semantics.logic.reply import ProgramText
from semantics.logic.vocabulary import ProgramPhrase, Vocabulary
from semantics.words.english import GRAMMAR
from semantics.words.names import NameIndex

LONGEST_NAME = 5  # words that name a thing
_WORD = re.compile(r"[A-Za-z_]\w*")


def programs_taught(lessons: Iterable[NumberedLesson]) -> dict[str, ProgramPhrase]:
    """Return the programs of lessons as phrases of a world, the last one first, and the functions that they define.

    Of functions with one name, that of the last lesson is called by other programs; a program keeps its own.
    """
    phrases, functions = dict[str, ProgramPhrase](), dict[str, ProgramPhrase]()
    for number, lesson in reversed(tuple(lessons)):
        if lesson.program:
            defined, body = parts_of_program(lesson.program)
            slots = {name.removeprefix("?"): f"like {sort}" for name, (sort, *_) in lesson.sorts}
            phrases[f"taught {number}"] = ProgramPhrase((lesson.phrase,), body, slots=slots)
            functions = {name: ProgramPhrase((), text) for name, text in defined.items()} | functions
    return {**phrases, **functions}


def taught_program(words: str, names: NameIndex, programs: Mapping[str, ProgramPhrase]) -> ProgramText | None:
    """Return the program that was taught for a sentence, with the things that it names; None if there is none.

    Args:
        words: The sentence.
        names: The names of the world, with what is believed.
        programs: What was taught.
    """
    phrase = phrase_in(tuple(instruction_key(words).split()), names, programs)
    return None if phrase is None else ProgramText(phrase)


@dataclass(slots=True)
class _Naming:
    """Finds what a sentence names."""

    slots: Slots
    words: tuple[str, ...]

    @classmethod
    def of(cls, sentence: str, names: NameIndex) -> _Naming:
        places = PlaceReader(names.vocabulary, names.state)
        return cls(Slots(names, places), without_manners(tuple(instruction_key(sentence).split())))

    def spans(self, wanted: Collection[str]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield the words of the sentence in order; those that name a wanted thing come together, with its name."""
        at, before = 0, list[Referent]()
        while at < len(self.words):
            for length in range(min(LONGEST_NAME, len(self.words) - at), 0, -1):
                span = self.words[at : at + length]
                if GRAMMAR.isdisjoint(span[1:]) and (meant := self._meant(span, before)) is not None:
                    break
            else:
                length, meant = 1, None
            name = "" if meant is None else next(iter(meant.names))
            if meant is not None:
                before.append(meant)
            yield self.words[at : at + length], name if name in wanted else ""
            at += length

    def _meant(self, span: tuple[str, ...], before: list[Referent]) -> Referent | None:
        if span[-1] in GRAMMAR:
            return None
        meant = self.slots.referent(span, None, before, beside=before)
        is_one = len(meant.alternatives) == 1 and len(meant.names) == 1
        return meant if is_one and not meant.doubts and not meant.misfits else None


def with_slots(lesson: Lesson, sentence: str, names: NameIndex) -> Lesson:
    """Return a lesson with a program as one about a sentence whose things are its arguments.

    Args:
        lesson: The lesson, with a program that names things.
        sentence: What the program is for.
        names: The names of the world, with what was believed when the sentence was said.
    """
    functions, body = parts_of_program(lesson.program)
    things = names.vocabulary.things
    written = {identifier(name): name for name in things}
    used = {written[word] for word in _WORD.findall(body) if word in written}
    slots: dict[str, str] = {}
    phrase: list[str] = []
    for words, name in _Naming.of(sentence, names).spans(used):
        if name and name not in slots:
            sort = things[name].class_name
            slots[name] = f"{identifier(sort)}{sum(things[each].class_name == sort for each in slots) + 1}"
        phrase += [f"{{{slots[name]}}}"] if name else words
    body = _WORD.sub(lambda match: _slot(written.get(match[0], ""), slots) or match[0], body)
    return replace(
        lesson,
        phrase=" ".join(phrase),
        program="\n\n\n".join((*functions.values(), body)),
        sorts=tuple((f"?{slot}", (things[name].class_name,)) for name, slot in slots.items()),
    )


def _slot(name: str, slots: Mapping[str, str]) -> str:
    return f"{{{slots[name]}}}" if name in slots else ""


def others_for(lesson: Lesson, vocabulary: Vocabulary) -> Iterator[dict[str, str]]:
    """Yield things for the slots of a lesson, no thing in two slots: the first of each sort, then the next."""
    slots = [(name.removeprefix("?"), vocabulary.of_class(sort)) for name, (sort, *_) in lesson.sorts]
    for shift in range(max((len(able) for _, able in slots), default=0)):
        chosen: dict[str, str] = {}
        for number, (slot, able) in enumerate(slots):
            free = [name for name in able if name not in chosen.values()]
            if free:
                chosen[slot] = free[(shift + number) % len(free)]
        if len(chosen) == len(slots):
            yield chosen


def filled(text: str, things: Mapping[str, str]) -> str:
    """Return a program with things in its slots."""
    return re.sub(r"\{(\w+)\}", lambda match: identifier(things[match[1]]), text)
