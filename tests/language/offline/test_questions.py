"""Questions become queries, in the words of a world; what is a wish stays a wish, and nothing is dropped silently."""

from functools import cache

import pytest

from affordances.scene import Scene
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork.language.conversation import Turn
from graftwork.language.offline import interpret
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.reply import OwnQuery, Query, QueryKind
from semantics.logic.reply_form import reply_schema


@cache
def known(domain, scene):
    world = load_domain(domain)
    written = load_scene(world, scene)
    return World.of(written, world).vocabulary, Scene.as_written(written, world).state


def read(sentence, domain="kitchen", scene="full", turns=()):
    return interpret(sentence, *known(domain, scene), turns=turns)


def told(query):
    """Return a query in short: what is asked, about what, and the condition."""
    that = "" if query.that is None or str(query.that) == "(and)" else str(query.that)
    return " ".join(filter(None, (str(query.asked), *query.about, that)))


KITCHEN = {
    "where has the banana gone?": "where banana0",
    "Do you know where the cups are?": "where cup0",
    "can you tell me where I can find the sponge": "where sponge0",
    "where are the mugs": "where mug0 mug1",
    "who's holding the spoon?": "where spoon0",
    "have you seen the knife anywhere?": "where knife0",
    "Where did you take the lemon from?": "was lemon0",
    "ok, and what is on the shelf right now?": "which (on ?x shelf0)",
    "which drinks are in the fridge": "which drink (in ?x fridge0)",
    "which of the mugs is not clean?": "which mug (not (clean ?x))",
    "what do we have in the fridge?": "which (in ?x fridge0)",
    "what's next to the plate?": "which (next_to ?x plate0)",
    "what is there to eat?": "which food",
    "which fruit is yellow?": "which fruit (colour ?x yellow)",
    "What colour is the apple?": "which colour (colour apple0 ?x)",
    "what are you holding?": "which (inhand ?x robot0)",
    "what have I got in my hand": "which (inhand ?x human0)",
    "tell me how many plates are on the table": "count plate (on ?x table0)",
    "how many things aren't on the table?": "count (not (on ?x table0))",
    "how many red mugs do we have?": "count mug (colour ?x red)",
    "Is there any bread left?": "there bread",
    "do you have a knife?": "there knife",
    "is the fridge door shut, please?": "holds (closed fridge0)",
    "isn't the fridge open?": "holds (opened fridge0)",
    "Are the apple and the orange on the table?": "holds (and (on apple0 table0) (on orange0 table0))",
    "is the cup left of the plate?": "holds (left_of cup0 plate0)",
    "has the table been wiped yet?": "holds (clean table0)",
    "is there anything in the sink": (
        "holds (or (exists (?y - carry) (in ?y sink0)) (exists (?y - liquid) (liquid_in ?y sink0)))"
    ),
    "is your hand empty?": "holds (not (exists (?y - carry) (inhand ?y robot0)))",
    "is the jam in the fridge": "holds (in jam0 fridge0)",
    "where am I": "where human0",
    "are you at the sink?": "holds (at robot0 sink0)",
    "do you have the cup?": "holds (inhand cup0 robot0)",
    "I wonder whether the milk is in the fridge.": "holds (in milk0 fridge0)",
    "why have you opened the fridge?": "why (opened fridge0)",
    "what went wrong?": "why",
    "when did you wash the cup?": "done (clean cup0)",
    "did you put the plate in the sink": "done (in plate0 sink0)",
    "have you brought me the apple already": "done (inhand apple0 human0)",
    "what did you put on the counter?": "done (on ?x counter0)",
    "what have you done so far?": "done",
    "what's next?": "next",
    "what are you up to right now": "next",
    "how much longer will it take?": "next",
    "what can you do for me?": "able",
    "what can you do with the sponge?": "able sponge0",
    "do you know how to slice vegetables?": "able (exists (?y - vegetable) (chopped ?y))",
    "are you able to open the fridge?": "able (opened fridge0)",
    "can you chop?": "able (exists (?y - consumable) (chopped ?y))",
    "who can open the fridge": "able (opened fridge0)",
    "what do you remember?": "remember",
    "what didn't you understand?": "misread",
    "is the fridge clean?": "known fridge0",
    "what's on top of the fridge?": "known fridge0",
}


@pytest.mark.parametrize("sentence", KITCHEN)
def test_a_question_is_a_query(sentence):
    query = read(sentence)
    assert isinstance(query, Query), query
    assert told(query) == KITCHEN[sentence]


@pytest.mark.parametrize(
    ("sentence", "domain", "scene", "query"),
    [
        ("how many blocks are in a bowl", "tabletop", "four", "count block (exists (?y - bowl) (in ?x ?y))"),
        ("which block is in the green bowl now", "tabletop", "four", "which block (in ?x green_bowl)"),
        ("what is on the yellow block", "blocks", "towers", "which (on ?x yellow_block)"),
        ("which blocks are on the table", "blocks", "towers", "which block (ontable ?x)"),
        ("are you holding the red block", "blocks", "towers", "holds (holding red_block)"),
        ("is there any cheese on the pizza", "pizza", "corner", "holds (contains dough0 cheese)"),
        ("what is in the ginger bottle", "barman", "counter", "known ginger_bottle"),
    ],
)
def test_other_worlds_are_asked_in_their_own_words(sentence, domain, scene, query):
    assert told(read(sentence, domain, scene)) == query


@pytest.mark.parametrize(
    "sentence",
    [
        "can you bring me the milk?",
        "could you close the fridge",
        "will you wash the cup?",
        "would you open the fridge?",
    ],
)
def test_a_wish_in_the_form_of_a_question_stays_a_wish(sentence):
    assert isinstance(read(sentence), Goal)


@pytest.mark.parametrize(
    ("sentence", "code", "culprit"),
    [
        ("where is my trombone?", Code.UNKNOWN_NAME, "trombone"),
        ("what is in the wardrobe?", Code.UNKNOWN_NAME, "wardrobe"),
        ("is the trombone on the table", Code.UNKNOWN_NAME, "trombone"),
        ("is the red cup on the table?", Code.UNKNOWN_NAME, "red cup"),
        ("are there two cups on the shelf?", Code.UNKNOWN_NAME, "two cups"),
        ("where is it?", Code.UNKNOWN_NAME, "it"),
    ],
)
def test_words_in_doubt_are_told(sentence, code, culprit):
    refused = read(sentence)
    assert isinstance(refused, Rejection)
    assert [(each.code, each.what) for each in refused.feedback] == [(code, f"'{culprit}'")]


@pytest.mark.parametrize(
    "sentence",
    [
        "was the fridge open?",
        "where does the cup belong?",
        "how are the plates stacked?",
        "is the milk cold?",
        "are some mugs not on the shelf?",
        "what time is it?",
    ],
)
def test_what_cannot_be_answered_is_refused_and_says_so(sentence):
    refused = read(sentence)
    assert isinstance(refused, Rejection), refused
    assert not any("A wish begins" in each.how for each in refused.feedback)


def test_a_question_beside_something_else_is_refused_whole():
    for sentence in ("Is the apple clean? Bring it to me.", "Close the fridge. Is the cup clean?"):
        refused = read(sentence)
        assert isinstance(refused, Rejection)
        assert "something else" in str(refused)
    assert told(read("Hello robot! Where is the apple?")) == "where apple0"


def test_which_of_several_is_asked_where_one_is_meant():
    asked = read("is the mug on the shelf?")
    assert isinstance(asked, Question)
    assert {"mug0", "mug1"} <= {*asked.options}


def test_a_pronoun_is_what_was_spoken_of():
    turns = (Turn("put the cup on the counter", things=("cup0", "counter0")),)
    assert told(read("where is it now?", turns=turns)) == "where cup0"
    assert told(read("is it clean?", turns=turns)) == "holds (clean cup0)"


def test_no_model_is_told_of_the_kinds_of_a_persons_questions():
    schema = str(reply_schema(["query"]))
    assert all(f"'{kind}'" in schema for kind in QueryKind)
    assert not any(f"'{kind}'" in schema for kind in OwnQuery)
