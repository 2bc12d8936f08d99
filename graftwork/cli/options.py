"""The options that several commands share, and their output: JSON documents and progress bars."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

import domains
from semantics.logic.sentences import pddl_in_words, sentences_in
from semantics.plain_text import plain_lines

if TYPE_CHECKING:
    from domains.model import Domain

__all__ = ["DomainOption", "JsonOption", "MemoryOption", "chosen_settings", "echo", "print_json", "progress"]


def _worlds() -> list[str]:
    """Return the names of the worlds, which a shell completes."""
    return [file.parent.name for file in Path(domains.__file__).parent.glob("*/domain.yaml")]


def _scenes(context: typer.Context) -> list[str]:
    """Return the names of the scenes of the world that is typed."""
    world = Path(context.params.get("domain") or "kitchen")
    return [file.stem for file in Path(domains.__file__).parent.joinpath(world).glob("scenes/*.yaml")]


DomainOption = Annotated[
    str | None, typer.Option("--domain", metavar="NAME|PATH", help="World (default: kitchen).", autocompletion=_worlds)
]
SceneOption = Annotated[
    str | None,
    typer.Option("--scene", metavar="NAME|PATH", help="Scene (default: full, or the first).", autocompletion=_scenes),
]
MODELS = "offline|openai:NAME|replay:FILE|scripted:FILE"
ModelOption = Annotated[str | None, typer.Option("--model", metavar=MODELS, help="Who reads the sentence.")]
CostOption = Annotated[
    list[str] | None,
    typer.Option("--cost", metavar="CLASS=N", help="What an action of these agents costs; may be repeated."),
]
PlannerOption = Annotated[
    str | None,
    typer.Option(
        "--planner", metavar="NAME", help="Who plans: fast-downward, kairos, portfolio or up:ENGINE[/PROFILE]."
    ),
]
SearchOption = Annotated[
    str | None,
    typer.Option(
        "--search",
        metavar="first|best|optimal",
        help="Which plan is taken: the first, the best after some patience, or a cheapest one with proof.",
    ),
]
PlanningSecondsOption = Annotated[
    float | None, typer.Option("--planning-seconds", metavar="N", help="Time limit of one plan (default: 20).")
]
PlanningMemoryOption = Annotated[
    int | None, typer.Option("--planning-memory", metavar="MIB", help="Memory limit of one plan (default: 1344 MiB).")
]
WeightsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--weights", metavar="per_metre=N,per_second=N,risk=N", help="What a metre, a second, a risk add to the cost."
    ),
]
PartOption = Annotated[
    str | None,
    typer.Option("--part", metavar="ask|allow|never", help="Whether part of a goal will do if not all can be had."),
]
SubstituteOption = Annotated[
    str | None,
    typer.Option("--substitute", metavar="ask|allow|never", help="Whether something else will do for what is missing."),
]
NewThingsOption = Annotated[
    str | None,
    typer.Option(
        "--new-things",
        metavar="ask|allow|never",
        help="Whether a thing of an unknown class may be treated as a similar one.",
    ),
]
SkillsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--skills", metavar="MODULE|FILE.py", help="Python with skills and sensors of your own; may be repeated."
    ),
]
RealTimeOption = Annotated[
    bool | None,
    typer.Option("--real-time/--no-real-time", help="Move a simulated body at the speed of the wall clock."),
]
SeedOption = Annotated[int | None, typer.Option(help="Moves the scene a little; 0 leaves it as written.")]
PddlOption = Annotated[bool, typer.Option("--pddl", help="Show facts and actions in PDDL, not as sentences.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print the outcome and errors only.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
MemoryOption = Annotated[
    Path | None, typer.Option("--memory", metavar="FILE", help="Memory to use (default: in your data folder).")
]


def chosen_settings(parameters: Mapping[str, Any]) -> dict[str, object]:
    """Return the settings among the parameters of a command; ``no_memory`` switches the memory off."""
    from graftwork.setup.settings import KEPT

    chosen = {
        name: value
        for name, value in parameters.items()
        if name in (*KEPT, "memory", "real_time", "skills") and value != []
    }
    return chosen | ({"memory": False} if parameters.get("no_memory") else {})


def echo(text: object = "", *, nl: bool = True, err: bool = False) -> None:
    """Print a text without control characters, since any text may come from outside; `nl` ends its line."""
    stream = sys.stderr if err else sys.stdout
    # While a progress bar is drawn, the stream is rich's, which puts lines above the bar; typer would write past it.
    typer.echo(plain_lines(text), nl=nl, err=err, file=stream if hasattr(stream, "rich_proxied_file") else None)


def teller(domain: Domain, *, pddl: bool) -> Callable[[str], None]:
    """Return what prints a text with the sentences of a world for its PDDL, or as it is for `pddl`."""
    sentences = sentences_in(domain.sayings)
    return echo if pddl else lambda text: echo(pddl_in_words(text, sentences))


@contextmanager
def waiting(words: str, *, silent: bool = False) -> Iterator[None]:
    """Say on standard error what is waited for, if that takes more than a second; a terminal shows it no longer."""
    is_terminal = sys.stderr.isatty()
    timer = threading.Timer(1.0, echo, (f"{words} …",), {"nl": not is_terminal, "err": True})
    if not silent:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if timer.ident is not None:
            timer.join()  # it may be printing at this moment
        if is_terminal and not silent:
            sys.stderr.write("\r\x1b[K")  # to the begin of the line, and clear it
            sys.stderr.flush()


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document of version 1 as one JSON object."""
    echo(json.dumps({"version": 1, **document}, indent=2))


@contextmanager
def progress(words: str, total: int, stream: TextIO, *, shown: bool = True) -> Iterator[Callable[..., None]]:
    """Draw a progress bar if `stream` is a terminal; yield the function that advances it, whatever its arguments."""
    if not shown or not stream.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, transient=True, console=Console(file=stream)) as bar:
        task = bar.add_task(words, total=total)
        yield lambda *_: bar.advance(task)
