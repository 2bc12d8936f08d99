"""``graftwork domains`` and ``graftwork memory``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import typer

from domains.reader import WORLDS, available_scenes, load_domain, worlds_in
from graftwork.memory import Memory, Record
from graftwork.setup.settings import load_settings
from semantics.errors import UsageError

__all__ = ["domains_command", "memory_forget_command", "memory_list_command", "memory_show_command"]


def domains_command(*, as_json: bool) -> None:
    """Print the worlds and their scenes."""
    settings = load_settings({}, environment=os.environ, folder=Path.cwd())
    rows = [
        {
            "name": name,
            "place": str(place),
            "scenes": list(available_scenes(domain)),
            "classes": len(domain.classes),
            "capabilities": list(domain.capabilities),
        }
        for name, places in worlds_in((WORLDS, *settings.domain_path)).items()
        for place in places
        for domain in [load_domain(place)]
    ]
    names = [row["name"] for row in rows]
    if as_json:
        typer.echo(json.dumps({"version": 1, "domains": rows}, indent=2))
        return
    for row in rows:
        typer.echo(f"{row['name']}: {row['classes']} classes; scenes {_listed(row['scenes'])}")
        typer.echo(f"    in {row['place']}{'; named by its path only' if names.count(row['name']) > 1 else ''}")
        typer.echo(f"    can {_listed(row['capabilities'])}")


def _listed(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else str(names)


def _memory(file: Path | None) -> Memory:
    options = {} if file is None else {"memory": file}
    settings = load_settings(options, environment=os.environ, folder=Path.cwd())
    if settings.memory is None:
        raise UsageError("the settings switch the memory off; name one with --memory FILE")
    return Memory(settings.memory)


def memory_list_command(file: Path | None, *, as_json: bool) -> None:
    """Print every episode, newest first."""
    records = _memory(file).list()
    if as_json:
        typer.echo(json.dumps({"version": 1, "episodes": [_document(record) for record in records]}, indent=2))
        return
    if not records:
        typer.echo("nothing is remembered yet")
    for record in records:
        evidence = f"  (worked {record.worked}, failed {record.failed})" if record.subtree else ""
        episode = record.episode
        typer.echo(f"{record.id:5}  {record.at:%Y-%m-%d %H:%M}  {episode.outcome:11}  {episode.instruction}{evidence}")


def memory_show_command(number: int, file: Path | None, *, as_json: bool) -> None:
    """Print one episode.

    Raises:
        UnknownNameError: No episode has this number.
    """
    record = _memory(file).show(number)
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


def memory_forget_command(number: int | None, file: Path | None, *, everything: bool) -> None:
    """Forget one episode, or everything.

    Raises:
        UsageError: Neither a number nor `everything` was given, or both.
    """
    if (number is None) != everything:
        raise UsageError("name one number of the list, or --all")
    gone = _memory(file).forget(number)
    typer.echo(f"forgot {gone} episode{'' if gone == 1 else 's'}")
