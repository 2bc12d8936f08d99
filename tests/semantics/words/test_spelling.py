import pytest
from hypothesis import given, strategies as st

from semantics.hints import distance, surely

words = st.text(alphabet="abc", max_size=6)


@pytest.mark.parametrize(
    ("one", "other", "mistakes"),
    [
        ("milk", "milk", 0),
        ("mlik", "milk", 1),
        ("aple", "apple", 1),
        ("grass", "glass", 1),
        ("refrigirater", "refrigerator", 2),
        ("", "ab", 2),
        ("unicorn", "milk", 3),
    ],
)
def test_mistakes_are_counted_up_to_the_limit(one, other, mistakes):
    assert distance(one, other) == mistakes


@given(words, words)
def test_the_distance_is_the_same_both_ways_and_zero_only_for_the_same(one, other):
    assert distance(one, other, 9) == distance(other, one, 9)
    assert (distance(one, other, 9) == 0) == (one == other)


@given(words, words)
def test_a_limit_only_cuts_off(one, other):
    assert distance(one, other, 2) == min(distance(one, other, 9), 2)


@given(words, st.integers(0, 6), st.sampled_from("abc"))
def test_one_letter_more_is_one_mistake(word, at, letter):
    assert distance(word[:at] + letter + word[at:], word) == 1


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("mlik", "milk"),
        ("aple", "apple"),
        ("bananna", "banana"),
        ("couxter", "counter"),
        ("refrigirater", "refrigerator"),
    ],
)
def test_a_slip_of_the_fingers_is_sure(written, meant):
    assert surely(written, meant)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("grass", "glass"), ("cap", "cup"), ("pear", "bear"), ("stable", "table"), ("mink", "milk"), ("milk", "milk")],
)
def test_another_word_is_not_sure(written, meant):
    assert not surely(written, meant)
