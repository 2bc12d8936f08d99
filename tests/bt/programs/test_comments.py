"""Comments stay with their statements: when a program is read and written, in its tree, and in the report."""

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bt.correction.correct import difference
from bt.document import document
from bt.node import walk, what_of
from bt.programs import read_program, write_program
from bt.programs.writer import without_comments
from semantics.logic.program import Program
from tests.bt.programs.documents import program_from_document
from tests.bt.programs.worlds import Stage
from tests.bt.programs.written import programs

EXAMPLES = int(os.environ.get("GRAFTWORK_EXAMPLES", "60"))
MANY = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
KEPT = """\
# About fetching.
# In two lines.
def fetch(place):  # where to
    # The way is free.
    move(end=place)  # quickly
    # Nothing else is to be done.


# The list is short.
x = [1, 2]  # two
if x == [1]:  # never
    say('a')
    # That was all.
# Otherwise.
elif x == [2]:
    pass
else:
    # In any other case.
    fetch(table0)
for y in [1]:  # once
    say('c')
try:
    fail('x')
except:
    # It had to fail.
    pass
# The end.
"""


def read(text):
    program = read_program(text)
    assert isinstance(program, Program), str(program)
    return program


def test_a_program_is_written_with_its_comments_where_they_stood():
    assert write_program(read(KEPT)) == KEPT


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("x = [1,\n  # inner\n  2]  # two", "# inner\nx = [1, 2]  # two\n"),
        ("if True: pass  # one line", "if True:\n    pass  # one line\n"),
        ("pass; x = 1 # last", "pass\nx = 1  # last\n"),
        ("if True:\n    pass\nelse: # why\n    pass", "if True:\n    pass\nelse:\n    # why\n    pass\n"),
        ("x = (1,\n     2\n)  # behind", "x = [1, 2]  # behind\n"),
        ("## much\n#\n#  x\ty", None),
        ("#!/usr/bin/python\n##  much\n#\npass\n", "# !/usr/bin/python\n# much\npass\n"),
        ("if True:\n    pass\n  # odd\npass", "if True:\n    pass\n# odd\npass\n"),
        ("x = '# no comment'", "x = '# no comment'\n"),
        ("def f(a,\n      b):  # two\n    pass", "def f(a, b):  # two\n    pass\n\n\n"),
        ("pass\n# one\n# two", "pass\n# one\n# two\n"),
        ("pass\ndef f():\n    pass\n# end", "def f():\n    pass\n\n\npass\n# end\n"),
        ("def f():\n    pass\n# end", "def f():\n    pass\n# end\n\n\n"),
        ("while x < 1:  # counted\n    # up\n    x += 1", "while x < 1:  # counted\n    # up\n    x = x + 1\n"),
    ],
)
def test_a_comment_goes_to_the_nearest_statement(text, form):
    if form is None:
        assert write_program(read(text)) == ""  # there is no statement at which it could stand
        return
    assert write_program(read(text)) == form
    assert write_program(read(form)) == form


def test_what_comes_after_a_carriage_return_is_written_as_a_comment():
    text = "pass  # a\rfail('x')\n"
    again = write_program(read(text))
    assert read(again) == read(text)
    assert [line for line in again.splitlines() if not line.startswith("#")] == ["pass  # a", "fail('x')"]


def test_programs_with_other_comments_are_equal():
    assert read("pass  # one") == read("# two\npass")
    assert hash(read("pass  # one").body[0]) == hash(read("pass").body[0])


@st.composite
def commented(draw):
    """Write a program, and put numbered comments at any line, at any depth, and behind any line."""
    program = draw(programs())
    numbers = iter(range(10_000))
    lines = []
    for line in write_program(program).splitlines():
        for _ in range(draw(st.integers(0, 2))):
            lines.append(f"{' ' * draw(st.integers(0, 9))}# N{next(numbers)}.")
        lines.append(f"{line}  # N{next(numbers)}." if line.strip() and draw(st.booleans()) else line)
    return program, "\n".join([*lines, f"# N{next(numbers)}."]), next(numbers)


@MANY
@given(commented())
def test_no_comment_is_lost_doubled_or_read_as_anything_else(drawn):
    program, text, count = drawn
    found = read(text)
    assert found == program
    again = write_program(found)
    assert all(again.count(f"# N{number}.") == 1 for number in range(count))
    assert write_program(read(again)) == again
    assert write_program(without_comments(found)) == write_program(program)
    assert not difference(program, found)


def test_the_document_of_a_tree_keeps_them():
    text = "# first\nmove(end=table0)  # there\nif True:\n    pass\n    # last\n"
    written = json.loads(json.dumps(document(Stage(text).tree)))
    assert write_program(program_from_document(written)) == text


def test_a_comment_in_a_document_cannot_become_a_statement():
    written = document(Stage("pass  # a").tree)
    written["children"][0]["children"][0]["comments"]["beside"] = "a\nfail('x')"
    assert program_from_document(written) == read("pass")


def test_a_node_tells_its_comment():
    nodes = walk(Stage("# Bring it.\nmove(end=table0)  # there\npass").tree)
    assert [what for what in map(what_of, nodes) if "#" in what] == ["move(end=table0)  # Bring it. there"]


def test_the_reason_of_a_failure_does_not_hold_the_comment():
    end = Stage("# Too bad.\nfail('no')").run()
    assert "Too bad" not in str(end.reason)
