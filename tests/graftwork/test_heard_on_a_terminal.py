"""What is typed while the robot moves, on a real pseudo-terminal: stop, wait, go on, and other words."""

import os
import pty
import select
import termios
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from domains.reader import load_domain, load_scene
from robots.fake import FakeRobot
from robots.served import BodyServer
from tests.commands import begun
from tests.graftwork.test_on_a_terminal import HIDE
from tests.silent_server import SilentServer

SENTENCE = "put the apple on the shelf"
PATIENCE = 60.0


class Terminal:
    """A command on a terminal of its own; use it as a context manager.

    Attributes:
        printed: What it has printed so far.
    """

    def __init__(self, *words: str, cwd: Path, without: tuple[str, ...] = (), **environment: str) -> None:
        self._mine, theirs = pty.openpty()
        streams = (os.ttyname(theirs),) * 3
        self.process = begun(words, cwd, os.environ | {"TERM": "xterm"} | environment, streams, without)
        self._theirs = theirs
        self.printed = b""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        os.close(self._theirs)
        os.close(self._mine)

    def types(self, text: bytes) -> None:
        os.write(self._mine, text)

    def reads(self, text: bytes) -> bool:
        """Read on until a text was printed after what was read before; return whether it was."""
        begin, until = len(self.printed), time.monotonic() + PATIENCE
        while text not in self.printed[begin:] and time.monotonic() < until:
            if not self._read():
                return text in self.printed[begin:]
        return text in self.printed[begin:]

    def code(self) -> int | None:
        """Read to the end, and return the exit code."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._read():
            pass
        self.process.join(5)
        return self.process.exitcode

    def is_left(self) -> bool:
        """Return whether anything that was typed waits for the next program, finished lines or not."""
        tty.setraw(self._theirs, termios.TCSANOW)
        return bool(select.select([self._theirs], [], [], 0.2)[0])

    def _read(self) -> bool:
        ready, _, _ = select.select([self._mine, self.process.sentinel], [], [], 0.2)
        if self._mine in ready:
            self.printed += os.read(self._mine, 4096)
            return True
        return self.process.sentinel not in ready


class RealTime(FakeRobot):
    """A fake whose clock is a real one, five times as fast."""

    def __init__(self) -> None:
        super().__init__(load_scene(load_domain("kitchen"), "small").arrangement)
        self.clock.simulated, pass_on = False, self.clock.sleep
        self.clock.sleep = lambda seconds: (time.sleep(seconds / 5), pass_on(seconds))


@pytest.fixture
def body() -> RealTime:
    return RealTime()


@pytest.fixture
def served(body: RealTime, tmp_path: Path) -> Iterator[str]:
    with BodyServer(body, tmp_path / "body") as server:
        yield f"served:{server.path}"


def test_a_stop_that_is_typed_while_the_robot_moves_stops_it(body, served, tmp_path):
    with Terminal("run", SENTENCE, "--robot", served, "--no-memory", "--record", "kept", cwd=tmp_path) as terminal:
        assert terminal.reads(HIDE)
        terminal.types(b"please stop\n")
        assert terminal.code() == 4, terminal.printed
    assert "\N{LEFT DOUBLE QUOTATION MARK}please stop".encode() in terminal.printed
    assert body.world.carriers["apple0"] != ("on", "shelf0")
    assert '"words":"please stop","means":"stop"' in (tmp_path / "kept" / "record.jsonl").read_text()


def test_what_is_typed_and_not_finished_is_not_left_to_the_shell(served, tmp_path):
    with Terminal("run", SENTENCE, "--robot", served, "--no-memory", cwd=tmp_path) as terminal:
        assert terminal.reads(b"Ctrl-C stops")
        terminal.types(b"echo this is no")
        assert terminal.code() == 0, terminal.printed
        assert not terminal.is_left()


def test_a_wait_holds_the_robot_and_other_words_are_answered(body, served, tmp_path):
    with Terminal("run", SENTENCE, "--robot", served, "--no-memory", cwd=tmp_path) as terminal:
        assert terminal.reads(HIDE)
        terminal.types(b"nice weather today\n")
        assert terminal.reads(b"I am busy: robot0 goes to")
        terminal.types(b"wait a second\n")
        assert terminal.reads(b"I wait.")
        carried = dict(body.world.carriers)
        terminal.types(b"are you asleep?\n")
        assert terminal.reads(b"and I wait")
        assert body.world.carriers == carried
        terminal.types(b"ok, go on\n")
        assert terminal.code() == 0, terminal.printed
    assert body.world.carriers["apple0"] == ("on", "shelf0")


def test_a_stop_is_heard_while_a_model_is_asked_and_the_connection_is_closed(tmp_path):
    with SilentServer() as server:
        key = {"OPENAI_API_KEY": "sk-none", "OPENAI_BASE_URL": server.base_url}
        words = ("run", SENTENCE, "--robot", "fake", "--no-memory", "--model", "openai:any")
        with Terminal(*words, cwd=tmp_path, **key) as terminal:
            assert server.asked.wait(PATIENCE)
            began = time.monotonic()
            terminal.types(b"no!\n")
            assert terminal.code() == 4, terminal.printed
            assert time.monotonic() - began < 20.0  # the model would have 30
        assert server.left.wait(PATIENCE)


@pytest.mark.parametrize("prompt", ["question", "confirmation"])
def test_an_interrupt_right_after_a_prompt_is_not_lost(prompt, tmp_path):
    words = {"question": ("bring me the can",), "confirmation": ("open the fridge", "--confirm")}[prompt]
    shown = {"question": b"> ", "confirmation": b"[y/N]"}[prompt]
    for _ in range(3):
        with Terminal("run", *words, "--robot", "fake", "--no-memory", cwd=tmp_path) as terminal:
            assert terminal.reads(shown)
            terminal.types(b"\x03")
            assert terminal.code() == 4, terminal.printed


def test_a_stop_at_a_prompt_is_no_answer(tmp_path):
    words = ("run", "bring me the can", "--robot", "fake", "--memory", "memory.sqlite", "--record", "kept")
    with Terminal(*words, cwd=tmp_path) as terminal:
        assert terminal.reads(b"> ")
        terminal.types(b"wait\n")
        assert terminal.reads(b"> ")  # asked again
        terminal.types(b"stop it\n")
        assert terminal.code() == 4, terminal.printed


def test_without_input_nothing_is_read(tmp_path):
    words = ("run", SENTENCE, "--robot", "fake", "--no-memory", "--no-input")
    with Terminal(*words, cwd=tmp_path) as terminal:
        terminal.types(b"stop\n")
        assert terminal.code() == 0, terminal.printed
