"""``graftwork memory``: its commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["memory_app"]

memory_app = typer.Typer(no_args_is_help=True, help="What was learned: list, show and forget.")

MemoryFile = Annotated[
    Path | None, typer.Option("--memory", metavar="FILE", help="Memory to use (default: in your data folder).")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@memory_app.command("list", epilog="Example: graftwork memory list")
def memory_list(memory: MemoryFile = None, as_json: Json = False) -> None:
    """List what was asked and how it went, newest first."""
    from graftwork.cli.lists import memory_list_command

    memory_list_command(memory, as_json=as_json)


@memory_app.command("show", epilog="Example: graftwork memory show 3")
def memory_show(
    number: Annotated[int, typer.Argument(help="Number in the list.")], memory: MemoryFile = None, as_json: Json = False
) -> None:
    """Show one episode and what was learned from it."""
    from graftwork.cli.lists import memory_show_command

    memory_show_command(number, memory, as_json=as_json)


@memory_app.command("forget", epilog="Example: graftwork memory forget 3")
def memory_forget(
    number: Annotated[int | None, typer.Argument(help="Number in the list.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Forget everything.")] = False,
    memory: MemoryFile = None,
) -> None:
    """Forget one episode and what was learned from it, or everything."""
    from graftwork.cli.lists import memory_forget_command

    memory_forget_command(number, memory, everything=everything)
