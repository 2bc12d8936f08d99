import pytest

from semantics.words.english import Quantifier, noun_phrase, singulars


@pytest.mark.parametrize(
    ("words", "head", "quantifier", "count", "ordinal"),
    [
        ("cup", "cup", Quantifier.THE, 1, 0),
        ("the cup", "cup", Quantifier.THE, 1, 0),
        ("The Red Cup", "red cup", Quantifier.THE, 1, 0),
        ("an apple", "apple", Quantifier.ANY, 1, 0),
        ("any of the cups", "cups", Quantifier.ANY, 1, 0),
        ("one of the cups", "cups", Quantifier.ANY, 1, 0),
        ("something to eat", "something to eat", Quantifier.ANY, 1, 0),
        ("some cups", "cups", Quantifier.SOME, 1, 0),
        ("all cups", "cups", Quantifier.ALL, 1, 0),
        ("all of the cups", "cups", Quantifier.ALL, 1, 0),
        ("every cup", "cup", Quantifier.ALL, 1, 0),
        ("two cups", "cups", Quantifier.COUNT, 2, 0),
        ("3 cups", "cups", Quantifier.COUNT, 3, 0),
        ("two of the cups", "cups", Quantifier.COUNT, 2, 0),
        ("the two cups", "cups", Quantifier.THE_COUNT, 2, 0),
        ("both cups", "cups", Quantifier.THE_COUNT, 2, 0),
        ("both of the cups", "cups", Quantifier.THE_COUNT, 2, 0),
        ("the second cup", "cup", Quantifier.THE, 1, 2),
        ("3rd cup", "cup", Quantifier.THE, 1, 3),
        ("two", "two", Quantifier.THE, 1, 0),
        ("the", "", Quantifier.THE, 1, 0),
        ("", "", Quantifier.THE, 1, 0),
    ],
)
def test_a_determiner_is_taken_off(words, head, quantifier, count, ordinal):
    found = noun_phrase(words.split())
    assert (found.head, found.quantifier) == (tuple(head.split()), quantifier)
    assert (found.count, found.ordinal) == (count, ordinal)


@pytest.mark.parametrize(
    ("words", "definite"), [("the cups", True), ("these cups", True), ("cups", False), ("a cup", False)]
)
def test_a_noun_is_definite_when_a_word_says_so(words, definite):
    assert noun_phrase(words.split()).definite == definite


@pytest.mark.parametrize("words", ["everything", "something", "two things", "all", "all the things", "whatever"])
def test_some_words_stand_for_a_thing_of_any_kind(words):
    assert noun_phrase(words.split()).of_any_kind
    assert not noun_phrase(["the", "cup"]).of_any_kind


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("cups", "cup"),
        ("knives", "knife"),
        ("shelves", "shelf"),
        ("loaves", "loaf"),
        ("glasses", "glass"),
        ("dishes", "dish"),
        ("boxes", "box"),
        ("benches", "bench"),
        ("tomatoes", "tomato"),
        ("cherries", "cherry"),
        ("people", "person"),
        ("vases", "vase"),
        ("plates", "plate"),
    ],
)
def test_a_plural_is_led_back_to_its_noun(plural, singular):
    assert singular in singulars(plural)


@pytest.mark.parametrize("word", ["glass", "cup", "is", "fruit", "gas", "", "s"])
def test_a_singular_is_no_plural(word):
    assert singulars(word) == ()
