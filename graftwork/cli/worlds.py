"""``graftwork domain``: the group of commands for those who write worlds."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["domain_app"]

domain_app = typer.Typer(no_args_is_help=True, help="Write worlds: begin one, and turn YAML into PDDL and back.")


class SchemaKind(StrEnum):
    """A file that a schema describes."""

    DOMAIN = "domain"
    SCENE = "scene"
    CASE = "case"


@domain_app.command(epilog="Example: graftwork domain new workshop --into worlds")
def new(
    name: Annotated[str, typer.Argument(help="Of the world and its folder: small letters, digits, _ and -.")],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="Where the folder is made.")] = Path(),
) -> None:
    """Make a small world that works, with a scene and cases, to change as you like."""
    from domains.scaffold import new_world
    from graftwork.cases.schema import case_schema

    files = new_world(name, into, {"case": case_schema()})
    for file in files:
        typer.echo(str(file))
    folder = into / name
    shown = folder if folder.is_absolute() else f"./{folder}"
    typer.echo(f"\nTry: graftwork check {shown}\n     graftwork test {shown}")
    typer.echo(f'     graftwork run "put the screwdriver on the shelf" --domain {shown} --scene room --robot fake')


@domain_app.command(epilog="Example: graftwork domain schema scene > scene.json")
def schema(
    what: Annotated[SchemaKind, typer.Argument(help="What is described.")] = SchemaKind.DOMAIN,
) -> None:
    """Print the JSON Schema of a file, for editors to complete and check by."""
    import json

    from domains.scaffold import domain_schema, scene_schema
    from graftwork.cases.schema import case_schema

    schemas = {SchemaKind.DOMAIN: domain_schema, SchemaKind.SCENE: scene_schema, SchemaKind.CASE: case_schema}
    typer.echo(json.dumps(schemas[what](), indent=1))
