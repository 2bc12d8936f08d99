"""What was taught, in ``graftwork memory``: search it, take the last change back, take it along, and count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import typer
import yaml

from graftwork.cli.lessons import lesson_document, lesson_in_words, lesson_told
from graftwork.cli.memories import memory_app, memory_file, memory_of, settings_of
from graftwork.cli.options import command, echo, print_json
from graftwork.memory.instruction import instruction_key
from semantics.errors import UsageError
from semantics.logic.lesson import read_lesson
from semantics.plain_text import counted
from semantics.process.reading import read_bounded
from semantics.words.english import GRAMMAR

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 5_000_000  # of a file with lessons
VERSION = 1
WITHOUT_BRACES = str.maketrans("", "", "{}")  # the slots of a program become names


@command(memory_app, "memory search")
def memory_search(words: str, memory: Path | None, as_json: bool) -> None:
    """Search what was asked and what was taught for words; what has most of them comes first.

    Exit codes: 0 something was found, 1 nothing was.
    """
    store, wanted = memory_of(settings_of(memory)), set(instruction_key(words).split()) - GRAMMAR
    if not wanted:
        raise UsageError("no word to search for")
    lessons = _ranked(wanted, ((f"{each.lesson.text} {lesson_in_words(each)}", each) for each in store.taught.list()))
    records = _ranked(wanted, ((each.episode.instruction, each) for each in store.list()))
    if as_json:
        found = [{"id": each.id, "instruction": each.episode.instruction} for each in records]
        print_json({"lessons": list(map(lesson_document, lessons)), "episodes": found})
    for kept in [] if as_json else lessons:
        echo(lesson_told(kept))
    for record in [] if as_json else records:
        echo(f"{record.id:5}  {record.at:%Y-%m-%d %H:%M}  {record.episode.outcome:11}  {record.episode.instruction}")
    raise typer.Exit(0 if lessons or records else 1)


def _ranked(wanted: set[str], texts: Iterable[tuple[str, Any]]) -> list[Any]:
    found = [(len(wanted & set(instruction_key(text).split())), each) for text, each in texts]
    return [each for number, each in sorted(found, key=lambda pair: -pair[0]) if number]


@command(memory_app, "memory undo")
def memory_undo(memory: Path | None) -> None:
    """Take back the last change of what was taught: what was learned is forgotten, what was forgotten comes back."""
    changed = memory_of(settings_of(memory)).taught.undo()
    if not changed:
        echo("nothing was taught yet")
    for kept in changed:
        echo(f"{'forgotten' if kept.gone else 'kept'}: L{kept.number}  {lesson_in_words(kept)}")


@command(memory_app, "memory export")
def memory_export(file: Path, memory: Path | None) -> None:
    """Write what was taught into a new file, for another robot."""
    lessons = memory_of(settings_of(memory)).taught.list()
    written = [{"world": each.domain, "lesson": each.lesson.as_dict()} for each in lessons]
    text = yaml.safe_dump({"version": VERSION, "lessons": written}, allow_unicode=True, sort_keys=False)
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from error
    echo(f"wrote {counted(len(lessons), 'lesson')} to {file}")


@command(memory_app, "memory import")
def memory_import(file: Path, memory: Path | None) -> None:
    """Add what another robot was taught; all of the file, or nothing if a lesson of it cannot be used."""
    from graftwork.memory import Memory

    path = memory_file(settings_of(memory))
    lessons = list(_lessons_in(file))
    store = Memory(path).taught
    known = [(each.domain, each.lesson) for each in store.list()]
    new = [each for each in lessons if each not in known]
    for world, lesson in new:
        store.learn(lesson, world)
    echo(f"learned {counted(len(new), 'lesson')}" + (f"; {len(lessons) - len(new)} known already" * (new != lessons)))


def _lessons_in(file: Path) -> Iterable[tuple[str, Any]]:
    from bt.programs import read_program
    from domains.reader import load_domain
    from semantics.logic.lesson import ANY
    from semantics.logic.program import RefusedProgram

    try:
        document = yaml.safe_load(read_bounded(file, MOST_BYTES).decode("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from error
    if not isinstance(document, Mapping) or document.get("version") != VERSION:
        raise UsageError(f"{file} is no file of lessons of version {VERSION}, as 'graftwork memory export' writes it")
    for number, each in enumerate(document.get("lessons") or (), 1):
        if not isinstance(each, Mapping) or not isinstance(each.get("lesson"), Mapping):
            raise UsageError(f"{file}: lesson {number} is no object with 'world' and 'lesson'")
        lesson, domain = read_lesson(each["lesson"]), load_domain(str(each.get("world")))
        if strange := [atom for atom in lesson.atoms if atom.predicate not in {*domain.predicates, ANY}]:
            raise UsageError(f"{file}: lesson {number}: {domain.name} has no predicate '{strange[0].predicate}'")
        program = read_program(lesson.program.translate(WITHOUT_BRACES)) if lesson.program else None
        if isinstance(program, RefusedProgram):
            raise UsageError(f"{file}: lesson {number}: its program cannot be read: {program}")
        yield domain.name, lesson


@command(memory_app, "memory stats")
def memory_stats(memory: Path | None, as_json: bool) -> None:
    """Count what is remembered."""
    store = memory_of(settings_of(memory))
    records, taught = store.list(), store.taught
    outcomes = [str(record.episode.outcome) for record in records]
    counts = {
        "episodes": len(records),
        "outcomes": {name: outcomes.count(name) for name in sorted(set(outcomes))},
        "recalled": sum(record.episode.recalled for record in records),
        "model_calls": sum(record.episode.model_calls for record in records),
        "lessons": len(taught.list()),
        "forgotten_lessons": len(taught.list(bin=True)),
    }
    if as_json:
        print_json(counts)
        return
    for name, value in counts.items():
        told = ", ".join(f"{number} {word}" for word, number in value.items()) if isinstance(value, dict) else value
        echo(f"{name.replace('_', ' '):18} {told}")
