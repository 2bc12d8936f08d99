"""What a person types is taken between two ticks: at once on a real clock, where the ticks go on meanwhile."""

import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from graftwork.cli.terminal import AtTheTerminal, question_words, reading
from semantics.logic.goal import Question

QUESTION = Question("What shall I do?", ("try once more", "stop"))


class Asking:
    """A run with a question, as far as the terminal knows it."""

    def __init__(self) -> None:
        self.runner = SimpleNamespace(is_cancelled=False)
        self.is_held = self.is_over = False
        self.question = QUESTION
        self.said: list[str] = []
        self.reply = ""

    def cancel(self, reason: str) -> None:
        assert reason == "the person stopped it"
        self.runner.is_cancelled = True

    def say(self, words: str) -> bool:
        self.said.append(words)
        self.is_held = words == "wait"
        return True


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A pipe in the place of the keyboard; what is written to it is typed."""
    read, write = os.pipe()
    with os.fdopen(read) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield write


def answer_of(person: AtTheTerminal) -> str | None:
    """Ask until there is an answer, as a run does between two ticks."""
    until = time.monotonic() + 10.0
    while time.monotonic() < until:
        if (words := person(QUESTION)) is not None or person.run.runner.is_cancelled:
            return words
        time.sleep(0.01)
    return None


def test_a_question_is_shown_once_and_answered_when_something_is_typed(keys: int, capsys: pytest.CaptureFixture[str]):
    person = AtTheTerminal(Asking(), None, 60.0, waits=False)
    assert [person(QUESTION), person(QUESTION)] == [None, None]
    with reading(person.hear):
        os.write(keys, b"  put it down \n")
        assert answer_of(person) == "put it down"
    assert capsys.readouterr().err == "What shall I do? (try once more, stop)\n> "
    os.close(keys)


def test_an_empty_line_is_no_answer_and_the_end_of_all_input_stops_the_run(keys: int):
    run = Asking()
    person = AtTheTerminal(run, None, 60.0, waits=False)
    assert person(QUESTION) is None
    person.hear([""])
    assert person(QUESTION) is None
    assert not run.runner.is_cancelled
    with reading(person.hear):
        os.close(keys)
        assert answer_of(person) is None
    assert run.runner.is_cancelled


def test_where_the_ticks_wait_they_wait_no_longer_than_the_limit():
    person = AtTheTerminal(Asking(), None, 0.1, waits=True)
    assert person(QUESTION) is None
    person.hear(["too late"])
    assert person(QUESTION) is None


def test_an_answer_that_the_question_names_is_not_offered_twice():
    assert question_words(Question("Shall I stop?", ("stop", "go on"))) == "Shall I stop? (go on)"


def test_an_empty_line_lets_the_body_rest_and_the_next_one_lets_it_go_on():
    run = Asking()
    AtTheTerminal(run, None, 60.0, waits=False).hear(["", "", ""])
    assert run.said == ["wait", "go on", "wait"]


def test_what_was_given_before_answers_in_its_order_and_nobody_is_waited_for(capsys: pytest.CaptureFixture[str]):
    person = AtTheTerminal(Asking(), None, 60.0, waits=True, is_there=False, given=deque(["the last", "no"]))
    assert person(QUESTION) == "the last"
    assert person(QUESTION) == "no"
    assert person(QUESTION) is None
    assert person(QUESTION) is None
    assert capsys.readouterr().err.count("What shall I do?") == 3
