"""`Lesson`: what a person has taught, as a condition and what is done where it holds.

A lesson is said once and holds from then on, where its condition holds and nowhere else (Bärmann et al., section 3.5,
keep an improved example instead, which has no condition). It is about goals: what of them is such, and what is wanted
then besides, instead, before, afterwards, how, or never. So whoever has understood the sentence, its lessons apply, and
its plan is made and checked like any other. A lesson about a word changes the sentence before it is read. A lesson may
also be a program that a person has corrected until it was right; its sentence is a phrase with slots from then on.

Facts are PDDL literals with variables: ``(in ?x fridge0)``. What a variable stands for is said in words, as a person
would say it: ``?x fork or spoon``, ``?x red mug``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Literal, literals
from semantics.logic.goal import read_values
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import Quantity
from semantics.logic.sentences import in_words
from semantics.logic.vocabulary import Predicate
from semantics.plain_text import shortened, together

_SORT = re.compile(r"(\?\w+)\s+(.+)")
_EITHER = re.compile(r"\s+or\s+|\s*\|\s*")
OR = " or "
MOST_TOLD = 300  # characters of a program in a sentence
ANY = "any"
"""As a predicate: any fact of these things, such as where they are; where it is repeated, it is the same fact."""
Sorts = Mapping[str, tuple[str, ...]]
"""What each variable may stand for, in words."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a person has taught.

    Attributes:
        asked: The facts that a goal asks for, or denies, each met by another one; without any, it holds for all goals.
        sorts: What the variables stand for, such as ``?x red mug or cup``.
        given: What is so when the goal is begun; denied, what is not so.
        words: Words that the sentence has.
        unless: Words that it does not have.
        instead: What is to hold instead of the facts of `asked`.
        also: What is to hold besides, in the end.
        first: What is to be reached before the facts of `asked`.
        after: What is to be reached after them.
        never: What must not be so at any time, all of it at once.
        choose: Which of several possible things are taken, if there are such: facts about them.
        choose_sorts: The same, in words.
        values: How it is done, such as ``speed 20cm/s``.
        phrase: Words of a sentence that mean something else.
        meaning: The words that they stand for.
        program: What is done when the phrase is said; where the phrase names things, both have slots such as
            ``{block1}``, whose sorts say what can stand there.
        text: What the person said.
    """

    asked: tuple[Literal, ...] = ()
    sorts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    given: tuple[Literal, ...] = ()
    words: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    instead: tuple[Literal, ...] = ()
    also: tuple[Literal, ...] = ()
    first: tuple[Literal, ...] = ()
    after: tuple[Literal, ...] = ()
    never: tuple[Atom, ...] = ()
    choose: tuple[Literal, ...] = ()
    choose_sorts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    values: tuple[tuple[str, Quantity], ...] = ()
    phrase: str = ""
    meaning: str = ""
    program: str = ""
    text: str = field(default="", compare=False)

    @property
    def atoms(self) -> Iterator[Atom]:
        """Its facts, with variables."""
        yield from self.never
        for name in DENIABLE:
            yield from (literal.atom for literal in getattr(self, name))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of its facts, in order."""
        return tuple(dict.fromkeys(arg for atom in self.atoms for arg in atom.args if arg.startswith("?")))

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without what is empty."""
        return {each.name: value for each in fields(self) if (value := _written(getattr(self, each.name)))}

    def told(self, predicates: Mapping[str, Predicate]) -> str:
        """Return it in words, such as "when the knife is to be in the hand of human0: instead it is on table0"."""
        if self.program:
            functions, body = parts_of_program(self.program)
            lines = filter(None, map(str.strip, body.splitlines()))
            told = f"'{self.phrase}' is done so: {shortened('; '.join(lines), MOST_TOLD)}"
            return told + (f" (with {together(functions)})" if functions else "")
        if self.phrase:
            return f"'{self.phrase}' means '{self.meaning}'{self._told_words()}"
        names = self._names()
        known = {ANY: Predicate(ANY, (), "{0} comes to {1}"), **predicates}

        def said(facts: Iterable[Literal | Atom]) -> str:
            formulas = [fact.formula if isinstance(fact, Literal) else fact for fact in facts]
            told = in_words(And(tuple(formulas)), known) if formulas else ""
            for variable, name in names:
                told = re.sub(re.escape(variable) + r"\b", name, told)
            return told

        chosen = [said(self.choose), *(f"{dict(names)[name]} is {OR.join(of)}" for name, of in self.choose_sorts)]
        effects = {
            "first": said(self.first),
            "instead": said(self.instead),
            "also": said(self.also),
            "afterwards": said(self.after),
            "never": said(self.never),
            "rather, if there is such": together(filter(None, chosen)),
            "at": together(f"{name} {quantity}" for name, quantity in self.values),
        }
        when = f"where it is asked that {said(self.asked)}" if self.asked else ""
        when += f"{' and' if when else 'where'} at the beginning {said(self.given)}" if self.given else ""
        when += self._told_words()
        done = "; ".join(f"{how}: {what}" for how, what in effects.items() if what)
        return f"{when.strip()}, {done}" if when else done

    def _told_words(self) -> str:
        said = f" if '{together(self.words)}' is said" if self.words else ""
        return said + (f" unless '{together(self.unless, 'or')}' is said" if self.unless else "")

    def _names(self) -> list[tuple[str, str]]:
        """Return what each variable is called in words, the longest first."""
        sorts = dict(self.sorts)
        atoms = tuple(self.atoms)
        unknown = [name for name in self.variables if name not in sorts]
        things = [name for name in unknown if any(atom.args[:1] == (name,) for atom in atoms)]
        called = {name: "something" if len(things) == 1 else f"something ({name[1:]})" for name in things}
        places = [name for name in unknown if name not in things]
        called |= {name: "a place" if len(places) == 1 else f"a place ({name[1:]})" for name in places}
        alike = [OR.join(words) for words in sorts.values()]
        for name, words in sorts.items():
            sort = OR.join(words)
            called[name] = f"the {sort}" if alike.count(sort) == 1 else f"the {sort} ({name[1:]})"
        return sorted(called.items(), key=lambda pair: -len(pair[0]))


def parts_of_program(text: str) -> tuple[dict[str, str], str]:
    """Return the functions of a program, by name, and what comes after them.

    A function begins at the margin and ends before the next line there.
    """
    functions, body, name = dict[str, list[str]](), list[str](), ""
    for line in text.splitlines():
        head = re.match(r"def (\w+)\(", line)
        name = head[1] if head else name if not line or line[0] in " \t#" else ""
        (functions.setdefault(name, []) if name else body).append(line)
    return {name: "\n".join(lines).strip() for name, lines in functions.items()}, "\n".join(body).strip()


class NumberedLesson(NamedTuple):
    """A lesson with the number under which it is kept."""

    number: int
    lesson: Lesson


def _written(value: object) -> object:
    if not isinstance(value, tuple):
        return value
    return [
        f"{part[0]} {OR.join(part[1]) if isinstance(part[1], tuple) else part[1]}"
        if isinstance(part, tuple) and not isinstance(part, Atom | Literal)
        else str(part)
        for part in value
    ]


def read_lesson(document: Mapping[str, Any]) -> Lesson:
    """Read what `Lesson.as_dict` returns; fields that are empty may be missing.

    Raises:
        UsageError: A field is unknown, cannot be read, or nothing is taught; the message names it.
    """
    if unknown := sorted(document.keys() - READERS.keys()):
        raise UsageError(f"a lesson has no '{unknown[0]}'; it has {together(READERS)}")
    read = {}
    for name, value in document.items():
        try:
            read[name] = READERS[name](value if value is not None else "" if name in TEXTS else [])
        except (TypeError, ValueError, UsageError) as error:
            raise UsageError(f"'{name}' of a lesson cannot be read: {error}") from error
    lesson = Lesson(**read)
    if (wrong := _mistake_in(lesson)) is not None:
        raise UsageError(wrong)
    return lesson


def _mistake_in(lesson: Lesson) -> str | None:
    """Return what is wrong with a lesson as a whole."""
    done = [name for name in EFFECTS if getattr(lesson, name)]
    if lesson.program:
        is_only = {*done} <= {"phrase", "program"} and not lesson.meaning
        return None if is_only else "a lesson with a program says nothing else of what is done"
    if bool(lesson.phrase) != bool(lesson.meaning):
        return "a lesson about words needs both 'phrase' and 'meaning'"
    if not done:
        return f"a lesson says what is to be done: one of {together(EFFECTS, 'or')}"
    if lesson.instead and not lesson.asked:
        return "'instead' of what? The facts that it replaces stand in 'asked'"
    strange = [name for name, _ in (*lesson.sorts, *lesson.choose_sorts) if name not in lesson.variables]
    return f"'{strange[0]}' stands in no fact of the lesson" if strange else None


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
        raise TypeError("it is no list of texts")
    return tuple(part.strip() for part in value if part.strip())


def _facts(value: object) -> tuple[Literal, ...]:
    return tuple(fact for text in _texts(value) for fact in literals(parse_formula(text, variables=True)))


def _atoms(value: object) -> tuple[Atom, ...]:
    facts = _facts(value)
    if denied := [fact for fact in facts if not fact.positive]:
        raise ValueError(f"{denied[0]} is denied")
    return tuple(fact.atom for fact in facts)


def _sorts(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = [_SORT.fullmatch(text) for text in _texts(value)]
    if None in found:
        raise ValueError("write a variable and what it stands for, such as '?x red mug or cup'")
    return tuple((match[1], tuple(_EITHER.split(match[2].strip()))) for match in found if match)


def _values(value: object) -> tuple[tuple[str, Quantity], ...]:
    return read_values({name: quantity for name, _, quantity in (text.partition(" ") for text in _texts(value))})


def _words(value: object) -> tuple[str, ...]:
    return tuple(text.lower() for text in _texts(value))


def _lines(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("it is no text")
    return value.strip()


def _text(value: object) -> str:
    return " ".join(_lines(value).split())


DENIABLE = ("asked", "given", "instead", "also", "first", "after", "choose")
EFFECTS = ("instead", "also", "first", "after", "never", "choose", "choose_sorts", "values", "phrase", "program")
TEXTS = ("phrase", "meaning", "program", "text")
READERS: Mapping[str, Callable[[object], Any]] = {
    "sorts": _sorts,
    **dict.fromkeys(DENIABLE, _facts),
    "never": _atoms,
    "choose_sorts": _sorts,
    "values": _values,
    **dict.fromkeys(("words", "unless"), _words),
    **dict.fromkeys(TEXTS, _text),
    "program": _lines,
}
"""Reads each field of a lesson."""
