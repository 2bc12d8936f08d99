"""``graftwork affordances``: what things are good for, how surely, and why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from graftwork.cli.options import JsonOption, echo

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
Model = Annotated[str | None, typer.Option("--model", metavar="offline|openai:NAME", help="Whom to ask.")]
Strategy = Annotated[
    str | None, typer.Option("--strategy", metavar="list|yes-no|logic", help="How a model is asked (default: logic).")
]
Cache = Annotated[
    Path | None, typer.Option("--cache", metavar="DIR", help="Answers from before (default: in your cache folder).")
]
AtOnce = Annotated[int, typer.Option("--at-once", metavar="N", help="Requests under way at a time, at most.", min=1)]
Tries = Annotated[
    int, typer.Option("--tries", metavar="N", help="Times a question is put until its answer is read.", min=1)
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


@affordances_app.command(epilog="Example: graftwork affordances ask wok 'tea towel' --model offline")
def ask(
    classes: Annotated[list[str], typer.Argument(metavar="CLASS…", help="Classes of things, such as wok.")],
    model: Model = None,
    strategy: Strategy = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Mapping that takes the answers in: .yaml, else SQLite."),
    ] = None,
    cache: Cache = None,
    at_once: AtOnce = 8,
    tries: Tries = 3,
    as_json: JsonOption = False,
) -> None:
    """Ask a model what classes are good for; offline, guess it from the nearest classes that are known."""
    from graftwork.cli.questions.inquiry import AskingOptions, ask_command

    way = AskingOptions(model, strategy, cache, at_once, tries)
    with _interruptible():
        raise typer.Exit(ask_command(classes, way, save, as_json=as_json))


@contextmanager
def _interruptible() -> Iterator[None]:
    """Exit with this program's own code on Ctrl-C; otherwise typer would return its own code."""
    try:
        yield
    except KeyboardInterrupt:
        echo("graftwork: interrupted", err=True)
        raise typer.Exit(4) from None


@affordances_app.command(
    epilog="Example: graftwork affordances evaluate --truth right.csv --mapping mine.yaml --verbose"
)
def evaluate(
    truth: Annotated[
        Path, typer.Option("--truth", metavar="FILE.csv", help="Right answers: object,affordance, a pair a line.")
    ],
    mapping: Annotated[
        Path | None, typer.Option("--mapping", metavar="FILE", help="Judge this mapping (.yaml or SQLite).")
    ] = None,
    model: Model = None,
    strategy: Strategy = None,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", min=0.0, max=1.0, help="Probability of a yes (default: 0.5; of a guess: 0.4)."),
    ] = None,
    as_unknown: Annotated[
        bool, typer.Option("--as-unknown", help="Offline: guess each class from the others, though it is known.")
    ] = False,
    cache: Cache = None,
    at_once: AtOnce = 8,
    tries: Tries = 3,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show each pair that differs.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print precision, recall and F1 of a mapping, a model or the offline guesses against right answers."""
    from graftwork.cli.questions.evaluation import Judged, evaluate_command
    from graftwork.cli.questions.inquiry import AskingOptions

    judged = Judged(mapping, AskingOptions(model, strategy, cache, at_once, tries), threshold, as_unknown=as_unknown)
    with _interruptible():
        raise typer.Exit(evaluate_command(truth, judged, verbose=verbose, as_json=as_json))
