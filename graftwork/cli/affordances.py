"""``graftwork affordances``: what things are good for, how surely, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from graftwork.cli.options import command, group

affordances_app = group("What things are good for: how surely, and why.")


@command(affordances_app, "affordances show")
def show(class_name: str | None, as_json: bool, **given: Any) -> None:
    """Show what each class is good for, or all that is known of one."""
    from graftwork.cli.beliefs import Known, show_command

    show_command(class_name, Known(**given), as_json=as_json)


@command(affordances_app, "affordances explain")
def explain(class_name: str, affordance: str, as_json: bool, **given: Any) -> None:
    """Say why a class is believed to have an affordance, or not, and what would change that."""
    from graftwork.cli.beliefs import Known, explain_command

    explain_command(class_name, affordance, Known(**given), as_json=as_json)


@command(affordances_app, "affordances forget")
def forget(class_name: str, affordance: str | None, memory: Path | None) -> None:
    """Forget what was learned, asked and guessed of a class; what its author says stays."""
    from graftwork.cli.beliefs import forget_command

    forget_command(class_name, affordance, memory)


@command(affordances_app, "affordances ask")
def ask(classes: list[str], save: Path | None, as_json: bool, **given: Any) -> None:
    """Ask a model what classes are good for; offline, guess it from the nearest classes that are known."""
    from graftwork.cli.inquiry import AskingOptions, ask_command

    raise typer.Exit(ask_command(classes, AskingOptions(**given), save, as_json=as_json))
