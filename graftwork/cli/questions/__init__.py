"""``graftwork affordances ask`` and ``evaluate``: their options; the sibling modules implement them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from graftwork.cli.options import JsonOption

__all__ = ["register"]

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


def register(group: typer.Typer) -> None:
    """Add the commands to their group."""
    group.command(epilog="Example: graftwork affordances ask wok 'tea towel' --model offline")(ask)
    group.command(epilog="Example: graftwork affordances evaluate --truth right.csv --mapping mine.yaml --verbose")(
        evaluate
    )


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
        typer.echo("graftwork: interrupted", err=True)
        raise typer.Exit(4) from None


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
