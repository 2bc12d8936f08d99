"""``graftwork chat``: one body, one memory and one process for a whole conversation."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import Any

from bt.terminal import LiveTree
from graftwork.cli.options import echo, waiting
from graftwork.cli.run import attempt, closing_words
from graftwork.cli.terminal import SLICE_SECONDS, AtTheTerminal, reading, typed_lines
from graftwork.language.interruption import Interruption, interruption_in, takes_back
from graftwork.record.episode import Episode, Outcome
from graftwork.record.log import keep_log
from graftwork.session import Session
from graftwork.setup.settings import Settings, command_settings, session_arguments
from semantics.plain_text import plain, shortened, together

STOPPED = "the person stopped it"


@dataclass(eq=False)
class Conversation:
    """Begins a run with each line, one after the other; what a person says while one is under way goes to that run.

    Lines that come at once are a queue, and a stop empties it. The end of the input lets the queue be done.
    """

    settings: Settings  # the settings of the session
    display: LiveTree  # shows each run
    # whether a person types; else each line of a file or of another program waits for its turn, or answers a question
    is_person: bool
    prompt: str  # what is printed where a person types
    code: int = 0  # the exit code so far: that of the last run
    _at_run: AtTheTerminal | None = field(init=False, default=None)
    _queue: deque[str] = field(init=False, default_factory=deque)
    _drops: bool = field(init=False, default=False)
    _came: threading.Event = field(init=False, default_factory=threading.Event)
    _interrupts: int = field(init=False, default=0)
    _is_over: bool = field(init=False, default=False)

    def write(self, event: str, fields: Mapping[str, Any]) -> None:
        """Process an event of a run: replies belong to the dialogue, all else to the display."""
        at_run = self._at_run
        if event != "heard":
            self.display.write(event, fields)
        elif at_run is None or fields["reply"] != at_run.put:  # a question back is put by itself
            echo(self.display.in_words(plain(fields["reply"])))

    def hear(self, lines: Sequence[str]) -> None:
        """Take lines that came at once, or without any the end of the input; any thread may call this."""
        at_run = self._at_run
        if not lines:
            self._is_over = True
            if at_run is not None:
                at_run.is_there = False
                if at_run.run.is_held:
                    at_run.run.cancel("the input ended, so that nobody can say to go on")
        for number, line in enumerate(lines):
            if at_run is None or not self._is_for(at_run, line, number) or not at_run.takes(line):
                self._queue.extend([line.strip()] if line.strip() else [])
            elif interruption_in(line, asked=at_run.is_asking, moves=True) is Interruption.STOP:
                self._drops = True
        self._came.set()

    def _is_for(self, at_run: AtTheTerminal, line: str, number: int) -> bool:
        """Return whether a line is said to the run under way, the `number`-th of those that came at once."""
        if at_run.run.is_over or interruption_in(line, asked=at_run.is_asking) is not None:
            return not at_run.run.is_over
        waits = at_run.run.is_undecided and not at_run.is_asking  # until the line before is understood
        return self.is_person and number == 0 and (not waits or not line.strip() or takes_back(line))

    def interrupt(self, number: int = signal.SIGINT, frame: object = None) -> None:
        """Stop what is under way; at rest, the second time in a row ends the conversation."""
        self._interrupts, self._drops = self._interrupts + 1, True
        if number != signal.SIGINT:
            self._interrupts, self.code = 2, Outcome.STOPPED.exit_code
        if (at_run := self._at_run) is not None and not at_run.run.is_over:
            at_run.run.cancel(STOPPED)

    def next_line(self) -> str | None:
        """Wait for the next line that begins a run; None at the end."""
        echo(self.prompt if self.is_person else "", nl=False)
        while self._interrupts < 2 and (self._queue or self._drops or not self._is_over):
            if self._drops and self._queue:
                echo(f"I drop what was to come: {together(map(repr, map(shortened, self._queue)))}.")
                self._queue.clear()
            if self._drops and self._interrupts:
                echo("Press Ctrl-C once more, or Ctrl-D, to end.")
            self._drops = False
            if self._queue:
                self._interrupts = 0
                return self._queue.popleft()
            self._came.wait(SLICE_SECONDS)
            self._came.clear()
        return None

    def carry_out(self, words: str, session: Session) -> None:
        """Do what a line asks for, to its end."""
        episode = attempt(words, self.settings, lambda: self._run(words, session))
        self.code = self.code if self._interrupts > 1 else episode.exit_code
        echo(self.display.in_words(closing_words(replace(episode, plan=()))))

    def _run(self, words: str, session: Session) -> Episode:
        run, clock = session.converse(words), session.environment.robot.clock
        given = deque[str]() if self.is_person else self._queue
        at_run = AtTheTerminal(run, self.display, self.settings.answer_seconds, waits=clock.simulated, given=given)
        self._at_run, at_run.prompt, at_run.to_errors = at_run, self.prompt, False
        at_run.is_there = not self._is_over
        try:
            if self._interrupts:
                run.cancel(STOPPED)
            return run.finish(answer=at_run)
        except BaseException:
            run.cancel()
            raise
        finally:
            self._at_run = None


def chat_command(chosen: Mapping[str, object], *, quiet: bool, pddl: bool, verbose: bool) -> int:
    """Talk with a robot until the end of the input; return the exit code of the last run.

    Raises:
        UsageError: A name, a file or a setting is wrong.
    """
    keep_log(verbose=verbose)
    settings, is_person = command_settings(chosen), sys.stdin.isatty()
    display, screen = LiveTree(StringIO() if quiet else None, pddl=pddl, ends=False), None
    if is_person and display.steers and sys.stdout.isatty():
        try:
            from graftwork.cli.screen import Screen

            screen = Screen()
            display.canvas = screen.show
        except ImportError:
            echo("Plain lines; for a screen with the tree: pip install 'graftwork[chat]'", err=True)
    display.steers = screen is not None
    conversation = Conversation(settings, display, is_person, "" if screen else "> ")
    given = session_arguments(settings) | {"record": None, "journals": (conversation,)}
    with ExitStack() as opened:
        with waiting("loading"):
            session = opened.enter_context(Session(**given))
        opened.callback(gc.unfreeze)
        gc.freeze()  # what is loaded stays, and looking through it would make a tick or an answer late
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            opened.callback(signal.signal, number, signal.signal(number, conversation.interrupt))
        if screen is not None:
            opened.enter_context(screen.shown(conversation.interrupt))
        opened.enter_context(reading(conversation.hear, typed_lines if screen is None else screen.typed))
        while (line := conversation.next_line()) is not None:
            echo("" if is_person else f"> {line}\n", nl=False)
            conversation.carry_out(line, session)
    return conversation.code
