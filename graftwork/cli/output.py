"""The output that commands share: plain texts, sentences, JSON documents and progress bars."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import typer

from semantics.logic.sentences import pddl_in_words, sentences_in
from semantics.plain_text import plain_lines

if TYPE_CHECKING:
    from domains.model import Domain

__all__ = ["echo", "print_json", "progress", "teller", "waiting"]


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
