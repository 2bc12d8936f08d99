"""Questions at the terminal: before a run, and while it is under way."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time

import typer

from bt.outline import plain
from bt.terminal import LiveTree
from graftwork.running.run import Run
from semantics.goal import Question

__all__ = ["AtTheTerminal", "question_words"]

SLICE_SECONDS = 0.05
"""How long is waited before it is looked whether the run was cancelled."""
MOST_BYTES = 4096


def question_words(question: Question) -> str:
    """Return a question with the answers that it offers."""
    unsaid = [option for option in question.options if option not in question.text]
    return question.text + (f" ({', '.join(unsaid)})" if unsaid else "")


class AtTheTerminal:
    """Answers the questions of a run with what a person types; for `Run.finish`.

    The tree's display gives way meanwhile. On a simulated clock, which stands still, the ticks wait for the person; on
    a real one they go on. What was typed before a question was put is no answer to it.

    Args:
        run: Whose questions.
        display: What is drawn on the same terminal, or None.
        seconds: How long an answer is waited for on the clock of the wall.
        waits: Whether the ticks wait.
    """

    def __init__(self, run: Run, display: LiveTree | None, seconds: float, *, waits: bool) -> None:
        self._run = run
        self._display = display
        self._seconds = seconds
        self._waits = waits
        self._question: Question | None = None
        self._until = 0.0

    def __call__(self, question: Question) -> str | None:
        """Return what was typed; None when there is nothing, or nothing yet."""
        if question is not self._question:
            self._put(question)
        while self._is_waiting():
            line = _typed(SLICE_SECONDS if self._waits else 0.0)
            if line == "":
                self._write("\n")
                self._run.cancel("the person stopped it")
            elif line is not None and line.strip():
                self._give_back()
                return line.strip()
            elif line is not None:
                self._write("> ")
            if not self._waits:
                return None
        self._give_back()
        return None

    def _put(self, question: Question) -> None:
        self._question, self._until = question, time.monotonic() + self._seconds
        if self._display is not None:
            self._display.give_way()
        _forget_typed()
        self._write(f"{plain(question_words(question))}\n> ")

    def _is_waiting(self) -> bool:
        runner = self._run.runner
        return time.monotonic() < self._until and (runner is None or not runner.is_cancelled)

    def _give_back(self) -> None:
        if self._display is not None:
            self._display.take_back()

    def _write(self, text: str) -> None:
        typer.echo(text, nl=False, err=True)


def _typed(seconds: float) -> str | None:
    """Return a line as it was typed, empty at the end of all input; None when there is none within some seconds."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    if not ready:
        return None
    return os.read(sys.stdin.fileno(), MOST_BYTES).decode(sys.stdin.encoding or "utf-8", "replace")


def _forget_typed() -> None:
    """Drop what was typed so far, where that can be done."""
    with contextlib.suppress(ImportError):
        import termios

        if sys.stdin.isatty():
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
