import pytest

from semantics.logic.sentences import pddl_in_words
from semantics.plain_text import shortened

SENTENCES = {
    "in": "{0} is in {1}",
    "closed": "{0} is closed.",
    "open": "{0} opens {1}",
    "move": "{0} goes to {2}",
}


@pytest.mark.parametrize("text", ["", "bring me the milk", "x" * 60])
def test_a_short_text_stays_as_it_is(text):
    assert shortened(text) == text


@pytest.mark.parametrize("text", ["x" * 61, "word " * 1000, "\n" * 999 + "x", "a  b" * 40])
def test_a_long_text_is_cut_on_one_line_with_an_ellipsis(text):
    short = shortened(text)
    assert len(short) <= 60
    assert "\n" not in short
    assert short.endswith("…")


def test_spaces_and_lines_become_single_spaces():
    assert shortened("a \n b\t c") == "a b c"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(in milk0 fridge0)", "milk0 is in fridge0"),
        ("(open robot0 fridge0 table0)", "robot0 opens fridge0"),
        ("(move robot0 floor0 table0 :speed 20cm/s)", "robot0 goes to table0 (speed 20cm/s)"),
        ("(and (in a b) (closed c) (not (closed d)))", "a is in b, c is closed and it is not so that d is closed"),
        ("(or (and (in a b) (closed b)) (in a c))", "one of these: (1) a is in b and b is closed, (2) a is in c"),
        ("(not (or (in a b) (in a c)))", "it is not so that one of these: (1) a is in b, (2) a is in c"),
        ("(in a b) :speed 20cm/s :force 2N, then (closed b)", "a is in b (speed 20cm/s, force 2N), then b is closed"),
        ("the goal: (closed b), (in a b): no", "the goal: b is closed, a is in b: no"),
        ("(and (>= (level c) 20ml) (in a b))", "(>= (level c) 20ml) and a is in b"),
        ("(or (in a b))", "a is in b"),
        ("(or)", "nothing will do"),
        ("(and)", "nothing is asked for"),
        ("'it (in a b)' isn't (in a b)", "'it (in a b)' isn't a is in b"),
        ("the cup's (in a b), the cup's (closed a)", "the cup's a is in b, the cup's a is closed"),
        ("(and (forall (?x - cup) (in ?x b)) (closed b))", "(forall (?x - cup) (in ?x b)) and b is closed"),
    ],
)
def test_pddl_in_a_text_becomes_sentences(text, words):
    assert pddl_in_words(text, SENTENCES) == words


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(in view)",
        "((((",
        ") (",
        "(above a b)",
        "cost 2 (first)",
        "a :speed 2m/s",
        "(move robot0 floor0)",
        "“Put the apple (in the fridge)”",
        "'Put the apple (in the fridge)'",
        '"(and (in a b) (closed b))"',
        "(forall (?x - cup) (in ?x fridge0))",
        "(exists (?x - cup) (and (in ?x fridge0) (not (closed ?x))))",
        "(imply (in a b) (closed b))",
    ],
)
def test_what_is_no_fact_of_the_world_stays_as_it_is(text):
    assert pddl_in_words(text, SENTENCES) == text


def test_eight_times_the_text_is_no_other_text():
    assert pddl_in_words("(and (in a b)) " * 800, SENTENCES) == "a is in b " * 800
    for opened in ("(", "“", "'a ", "(forall ("):
        assert pddl_in_words(opened * 5000, SENTENCES) == opened * 5000
