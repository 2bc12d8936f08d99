"""What a person types is taken between two ticks: at once on a real clock, where the ticks go on meanwhile."""

import os
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from graftwork.cli.run import AtTheTerminal, question_words
from semantics.logic.goal import Question

QUESTION = Question("What shall I do?", ("try once more", "stop"))


class Asking:
    """A run with a question, as far as the terminal knows it."""

    def __init__(self) -> None:
        self.runner = SimpleNamespace(is_cancelled=False)

    def cancel(self, reason: str) -> None:
        assert reason == "the person stopped it"
        self.runner.is_cancelled = True


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A pipe in the place of the keyboard; what is written to it is typed."""
    read, write = os.pipe()
    with os.fdopen(read) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield write


def test_a_question_is_shown_once_and_answered_when_something_is_typed(keys: int, capsys: pytest.CaptureFixture[str]):
    person = AtTheTerminal(Asking(), None, 60.0, waits=False)
    assert [person(QUESTION), person(QUESTION)] == [None, None]
    os.write(keys, b"  put it down \n")
    assert person(QUESTION) == "put it down"
    assert capsys.readouterr().err == "What shall I do? (try once more, stop)\n> "
    os.close(keys)


def test_an_empty_line_is_no_answer_and_the_end_of_all_input_stops_the_run(keys: int):
    run = Asking()
    person = AtTheTerminal(run, None, 60.0, waits=False)
    os.write(keys, b"\n")
    assert person(QUESTION) is None
    assert not run.runner.is_cancelled
    os.close(keys)
    assert person(QUESTION) is None
    assert run.runner.is_cancelled


def test_where_the_ticks_wait_they_wait_no_longer_than_the_limit(keys: int):
    person = AtTheTerminal(Asking(), None, 0.1, waits=True)
    assert person(QUESTION) is None
    os.write(keys, b"too late\n")
    assert person(QUESTION) is None
    os.close(keys)


def test_an_answer_that_the_question_names_is_not_offered_twice():
    assert question_words(Question("Shall I stop?", ("stop", "go on"))) == "Shall I stop? (go on)"
