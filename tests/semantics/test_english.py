import pytest

from semantics.english import Quantity, noun_phrase, singulars


@pytest.mark.parametrize(
    ("words", "head", "quantity", "count", "ordinal"),
    [
        ("cup", "cup", Quantity.THE, 1, 0),
        ("the cup", "cup", Quantity.THE, 1, 0),
        ("The Red Cup", "red cup", Quantity.THE, 1, 0),
        ("an apple", "apple", Quantity.ANY, 1, 0),
        ("any of the cups", "cups", Quantity.ANY, 1, 0),
        ("one of the cups", "cups", Quantity.ANY, 1, 0),
        ("something to eat", "something to eat", Quantity.ANY, 1, 0),
        ("some cups", "cups", Quantity.SOME, 1, 0),
        ("all cups", "cups", Quantity.ALL, 1, 0),
        ("all of the cups", "cups", Quantity.ALL, 1, 0),
        ("every cup", "cup", Quantity.ALL, 1, 0),
        ("two cups", "cups", Quantity.COUNT, 2, 0),
        ("3 cups", "cups", Quantity.COUNT, 3, 0),
        ("two of the cups", "cups", Quantity.COUNT, 2, 0),
        ("the two cups", "cups", Quantity.THE_COUNT, 2, 0),
        ("both cups", "cups", Quantity.THE_COUNT, 2, 0),
        ("both of the cups", "cups", Quantity.THE_COUNT, 2, 0),
        ("the second cup", "cup", Quantity.THE, 1, 2),
        ("3rd cup", "cup", Quantity.THE, 1, 3),
        ("two", "two", Quantity.THE, 1, 0),
        ("the", "", Quantity.THE, 1, 0),
        ("", "", Quantity.THE, 1, 0),
    ],
)
def test_a_determiner_is_taken_off(words, head, quantity, count, ordinal):
    found = noun_phrase(words.split())
    assert (found.head, found.quantity) == (tuple(head.split()), quantity)
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
