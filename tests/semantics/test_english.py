import pytest

from semantics.english import NounPhrase, Quantity, noun_phrase, singulars


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
    assert noun_phrase(words.split()) == NounPhrase(tuple(head.split()), quantity, count, ordinal)


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
