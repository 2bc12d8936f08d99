"""Nothing that a program says is executed by Python, nothing hangs, and everything refused is told with its place."""

import re
from contextlib import suppress

import pytest

from bt.programs import CheckedProgram, check_program
from semantics.logic.feedback import Code
from semantics.logic.program import RefusedProgram
from tests.bt.programs.escapes import REFUSED, STOPPED
from tests.bt.programs.watch import nothing_executed
from tests.bt.programs.worlds import KITCHEN, SMALL, Stage

PLACED = re.compile(r"line \d+, column \d+: .")


@pytest.fixture(scope="module", autouse=True)
def _everything_loaded():
    Stage("move(end=table0)\ngrasp(apple0)").run()


def test_the_watch_notices_what_is_executed():
    with pytest.raises(AssertionError), nothing_executed():
        exec("x = 1")
    with pytest.raises(AssertionError), nothing_executed(), suppress(ImportError):
        __import__("this_is_no_module")


def test_there_are_enough_attempts():
    assert len(REFUSED) + len(STOPPED) >= 80


@pytest.mark.parametrize("name", REFUSED)
def test_an_attempt_is_refused_with_its_place_and_what_is_allowed(name):
    with nothing_executed():
        refused = check_program(REFUSED[name], KITCHEN, SMALL.things)
    assert isinstance(refused, RefusedProgram)
    assert refused.mistakes
    lines = REFUSED[name].count("\n") + 1
    for mistake in refused.mistakes:
        assert PLACED.match(mistake.feedback.what)
        assert 1 <= mistake.place.line <= lines + 1
        assert mistake.feedback.why
        assert mistake.feedback.how


@pytest.mark.parametrize("name", STOPPED)
def test_a_program_that_goes_too_far_fails_with_its_place(name):
    checked = check_program(STOPPED[name], KITCHEN, SMALL.things)
    assert isinstance(checked, CheckedProgram), str(checked)
    stage = Stage(STOPPED[name])
    with nothing_executed():
        end = stage.run()
    assert end.status == "failure"
    assert PLACED.match(end.reason.what), str(end.reason)
    assert end.reason.code in (Code.BUDGET_SPENT, Code.EXCEPTION, Code.UNKNOWN_NAME, Code.PRECONDITION)


def test_many_mistakes_are_told_at_once():
    text = "import os\ngrasp(unicorn0)\nx = lambda: 1\nif above(apple0):\n    del x"
    refused = check_program(text, KITCHEN, SMALL.things)
    assert [mistake.place.line for mistake in refused.mistakes] == [1, 3, 5]
    refused = check_program("grasp(unicorn0)\nif above(apple0):\n    fly()", KITCHEN, SMALL.things)
    assert [mistake.place.line for mistake in refused.mistakes] == [1, 2, 3]
