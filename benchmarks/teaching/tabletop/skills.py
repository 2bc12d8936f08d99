"""What the scripted model knows: the forms of the instructions, a right program for each, and wrong ones.

An instruction is read by its words alone. A thing is called by its colour and class, so that its name in a scene
follows from the words. In a sentence that was taught, a slot such as ``{block1}`` may stand in the place of a thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import yaml

from benchmarks.tabletop.drawing import ORDINALS, Attributes, Value
from benchmarks.tabletop.programs import FOLDER, PROGRAMS, filled
from benchmarks.tabletop.templates import Templates
from semantics.logic.lesson import parts_of_program

__all__ = ["ErrorKind", "Instruction", "Skills", "load_errors"]

HERE = Path(__file__).parent.parent
ERROR_FILES = {f"errors_{author}_{half}.yaml": half == "unseen" for author in (1, 2) for half in ("seen", "unseen")}
"""The files of kinds of error, and whether those of a file were not looked at while the program was improved."""
PLACES = {
    "block": r"\w+ block|\{block\d*\}",
    "bowl": r"\w+ bowl|\{bowl\d*\}",
    "corner/side": r"(?:top|bottom) (?:left|right) corner|(?:left|right|top|bottom) side|\{(?:corner|side)\d*\}",
    "direction": "left|right|top|bottom",
    "distance": "closest|farthest",
    "magnitude": "a little|a lot",
    "nth": "|".join(ORDINALS),
    "line": "horizontal|vertical|diagonal",
}
"""What may stand in each place of a template."""
THINGS = ("block", "bowl", "corner/side")


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """A kind of error of a template.

    Attributes:
        id: Its name.
        template: The template.
        text: The program with the error, with places as in the template.
        teacher: What a person says after seeing it, with places.
        is_unseen: Whether it was not looked at while the program was improved.
    """

    id: str
    template: str
    text: str
    teacher: tuple[str, ...]
    is_unseen: bool


class Instruction(NamedTuple):
    """An instruction that was read: its template, and what stands in the places of it."""

    template: str
    attributes: Attributes


class Skills:
    """The forms of the instructions and the programs for them.

    Args:
        templates: The templates.
        errors: All kinds of error.
    """

    def __init__(self, templates: Templates, errors: tuple[ErrorKind, ...]) -> None:
        self._forms = {name: _form(each.text) for name, each in templates.templates.items()}
        self._right = {
            name: (FOLDER / f"{PROGRAMS[name]}.txt").read_text(encoding="utf-8") for name in templates.templates
        }
        self.errors = {name: tuple(each for each in errors if each.template == name) for name in self._forms}

    def read(self, words: str) -> Instruction | None:
        """Return what an instruction asks for; None if it has none of the forms."""
        said = " ".join(words.lower().strip(" .!").split())
        for template, (form, places) in self._forms.items():
            if (match := form.fullmatch(said)) is not None:
                return Instruction(template, dict(zip(places, map(_value, places, match.groups()), strict=True)))
        return None

    def program(self, asked: Instruction, error: ErrorKind | None = None) -> str:
        """Return the right program of an instruction, or the one with an error."""
        return filled(self._right[asked.template] if error is None else error.text, asked.attributes)

    def like(self, asked: Instruction, taught: Instruction, body: str) -> str | None:
        """Return the program that does for one instruction what a shown one does for another of its template.

        None if it is not one of those that are known: then it cannot be told what in it the words decide.
        """
        for error in (None, *self.errors[asked.template]):
            if _plain(parts_of_program(self.program(taught, error))[1]) == _plain(body):
                return self.program(asked, error)
        return None

    def error_in(self, asked: Instruction, text: str) -> ErrorKind | None:
        """Return the kind of error of a program that went wrong; None if it has none of those.

        Functions that the program does not define are those that were taught, and do not count.
        """
        functions, body = parts_of_program(text)
        for error in self.errors[asked.template]:
            known, its_body = parts_of_program(self.program(asked, error))
            is_same = all(_plain(known.get(name, "")) == _plain(function) for name, function in functions.items())
            if is_same and _plain(its_body) == _plain(body):
                return error
        return None


def load_errors() -> tuple[ErrorKind, ...]:
    """Read the kinds of error of both authors."""
    return tuple(error for file, is_unseen in ERROR_FILES.items() for error in _errors_in(HERE / file, is_unseen))


def _errors_in(file: Path, is_unseen: bool) -> Iterator[ErrorKind]:
    for row in yaml.safe_load(file.read_text(encoding="utf-8")):
        yield ErrorKind(row["id"], row["template"], row["wrong"], tuple(row["teacher"]), is_unseen)


def _form(text: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return the expression of a template, and its places in order."""
    places, expression = tuple(re.findall("<([^>]+)>", text)), ""
    for part in re.split("(<[^>]+>)", text.lower()):
        if part.startswith("<"):
            expression = re.sub(r"the\\ $", r"(?:the\ )?", expression)  # a taught sentence has none before a slot
            expression += f"({PLACES[part[1:-1].split(':')[0]]})"
        else:
            expression += re.escape(part)
    return re.compile(expression), places


def _value(place: str, words: str) -> Value:
    if place in ORDINALS or place == "nth":
        return ORDINALS[words]
    is_thing = place.split(":")[0] in THINGS
    return words.replace(" ", "_") if is_thing and not words.startswith("{") else words


def _plain(text: str) -> str:
    """Return a program without comments, empty lines and spaces at the ends of lines."""
    lines = (line.rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))
