import itertools

import pytest
from hypothesis import given, strategies as st

from affordances.elicitation.inquiry import whole_ontology
from affordances.elicitation.questions import decide, filled, parse_question
from semantics.errors import FormulaError
from semantics.logic.atoms import And, Atom, Not, Or
from tests.affordances.elicitation.plain import plain_questions


def test_a_text_without_parentheses_is_one_question():
    assert parse_question("Is {} a (kind of) drink?") == Atom("Is {} a (kind of) drink?")


def test_not_binds_before_and_and_and_before_or():
    assert parse_question("(a?) | !(b?) & (c?)") == Or((Atom("a?"), And((Not(Atom("b?")), Atom("c?")))))


def test_parentheses_group_and_may_stand_in_a_question():
    assert parse_question("((a?) | (b (or so)?)) & !!(c?)") == And(
        (Or((Atom("a?"), Atom("b (or so)?"))), Not(Not(Atom("c?"))))
    )


@pytest.mark.parametrize(
    ("text", "column"),
    [("(a?", 1), ("(a?) & ", 8), ("(a?) (b?)", 6), ("()", 1), ("((a?)", 1), ("(a?) | b?", 8), ("", 1), ("!", 2)],
)
def test_what_cannot_be_read_is_told_with_its_column(text: str, column: int):
    with pytest.raises(FormulaError) as caught:
        parse_question(text)
    assert caught.value.column == column


def test_the_mistake_in_a_second_line_is_told_with_its_line():
    with pytest.raises(FormulaError) as caught:
        parse_question("(a?)\n& b?")
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_what_the_first_part_decides_the_second_is_not_asked():
    asked: list[str] = []

    def answer(text: str) -> bool:
        asked.append(text)
        return False

    assert decide(parse_question("(a?) & (b?)"), answer) is False
    assert decide(parse_question("!(a?) | (b?)"), answer) is True
    assert asked == ["a?", "a?"]


@pytest.mark.parametrize("values", list(itertools.product([True, False, None], repeat=2)))
def test_the_unknown_stays_unknown_unless_the_other_part_decides(values: tuple[bool | None, bool | None]):
    given_answers = dict(zip(("a?", "b?"), values, strict=True))
    both = decide(parse_question("(a?) & (b?)"), given_answers.__getitem__)
    either = decide(parse_question("(a?) | (b?)"), given_answers.__getitem__)
    assert both is (False if False in values else None if None in values else True)
    assert either is (True if True in values else None if None in values else False)


@given(st.text(alphabet="(){}!&| ab?", max_size=40))
def test_any_text_is_read_or_refused(text: str):
    try:
        question = parse_question(text)
    except FormulaError:
        return
    assert all(each.strip() for each in plain_questions(question))


def test_a_class_is_put_into_a_question_with_the_right_article():
    assert filled("Is a {} cut with a {}, like {}?", "apple") == "Is an apple cut with an apple, like apple?"
    assert filled("Is a {} round?", "mug") == "Is a mug round?"


def test_every_question_of_the_ontology_asks_about_the_class():
    for name, described in whole_ontology().items():
        plain = list(plain_questions(parse_question(described.question)))
        assert plain, name
        assert all("{}" in each and each.endswith("?") for each in plain), name
