"""A conversation: through a pipe, on a terminal with its screen, and on one without."""

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from graftwork.cli.chat import Conversation
from robots.served import BodyServer
from tests.commands import begun
from tests.graftwork.test_heard_on_a_terminal import PATIENCE, RealTime, Terminal

SCREEN = pytest.mark.skipif(
    importlib.util.find_spec("prompt_toolkit") is None, reason="the extra chat is not installed"
)
QUICKLY = ("--scene", "full", "--robot", "fake", "--no-memory")
QUESTION = b"Which is meant by 'the can'"


def through_a_pipe(text: str, folder: Path, *words: str) -> tuple[int | None, str]:
    """Hold a conversation in a file; return the exit code and what was printed."""
    (folder / "lines").write_text(text, encoding="utf-8")
    streams = tuple(str(folder / name) for name in ("lines", "out", "err"))
    process = begun(("chat", *QUICKLY, *words), folder, os.environ, streams)
    process.join(PATIENCE)
    assert process.exitcode is not None
    return process.exitcode, (folder / "out").read_text(encoding="utf-8")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    with BodyServer(RealTime(), tmp_path / "body") as server:
        yield f"served:{server.path}"


def talking(*words: str, cwd: Path, without: tuple[str, ...] = ()) -> Terminal:
    return Terminal("chat", "--no-memory", *words, cwd=cwd, without=without, PROMPT_TOOLKIT_NO_CPR="1")


def test_each_line_is_done_on_the_same_body_and_answers_the_question_before_it(tmp_path):
    lines = "bring me the can\nthe last one\n\nput the apple on the shelf\nput the apple on the shelf\n"
    code, printed = through_a_pipe(lines, tmp_path, "--quiet")
    assert code == 0
    assert printed == (
        "> bring me the can\n"
        "Which is meant by 'the can': 'can0', 'can1' or 'any can'?\n"
        "> the last one\n"
        "achieved: Done: the goal was sensed to hold.\n"
        "goal    can1 is in the hand of human0\n"
        "> put the apple on the shelf\n"
        "achieved: Done: the goal was sensed to hold.\n"
        "goal    apple0 is on shelf0\n"
        "> put the apple on the shelf\n"
        "already: That is already so.\n"
        "goal    apple0 is on shelf0\n"
    )
    assert (tmp_path / "err").read_text() == ""


def test_the_steps_are_told_beside_the_dialogue(tmp_path):
    assert through_a_pipe("open the fridge\n", tmp_path)[0] == 0
    assert "robot0 opens fridge0 begins" in (tmp_path / "err").read_text()


@pytest.mark.parametrize(("lines", "code"), [("", 0), ("bring me the unicorn\n", 3), ("bring me the can\n", 3)])
def test_the_exit_code_is_that_of_the_last_line(lines, code, tmp_path):
    assert through_a_pipe(lines, tmp_path, "--quiet")[0] == code


def test_an_answer_that_is_not_understood_is_asked_for_once_more_and_ends_with_the_reason(tmp_path):
    code, printed = through_a_pipe("bring me the can\nthe unicorn\nthe dragon\n", tmp_path, "--quiet")
    assert code == 3
    assert "> the unicorn\nI do not understand 'the unicorn' as an answer: " in printed
    assert printed.count("Which is meant by") == 2
    assert "refused: 'dragon'" in printed


@SCREEN
def test_the_dialogue_stands_above_the_tree_and_the_input(tmp_path):
    with talking(*QUICKLY[:-1], cwd=tmp_path) as terminal:
        assert terminal.reads(b"Ctrl-D: end")
        terminal.types(b"bring me the can\r")
        assert terminal.reads(QUESTION)
        terminal.types(b"the second one\r")
        assert terminal.reads(b"robot0 takes can1 from shelf0")  # the tree
        assert terminal.reads(b"goal    can1 is in the hand of human0")
        terminal.types(b"\x04")
        assert terminal.code() == 0, terminal.printed
        assert not terminal.is_left()
    assert b"\x1b[?1049h" not in terminal.printed  # what was said stays where it can be read again


@SCREEN
def test_an_empty_enter_pauses_and_goes_on_and_control_c_stops_and_then_ends(served, tmp_path):
    with talking("--robot", served, cwd=tmp_path) as terminal:
        assert terminal.reads(b"Ctrl-D: end")
        terminal.types(b"put the apple on the shelf\r")
        assert terminal.reads(b"robot0 goes to")
        terminal.types(b"\r")
        assert terminal.reads(b"I wait.")
        terminal.types(b"\r")
        assert terminal.reads(b"I go on.")
        terminal.types(b"\x03")
        assert terminal.reads(b"Press Ctrl-C once more")
        assert b"the person stopped it." in terminal.printed
        terminal.types(b"\x03")
        assert terminal.code() == 4, terminal.printed


@SCREEN
def test_lines_that_are_pasted_are_a_queue_and_a_stop_drops_it_and_says_so(served, tmp_path):
    with talking("--robot", served, cwd=tmp_path) as terminal:
        assert terminal.reads(b"Ctrl-D: end")
        terminal.types(b"\x1b[200~put the apple on the shelf\nbring me the milk\x1b[201~\r")
        assert terminal.reads(b"at work")
        terminal.types(b"stop\r")
        assert terminal.reads(b"I drop what was to come: 'bring me the milk'.")
        assert b"I stop." in terminal.printed
        terminal.types(b"\x04")
        assert terminal.code() == 4, terminal.printed


def test_without_the_extra_a_terminal_shows_plain_lines(served, tmp_path):
    with talking("--robot", served, cwd=tmp_path, without=("prompt_toolkit",)) as terminal:
        assert terminal.reads(b"pip install 'graftwork[chat]'")
        terminal.types(b"put the apple on the shelf\n")
        assert terminal.reads(b"begins")
        terminal.types(b"\x03")
        assert terminal.reads(b"Press Ctrl-C once more")
        terminal.types(b"open the fridge\n")  # who goes on talking does not end
        assert terminal.reads(b"goal    fridge0 is open")
        terminal.types(b"\x04")
        assert terminal.code() == 0, terminal.printed


class Busy:
    """The person at a run that is under way."""

    def __init__(self, *, is_undecided: bool = False) -> None:
        self.run = SimpleNamespace(is_over=False, is_undecided=is_undecided, is_held=False, cancelled="")
        self.run.cancel = lambda reason: vars(self.run).update(cancelled=reason, is_over=True)
        self.is_asking = False
        self.heard: list[str] = []

    def takes(self, line: str) -> bool:
        self.heard.append(line)
        return True

    def hear(self, lines: list[str]) -> None:
        assert not lines


def conversation_at(run: Busy | None, *, is_person: bool = True) -> Conversation:
    conversation = Conversation(None, None, is_person, "")
    conversation._at_run = run
    return conversation


def remaining(conversation: Conversation) -> list[str]:
    conversation._at_run = None
    conversation.hear([])
    return list(iter(conversation.next_line, None))


def test_the_first_of_the_lines_that_come_at_once_is_for_the_run_and_the_others_wait():
    conversation = conversation_at(busy := Busy())
    conversation.hear(["the orange instead", "open the fridge", "close it"])
    assert busy.heard == ["the orange instead"]
    assert remaining(conversation) == ["open the fridge", "close it"]


def test_a_stop_waits_for_no_turn_and_drops_what_does(capsys: pytest.CaptureFixture[str]):
    conversation = conversation_at(busy := Busy())
    conversation.hear(["faster", "open the fridge", "stop!"])
    assert busy.heard == ["faster", "stop!"]
    assert remaining(conversation) == []
    assert capsys.readouterr().out == "I drop what was to come: 'open the fridge'.\n"


def test_until_a_line_is_understood_the_next_one_waits_unless_it_takes_something_back():
    conversation = conversation_at(busy := Busy(is_undecided=True))
    conversation.hear(["open the fridge"])
    conversation.hear(["make it the orange"])
    assert busy.heard == ["make it the orange"]
    assert remaining(conversation) == ["open the fridge"]


def test_the_lines_of_a_file_wait_for_their_turn_but_orders():
    conversation = conversation_at(busy := Busy(), is_person=False)
    conversation.hear(["", "put it back", "wait"])
    assert busy.heard == ["wait"]
    assert remaining(conversation) == ["put it back"]


def test_who_has_to_wait_at_the_end_of_the_input_is_stopped():
    conversation = conversation_at(busy := Busy())
    busy.run.is_held = True
    conversation.hear([])
    assert busy.run.cancelled == "the input ended, so that nobody can say to go on"


def test_a_program_that_is_told_to_end_stops_the_run_and_says_so_by_its_code():
    conversation = conversation_at(busy := Busy())
    conversation.interrupt(signal.SIGTERM)
    assert busy.run.is_over
    assert conversation.next_line() is None
    assert conversation.code == 4
