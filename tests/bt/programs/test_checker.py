import pytest

from bt.programs import CheckedProgram, check_program
from bt.programs.sorts import Typing
from semantics.logic.feedback import Code
from semantics.logic.program import TextPosition
from tests.bt.programs.worlds import FOUR, KITCHEN, SMALL, TABLETOP, mistakes


def checked(text):
    return check_program(text, KITCHEN, SMALL.things)


@pytest.mark.parametrize(
    ("text", "place", "code", "how"),
    [
        ("grasp(appel0)", (1, 7), Code.UNKNOWN_NAME, "Did you mean apple0"),
        ("pass\ngrap(apple0)", (2, 1), Code.UNKNOWN_NAME, "Did you mean grasp"),
        ("print('x')", (1, 1), Code.UNKNOWN_NAME, "say("),
        ("answer(3)", (1, 1), Code.UNKNOWN_NAME, "Write return value."),
        ("x = onn(apple0, table0)", (1, 5), Code.UNKNOWN_NAME, "Did you mean on"),
        ("if onn(apple0, table0):\n    pass", (1, 4), Code.UNKNOWN_PREDICATE, "Did you mean on"),
        ("x = on(apple0)", (1, 5), Code.WRONG_ARITY, "on(carry, support)"),
        ("x = on(apple0, milk0)", (1, 16), Code.WRONG_AFFORDANCE, "table0"),
        ("x = on('unicorn', table0)", (1, 8), Code.UNKNOWN_NAME, "There are"),
        ("grasp(3 + 4)", (1, 7), Code.WRONG_AFFORDANCE, "Name a thing"),
        ("def f(a):\n    pass\nf()", (3, 1), Code.WRONG_ARITY, "f(a)"),
        ("def f(a):\n    pass\nf(1, a=2)", (3, 1), Code.WRONG_ARITY, "f(a)"),
        ("x = objects('fruits')", (1, 13), Code.UNKNOWN_NAME, "fruit"),
        ("achieve(free(table0))", (1, 9), Code.UNKNOWN_PREDICATE, "on, in_"),
        ("achieve('(in appel0 fridge0)')", (1, 9), Code.UNKNOWN_NAME, "apple0"),
        ("for x in range(3):\n    grasp(x)", (2, 11), Code.WRONG_AFFORDANCE, "Name a thing"),
        ("x = 'a' - 1", (1, 5), Code.UNREADABLE, "a number"),
        ("grasp(human0, apple0, table0, table0)", (1, 7), Code.WRONG_AFFORDANCE, "robot0"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_would_be_right(text, place, code, how):
    first = mistakes(text)[0]
    assert (tuple(first.place), first.feedback.code) == (place, code)
    assert how in first.feedback.how


@pytest.mark.parametrize(
    "text",
    [
        "grasp(robot0, apple0, table0, table0)",
        "grasp(apple0, table0, table0)",
        "grasp(apple0)",
        "grasp(o=apple0, from_=table0)",
        "grasp(apple)",
        "place(apple0, table0)",
        "def f(x):\n    grasp(x)\nf(apple0)",
        "if True:\n    x = 1\nelse:\n    x = 2\nsay(x)",
        "handover(human0, milk0)",
        "x = ask('Which?')\ngrasp(x)",
    ],
)
def test_what_is_right_is_taken(text):
    assert isinstance(checked(text), CheckedProgram)


def test_a_class_stands_for_its_one_thing_and_for_no_more():
    assert isinstance(check_program("unstack(yellow_block)", TABLETOP, FOUR.things), CheckedProgram)
    assert mistakes("unstack(block)", TABLETOP, FOUR)[0].feedback.code is Code.UNKNOWN_NAME


def test_undefined_functions_are_listed_by_name_with_their_places():
    text = "clear_table(table0)\nx = biggest(objects('fruit'))\nif True:\n    clear_table(counter0)\nprint(1)"
    found = {one.name: one for one in checked(text).unresolved}
    assert set(found) == {"clear_table", "biggest"}
    assert found["clear_table"].call == "clear_table(table0)"
    assert found["clear_table"].places == (TextPosition(1, 1), TextPosition(4, 5))
    defined = "def clear_table(x):\n    pass\ndef biggest(xs):\n    return xs[0]\n" + text.replace("print", "say")
    assert isinstance(checked(defined), CheckedProgram)


def test_a_name_is_known_from_where_it_is_first_given_a_value():
    assert mistakes("say(x)\nx = 1")[0].place == TextPosition(1, 5)


@pytest.mark.parametrize(
    ("head", "middle", "tail"),
    [
        ("abs(", "1", ")"),
        ("1 - (", "1", ")"),
        ("on(", "cup0", ", table0)"),
        ("get_position(", "cup0", ")"),
        ("every(", "True", " for y in [1])"),
        ("[", "1", " for y in [1]]"),
    ],
)
def test_a_part_is_checked_once_however_deep_it_stands(monkeypatch, head, middle, tail):
    parts = []
    check = Typing._sort_of
    monkeypatch.setattr(Typing, "_sort_of", lambda self, *args: parts.append(1) or check(self, *args))
    check_program("x = " + head * 20 + middle + tail * 20, KITCHEN, SMALL.things)
    assert 20 <= len(parts) < 200
