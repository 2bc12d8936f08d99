"""``graftwork affordances``: what things are good for, how surely, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from graftwork.cli.options import Setting, argument, group, option, takes

affordances_app = group("What things are good for: how surely, and why.")

CLASS = argument("class_name", "CLASS", "A class, such as cup.")
MEMORY = Setting("memory", "Memory whose evidence counts (default: yours).")
KNOWN = (
    Setting("domain", "World (default: what comes with this program)."),
    option("mapping", Path, "FILE", "What is known from the start (.yaml or SQLite)."),
    MEMORY,
)


@affordances_app.command(epilog="Example: graftwork affordances show cup --domain kitchen")
@takes(argument("class_name", "[CLASS]", "A class, such as cup.", default=None), *KNOWN, "as_json")
def show(class_name: str | None, as_json: bool, **given: Any) -> None:
    """Show what each class is good for, or all that is known of one."""
    from graftwork.cli.beliefs import Known, show_command

    show_command(class_name, Known(**given), as_json=as_json)


@affordances_app.command(epilog="Example: graftwork affordances explain cup pour")
@takes(CLASS, argument("affordance", None, "An affordance, such as pour."), *KNOWN, "as_json")
def explain(class_name: str, affordance: str, as_json: bool, **given: Any) -> None:
    """Say why a class is believed to have an affordance, or not, and what would change that."""
    from graftwork.cli.beliefs import Known, explain_command

    explain_command(class_name, affordance, Known(**given), as_json=as_json)


@affordances_app.command(epilog="Example: graftwork affordances forget cup pour")
@takes(CLASS, argument("affordance", None, "An affordance (default: all of them).", default=None), MEMORY)
def forget(class_name: str, affordance: str | None, memory: Path | None) -> None:
    """Forget what was learned, asked and guessed of a class; what its author says stays."""
    from graftwork.cli.beliefs import forget_command

    forget_command(class_name, affordance, memory)


@affordances_app.command(epilog="Example: graftwork affordances ask wok 'tea towel' --model offline")
@takes(
    argument("classes", "CLASS…", "Classes of things, such as wok.", list[str]),
    Setting("model", "Whom to ask.", "offline|openai:NAME"),
    option("strategy", str, "list|yes-no|logic", "How a model is asked (default: logic)."),
    option("save", Path, "FILE", "Mapping that takes the answers in: .yaml, else SQLite."),
    option("cache", Path, "DIR", "Answers from before (default: in your cache folder)."),
    option("at_once", int, "N", "Requests under way at a time, at most.", default=8, min=1),
    option("tries", int, "N", "Times a question is put until its answer is read.", default=3, min=1),
    "as_json",
)
def ask(classes: list[str], save: Path | None, as_json: bool, **given: Any) -> None:
    """Ask a model what classes are good for; offline, guess it from the nearest classes that are known."""
    from graftwork.cli.inquiry import AskingOptions, ask_command

    raise typer.Exit(ask_command(classes, AskingOptions(**given), save, as_json=as_json))
