"""``graftwork memory``: list, show and forget what was learned; check and repair the files that hold it.

What was taught has numbers such as L3; see `graftwork.cli.taught` for what there is for that alone.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from graftwork.cli.options import command, echo, group, print_json, teller
from semantics.errors import OutsideError, UnknownNameError, UsageError
from semantics.plain_text import counted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from graftwork.memory import Memory, Record
    from graftwork.memory.upkeep import CheckedFile
    from graftwork.setup.settings import Settings

NOT_SOUND = 1
MOST_DIGITS = 18  # of a number that the file can hold

memory_app = group("What was learned: list, show and forget; check and repair.")


def memory_file(settings: Settings) -> Path:
    """Return the file of the memory of the settings.

    Raises:
        UsageError: The settings switch the memory off.
    """
    if settings.memory is None:
        raise UsageError("the settings switch the memory off; name one with --memory FILE")
    return settings.memory


def memory_of(settings: Settings) -> Memory:
    """Open the memory of the settings; make no file.

    Raises:
        UsageError: The settings switch the memory off.
    """
    from graftwork.memory import Memory

    return Memory(memory_file(settings), make=False)


def settings_of(file: Path | None) -> Settings:
    """Return the settings of a command, with the memory's file if it names one."""
    from graftwork.setup.settings import command_settings

    return command_settings({"memory": file})


@command(memory_app, "memory list")
def memory_list(memory: Path | None, as_json: bool) -> None:
    """List what was asked and how it went, newest first, and what was taught."""
    from graftwork.cli.lessons import lesson_document, lesson_told

    store = memory_of(settings_of(memory))
    records, taught = store.list(), store.taught.list()
    aside = store.set_aside()
    if as_json:
        episodes = [_document(record) for record in records]
        lessons = list(map(lesson_document, taught))
        print_json({"episodes": episodes, "lessons": lessons, "set_aside": [str(row) for row in aside]})
        return
    if aside:
        echo(f"{counted(len(aside), 'row')} cannot be used: graftwork memory check", err=True)
    if not (records or taught):
        echo("nothing is remembered yet")
    for record in records:
        evidence = f"  (worked {record.worked}, failed {record.failed})" if record.subtree else ""
        episode = record.episode
        echo(f"{record.id:5}  {record.at:%Y-%m-%d %H:%M}  {episode.outcome:11}  {episode.instruction}{evidence}")
    for kept in taught:
        echo(lesson_told(kept))


@command(memory_app, "memory show")
def memory_show(number: str, memory: Path | None, as_json: bool, pddl: bool) -> None:
    """Show one episode and what was learned from it, or what was taught."""
    from domains.reader import load_domain

    store, (place, is_lesson) = memory_of(settings_of(memory)), _number(number)
    if is_lesson:
        _show_lesson(store, place, as_json=as_json)
        return
    record = store.show(place)
    if as_json:
        echo(json.dumps(_document(record), indent=2))
        return
    episode = record.episode
    tell: Callable[[str], None] = echo
    with suppress(UsageError, OutsideError):  # in a world that is gone, it is shown as it was kept
        tell = teller(load_domain(episode.domain), pddl=pddl)
    echo(f"{episode.outcome}: {episode.instruction}")
    echo(f"when    {record.at:%Y-%m-%d %H:%M} UTC, in {episode.domain}/{episode.scene} with {episode.robot}")
    tell(f"goal    {episode.goal or '-'}")
    for step in episode.plan:
        tell(f"step    {step}")
    for feedback in episode.feedback:
        tell(f"wrong   {feedback.code}: {feedback}")
    if record.subtree is not None:
        echo(f"learned worked {record.worked} times, failed {record.failed}; it starts where")
        for literal in sorted(record.subtree.reads):
            tell(f"        {literal}")


def _number(text: str) -> tuple[int, bool]:
    """Return a number of the list, and whether it is that of a lesson."""
    digits = text.lstrip("Ll")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        raise UsageError(f"'{text}' is no number of the list: write 3, or L3 for what was taught")
    return int(digits), digits != text


def _show_lesson(store: Memory, number: int, *, as_json: bool) -> None:
    from graftwork.cli.lessons import lesson_document, lesson_in_words

    lessons = store.taught.list()
    kept = next((each for each in lessons if each.number == number), None)
    if kept is None:
        raise UnknownNameError("lesson", f"L{number}", [f"L{each.number}" for each in lessons])
    if as_json:
        print_json(lesson_document(kept))
        return
    echo(f"taught  {kept.lesson.text or '-'}")
    echo(f"when    {kept.at[:16].replace('T', ' ')} UTC, in {kept.domain}")
    echo(f"means   {lesson_in_words(kept)}")
    for name, value in kept.lesson.as_dict().items():
        lines = str(value).splitlines()
        shown = value if len(lines) < 2 else "".join(f"\n          {line}" for line in lines)
        echo(f"        {name}: {shown}") if name != "text" else None


def _document(record: Record) -> dict[str, object]:
    return {
        "id": record.id,
        "at": record.at.isoformat(),
        "episode": record.episode.as_dict(),
        "subtree": record.subtree.as_dict() if record.subtree else None,
        "worked": record.worked,
        "failed": record.failed,
    }


@command(memory_app, "memory forget")
def memory_forget(number: str | None, everything: bool, memory: Path | None) -> None:
    """Forget one episode and what was learned from it, what was taught, or everything."""
    if (number is None) != everything:
        raise UsageError("name one number of the list, or --all")
    store, (place, is_lesson) = memory_of(settings_of(memory)), (None, False) if number is None else _number(number)
    if is_lesson and place is not None:
        echo(f"forgot {counted(store.taught.forget([place]), 'lesson')}; 'graftwork memory undo' brings it back")
        return
    gone = store.forget(place)
    echo(f"forgot {counted(gone, 'episode')}")


@command(memory_app, "memory check")
def memory_check(memory: Path | None, as_json: bool) -> None:
    """Read every row of the memory and of the evidence beside it, and tell which cannot be used; change nothing.

    Exit codes: 0 all is sound, 1 something is not (repair takes it out), 2 a file cannot be opened.
    """
    from graftwork.memory.upkeep import checked

    files = checked(memory_file(settings_of(memory)))
    is_sound = all(file.is_sound for file in files)
    if as_json:
        print_json({"sound": is_sound, "files": [file.as_dict() for file in files]})
    else:
        for file in files:
            _tell(file)
        if not files:
            echo("nothing is remembered yet")
        if not is_sound:
            echo("graftwork memory repair keeps a copy, and goes on with the sound rows")
    raise typer.Exit(0 if is_sound else NOT_SOUND)


@command(memory_app, "memory repair")
def memory_repair(memory: Path | None, as_json: bool) -> None:
    """Keep a copy of a file that is not sound, and go on with its sound rows; let nothing else use it meanwhile.

    Exit codes: 0 all is sound now, 2 a file cannot be opened or written, or nothing of it can be read.
    """
    from graftwork.memory.upkeep import repaired

    files = repaired(memory_file(settings_of(memory)))
    if as_json:
        print_json({"files": [file.found.as_dict() | {"copy": file.copy and str(file.copy)} for file in files]})
        return
    for file in files:
        _tell(file.found)
        if file.copy is not None:
            echo(f"  was repaired; as it was before, it is in {file.copy}")
    if not files:
        echo("nothing is remembered yet")


def _tell(file: CheckedFile) -> None:
    rows = ", ".join(f"{number} {table}" for table, number in file.sound.items())
    echo(f"{file.file}: {rows}{'; sound' if file.is_sound else ''}")
    for problem in (*file.damage, *map(str, file.bad)):
        echo(f"  {problem}")
