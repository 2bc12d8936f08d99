"""``graftwork affordances``: what things are good for, how surely, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graftwork.cli.options import JsonOption

__all__ = ["affordances_app"]

affordances_app = typer.Typer(no_args_is_help=True, help="What things are good for: how surely, and why.")

Domain = Annotated[
    str | None, typer.Option("--domain", metavar="NAME|PATH", help="World (default: what comes with this program).")
]
MemoryFile = Annotated[
    Path | None, typer.Option("--memory", metavar="FILE", help="Memory whose evidence counts (default: yours).")
]
MappingFile = Annotated[
    Path | None, typer.Option("--mapping", metavar="FILE", help="What is known from the start (.yaml or SQLite).")
]


@affordances_app.command(epilog="Example: graftwork affordances show cup --domain kitchen")
def show(
    class_name: Annotated[str | None, typer.Argument(metavar="[CLASS]", help="A class, such as cup.")] = None,
    domain: Domain = None,
    mapping: MappingFile = None,
    memory: MemoryFile = None,
    as_json: JsonOption = False,
) -> None:
    """Show what each class is good for, or all that is known of one."""
    from graftwork.cli.beliefs import Known, show_command

    show_command(class_name, Known(domain, mapping, memory), as_json=as_json)


@affordances_app.command(epilog="Example: graftwork affordances explain cup pour")
def explain(
    class_name: Annotated[str, typer.Argument(metavar="CLASS", help="A class, such as cup.")],
    affordance: Annotated[str, typer.Argument(help="An affordance, such as pour.")],
    domain: Domain = None,
    mapping: MappingFile = None,
    memory: MemoryFile = None,
    as_json: JsonOption = False,
) -> None:
    """Say why a class is believed to have an affordance, or not, and what would change that."""
    from graftwork.cli.beliefs import Known, explain_command

    explain_command(class_name, affordance, Known(domain, mapping, memory), as_json=as_json)


@affordances_app.command(epilog="Example: graftwork affordances forget cup pour")
def forget(
    class_name: Annotated[str, typer.Argument(metavar="CLASS", help="A class, such as cup.")],
    affordance: Annotated[str | None, typer.Argument(help="An affordance (default: all of them).")] = None,
    memory: MemoryFile = None,
) -> None:
    """Forget what was learned, asked and guessed of a class; what its author says stays."""
    from graftwork.cli.beliefs import forget_command

    forget_command(class_name, affordance, memory)
