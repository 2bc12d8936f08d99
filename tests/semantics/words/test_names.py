from dataclasses import replace

import pytest

from semantics.errors import EmbeddingsUnavailableError
from semantics.words.names import Ambiguous, MatchKind, NameIndex, Resolved, Unknown
from tests.semantics.toy import thing, vocabulary

WORDS = vocabulary()
SCREWS = ("screw0", "screw1", "screw2")


def resolve(words, vocabulary, affordance=None, embed=None):
    return NameIndex(vocabulary, embed).resolve(words, affordance)


def named(words, affordance=None, **others):
    found = resolve(words, WORDS, affordance=affordance, **others)
    assert isinstance(found, Resolved), found
    return found


@pytest.mark.parametrize(
    ("words", "names", "how"),
    [
        ("hammer0", ("hammer0",), MatchKind.SYMBOL),
        ("hammer 0", ("hammer0",), MatchKind.SYMBOL),
        ("the tool_chest0", ("tool_chest0",), MatchKind.SYMBOL),
        ("hammer", ("hammer0",), MatchKind.CLASS),
        ("The Hammer", ("hammer0",), MatchKind.CLASS),
        ("the tool chest", ("tool_chest0",), MatchKind.CLASS),
        ("the tool-chest", ("tool_chest0",), MatchKind.CLASS),
        ("the benches", ("bench0",), MatchKind.CLASS),
        ("a spanner", ("wrench0",), MatchKind.SYNONYM),
        ("my spanner", ("wrench0",), MatchKind.SYNONYM),
        ("workbenches", ("bench0",), MatchKind.SYNONYM),
        ("the hmamer", ("hammer0",), MatchKind.SPELLING),
        ("the wrnch", ("wrench0",), MatchKind.SPELLING),
    ],
)
def test_one_thing_is_named(words, names, how):
    found = named(words)
    assert (found.names, found.how, found.choose) == (names, how, 1)
    assert bool(found.note) == (how not in (MatchKind.SYMBOL, MatchKind.CLASS))


@pytest.mark.parametrize(
    ("words", "names", "choose"),
    [
        ("a screw", SCREWS, 1),
        ("any of the screws", SCREWS, 1),
        ("two screws", SCREWS, 2),
        ("all the screws", SCREWS, 3),
        ("every screw", SCREWS, 3),
        ("the three screws", SCREWS, 3),
        ("both boxes", ("box0", "box1"), 2),
        ("all tools", ("hammer0", "wrench0"), 2),
        ("every implement", ("hammer0", "wrench0"), 2),
        ("a tool", ("hammer0", "wrench0"), 1),
        ("all the crates", ("box0", "box1"), 2),
    ],
)
def test_several_things_are_named_and_how_many_of_them(words, names, choose):
    found = named(words)
    assert (found.names, found.choose) == (names, choose)


@pytest.mark.parametrize(
    ("words", "names"),
    [("the screws", SCREWS), ("these crates", ("box0", "box1")), ("the implements", ("hammer0", "wrench0"))],
)
def test_the_plural_with_an_article_is_all_of_them_and_says_so(words, names):
    found = named(words)
    assert (found.names, found.choose) == (names, len(names))
    assert f"all of {', '.join(names)}" in found.note


def test_a_kind_declared_in_the_plural_is_one():
    words = vocabulary()
    kinds = dict(words.kinds) | {"fixings": frozenset({"screw"})}
    things = {
        name: replace(each, kinds=frozenset({"fixings"})) for name, each in words.things.items() if "screw" in name
    }
    words = replace(words, kinds=kinds, things=things, synonyms={"fixing": "fixings"})
    assert resolve("the fixings", words).choose == 3


def test_only_some_may_be_meant_for_where_they_are():
    names = NameIndex(WORDS)
    assert names.resolve("the screw", among=frozenset({"screw1", "box0"})).names == ("screw1",)
    assert names.resolve("everything", among=frozenset({"screw1", "box0"})).names == ("box0", "screw1")
    assert names.resolve("something", among=frozenset({"screw1", "box0"})).choose == 1
    assert isinstance(names.resolve("the hammer", among=frozenset({"screw1"})), Unknown)


def test_everything_alone_says_not_which_things():
    found = resolve("everything", WORDS)
    assert isinstance(found, Unknown)
    assert "where they are" in found.how


def test_what_is_left_open_is_noted():
    assert "any 1 of screw0, screw1, screw2" in named("a screw").note


def test_an_ordinal_counts_by_name_and_says_so():
    found = named("the second screw")
    assert found.names == ("screw1",)
    assert "counting screw0, screw1, screw2" in found.note


@pytest.mark.parametrize("words", ["the fourth screw", "four screws", "the four screws"])
def test_more_than_there_are_is_unknown(words):
    found = resolve(words, WORDS)
    assert isinstance(found, Unknown)
    assert "only 3" in found.why


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("the screw", (*SCREWS, "any screw")),
        ("screw", (*SCREWS, "any screw")),
        ("screws", ("all the screws", *SCREWS, "any screw")),
        ("some screws", ("all the screws", *SCREWS, "any screw")),
        ("the two screws", ("all the screws", *SCREWS, "any screw")),
        ("the tool", ("all the tool", "hammer0", "wrench0", "any tool")),
    ],
)
def test_several_that_fit_are_asked_about(words, options):
    found = resolve(words, WORDS)
    assert isinstance(found, Ambiguous)
    assert (found.words, found.options) == (words, options)


@pytest.mark.parametrize("words", ["the screw", "screws", "the tool", "the rusty box", "the bax"])
def test_every_option_can_stand_in_the_place_of_the_words_in_doubt(words):
    found = resolve(words, WORDS)
    assert isinstance(found, Ambiguous)
    for option in found.options:
        answer = resolve(words.replace(found.words, option), WORDS)
        assert isinstance(answer, Resolved) or len(answer.options) > 1


def test_the_affordance_chooses_among_things_and_refuses_none():
    mixed = vocabulary(("box0", "drawer0", "bench0", "tool_chest0"))
    assert resolve("a furniture", mixed, affordance="open").names == ("drawer0",)
    assert resolve("the furniture", mixed, affordance="open").names == ("drawer0",)
    assert resolve("the box", mixed, affordance="open") == Resolved("the box", ("box0",), MatchKind.CLASS, fits=False)


def test_all_of_a_kind_leaves_out_none_for_want_of_an_affordance():
    found = named("all the furniture", "open")
    assert found.names == ("bench0", "drawer0", "tool_chest0")
    assert not found.fits


def test_an_unknown_adjective_is_asked_about():
    found = resolve("the red hammer", WORDS)
    assert isinstance(found, Ambiguous)
    assert found.options == ("hammer0",)
    assert "'red'" in found.why


@pytest.mark.parametrize(
    ("words", "unknown"),
    [("the hammer quickly", "quickly"), ("hammer on the bench", "on the bench"), ("in the box", None)],
)
def test_words_around_a_known_noun_are_no_part_of_it(words, unknown):
    found = resolve(words, WORDS)
    assert isinstance(found, Unknown)
    assert found.words == (unknown or words)


def test_a_class_without_a_thing_is_known_but_not_here():
    found = resolve("the lamp", WORDS)
    assert isinstance(found, Unknown)
    assert found.why == "there is no lamp here"


@pytest.mark.parametrize(
    ("words", "options"), [("the bax", ("box",)), ("a scrow", ("screw",)), ("the beach", ("bench",))]
)
def test_a_word_that_may_be_misspelt_is_asked_about(words, options):
    found = resolve(words, WORDS)
    assert isinstance(found, Ambiguous)
    assert (found.options, found.how) == (options, MatchKind.SPELLING)


def test_a_misspelt_plural_is_counted_as_one():
    assert named("all the hmamers").names == ("hammer0",)


@pytest.mark.parametrize("words", ["", "the", "  ", "a"])
def test_no_noun_names_nothing(words):
    assert resolve(words, WORDS).why in ("no thing is named", "no such thing is known")


def test_a_word_shared_by_two_classes_means_the_things_of_both():
    things = {"hammer0": thing("hammer0"), "wrench0": thing("wrench0")}
    shared = {
        name: type(each)(each.name, each.class_name, each.affordances, each.kinds, ("gadget",))
        for name, each in things.items()
    }
    words = type(WORDS)("workshop", WORDS.predicates, shared, WORDS.classes)
    found = resolve("the gadget", words)
    assert isinstance(found, Ambiguous)
    assert found.options[:2] == ("hammer0", "wrench0")


class Likeness:
    """Knows one pair of words of like meaning."""

    def __init__(self, **values):
        self.values = values

    def similarities(self, word, words):
        return [self.values.get(each, 0.1) for each in words]


class Missing:
    def similarities(self, word, words):
        raise EmbeddingsUnavailableError("not here")


def test_a_word_of_like_meaning_is_only_suggested():
    found = resolve("the mallet", WORDS, embed=Likeness(hammer=0.7, wrench=0.65, screw=0.5))
    assert isinstance(found, Ambiguous)
    assert (found.words, found.options, found.how) == ("mallet", ("hammer", "wrench"), MatchKind.MEANING)


def test_a_flat_likeness_suggests_nothing():
    assert isinstance(resolve("the unicorn", WORDS, embed=Likeness(hammer=0.4, wrench=0.39)), Unknown)


def test_meaning_is_asked_last():
    assert named("hammer", embed=Missing()).how is MatchKind.CLASS
    assert named("hmamer", embed=Missing()).how is MatchKind.SPELLING


def test_a_missing_model_is_said_and_does_no_harm():
    found = resolve("the mallet", WORDS, embed=Missing())
    assert isinstance(found, Unknown)
    assert "graftwork[embeddings]" in found.why


def test_only_things_with_the_affordance_are_suggested():
    found = resolve("the mallet", WORDS, affordance="open", embed=Likeness(hammer=0.9, drawer=0.5))
    assert found.options == ("drawer",)
