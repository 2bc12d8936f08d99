import pytest
from hypothesis import given, strategies as st

from bt.correction import at_line
from bt.correction.correct import difference
from bt.correction.edits import edited, spots
from bt.programs import read_program, write_program
from semantics.logic.correction import Correction, Edit, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.feedback import Code
from semantics.logic.goal import Rejection
from semantics.logic.program import Program

TEXT = """\
def tidy(thing):
    grasp(thing)


take(cup0)
if on(cup0, table0):
    wash(cup0)
    dry(cup0)
else:
    say('gone')
give(cup0, human0)
"""


def program(text: str = TEXT) -> Program:
    read = read_program(text)
    assert isinstance(read, Program), str(read)
    return read


def after(*edits: Edit, text: str = TEXT) -> list[str]:
    done = edited(program(text), Correction(edits))
    assert isinstance(done, Program), str(done)
    return [line.strip() for line in write_program(done).splitlines() if line]


def refused(*edits: Edit) -> str:
    done = edited(program(), Correction(edits))
    assert isinstance(done, Rejection)
    return str(done)


def test_an_argument_is_replaced_wherever_it_stands_in_the_statement():
    assert after(Replace(StatementPlace((2,)), "cup0", "cup1"))[-1] == "give(cup1, human0)"
    assert after(Replace(StatementPlace((1,)), "cup0", "cup1"))[3] == "if on(cup1, table0):"
    assert after(Replace(StatementPlace((1, 1, 0)), "'gone'", "'no'"))[-2] == "say('no')"
    assert after(Replace(StatementPlace((0,), "tidy"), "thing", "cup0"))[1] == "grasp(cup0)"


def test_statements_are_put_before_the_spot_and_at_the_end():
    assert after(Insert(StatementPlace((0,)), "say('hello')\nwait()"))[2:4] == ["say('hello')", "wait()"]
    assert after(Insert(StatementPlace((3,)), "rest()"))[-1] == "rest()"
    assert after(Insert(StatementPlace((1, 0, 1)), "rinse(cup0)"))[4:7] == ["wash(cup0)", "rinse(cup0)", "dry(cup0)"]


def test_a_statement_is_left_out_and_a_block_is_never_empty():
    assert "take(cup0)" not in after(Remove(StatementPlace((0,))))
    left = after(Remove(StatementPlace((1, 0, 0))), Remove(StatementPlace((1, 0, 0))))
    assert left[left.index("if on(cup0, table0):") + 1] == "pass"
    filled = after(
        Remove(StatementPlace((1, 0, 0))), Remove(StatementPlace((1, 0, 0))), Insert(StatementPlace((1, 0, 0)), "go()")
    )
    assert "pass" not in filled


def test_a_statement_is_moved_to_before_the_one_that_was_named():
    assert after(Move(StatementPlace((2,)), StatementPlace((0,))))[2:4] == ["give(cup0, human0)", "take(cup0)"]
    assert after(Move(StatementPlace((0,)), StatementPlace((3,))))[-1] == "take(cup0)"
    assert after(Move(StatementPlace((0,)), StatementPlace((1, 0, 1))))[3:5] == ["wash(cup0)", "take(cup0)"]
    assert after(Move(StatementPlace((0,)), StatementPlace((0,)))) == after()


@pytest.mark.parametrize(
    ("head", "lines"),
    [
        ("if clean(cup0):", ["if clean(cup0):", "give(cup0, human0)"]),
        ("for number in range(2):", ["for number in range(2):", "give(cup0, human0)"]),
        ("while free():", ["while free():", "give(cup0, human0)"]),
        ("try:", ["try:", "give(cup0, human0)", "except:", "pass"]),
        ("try:\nexcept:\n    say('sorry')", ["try:", "give(cup0, human0)", "except:", "say('sorry')"]),
    ],
)
def test_statements_are_put_under_a_line(head: str, lines: list[str]):
    assert after(Wrap(StatementPlace((2,)), head))[-len(lines) :] == lines


def test_several_neighbours_go_under_one_line():
    assert after(Wrap(StatementPlace((0,)), "if go():", 3))[2:4] == ["if go():", "take(cup0)"]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Replace(StatementPlace((2,)), "cup9", "cup1"), "Did you mean 'cup0'?"),
        (Replace(StatementPlace((7,)), "cup0", "cup1"), "statement 8 is not there: there are 3 statements"),
        (Replace(StatementPlace((2,)), "cup0", "cup1, cup2"), "not one argument"),
        (Replace(StatementPlace((2,)), "cup0", "__import__('os').system('ls')"), "edit 1:"),
        (Insert(StatementPlace((9,)), "go()"), "statement 10 is not there"),
        (Insert(StatementPlace((0,)), "import os"), "edit 1:"),
        (Insert(StatementPlace((0,)), "def f():\n    go()"), "only statements can be put in"),
        (Insert(StatementPlace((0,)), ""), "at least one"),
        (Remove(StatementPlace((0, 0, 0))), "the statement around it has 0 blocks"),
        (Remove(StatementPlace((1, 0))), "a path holds"),
        (Remove(StatementPlace((0,), "tidied")), "there is no function 'tidied'"),
        (Move(StatementPlace((1,)), StatementPlace((1, 0, 0))), "cannot be moved into itself"),
        (Move(StatementPlace((1,)), StatementPlace((5, 0, 0))), "there are 3 statements"),
        (Wrap(StatementPlace((0,)), "go()"), "edit 1:"),
        (Wrap(StatementPlace((0,)), "if go():", 9), "there are 3 statements"),
        (Wrap(StatementPlace((0,)), "if go():", 0), "at least one"),
    ],
)
def test_an_edit_that_cannot_be_done_is_told_and_nothing_is_changed(edit: Edit, said: str):
    assert said in refused(edit)


def test_when_a_later_edit_cannot_be_done_it_is_named_by_its_number():
    assert "edit 2: remove" in refused(Remove(StatementPlace((0,))), Remove(StatementPlace((8,))))
    done = edited(program(), Correction((Replace(StatementPlace((2,)), "cup9", "cup1"),)))
    assert isinstance(done, Rejection)
    assert (done.feedback[0].code, done.feedback[0].culprits) == (Code.UNKNOWN_NAME, ("cup9",))


def test_a_spot_is_found_by_the_line_of_the_text():
    text = write_program(program()).splitlines()
    for number, line in enumerate(text, start=1):
        spot = at_line(program(), number)
        if line.strip() in ("", "else:") or line.startswith("def"):
            assert spot is None
        else:
            assert edited(program(), Correction((Remove(spot),))) != program()
    assert at_line(program(), 99) is None


def test_the_difference_is_told_in_words():
    new = edited(
        program(),
        Correction(
            (
                Replace(StatementPlace((2,)), "human0", "human1"),
                Remove(StatementPlace((0,))),
                Insert(StatementPlace((2,)), "rest()"),
            )
        ),
    )
    assert isinstance(new, Program)
    assert difference(program(), new) == (
        "'give(cup0, human0)' becomes 'give(cup0, human1)'.",
        "'rest()' is added after 'give(cup0, human1)'.",
        "'take(cup0)' is left out.",
    )
    assert difference(program(), program()) == ()


def test_what_is_done_elsewhere_is_told_as_such():
    new = edited(program("a()\nb()\nc()\n"), Correction((Move(StatementPlace((2,)), StatementPlace((0,))),)))
    assert isinstance(new, Program)
    assert difference(program("a()\nb()\nc()\n"), new) == ("'c()' is done before 'a()'.",)


@given(st.data())
def test_a_statement_put_in_and_left_out_again_leaves_the_program(data: st.DataObject):
    spot = data.draw(st.sampled_from([spot for spot, _ in spots(program())]))
    there_and_back = Correction((Insert(spot, "rest()"), Remove(spot)))
    assert edited(program(), there_and_back) == program()


@given(st.data())
def test_moving_loses_and_doubles_nothing(data: st.DataObject):
    every = [spot for spot, _ in spots(program())]
    moved = edited(program(), Correction((Move(data.draw(st.sampled_from(every)), data.draw(st.sampled_from(every))),)))
    if isinstance(moved, Program):
        lines = [sorted(line.strip() for line in write_program(one).splitlines()) for one in (moved, program())]
        assert [line for line in lines[0] if line != "pass"] == lines[1]
