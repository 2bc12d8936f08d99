"""Programs ask what things are like."""

import pytest

from bt.programs.checker import CheckedProgram, check_program
from bt.programs.evaluation import ExpressionEvaluator, Trouble
from bt.programs.language import Language
from domains.reader import load_domain, load_scene
from graftwork import Session
from semantics.logic.atoms import And, Atom, Or
from semantics.logic.program import ProgramLimits, RefusedProgram
from semantics.logic.state import State
from tests.bt.programs.test_evaluation import expression
from tests.bt.programs.worlds import KITCHEN, SMALL


def evaluation(*told, **values):
    state = State(SMALL.facts.union(Atom(*fact) for fact in told))
    return ExpressionEvaluator(Language(KITCHEN, SMALL.things), state, values, ProgramLimits())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("colour(cup0)", "blue"),
        ("colour(cup0) == 'blue'", True),
        ("colour('cup0') != 'red'", True),
        ("colour(cup0, 'blue')", True),
        ("colour(cup0, blue)", True),
        ("holds('(colour cup0 red)')", False),
        ("material(apple0)", ""),
        ("material(apple0, 'wood')", False),
        ("size(apple0)", 6.5),
        ("size(apple0) < size(banana0)", True),
        ("[x for x in objects('fruit') if colour(x) == 'yellow']", ["banana0"]),
        ("max([weight(x) for x in objects('fruit')])", 150.0),
        ("'the cup is ' + colour(cup0)", "the cup is blue"),
    ],
)
def test_a_program_asks_for_values(text, value):
    assert evaluation().value(expression(text)) == value


def test_what_a_body_has_told_counts_and_several_values_are_said_together():
    painted = evaluation(("colour", ("cup0", "red")), ("colour", ("cup0", "white")))
    assert painted.value(expression("colour(cup0)")) == "red and white"
    assert painted.value(expression("colour(cup0, 'white')")) is True


def test_a_goal_of_a_program_holds_what_is_known_already():
    assert evaluation().formula(expression("colour(cup0, 'blue')")) == And(())
    assert evaluation().formula(expression("colour(cup0, 'red')")) == Or(())


def test_a_number_that_is_not_known_is_a_reason():
    with pytest.raises(Trouble, match="the weight of table0 is not known"):
        evaluation().value(expression("weight(table0)"))


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("kept = colour(cup0) == 'bleu'", "'bleu': colour has no such value. Did you mean blue?"),
        ("kept = colour(cup0, 'rod')", "'rod': colour has no such value. Did you mean red?"),
        ("kept = holds('(colour cup0 rod)')", "'rod': colour has no such value. Did you mean red?"),
        ("kept = colour(cup9)", "nothing has this name here"),
        ("kept = colour()", "it takes 1 arguments by place"),
        ("kept = size(cup0, 'big')", "it takes 1 arguments by place, here are 2"),
        ("kept = colour(cup0) + 1 < 3", "what is reckoned with or compared is a number"),
        ("colour(cup0)", "it is a question and does nothing"),
        ("def colour(x):\n    return x\n", "this name has a meaning here already"),
    ],
)
def test_a_mistake_is_told_before_anything_moves(program, why):
    refused = check_program(program, KITCHEN, SMALL.things)
    assert isinstance(refused, RefusedProgram)
    assert any(why in str(mistake) for mistake in refused.mistakes), refused.mistakes


def test_a_name_of_a_program_may_be_that_of_an_attribute():
    assert isinstance(check_program("size = 3\nkept = size + 1\n", KITCHEN, SMALL.things), CheckedProgram)


def test_a_program_sorts_by_colour_on_the_symbolic_body():
    program = """
for block in objects("block"):
    for bowl in objects("bowl"):
        if colour(block) == colour(bowl):
            achieve(in_(block, bowl))
"""
    with Session("tabletop", "four", robot="symbolic", memory=None) as session:
        episode = session.program(program).finish()
        assert episode.outcome == "achieved", episode.message
        every = "(forall (?x - block ?w - bowl ?c - colour) (imply (and (colour ?x ?c) (colour ?w ?c)) (in ?x ?w)))"
        assert session.handle(goal=every).outcome == "already"


def test_worlds_without_attributes_have_no_such_questions():
    blocks = load_domain("blocks")
    refused = check_program("kept = colour(a)", blocks, load_scene(blocks, "sussman").things)
    assert isinstance(refused, RefusedProgram)
