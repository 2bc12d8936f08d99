"""``graftwork domain page``: a page of documentation, generated from a world with its scenes and cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from semantics.errors import UsageError

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the group of those who write worlds."""
    app.command("page", epilog="Example: graftwork domain page kitchen --into kitchen.md")(_page)


def _page(
    domain: Annotated[str, typer.Argument(metavar="NAME|PATH", help="World.")],
    into: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it there instead of printing it.")] = None,
) -> None:
    """Write what a world holds as a page of Markdown."""
    from graftwork.cases.page import world_page
    from graftwork.cli.names import worlds_named

    text = world_page(*worlds_named([domain]))
    if into is None:
        typer.echo(text, nl=False)
    else:
        _write(text, into)


def _write(text: str, into: Path) -> None:
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"{into} cannot be written to: {exc.strerror}") from exc
