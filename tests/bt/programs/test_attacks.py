"""Attempts by edits and in mid-course: nothing is executed, nothing hangs, each gets a feedback or meets a limit."""

import pytest

from bt.correction import correct
from bt.correction.edits import edited
from bt.programs import CheckedProgram, check_program, read_program
from bt.ticking import Ticker  # noqa: F401 - a large tree loads it while it runs
from domains.problem import Problem
from semantics.logic.correction import Correction, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.feedback import Code
from semantics.logic.goal import Rejection
from semantics.logic.program import RefusedProgram
from tests.bt.correction.trial import correct_midway
from tests.bt.programs.watch import nothing_executed
from tests.bt.programs.worlds import KITCHEN, SMALL, Stage

PLAIN = "move(end=table0)\ngrasp(cup0)\n"
FIRST = StatementPlace((0,))
BY_EDITS = {
    "an import put in": (Insert(FIRST, "import os"),),
    "a call of Python put in": (Insert(FIRST, "__import__('os').system('id')"),),
    "a definition put in": (Insert(FIRST, "def grasp(x):\n    pass"),),
    "a capability shadowed": (Insert(FIRST, "grasp = 3"),),
    "an argument that closes its brackets": (Replace(FIRST, "table0", "table0); import os; move(end=table0"),),
    "an argument that is a statement": (Replace(FIRST, "table0", "x := table0"),),
    "an argument with a line of its own": (Replace(FIRST, "table0", "table0)\nimport os\n("),),
    "an argument that is a lambda": (Replace(FIRST, "table0", "(lambda: table0)()"),),
    "a head with more behind it": (Wrap(FIRST, "if True: import os"),),
    "a head with lines behind it": (Wrap(FIRST, "try:\nexcept:\n    import os"),),
    "a head that is a class": (Wrap(FIRST, "class A:"),),
    "a head that is a with": (Wrap(FIRST, "with open('/etc/passwd') as f:"),),
    "a head that is a decorator": (Wrap(FIRST, "@eval\ndef f():"),),
    "blocks in blocks beyond the limit": tuple(Wrap(FIRST, "if True:") for _ in range(200)),
    "more lines than a program has": tuple(Insert(FIRST, "pass\n" * 300) for _ in range(2)),
    "brackets without an end": (Insert(FIRST, "say(" + "[" * 5000),),
    "a number without an end": (Replace(FIRST, "table0", "9" * 5000),),
    "a text without an end": (Insert(FIRST, "say('" + "a" * 100_000 + "')"),),
    "a spot that is nowhere": (Remove(StatementPlace((10**9,))),),
    "a spot that is negative": (Remove(StatementPlace((-1,))),),
    "a spot far down": (Remove(StatementPlace((0,) * 9999)),),
    "a spot in a function that is none": (Remove(StatementPlace((0,), "__init__")),),
    "more statements than there are": (Wrap(FIRST, "try:", 10**9),),
    "a statement moved into itself": (Wrap(FIRST, "try:"), Move(FIRST, StatementPlace((0, 0, 0)))),
    "letters that look like others": (Insert(FIRST, "gr\N{CYRILLIC SMALL LETTER A}sp(cup0)"),),
    "a byte that is none": (Insert(FIRST, "say('\x00')"),),
    "half a letter": (Insert(FIRST, "say('\ud800')"),),
}
ENDLESS = {
    "a text that doubles": "t = 'a'\nwhile True:\n    t = t + t\n",
    "a list that doubles": "t = [1]\nwhile True:\n    t = t + t\n",
    "lists in lists": "t = []\nwhile True:\n    t = [t, t]\n",
    "a number that is squared": "n = 3\nwhile True:\n    n = n * n\n",
    "members of members of members": (
        "xs = range(90)\nok = every(every(every(a + b + c >= 0 for a in xs) for b in xs) for c in xs)\n"
    ),
    "two functions that call each other": "def f():\n    g()\n\n\ndef g():\n    f()\n\n\nf()\n",
    "a function that catches its own end": "def f():\n    try:\n        f()\n    except:\n        f()\n\n\nf()\n",
    "an endless loop in an endless loop": "while True:\n    while True:\n        pass\n",
    "a loop that catches every failure": "while True:\n    try:\n        fail('x')\n    except:\n        continue\n",
}


@pytest.mark.parametrize("name", BY_EDITS)
def test_an_edit_that_is_an_attempt_is_answered_by_a_feedback(name):
    program, state = read_program(PLAIN), Stage(PLAIN).beliefs.state
    with nothing_executed():
        found = edited(program, Correction(BY_EDITS[name]))
        if not isinstance(found, Rejection):
            found = correct(program, Correction(BY_EDITS[name]), Problem(KITCHEN, SMALL.things, state))
    assert isinstance(found, Rejection)
    assert found.feedback[0].why


@pytest.mark.parametrize("name", BY_EDITS)
def test_the_same_in_mid_course_leaves_the_program_as_it_is(name):
    stage = Stage(PLAIN, body="fake")
    runner = stage.runner()
    for _ in range(10):
        runner.step()
    with nothing_executed():
        found = correct_midway(stage.tree, Correction(BY_EDITS[name]), stage.beliefs.state)
    assert isinstance(found, Rejection)
    assert runner.run(60).status == "success"


@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_never_end_does(name):
    checked = check_program(ENDLESS[name], KITCHEN, SMALL.things)
    if isinstance(checked, RefusedProgram):
        assert checked.mistakes
        return
    assert isinstance(checked, CheckedProgram)
    stage = Stage(ENDLESS[name])
    with nothing_executed():
        end = stage.run()
    assert end.status == "failure"
    assert end.reason.code is Code.BUDGET_SPENT


def test_a_loop_put_around_what_runs_is_bound_like_any():
    stage = Stage("move(end=table0)\nmove(end=counter0)\n", body="fake")
    runner = stage.runner()
    for _ in range(10):
        runner.step()
    found = correct_midway(stage.tree, Correction((Wrap(FIRST, "while True:", 2),)), stage.beliefs.state)
    assert isinstance(found, Rejection)
    assert found.feedback[0].code in (Code.BUDGET_SPENT, Code.TIMEOUT)
