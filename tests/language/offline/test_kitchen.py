"""The interpreter with the real kitchen: what is understood, what is refused, what is asked."""

from functools import cache

import pytest

from domains.reader import load_domain, load_scene
from graftwork.language.offline import interpret
from semantics.logic.atoms import dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.goal_check import check_goal
from semantics.logic.parsing import parse_formula
from semantics.logic.rules import RuleBook
from semantics.logic.state import State


@cache
def kitchen():
    domain = load_domain("kitchen")
    scene = load_scene(domain, "full")
    return domain.vocabulary(scene.things, scene.speaker), RuleBook(domain.rules), State(scene.facts)


def read(sentence):
    return interpret(sentence, kitchen()[0])


def checked(sentence):
    goal = read(sentence)
    assert isinstance(goal, Goal), goal
    words, rules, state = kitchen()
    return check_goal(goal, words, rules=rules, state=state)


MILK = "(inhand milk0 human0)"
APPLE = "(on apple0 counter0)"
FRUIT = "(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))"
SINK = "(and (in sponge0 sink0) (in cup0 sink0))"
JUICE = "(and (in juice0 fridge0) (closed fridge0))"

UNDERSTOOD = {
    "put the apple on the counter": APPLE,
    "Put the apple on the counter.": APPLE,
    "Please put the apple on the counter!": APPLE,
    "could you please put the apple onto the counter?": APPLE,
    "place an apple on the worktop": APPLE,
    "I want you to set the apple on the kitchen counter": APPLE,
    "I'd like you to lay the apple on top of the counter, please": APPLE,
    "move the apple to the counter": APPLE,
    "take the apple over to the counter": APPLE,
    "take the apple and put it on the counter": APPLE,
    "pick up the apple, then put it on the counter": APPLE,
    "grab the apple and bring it to the counter": APPLE,
    "put apple0 on counter0": APPLE,
    "clean the table": "(clean table0)",
    "wipe the table with the sponge": "(and (clean table0) (wet sponge0))",
    "put the aplpe on the coutner": APPLE,
    "bring me the milk": MILK,
    "Hey robot, bring me the milk": MILK,
    "give me the milk now": MILK,
    "hand the milk to me": MILK,
    "fetch me the milk carton, thank you": MILK,
    "would you get me the milk": MILK,
    "bring the milk to the person": MILK,
    "pass me a carton of milk": MILK,
    "bring me the mlik": MILK,
    "put the sponge and the cup in the sink": SINK,
    "put the sponge and cup into the sink": SINK,
    "put both the sponge and the cup in the sink": SINK,
    "put the sponge in the sink and put the cup in the sink": SINK,
    "take the sponge and the cup and put them in the sink": SINK,
    "put all the fruit on the shelf": FRUIT,
    "put all fruits on the shelf": FRUIT,
    "put every piece of fruit on the shelf": FRUIT,
    "move all of the fruit to the shelf": FRUIT,
    "put the apple, the banana, the lemon and the orange on the shelf": FRUIT,
    "open the fridge": "(opened fridge0)",
    "open up the refrigerator please": "(opened fridge0)",
    "open the fridge for me": "(opened fridge0)",
    "go to the fridge and open it": "(opened fridge0)",
    "shut the icebox": "(closed fridge0)",
    "put the juice in the fridge and close it": JUICE,
    "put the juice in the fridge. Close the fridge.": JUICE,
    "put the juice in the fridge; close the fridge": JUICE,
    "throw away the banana": "(in banana0 trash0)",
    "throw the banana away": "(in banana0 trash0)",
    "throw the banana in the bin": "(in banana0 trash0)",
    "take the milk out of the fridge": "(not (in milk0 fridge0))",
    "take the milk out of the fridge and put it on the table": "(and (not (in milk0 fridge0)) (on milk0 table0))",
    "pick up the knife": "(inhand knife0 robot0)",
    "come to me": "(at robot0 human0)",
    "go to the table": "(at robot0 table0)",
    "bring me a mug": "(or (inhand mug0 human0) (inhand mug1 human0))",
    "give the human the milk": MILK,
    "bring the person a carton of milk": MILK,
    "give me the milk, please": MILK,
    "get the milk for me": MILK,
    "fetch the milk for the person": MILK,
    "grab me the milk": MILK,
    "hand the man an apple": "(inhand apple0 human0)",
    "open the fridge for the human": "(opened fridge0)",
    "open the door": "(opened fridge0)",
    "shut the fridge door": "(closed fridge0)",
    "put the fruits on the shelf": FRUIT,
    "throw away the cans": "(and (in can0 trash0) (in can1 trash0))",
    "bring me the mugs": "(and (inhand mug0 human0) (inhand mug1 human0))",
    "put the apple on the top of the counter": APPLE,
    "put down the apple on the counter": APPLE,
    "put the apple down on the counter": APPLE,
    "throw the banana into the bin": "(in banana0 trash0)",
    "bring me both mugs": "(and (inhand mug0 human0) (inhand mug1 human0))",
    "bring me all the mugs and cups": "(and (inhand mug0 human0) (inhand mug1 human0) (inhand cup0 human0))",
    "bring me the second mug": "(inhand mug1 human0)",
    "bring me either the apple or the banana": "(or (inhand apple0 human0) (inhand banana0 human0))",
    "take an apple or a banana and put it on the table": "(or (on apple0 table0) (on banana0 table0))",
    "put a mug in the sink and the cup on the table": (
        "(or (and (in mug0 sink0) (on cup0 table0)) (and (in mug1 sink0) (on cup0 table0)))"
    ),
    "get me something to drink": (
        "(or (inhand cola0 human0) (inhand juice0 human0) (inhand milk0 human0) (inhand water_bottle0 human0))"
    ),
}


@pytest.mark.parametrize("sentence", UNDERSTOOD)
def test_a_sentence_is_understood_and_passes_the_check(sentence):
    answer = checked(sentence)
    assert isinstance(answer, CheckedGoal), answer
    assert set(answer.conjuncts) == set(dnf(parse_formula(UNDERSTOOD[sentence])))
    assert answer.goal.text == sentence


CHECKED_OUT = {
    "put the apple on the table and in the fridge": (Code.CONTRADICTION, "apple0"),
    "put the apple on the table and the counter": (Code.CONTRADICTION, "apple0"),
    "put the fridge on the table": (Code.WRONG_AFFORDANCE, "fridge0"),
    "put the apple in the table": (Code.WRONG_AFFORDANCE, "table0"),
    "put the plate on the cheese": (Code.WRONG_AFFORDANCE, "cheese0"),
    "bring me the counter": (Code.WRONG_AFFORDANCE, "counter0"),
    "open the banana": (Code.WRONG_AFFORDANCE, "banana0"),
    "give the milk to the apple": (Code.WRONG_AFFORDANCE, "apple0"),
    "open the fridge and close it": (Code.CONTRADICTION, "fridge0"),
    "put all the furniture on the shelf": (Code.WRONG_AFFORDANCE, "fridge0"),
    "put the cup on the table and bring the cup to me": (Code.CONTRADICTION, "cup0"),
    "pick up the apple and grab the banana": (Code.CONTRADICTION, "robot0"),
}


@pytest.mark.parametrize("sentence", CHECKED_OUT)
def test_what_is_understood_and_cannot_be_is_refused_by_the_check(sentence):
    answer = checked(sentence)
    assert isinstance(answer, Rejection), answer
    code, culprit = CHECKED_OUT[sentence]
    assert {each.code for each in answer.feedback} == {code}
    assert culprit in {name for each in answer.feedback for name in each.culprits}


REFUSED = {
    "bring me the unicorn": (Code.UNKNOWN_NAME, "unicorn"),
    "put the sponge and the unicorn in the sink": (Code.UNKNOWN_NAME, "unicorn"),
    "put the apple on the sofa bed": (Code.UNKNOWN_NAME, "sofa bed"),
    "bring me the egg": (Code.UNKNOWN_NAME, "egg"),
    "bring me five mugs": (Code.UNKNOWN_NAME, "five mugs"),
    "put the apple on the table or in the fridge": (Code.UNKNOWN_NAME, "in the fridge"),
    "put the apple on the table happily": (Code.UNKNOWN_NAME, "happily"),
    "put it on the table": (Code.UNKNOWN_NAME, "it"),
    "put the apple on the table and bring them to me": (Code.UNKNOWN_NAME, "them"),
    "bring me the apple and the banana or the milk": (Code.UNKNOWN_NAME, "the apple and the banana or the milk"),
    "put everything on the table": (Code.UNKNOWN_NAME, "everything"),
    "don't open the fridge": (Code.NOT_UNDERSTOOD, "not"),
    "do not put the apple on the counter": (Code.NOT_UNDERSTOOD, "not"),
    "put no apples on the counter": (Code.NOT_UNDERSTOOD, "no"),
    "put all the fruit but no apple on the shelf": (Code.NOT_UNDERSTOOD, "no"),
    "never open the fridge": (Code.NOT_UNDERSTOOD, "never"),
    "if the fridge is open, bring me the milk": (Code.NOT_UNDERSTOOD, "if"),
    "when I come home, open the fridge": (Code.NOT_UNDERSTOOD, "when"),
    "put the apple": (Code.NOT_UNDERSTOOD, "put"),
    "put the cup far from the plate": (Code.NOT_UNDERSTOOD, "put"),
    "put it back": (Code.NOT_UNDERSTOOD, "put"),
    "put the milk away": (Code.NOT_UNDERSTOOD, "away"),
    "give the milk": (Code.NOT_UNDERSTOOD, "give"),
    "give the unicorn the milk": (Code.NOT_UNDERSTOOD, "unicorn"),
    "open": (Code.NOT_UNDERSTOOD, "open"),
    "bring me the milk and dance": (Code.NOT_UNDERSTOOD, "dance"),
    "empty the table": (Code.NOT_UNDERSTOOD, "empty"),
    "is the unicorn in the fridge?": (Code.UNKNOWN_NAME, "unicorn"),
    "where is the unicorn?": (Code.UNKNOWN_NAME, "unicorn"),
    "bringe mir die Milch": (Code.NOT_UNDERSTOOD, "bringe"),
    "apporte-moi le lait": (Code.NOT_UNDERSTOOD, "apporte-moi"),
    "принеси мне молоко": (Code.NOT_UNDERSTOOD, "принеси"),
    "把牛奶拿给我": (Code.NOT_UNDERSTOOD, "把牛奶拿给我"),
    "bring me the 🍎": (Code.NOT_UNDERSTOOD, "🍎"),
    "bring me the milk\x07": (Code.NOT_UNDERSTOOD, "U+0007"),
    "bring me the mi\u200blk": (Code.NOT_UNDERSTOOD, "U+200B"),
    "(inhand milk0 human0)": (Code.NOT_UNDERSTOOD, "("),
    "bring me $(milk)": (Code.NOT_UNDERSTOOD, "$"),
    "asdf ghjk": (Code.NOT_UNDERSTOOD, "asdf"),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_sentence_is_refused_with_the_word_to_blame(sentence):
    answer = read(sentence)
    assert isinstance(answer, Rejection), answer
    blamed = {(each.code, culprit) for each in answer.feedback for culprit in each.culprits}
    assert REFUSED[sentence] in blamed
    assert all(each.what and each.why and each.how for each in answer.feedback)


@pytest.mark.parametrize(
    "sentence",
    ["", "   ", "\n", "?!", "please", "a" * 10_000, "bring me the milk " * 600, "and " * 50],
)
def test_what_asks_for_nothing_or_too_much_is_refused(sentence):
    answer = read(sentence)
    assert isinstance(answer, Rejection), answer
    assert [each.code for each in answer.feedback] == [Code.NOT_UNDERSTOOD]
    assert len(str(answer)) < 800


ASKED = {
    "bring me the mug": ("the mug", ("mug0", "mug1", "any mug")),
    "bring me mugs": ("mugs", ("all the mugs", "mug0", "mug1", "any mug")),
    "put the ripe apple on the counter": ("the ripe apple", ("apple0",)),
    "bring me the big mug": ("the big mug", ("mug0", "mug1")),
    "bring me the grass": ("grass", ("glass",)),
    "brimg me the milk": ("brimg", ("bring",)),
    "opn the fridge": ("opn", ("open",)),
    "wife the table": ("wife", ("wipe",)),
    "put the banana in the bowl and bring it to me": ("it", ("the bowl", "the banana")),
    "the milk": ("the milk", ()),
}


@pytest.mark.parametrize("sentence", ASKED)
def test_a_sentence_in_doubt_is_asked_about(sentence):
    answer = read(sentence)
    assert isinstance(answer, Question), answer
    words, options = ASKED[sentence]
    assert answer.options == options
    assert answer.feedback.code is Code.AMBIGUOUS
    assert answer.feedback.culprits == (words,)
    assert words in answer.text
    assert all(option in answer.text for option in options)


@pytest.mark.parametrize("sentence", [sentence for sentence, (_, options) in ASKED.items() if options])
def test_an_option_in_the_place_of_the_words_in_doubt_is_understood(sentence):
    words, options = ASKED[sentence]
    for option in options:
        answer = read(sentence.replace(words, option))
        assert isinstance(answer, Goal) or (isinstance(answer, Question) and answer.feedback.culprits != (words,))


def test_what_was_assumed_is_noted():
    goal = read("take the aplpe and put it on the worktop")
    assert len(goal.notes) == 4
    for part in (
        "'the aplpe' was read as apple0 (spelling)",
        "'it' was read as",
        "counter0 (synonym)",
        "a step on the way",
    ):
        assert any(part in note for note in goal.notes)


def test_a_plain_sentence_needs_no_note():
    assert read("put the apple on the counter").notes == ()


@pytest.mark.parametrize(
    "sentence",
    ["bring me the unicorn", "put the apple on the unicorn", "empty the table", "put the cup far from the plate"],
)
def test_a_refusal_lists_a_few_names_only(sentence):
    answer = read(sentence)
    assert isinstance(answer, Rejection)
    assert all(each.how.count(",") <= 5 for each in answer.feedback)
    assert len(str(answer)) < 250


@pytest.mark.parametrize("sentence", ["bring me the unicorn", "put the apple on the unicorn"])
def test_for_a_word_like_no_other_a_few_things_and_the_command_that_lists_all_are_told(sentence):
    (error,) = read(sentence).feedback
    assert error.how.startswith("What would do here: ")
    assert error.how.endswith(" and others (graftwork scene lists them).")
    assert "food" not in error.how, "a category is no answer"


def test_a_long_clause_is_not_repeated_in_full():
    answer = read("juggle " + "very " * 80 + "well")
    assert len(str(answer)) < 300
    assert "…" in answer.feedback[0].what
