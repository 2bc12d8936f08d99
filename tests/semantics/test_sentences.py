import pytest

from semantics.sentences import shortened


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
