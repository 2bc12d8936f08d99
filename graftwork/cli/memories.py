"""``graftwork memory``: list, show and forget what was learned."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from graftwork.cli.options import JsonOption, MemoryOption, print_json
from semantics.errors import UsageError
from semantics.sentences import counted

if TYPE_CHECKING:
    from pathlib import Path

    from graftwork.memory import Memory, Record
    from graftwork.setup.settings import Settings

__all__ = ["memory_app", "memory_file", "memory_of"]

memory_app = typer.Typer(no_args_is_help=True, help="What was learned: list, show and forget.")


def memory_file(settings: Settings) -> Path:
    """Return the file of the memory of the settings.

    Raises:
        UsageError: The settings switch the memory off.
    """
    if settings.memory is None:
        raise UsageError("the settings switch the memory off; name one with --memory FILE")
    return settings.memory


def memory_of(settings: Settings) -> Memory:
    """Open the memory of the settings.

    Raises:
        UsageError: The settings switch the memory off.
    """
    from graftwork.memory import Memory

    return Memory(memory_file(settings))


def _memory(file: MemoryOption) -> Memory:
    from graftwork.setup.settings import command_settings

    return memory_of(command_settings({"memory": file}))


@memory_app.command("list", epilog="Example: graftwork memory list")
def memory_list(memory: MemoryOption = None, as_json: JsonOption = False) -> None:
    """List what was asked and how it went, newest first."""
    records = _memory(memory).list()
    if as_json:
        print_json({"episodes": [_document(record) for record in records]})
        return
    if not records:
        typer.echo("nothing is remembered yet")
    for record in records:
        evidence = f"  (worked {record.worked}, failed {record.failed})" if record.subtree else ""
        episode = record.episode
        typer.echo(f"{record.id:5}  {record.at:%Y-%m-%d %H:%M}  {episode.outcome:11}  {episode.instruction}{evidence}")


@memory_app.command("show", epilog="Example: graftwork memory show 3")
def memory_show(
    number: Annotated[int, typer.Argument(help="Number in the list.")],
    memory: MemoryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one episode and what was learned from it."""
    record = _memory(memory).show(number)
    if as_json:
        typer.echo(json.dumps(_document(record), indent=2))
        return
    episode = record.episode
    typer.echo(f"{episode.outcome}: {episode.instruction}")
    typer.echo(f"when    {record.at:%Y-%m-%d %H:%M} UTC, in {episode.domain}/{episode.scene} with {episode.robot}")
    typer.echo(f"goal    {episode.goal or '-'}")
    for step in episode.plan:
        typer.echo(f"step    {step}")
    for feedback in episode.feedback:
        typer.echo(f"wrong   {feedback.code}: {feedback}")
    if record.subtree is not None:
        typer.echo(f"learned worked {record.worked} times, failed {record.failed}; it starts where")
        for literal in sorted(record.subtree.reads):
            typer.echo(f"        {literal}")


def _document(record: Record) -> dict[str, object]:
    return {
        "id": record.id,
        "at": record.at.isoformat(),
        "episode": record.episode.as_dict(),
        "subtree": record.subtree.as_dict() if record.subtree else None,
        "worked": record.worked,
        "failed": record.failed,
    }


@memory_app.command("forget", epilog="Example: graftwork memory forget 3")
def memory_forget(
    number: Annotated[int | None, typer.Argument(help="Number in the list.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Forget everything.")] = False,
    memory: MemoryOption = None,
) -> None:
    """Forget one episode and what was learned from it, or everything."""
    if (number is None) != everything:
        raise UsageError("name one number of the list, or --all")
    gone = _memory(memory).forget(number)
    typer.echo(f"forgot {counted(gone, 'episode')}")
