"""What is said around a wish: remarks, times of others, reasons, typing errors, orders without a verb."""

import pytest

from graftwork.language.offline.typing_errors import Spelling
from semantics.logic.goal import Goal, Question, Rejection
from semantics.words.names import NameIndex
from tests.language.offline.test_kitchen import kitchen, read

MILK = ["(inhand milk0 human0)"]
READ = {
    "my parents are coming, so could you bring me the milk": (MILK, "my parents are coming"),
    "my parents are coming over so uh could you bring me the milk": (MILK, "my parents are coming over"),
    "I'm tired can you bring me the milk": (MILK, "i am tired"),
    "bring me the milk, I can't see it anywhere": (MILK, "i can not see it anywhere"),
    "bring me the milk because I need it": (MILK, "because want it"),
    "bring me the milk before they get home": (MILK, "before they get home"),
    "could you bring me the milk before dinner?": (MILK, "before dinner"),
    "put the milk on the table for breakfast": (["(on milk0 table0)"], "for breakfast"),
    "The milk is getting warm; put it in the fridge.": (["(in milk0 fridge0)"], "the milk is getting warm"),
    "the milk's gone off can you throw it away": (["(in milk0 trash0)"], "the milk is gone off"),
    "The milk doesn't fit in there, so put it on the counter": (["(on milk0 counter0)"], "does not fit"),
    "I want either the cola or the juice on the table, I don't mind which": (
        ["(or (on cola0 table0) (on juice0 table0))"],
        "i do not mind which",
    ),
    "put all the fruit on the shelf but leave the lemon where it is": (
        ["(and (on apple0 shelf0) (on banana0 shelf0) (on orange0 shelf0))"],
        "lemon0 is left out",
    ),
    "put all the fruit on the shelf. Don't touch the lemon.": (
        ["(and (on apple0 shelf0) (on banana0 shelf0) (on orange0 shelf0))"],
        "lemon0 is left out",
    ),
    "bring me the milk and don't touch the lemon": (MILK, "lemon0 is left out"),
    "plese chuck the milk in teh fridge": (["(in milk0 fridge0)"], "'plese' was taken for a typing error of 'please'"),
    "bring me the milk for my coffee": (MILK, "for my coffee"),
    "bring me the knife to cut the bread": (["(inhand knife0 human0)"], "to cut the bread"),
    "there should be some milk left somewhere, bring it to me": (MILK, "left somewhere"),
    "give the table a quick wipe": (["(clean table0)"], "'wipe the table'"),
    "a lemon would be lovely": (["(inhand lemon0 human0)"], "'a lemon'"),
    "brign me the milk": (MILK, "'brign' was taken for a typing error of 'bring'"),
    "cna you opne the fridge": (["(opened fridge0)"], "'opne' was taken for a typing error of 'open'"),
}
SILENT = {
    "Into the fridge with the milk!": ["(in milk0 fridge0)"],
    "On the counter: the milk.": ["(on milk0 counter0)"],
    "On the counter, put the milk": ["(on milk0 counter0)"],
    "milk on the counter please": ["(on milk0 counter0)"],
    "The milk on the counter, the apple in the fridge": ["(and (on milk0 counter0) (in apple0 fridge0))"],
    "I want the milk": MILK,
    "make sure I get the milk": MILK,
    "hand the milk over": MILK,
    "get rid of the milk": ["(in milk0 trash0)"],
    "don't leave the fridge open": ["(closed fridge0)"],
    "1. Open the fridge. 2. Bring me the milk.": ["(opened fridge0)", *MILK],
    "first open the fridge, second bring me the milk": ["(opened fridge0)", *MILK],
    "put the milk on the counter, and the apple as well": ["(and (on milk0 counter0) (on apple0 counter0))"],
    "fetch the milk and put it on the counter": ["(on milk0 counter0)"],
    "plate and cup clean please": ["(and (clean plate0) (clean cup0))"],
    "the milk, please": MILK,
    "The milk belongs in the fridge and the cup on the shelf": ["(and (in milk0 fridge0) (on cup0 shelf0))"],
    "wash and slice the tomato": ["(and (clean tomato0) (chopped tomato0))"],
    "chill the juice": ["(in juice0 fridge0)"],
    "make sure the water is hot": ["(liquid_warm water0)"],
    "bring me the apple the lemon and the milk": [
        "(and (inhand apple0 human0) (inhand lemon0 human0) (inhand milk0 human0))"
    ],
    "slice the bread on the tray": ["(and (chopped bread0) (on bread0 tray0))"],
}


@pytest.mark.parametrize("sentence", READ)
def test_what_stands_beside_a_wish_is_left_out_and_told(sentence):
    goals, told = READ[sentence]
    goal = read(sentence)
    assert isinstance(goal, Goal), goal
    assert [str(stage.formula) for stage in goal.stages] == goals
    assert any(told in note for note in goal.notes), goal.notes


@pytest.mark.parametrize("sentence", SILENT)
def test_a_wish_in_other_forms_is_read(sentence):
    goal = read(sentence)
    assert isinstance(goal, Goal), goal
    assert [str(stage.formula) for stage in goal.stages] == SILENT[sentence]
    assert not any("remark" in note for note in goal.notes)


@pytest.mark.parametrize(
    "sentence",
    [
        "the counter is dirty",
        "put all the fruit on the shelf, the banana is rotten",  # is the banana meant?
        "bring me a mug, I like the red one",
        "bring me the milk, the apple should be on the shelf or not",
        "bring me the milk if the fridge is open",
        "bring me the milk and never open the fridge",
        "bring me the milk, you can not open the fridge",
        "bring me the milk when they get home",  # then, and not now
        "wait until the milk is warm",
        "wait for the guests",
        "put the milk on the counter. The milk is not supposed to go there.",
        "put the milk on the counter. That is wrong.",
        "put the milk on the counter, the milk is not there",
        "put the milk on the shelf. Don't touch the milk.",
        "make sure the milk is on the table and the fridge is open or so they say",
        "I meant the cup, bring me the milk",
        "bring me the milk, I changed my mind",
        "put the apple on the table, I think the banana too",
        "bring me the milk, I don't need it any more",
        "bring me the milk, I was only joking",
        "bring me a drink to recover",  # which one helps?
        "bring me the knife to cut the bread and the tomato",  # is the tomato to be brought?
        "I left something on the table, throw it away",  # there are several things
        "cut the bread with the fork",
    ],
)
def test_what_may_change_a_wish_is_no_remark(sentence):
    assert isinstance(read(sentence), Rejection | Question), read(sentence)


def test_two_statements_of_one_wish_are_both_wished():
    goal = read("make sure the milk is on the table and the apple is on the shelf")
    assert isinstance(goal, Goal)
    assert str(goal.formula) == "(and (on milk0 table0) (on apple0 shelf0))"


@pytest.mark.parametrize("word", ["cold", "form", "wasting", "where", "late", "milk", "thirty", "plates", "zqxj"])
def test_a_word_is_not_taken_for_another_one(word):
    spelling = Spelling(frozenset({"could", "from", "washing", "were", "plate", "thirsty"}), NameIndex(kitchen()[0]))
    assert spelling.meant(word) == word
    assert spelling.notes == ()


def test_a_refusal_names_the_nearest_sentence_that_can_be_read():
    answer = read("balance the cup on the plate")
    assert isinstance(answer, Rejection)
    assert "Nearest: 'put the cup on the plate'." in str(answer)
    assert isinstance(read("put the cup on the plate"), Goal)


def test_a_rule_is_told_as_not_yet_possible():
    assert "a rule for the whole way is not possible yet" in str(read("never leave the fridge open"))


def test_thirst_asks_which_drink_is_meant():
    answer = read("I am thirsty")
    assert isinstance(answer, Question)
    assert "cola0" in answer.options
