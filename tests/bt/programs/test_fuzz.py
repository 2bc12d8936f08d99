"""Whatever is given as a program: it is refused with a place, or ends; nothing of it is executed, nothing hangs."""

import os

import pytest
from hypothesis import HealthCheck, given, settings

from bt.programs import CheckedProgram, check_program
from semantics.logic.program import ProgramLimits
from tests.bt.programs.pythons import RAW, SOUP, SPLICED, TREES
from tests.bt.programs.test_escapes import PLACED
from tests.bt.programs.watch import nothing_executed
from tests.bt.programs.worlds import KITCHEN, SMALL, Stage
from tests.bt.programs.written import programs

EXAMPLES = int(os.environ.get("GRAFTWORK_EXAMPLES", "60"))
MANY = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
SMALL_LIMITS = ProgramLimits(steps=60, passes=20, recursion=4)


@pytest.fixture(scope="module", autouse=True)
def _everything_loaded():
    Stage("move(end=table0)\ngrasp(apple0)").run()


def survives(text):
    with nothing_executed():
        checked = check_program(text, KITCHEN, SMALL.things, limits=SMALL_LIMITS)
    if not isinstance(checked, CheckedProgram):
        assert checked.mistakes
        for mistake in checked.mistakes:
            assert PLACED.match(mistake.feedback.what)
            assert mistake.feedback.how
        return
    ends(text)


def ends(program):
    stage = Stage(program, limits=SMALL_LIMITS)
    with nothing_executed():
        end = stage.run()
    assert end.status in ("success", "failure"), str(end.reason)
    assert end.status == "success" or end.reason.why


@MANY
@given(TREES)
def test_any_syntax_tree(text):
    survives(text)


@MANY
@given(SOUP)
def test_any_words_of_python(text):
    survives(text)


@MANY
@given(RAW)
def test_any_text(text):
    survives(text)


@MANY
@given(SPLICED)
def test_any_lines_of_known_attempts(text):
    survives(text)


@settings(MANY, max_examples=max(EXAMPLES // 2, 1))
@given(programs())
def test_any_program_of_the_language_comes_to_an_end(program):
    ends(program)
