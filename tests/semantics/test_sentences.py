import pytest

from semantics.parsing import parse_formula
from semantics.sentences import in_words, shortened
from semantics.vocabulary import Predicate


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
    ("formula", "words"),
    [
        ("(on a b)", "a is on b"),
        ("(or (on a b) (and (on a c) (not (on b c))))",
         "one of these: (1) a is on b, (2) a is on c and it is not so that b is on c"),
        ("(or (on a b))", "a is on b"),
        ("(or)", "nothing will do"),
    ],
)  # fmt: skip
def test_alternatives_are_numbered_since_each_may_have_several_parts(formula, words):
    on = Predicate("on", ("object", "object"), "{0} is on {1}")
    assert in_words(parse_formula(formula), {"on": on}) == words
