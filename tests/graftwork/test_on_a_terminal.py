"""The command line on a real pseudo-terminal: questions, confirmation, Ctrl-C, and a cursor that comes back."""

import os
import pty
import select
import threading
import time
from pathlib import Path

from graftwork.cli.run import attempt
from graftwork.record.episode import Outcome
from graftwork.record.log import log_path
from graftwork.setup.settings import command_settings
from tests.commands import begun
from tests.planning.processes import asleep, wait_for

HIDE, SHOW = b"\x1b[?25l", b"\x1b[?25h"


def on_a_terminal(
    *words: str, answers: list[bytes] | None = None, prompt: bytes = b"", robot: str = "fake", cwd: Path | None = None
) -> tuple[int, bytes]:
    """Run a command, typing the next answer whenever the prompt has come once more."""
    answers = list(answers or [])
    terminal, theirs = pty.openpty()
    command = ("run", *words, "--robot", robot, "--no-memory")
    process = begun(command, cwd or Path.cwd(), os.environ | {"TERM": "xterm"}, (os.ttyname(theirs),) * 3)
    printed, prompts = b"", 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal, process.sentinel], [], [], 0.2)
        if ready == [process.sentinel]:
            break
        printed += os.read(terminal, 4096) if terminal in ready else b""
        if answers and printed.count(prompt) > prompts:
            prompts = printed.count(prompt)
            wait_for(lambda: asleep(process.pid))
            time.sleep(0.2)  # nobody types between a prompt and the read that follows, where a Ctrl-C would be lost
            os.write(terminal, answers.pop(0))
    if process.exitcode is None:
        process.kill()
        process.join()
    os.close(theirs)
    os.close(terminal)
    return process.exitcode, printed


def test_the_tree_is_shown_live_and_the_cursor_comes_back():
    code, printed = on_a_terminal("open the fridge")
    assert code == 0
    assert printed.count(HIDE) == printed.count(SHOW) == 1
    assert "✓".encode() in printed


def test_what_is_refused_leaves_the_terminal_alone():
    code, printed = on_a_terminal("put the fridge on the table")
    assert code == 3
    assert HIDE not in printed


def test_a_question_is_asked_and_its_answer_taken():
    code, printed = on_a_terminal("bring me the can", answers=[b"can1\n"], prompt=b"> ")
    assert code == 0
    assert b"goal    can1 is in the hand of human0" in printed


def test_a_confirmed_plan_is_done_and_a_declined_one_is_not():
    assert on_a_terminal("open the fridge", "--confirm", answers=[b"y\n"], prompt=b"[y/N]")[0] == 0
    code, printed = on_a_terminal("open the fridge", "--confirm", answers=[b"n\n"], prompt=b"[y/N]")
    assert code == 4
    assert b"0 ticks" in printed


def test_an_interruption_at_a_prompt_is_stopped_not_a_fault(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for key in (b"\x03", b"\x04"):
        code, printed = on_a_terminal("open the fridge", "--confirm", answers=[key], prompt=b"[y/N]")
        assert code == 4, (printed, log_path().read_text())


def test_what_an_interruption_breaks_on_its_way_is_stopped_and_logged(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def broken():
        lock = threading.Lock()
        try:
            raise KeyboardInterrupt
        finally:
            lock.release()  # as a condition does that an interruption finds without its lock

    episode = attempt("open the fridge", command_settings({}), broken)
    assert episode.outcome is Outcome.STOPPED
    assert "release unlocked lock" in log_path().read_text()
    assert attempt("open the fridge", command_settings({}), threading.Lock().release).outcome is Outcome.FAULT
