import json
import os

import pytest
from hypothesis import HealthCheck, given, settings

from bt.document import document
from bt.programs import (
    CheckedProgram,
    check_program,
    compile_program,
    read_program,
    write_program,
)
from semantics.logic.program import Program
from tests.bt.programs.documents import DocumentError, program_from_document, program_of
from tests.bt.programs.worlds import KITCHEN, SMALL, Stage
from tests.bt.programs.written import programs
from tests.bt.toy import ToyBeliefs, ToyRobot

EXAMPLES = int(os.environ.get("GRAFTWORK_EXAMPLES", "60"))
MANY = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def tree_of(program: Program):
    checked = check_program(program, KITCHEN, SMALL.things)
    assert isinstance(checked, CheckedProgram), str(checked)
    robot = ToyRobot([])
    return compile_program(checked, beliefs=ToyBeliefs(robot), robot=robot)


@MANY
@given(programs())
def test_what_is_written_reads_the_same(program):
    text = write_program(program)
    assert read_program(text) == program
    assert write_program(read_program(text)) == text


@MANY
@given(programs())
def test_a_tree_comes_back_from_its_program_and_a_program_from_its_tree(program):
    tree = tree_of(program)
    again = program_of(tree)
    assert again == program
    assert document(tree_of(again)) == document(tree)
    assert program_from_document(json.loads(json.dumps(document(tree)))) == program


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("n = 1\nn += 2", "n = 1\nn = n + 2\n"),
        ("x = (1, 2)", "x = [1, 2]\n"),
        ("x = 1 < 2 < 3", "x = 1 < 2 and 2 < 3\n"),
        ("x = all(on(a, table0) for a in objects('fruit'))", "x = every(on(a, table0) for a in objects('fruit'))\n"),
        (
            'x = holds("(and (in milk0 fridge0) (not (opened fridge0)))")',
            "x = in_(milk0, fridge0) and not opened(fridge0)\n",
        ),
        ('achieve("(or (opened fridge0))")', "achieve(opened(fridge0))\n"),
        ("if True: pass\nelse:\n  if False: pass", "if True:\n    pass\nelif False:\n    pass\n"),
        ("try:\n pass\nexcept Exception:\n pass", "try:\n    pass\nexcept:\n    pass\n"),
        ('"""What it is for."""\npass', "pass\n"),
        ("x = not (1 + 2) * 3 == -(-4)", "x = not (1 + 2) * 3 == 4\n"),
        ("x = (1 - 2) - 3 - (4 - 5)", "x = 1 - 2 - 3 - (4 - 5)\n"),
        ("", ""),
    ],
)
def test_other_ways_of_writing_come_to_one_form(text, form):
    assert write_program(read_program(text)) == form


def test_what_was_ticked_of_a_tree_does_not_change_its_program():
    stage = Stage("def f(n):\n    if n > 0:\n        f(n - 1)\n\nf(4)\nmove(end=table0)\ngrasp(apple0)")
    runner = stage.runner()
    for _ in range(60):
        assert program_of(stage.tree) == stage.program
        runner.step()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "sequence"}, "sequence"),
        ({"functions": None}, "functions"),
        ({"functions": ["import os"]}, "import"),
        ({"children": []}, "children"),
        (
            {"children": [{"type": "block", "children": [{"type": "if", "text": "if True:", "children": []}]}]},
            "children",
        ),
        ({"children": [{"type": "block", "children": [{"type": "say", "text": "x.y()", "children": []}]}]}, "dot"),
    ],
)
def test_a_document_that_is_no_program_says_why(change, said):
    with pytest.raises(DocumentError, match=said):
        program_from_document(document(tree_of(read_program("pass"))) | change)
