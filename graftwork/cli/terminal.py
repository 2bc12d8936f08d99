"""What a person types: the only reader of the input, and the person at a run, who answers its questions."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import termios
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field

from bt.terminal import LiveTree
from graftwork.cli.options import echo
from graftwork.language.interruption import Interruption, interruption_in
from graftwork.run.run import Run
from semantics.logic.goal import Question
from semantics.plain_text import plain

SLICE_SECONDS = 0.05  # interval between two checks whether the run was cancelled
TOGETHER_SECONDS = 0.02  # what is typed within this time came at once, such as lines that are pasted
MOST_BYTES = 4096
MOST_TOGETHER = 1 << 16
Typed = Callable[[float], str | None]
"""Returns what is typed within a time: one or more lines, empty at the end of the input; None without any."""


def question_words(question: Question) -> str:
    """Return a question with its options."""
    unsaid = [option for option in question.options if option not in question.text]
    return question.text + (f" ({', '.join(unsaid)})" if unsaid else "")


def typed_lines(seconds: float) -> str | None:
    """Return what is typed on the standard input, see `Typed`."""
    if not select.select([sys.stdin], [], [], seconds)[0]:
        return None
    if _is_in_background():
        time.sleep(seconds)
        return None
    return os.read(sys.stdin.fileno(), MOST_BYTES).decode(sys.stdin.encoding or "utf-8", "replace")


def _is_in_background() -> bool:
    """Return whether what is typed is for another program of the terminal; reading it would stop this one."""
    with contextlib.suppress(OSError):
        return os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp()
    return False


@contextlib.contextmanager
def reading(hear: Callable[[Sequence[str]], None], typed: Typed = typed_lines) -> Iterator[None]:
    """Read what is typed until the end of the block, on a thread of its own; what is left unread is not for the shell.

    Args:
        hear: Called with the lines that came at once; without any at the end of the input, perhaps again and again.
        typed: Where they come from.
    """
    over = threading.Event()

    def listen() -> None:
        with contextlib.suppress(OSError, ValueError):  # the terminal is gone
            while not over.is_set():
                text = typed(SLICE_SECONDS)
                if text is None:
                    continue
                if not text:
                    over.wait(SLICE_SECONDS)
                while 0 < len(text) < MOST_TOGETHER and (more := typed(TOGETHER_SECONDS)):
                    text += more
                hear(text.splitlines())

    listener = threading.Thread(target=listen, name="run-terminal", daemon=True)
    listener.start()
    try:
        yield
    finally:
        over.set()
        listener.join(1.0)
        with contextlib.suppress(OSError, ValueError, termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


@dataclass(eq=False)
class AtTheTerminal:
    """The person at a run: takes what is typed while it is under way, and answers its questions; for `Run.finish`.

    A stop is heard at once, also while a model or a planner is asked. At a question, the display of the tree pauses. A
    simulated clock stands still, so the ticks wait for the person; on a real clock they continue. Words typed before a
    question appeared do not answer it.
    """

    run: Run  # the run that asks
    display: LiveTree | None  # the display on the same terminal, or None
    seconds: float  # wall-clock time to wait for an answer
    _: KW_ONLY
    waits: bool  # whether the ticks wait for the answer
    is_there: bool = True  # whether anybody types; else only what is given answers
    given: deque[str] = field(default_factory=deque)  # answers that were given before, to the questions in their order
    prompt: str = "> "  # what is printed where an answer is to be typed
    to_errors: bool = True  # whether questions are written to standard error
    is_asking: bool = field(init=False, default=False)  # whether what is typed is an answer
    put: str = field(init=False, default="")  # the text of the last question
    _question: Question | None = field(init=False, default=None)
    _until: float = field(init=False, default=0.0)
    _lines: deque[str] = field(init=False, default_factory=deque)  # no queue: an interruption may break its lock

    def hear(self, lines: Sequence[str]) -> None:
        """Take lines that are typed, or the end of the input; any thread may call this."""
        for line in lines:
            self.takes(line)
        if not lines and self.is_asking:  # the end of the input answers no question, and ends no run
            self._lines.append("")

    def takes(self, line: str) -> bool:
        """Take a line for an answer, or else say it to the run; return whether it was for this run.

        An empty line lets the body rest, and the next one lets it go on.
        """
        words = line.strip()
        if self.is_asking and interruption_in(words, asked=True) is not Interruption.STOP:
            self._lines.append(f"{line}\n")
            return True
        if not words:
            return self.run.say("go on" if self.run.is_held else "wait")
        if not (self.is_asking or self.run.question is None or interruption_in(words, asked=True)):
            return False  # no answer, because no question is shown
        is_used = self.run.say(words)
        if self.display is None:
            self._write(f"{plain(self.run.reply)}\n")
        return is_used or not self.run.is_over

    def __call__(self, question: Question) -> str | None:
        """Return the answer; None when there is none so far. Before anything moves, there is no limit of time."""
        if question is not self._question:
            self._put(question)
        waits = self.waits or self.run.runner is None
        while self._is_waiting():
            line = self._line(SLICE_SECONDS if waits else 0.0)
            if line == "" and self.run.runner is None:
                break
            if line == "":
                self._write("\n")
                self.run.cancel("the person stopped it")
            elif line is not None and line.strip():
                self._give_back()
                self._question = None  # asked again if the words are no answer, such as "wait"
                return line.strip()
            elif line is not None:
                self._write(self.prompt)
            if not waits:
                return None
        self._give_back()
        return None

    def agrees(self, text: str, *, err: bool) -> bool:
        """Ask for a yes or a no, which is the default."""
        self._begin_asking()
        asked, line = text, None
        while not self.run.is_over and (line is None or line.strip().lower() not in ("y", "yes", "n", "no", "")):
            if asked:
                echo(f"{asked} [y/N]: ", nl=False, err=err)
            line = self._line(SLICE_SECONDS)
            asked = "" if line is None else f"Say yes or no. {text}"
        self.is_asking = False
        return line is not None and line.strip().lower() in ("y", "yes")

    def _line(self, seconds: float) -> str | None:
        if self.given and self._question is not None:
            words = self.given.popleft()
            echo(words, err=self.to_errors)
            return f"{words}\n"
        if not self._lines:
            time.sleep(seconds)
        return self._lines.popleft() if self._lines else None

    def _put(self, question: Question) -> None:
        self._question, self.put, self._until = question, question.text, time.monotonic() + self.seconds
        if self.display is not None:
            self.display.give_way()
        self._begin_asking()
        words = question_words(question)
        self._write(f"{plain(words if self.display is None else self.display.in_words(words))}\n{self.prompt}")

    def _begin_asking(self) -> None:
        """Forget what was typed for an earlier question, and take what is typed from now on for an answer."""
        self._lines.clear()
        self.is_asking = True

    def _is_waiting(self) -> bool:
        runner = self.run.runner
        if self.run.is_held or runner is None:
            self._until = time.monotonic() + self.seconds  # the time of a wait does not count for an answer
        is_over = self.run.is_over or (runner is not None and runner.is_cancelled)
        return time.monotonic() < self._until and not is_over and (self.is_there or bool(self.given))

    def _give_back(self) -> None:
        self.is_asking = False
        if self.display is not None:
            self.display.take_back()

    def _write(self, text: str) -> None:
        echo(text, nl=False, err=self.to_errors)
