"""``graftwork domain import-copal``: environment states of CoPAL as scenes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from semantics.errors import UsageError

__all__ = ["register"]


def register(group: typer.Typer) -> None:
    """Add the command to the group of those who write worlds."""
    example = "Example: graftwork domain import-copal env_state_cocktail.json --domain barman --into scenes"
    group.command("import-copal", epilog=example)(import_copal_command)


def import_copal_command(
    file: Annotated[Path, typer.Argument(metavar="FILE.json", help="Environment state of CoPAL.")],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="Folder to write to; it is made.")],
    domain: Annotated[str, typer.Option("--domain", metavar="NAME|PATH", help="World: barman, pizza.")] = "barman",
    name: Annotated[str | None, typer.Option(help="Name of the scene (default: that of the file).")] = None,
) -> None:
    """Make a scene from an environment state of CoPAL; tell what was left out or assumed."""
    from domains.reader import load_domain
    from graftwork.cli.names import worlds_named
    from graftwork.imports import import_copal

    imported = import_copal(file, load_domain(*worlds_named([domain])), str(file))
    path = into / f"{name or file.stem}.yaml"
    if path.exists():
        raise UsageError(f"{path} is there already; name another folder, or another --name")
    try:
        into.mkdir(parents=True, exist_ok=True)
        path.write_text(imported.text(file.name), encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"{into} cannot be written to: {exc.strerror}") from exc
    for note in imported.notes:
        typer.echo(f"note     {note}")
    typer.echo(f"wrote    {path}")
