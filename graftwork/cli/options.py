"""The parameters of the commands, and their output: texts, JSON documents and progress bars.

The option of a setting follows from its field of `Settings` and its texts; ``options.yaml`` says what each command
takes. Typer makes the parameters when somebody calls the command or asks for its help; making those of all commands
takes 0.1 s in each process.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from enum import StrEnum
from functools import partial
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import typer
from typer.core import TyperGroup

import domains
from semantics.logic.sentences import pddl_in_words, sentences_in
from semantics.plain_text import plain, plain_lines
from semantics.process.reading import read_table

if TYPE_CHECKING:
    from domains.model import Domain

Value = TypeVar("Value")

TABLE: Mapping[str, Any] = read_table(__file__)
"""The commands with what they take, and the parameters of several commands that belong to no setting."""
KINDS = {"text": str, "texts": list[str], "whole": int, "number": float, "flag": bool, "file": Path}
"""The type of a parameter's value by its name in the table."""
SETTING_KINDS = {"str": "text", "int": "whole", "float": "number", "bool": "flag", "Path | None": "file"}
"""The kind of an option by the type of its setting; for any other, the option is repeated."""


def _worlds() -> list[str]:
    """Return the names of the worlds, which a shell completes."""
    return [file.parent.name for file in Path(domains.__file__).parent.glob("*/domain.yaml")]


def _scenes(context: typer.Context) -> list[str]:
    """Return the names of the scenes of the world that is typed."""
    world = Path(context.params.get("domain") or "kitchen")
    return [file.stem for file in Path(domains.__file__).parent.joinpath(world).glob("scenes/*.yaml")]


def _robots() -> list[str]:
    from graftwork.setup.bodies import ROBOTS

    return list(ROBOTS)


COMPLETIONS: Mapping[str, Callable[..., list[str]]] = {"domain": _worlds, "scene": _scenes, "robot": _robots}
"""What a shell completes for a setting."""


def _parameter(name: str, entry: Mapping[str, Any]) -> Parameter:
    """Return a parameter as its entry in the table describes it."""
    kind = StrEnum(name, entry["kind"]) if isinstance(entry["kind"], list) else KINDS[entry["kind"]]
    default = ... if entry.get("required") else entry.get("default", False if kind is bool else None)
    more = {"help": entry["help"], "metavar": entry.get("takes"), "min": entry.get("min"), "max": entry.get("max")}
    if entry.get("argument"):
        info = typer.Argument(default, **more)
    else:
        words = entry.get("words", f"--{name.replace('_', '-')}").split()
        info = typer.Option(default, *words, autocompletion=COMPLETIONS.get(entry.get("setting", "")), **more)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=info, annotation=kind)


def _setting(name: str, own: Mapping[str, Any]) -> Parameter:
    """Return the option of a setting, None where it is not given; `own` is what one command says of it."""
    from graftwork.setup.settings import FIELDS, option_word, setting_texts

    field, texts = FIELDS[name], {**setting_texts()[name], **own}
    kind, word = SETTING_KINDS.get(str(field.type), "texts"), option_word(name)
    words = f"{word}/--no-{word[2:]}" if kind == "flag" else word
    text = texts["help"].format(default=field.default)
    return _parameter(name, texts | {"kind": kind, "words": words, "help": text, "default": None, "setting": name})


HELP = {"help_option_names": ["-h", "--help"]}  # how help is asked for


def group(text: str) -> typer.Typer:
    """Return a group of commands whose help is `text`."""
    return typer.Typer(cls=Commands, no_args_is_help=True, rich_markup_mode=None, context_settings=HELP, help=text)


def command(group: typer.Typer, words: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function the command of these words; it gets the values of the parameters by their names."""

    def declare(function: Callable[..., None]) -> Callable[..., None]:
        def declared() -> None:
            """Stand for the function until its parameters are made."""

        declared.__doc__ = function.__doc__
        vars(declared)["make"] = partial(_made, function, TABLE["commands"][words]["takes"])
        group.command(words.split()[-1], epilog=f"Example: {TABLE['commands'][words]['example']}")(declared)
        return function

    return declare


def _made(function: Callable[..., None], taken: Iterable[str | Mapping[str, Any]]) -> Any:  # noqa: ANN401
    """Return the command that typer makes of a function with these parameters."""

    def called(**given: object) -> None:
        function(**given)

    parameters: list[Parameter] = []
    for part in taken:
        named = part.items() if isinstance(part, Mapping) else [(name, {}) for name in part.split()]
        for name, own in named:
            entry = own if own else TABLE["shared"].get(name, own)
            parameters.append(_parameter(name, entry) if "kind" in entry else _setting(name, entry))
    vars(called)["__signature__"] = Signature(parameters)
    alone = typer.Typer(add_completion=False)
    alone.command()(called)
    return typer.main.get_command(alone)


class Commands(TyperGroup):
    """Commands that get their parameters when one is called; values are taken as they are given where possible."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own copy of click
        """Parse the options before the command."""
        _take_as_given(self, ctx)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401
        """Find the command that is called or asked for."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            if make := getattr(command.callback, "make", None):
                made = make()
                command.params, command.callback = made.params, made.callback
            _take_as_given(command, ctx)
        return name, command, rest


def _take_as_given(command: Any, ctx: object) -> None:  # noqa: ANN401
    """Convert neither texts nor what is not given: typer imports pydantic for it, 110 modules in 0.2 s."""
    for parameter in command.get_params(ctx):
        parameter.process_value = partial(_value, parameter, parameter.process_value)


def _value(parameter: Any, convert: Callable[..., object], ctx: object, value: object) -> object:  # noqa: ANN401
    is_text = isinstance(value, str) and parameter.type_descriptor.annotation is str
    if parameter.required or not (value is None or is_text):
        return convert(ctx, value)
    value = () if value is None and (parameter.multiple or parameter.nargs == -1) else value
    return value if parameter.callback is None else parameter.callback(ctx, parameter, value)


def fill(kind: type[Value], given: Mapping[str, Any]) -> Value:
    """Return a data class whose fields are parameters of a command."""
    return kind(**{field.name: given[field.name] for field in fields(kind) if field.name in given})  # type: ignore[arg-type]


def chosen_settings(given: Mapping[str, Any]) -> dict[str, object]:
    """Return the settings among the parameters of a command; ``no_memory`` switches the memory off."""
    from graftwork.setup.settings import FIELDS

    chosen = {name: value for name, value in given.items() if name in FIELDS and name != "record"}
    return chosen | ({"memory": False} if given.get("no_memory") else {})


def echo(text: object = "", *, nl: bool = True, err: bool = False) -> None:
    """Print a text without control characters, since any text may come from outside; `nl` ends its line."""
    stream = sys.stderr if err else sys.stdout
    # While a progress bar is drawn, the stream is rich's, which puts lines above the bar; typer would write past it.
    typer.echo(plain_lines(text), nl=nl, err=err, file=stream if hasattr(stream, "rich_proxied_file") else None)


def teller(domain: Domain, *, pddl: bool) -> Callable[[str], None]:
    """Return what prints a text with the sentences of a world for its PDDL, or as it is for `pddl`."""
    sentences = sentences_in(domain.sayings)
    return echo if pddl else lambda text: echo(pddl_in_words(text, sentences))


def tell_unneeded(answers: Iterable[str]) -> None:
    """Say which answers of the command line no question has asked for."""
    for words in answers:
        echo(f"The answer '{plain(words)}' was not needed.", err=True)


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
