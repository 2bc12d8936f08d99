"""What is done in which order: choices, loops, functions, failures."""

import pytest

from semantics.logic.feedback import Code
from semantics.logic.program import ProgramLimits
from tests.bt.programs.worlds import Stage, failure, said


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("if True:\n    say(1)\nelse:\n    say(2)", ["1"]),
        ("if False:\n    say(1)\nelif on(apple0, table0):\n    say(2)\nelse:\n    say(3)", ["2"]),
        ("if False:\n    say(1)\nsay(2)", ["2"]),
        ("if 'juice' in 'Juice, please':\n    say(1)\nif 'milk' not in 'Juice, please':\n    say(2)", ["1", "2"]),
        ("if objects('vegetable'):\n    say(1)\nelse:\n    say(2)", ["2"]),
        ("for x in range(3):\n    say(x)", ["0", "1", "2"]),
        ("for x in []:\n    say(x)\nsay('end')", ["end"]),
        ("for x, y in [[1, 2], [3, 4]]:\n    say(x + y)", ["3", "7"]),
        ("for x in range(5):\n    if x == 1:\n        continue\n    if x == 3:\n        break\n    say(x)", ["0", "2"]),
        (
            "for x in range(2):\n    for y in range(3):\n        if y == 1:\n            break\n        say(y)",
            ["0", "0"],
        ),
        ("n = 3\nwhile n > 0:\n    n -= 1\n    say(n)", ["2", "1", "0"]),
        ("while True:\n    say(1)\n    break", ["1"]),
        ("try:\n    fail('x')\nexcept:\n    say(1)\nsay(2)", ["1", "2"]),
        ("try:\n    say(1)\nexcept:\n    say(2)", ["1"]),
        ("try:\n    x = 1 / 0\nexcept:\n    say(1)", ["1"]),
        ("for x in range(3):\n    try:\n        break\n    except:\n        say(x)\nsay('end')", ["end"]),
        ("def f(a, b):\n    say(a + b)\nf(1, b=2)", ["3"]),
        ("def f():\n    return 1\nx = f()\nsay(x)", ["1"]),
        ("def f(n):\n    if n == 0:\n        return 0\n    m = f(n - 1)\n    return m + n\nx = f(5)\nsay(x)", ["15"]),
        (
            "def f(n):\n    for x in range(9):\n        if x == n:\n            return x\ny = f(4)\nsay(y)",
            ["4"],
        ),
        ("def f(n):\n    if n > 3:\n        return n\n    return f(n + 1)\ny = f(0)\nsay(y)", ["4"]),
        ("def f():\n    x = 2\nx = 1\nf()\nsay(x)", ["1"]),
        ("def f():\n    return [1, 2]\na, b = f()\nsay(b)", ["2"]),
        ("def f():\n    return\nf()\nsay(1)", ["1"]),
        ("xs = [1]\nfor x in xs:\n    xs = xs + [2]\nsay(xs)", ["1, 2"]),
        ("", []),
    ],
)
def test_statements_are_done_in_their_order(text, heard):
    assert said(text) == heard


def test_a_choice_is_not_taken_back_by_what_it_does():
    stage = Stage("move(end=table0)\nif on(apple0, table0):\n    grasp(apple0)\n    say('got it')")
    assert stage.run().status == "success"
    assert stage.heard == ["got it"]


def test_a_query_in_a_loop_is_asked_when_the_loop_begins():
    text = """
move(end=table0)
for x in [y for y in objects("fruit") if on(y, table0)]:
    grasp(x)
    place(x, table0)
    say(x)
"""
    assert said(text) == ["apple0", "banana0"]


def test_a_while_asks_again_before_each_pass():
    assert said("while not at(robot0, table0):\n    move(end=table0)\nsay('there')") == ["there"]


def test_a_failure_passes_through_functions_and_loops():
    stage = Stage("def f():\n    for x in range(3):\n        fail('at ' + x)\n\nf()")
    assert stage.run().reason.why == "at 0"
    assert (stage.tree.failed_at.line, stage.tree.failed_at.column) == (3, 9)


def test_a_second_run_begins_with_no_values():
    stage = Stage("n = 0\nn += 1\nsay(n)")
    for _ in range(2):
        assert stage.run().status == "success"
    assert stage.heard == ["1", "1"]


@pytest.mark.parametrize(
    ("text", "limits", "said_of_it"),
    [
        ("while True:\n    pass", {"passes": 7}, "more than 7 times"),
        ("for x in range(9):\n    pass", {"passes": 7}, "more than 7 times"),
        ("def f():\n    f()\nf()", {"recursion": 3}, "more than 3 deep"),
        ("for x in range(9):\n    pass", {"steps": 5}, "more than 5 statements"),
        ("x = [1] + [2] + [3]", {"items": 2}, "more than 2 members"),
        ("x = range(3)", {"items": 2}, "more than 2 members"),
        ("x = 'abc' + 'def'", {"text": 5}, "more than 5 characters"),
        ("x = 200 + 200", {"bits": 8}, "more than 8 bits"),
        ("x = every(True for y in range(9))", {"work": 9}, "more than 9 parts"),
        ("def f():\n    f()\nf()", {"depth": 20}, "deep"),
    ],
)
def test_a_limit_that_is_reached_is_told(text, limits, said_of_it):
    reason = failure(text, limits=ProgramLimits(**limits))
    assert (reason.code, reason.recoverable) == (Code.BUDGET_SPENT, False)
    assert said_of_it in reason.why


def test_a_limit_cannot_be_caught():
    assert failure("try:\n    while True:\n        pass\nexcept:\n    say(1)").code is Code.BUDGET_SPENT


def test_asking_without_anybody_there_is_a_failure():
    stage = Stage("x = ask('Which?')")
    object.__setattr__(stage.tree.setting, "voice", None)
    assert stage.run().reason.code is Code.QUESTION


def test_a_long_answer_is_refused():
    assert failure("x = ask('Which?')", answers=["a" * 900]).code is Code.BUDGET_SPENT
