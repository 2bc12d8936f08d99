"""Facts about attributes in a goal are put in their place before anything is planned."""

import pytest

from semantics.logic.atoms import And, Atom
from semantics.logic.attribute_goals import over_values, settled
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal, Rejection
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from tests.semantics.words.test_description import ATTRIBUTES, WORDS


def judged(text, state=None):
    formula = parse_formula(text, variables=True, adl=True)
    return settled(Goal(formula, text), WORDS, state or State())


@pytest.mark.parametrize(
    ("goal", "left"),
    [
        ("(opened can0)", "(opened can0)"),
        ("(and (opened can0) (colour cup0 blue))", "(opened can0)"),
        ("(and (opened can0) (not (colour cup0 red)))", "(opened can0)"),
        ("(and (opened can0) (not (colour cup2 red)))", "(opened can0)"),
        ("(or (opened can0) (colour cup0 red))", "(opened can0)"),
        ("(imply (colour cup1 white) (opened can0))", "(opened can0)"),
        ("(and (opened can0) (< (size bowl0) (size bowl1)))", "(opened can0)"),
        ("(and (opened can0) (>= (size bowl0) 10))", "(opened can0)"),
        ("(colour cup0 blue)", "(and)"),
        ("(or (opened can0) (colour cup0 blue))", "(and)"),
    ],
)
def test_what_is_known_is_put_in_its_place(goal, left):
    answer = judged(goal)
    assert isinstance(answer, Goal), answer
    assert str(answer.formula) == left
    assert answer.text == goal


@pytest.mark.parametrize(
    ("goal", "code", "why"),
    [
        ("(and (opened can0) (colour cup0 red))", Code.CONTRADICTION, "the colour of cup0 is blue."),
        ("(and (opened can0) (colour cup2 red))", Code.CONTRADICTION, "the colour of cup2 is not known."),
        ("(not (colour cup1 white))", Code.CONTRADICTION, "the colour of cup1 is red and white."),
        ("(and (opened can0) (> (size bowl0) 12.5))", Code.CONTRADICTION, "the size of bowl0 is 10cm."),
        ("(colour cup9 red)", Code.UNKNOWN_NAME, "there is no such thing in the scene."),
        ("(colour cup0 rod)", Code.UNKNOWN_NAME, "'colour' has no such value."),
        ("(colour cup0)", Code.WRONG_ARITY, "'colour' is one of several values."),
        ("(size bowl0 big)", Code.WRONG_ARITY, "'size' is a number."),
        ("(< (colour cup0) 3)", Code.WRONG_ARITY, "'colour' is one of several values."),
        ("(< (size bowl4) 3)", Code.UNKNOWN_NAME, "the size of bowl4 is not known."),
    ],
)
def test_what_is_not_so_is_refused_with_what_is(goal, code, why):
    answer = judged(goal)
    assert isinstance(answer, Rejection)
    assert (answer.feedback[0].code, answer.feedback[0].why) == (code, why)


def test_an_unknown_value_is_told_with_the_nearest():
    answer = judged("(colour cup0 rad)")
    assert isinstance(answer, Rejection)
    assert answer.feedback[0].how == "Did you mean red?"


def test_what_a_body_has_told_counts():
    painted = State(frozenset({Atom("colour", ("cup0", "red"))}))
    assert isinstance(judged("(and (opened can0) (colour cup0 red))", painted), Goal)
    assert isinstance(judged("(and (opened can0) (colour cup0 blue))", painted), Rejection)


def test_a_quantifier_goes_over_the_values_of_an_attribute():
    text = "(exists (?x - carry ?m - material) (and (material ?x ?m) (opened ?x)))"
    formula = over_values(parse_formula(text, variables=True, adl=True), ATTRIBUTES)
    assert str(formula) == (
        "(exists (?x - carry) (or (and (material ?x wood) (opened ?x)) (and (material ?x steel) (opened ?x))))"
    )
    every = over_values(
        parse_formula("(forall (?m - material) (material spoon0 ?m))", variables=True, adl=True), ATTRIBUTES
    )
    assert isinstance(every, And)
    assert [str(part) for part in every.parts] == ["(material spoon0 wood)", "(material spoon0 steel)"]


def test_a_world_without_attributes_is_left_alone():
    goal = Goal(parse_formula("(colour cup0 red)"))
    assert settled(goal, type(WORDS)("toy", {}, {}, {}), State()) is goal
