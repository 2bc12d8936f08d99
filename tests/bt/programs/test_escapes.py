"""Nothing that a program says is executed by Python, nothing hangs, and everything refused is told with its place."""

import builtins
import re
import sys
from contextlib import contextmanager, suppress

import pytest

from bt.programs import CheckedProgram, check_program
from bt.programs.reading.source import NOWHERE
from semantics.feedback import Code
from semantics.program import RefusedProgram
from tests.bt.programs.escapes import REFUSED, STOPPED
from tests.bt.programs.worlds import KITCHEN, SMALL, Stage

PLACED = re.compile(r"line \d+, column \d+: .")
FORBIDDEN = ("exec", "import", "open", "os.", "subprocess.", "socket.", "shutil.", "ctypes.", "code.", "marshal.")
HIDDEN = ("eval", "exec", "open", "print", "input", "breakpoint", "globals", "vars")
_watching: list[str] = []
_watched: list[bool] = [False]


def _audit(event, args):
    quoting = event == "open" and args[0] == NOWHERE
    if _watched[0] and event.startswith(FORBIDDEN) and not quoting:
        _watching.append(event)


sys.addaudithook(_audit)


@contextmanager
def nothing_executed(monkeypatch):
    """Fail when anything is executed, imported or opened, or a builtin is called that a program may want."""

    def caught(name):
        def sentinel(*_, **__):
            _watching.append(name)
            raise AssertionError(name)

        return sentinel

    _watching.clear()
    with monkeypatch.context() as patch:
        for name in HIDDEN:
            patch.setattr(builtins, name, caught(name))
        _watched[0] = True
        try:
            yield
        finally:
            _watched[0] = False
    assert not _watching


@pytest.fixture(scope="module", autouse=True)
def _everything_loaded():
    Stage("move(end=table0)\ngrasp(apple0)").run()


def test_the_watch_notices_what_is_executed(monkeypatch):
    with pytest.raises(AssertionError), nothing_executed(monkeypatch):
        exec("x = 1")
    with pytest.raises(AssertionError), nothing_executed(monkeypatch), suppress(ImportError):
        __import__("this_is_no_module")


def test_there_are_enough_attempts():
    assert len(REFUSED) + len(STOPPED) >= 80


@pytest.mark.parametrize("name", REFUSED)
def test_an_attempt_is_refused_with_its_place_and_what_is_allowed(name, monkeypatch):
    with nothing_executed(monkeypatch):
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
def test_a_program_that_goes_too_far_fails_with_its_place(name, monkeypatch):
    checked = check_program(STOPPED[name], KITCHEN, SMALL.things)
    assert isinstance(checked, CheckedProgram), str(checked)
    stage = Stage(STOPPED[name])
    with nothing_executed(monkeypatch):
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
