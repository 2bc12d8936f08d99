"""What people say in other ways than the phrases of a world do: order, topics, what is in front, denials, vessels."""

import re

import pytest

from graftwork.language.offline import recasts
from semantics.logic.goal import Goal, Rejection
from tests.language.offline.test_described import read

NO_CUPS = "(and (not (on cup0 table0)) (not (on cup0 shelf0)))"
CUP_AND_PLATE = "(and (in cup0 sink0) (in plate0 sink0))"
MUGS_APART = "(or (and (in mug0 sink0) (on mug1 table0)) (and (in mug1 sink0) (on mug0 table0)))"
CAN_ON_TABLE = "(or (on can0 table0) (on can1 table0))"
ALL_IN_BOWL = (
    "(and (in blue_block red_bowl) (in green_block red_bowl) (in red_block red_bowl) (in yellow_block red_bowl))"
)


@pytest.mark.parametrize(
    ("world", "scene", "sentence", "stages"),
    [
        ("kitchen", "full", "the milk, put it on the counter", "(on milk0 counter0)"),
        ("kitchen", "full", "bring me the apple, no, the banana", "(inhand banana0 human0)"),
        ("kitchen", "full", "put the cup on the table, no, on the shelf", "(on cup0 shelf0)"),
        ("kitchen", "full", "put the fork, I mean the knife, in the sink", "(in knife0 sink0)"),
        (
            "kitchen",
            "full",
            "the bowl goes on the table, and the cereal and the spoon do too",
            "(and (on bowl0 table0) (on cereal0 table0) (on spoon0 table0))",
        ),
        (
            "kitchen",
            "full",
            "the apple belongs in the bowl, and so does the banana",
            "(and (in apple0 bowl0) (in banana0 bowl0))",
        ),
        (
            "kitchen",
            "full",
            "put the cheese on the plate along with the tomato",
            "(and (on cheese0 plate0) (on tomato0 plate0))",
        ),
        ("kitchen", "full", "one of the cans goes on the table, the other stays on the shelf", CAN_ON_TABLE),
        ("kitchen", "full", "I'd like a can on the table, just one", CAN_ON_TABLE),
        ("kitchen", "full", "have the cup washed and put on the shelf", "(and (clean cup0) (on cup0 shelf0))"),
        ("kitchen", "full", "could the milk be kept in the fridge", "(in milk0 fridge0)"),
        ("kitchen", "full", "the tomato gets put on the plate", "(on tomato0 plate0)"),
        ("kitchen", "full", "could the cup be put on the shelf", "(on cup0 shelf0)"),
        ("kitchen", "full", "I'd feel better with the fridge closed", "(closed fridge0)"),
        ("kitchen", "full", "milk and juice on the table", "(and (on milk0 table0) (on juice0 table0))"),
        (
            "kitchen",
            "full",
            "put the milk on the counter and close the fridge once it's out",
            "(on milk0 counter0), then (closed fridge0)",
        ),
        ("kitchen", "full", "it wastes power, so close the fridge", "(closed fridge0)"),
        ("kitchen", "full", "you forgot the milk, put it on the counter", "(on milk0 counter0)"),
        ("barman", "counter", "the bowl of mint belongs on the rack", "(on mint_bowl rack)"),
        ("barman", "counter", "turn off the coolre", "(not (powered cooler))"),
        ("kitchen", "full", "Where did the milk go? Bring it to me.", "(inhand milk0 human0)"),
        (
            "kitchen",
            "full",
            "put the cup and the plate in the sink, the cup first",
            "(in cup0 sink0), then (in plate0 sink0)",
        ),
        ("kitchen", "full", "put the cup in the sink followed by the plate", "(in cup0 sink0), then (in plate0 sink0)"),
        (
            "kitchen",
            "full",
            "before the plate goes in the sink, the cup has to be in there",
            "(in cup0 sink0), then (in plate0 sink0)",
        ),
        ("kitchen", "full", "the cup and the plate both belong in the sink", "(and (in cup0 sink0) (in plate0 sink0))"),
        ("kitchen", "full", "from the shelf, fetch me the jam", "(inhand jam0 human0)"),
        ("kitchen", "full", "the cup, can you put that in the sink", "(in cup0 sink0)"),
        ("kitchen", "full", "I need a cup, the blue one, can you bring it over", "(inhand cup0 human0)"),
        ("kitchen", "full", "okay robot, bring me the milk", "(inhand milk0 human0)"),
        ("kitchen", "full", "Breakfast time. Bring me the bread.", "(inhand bread0 human0)"),
        ("kitchen", "full", "I'd be much obliged if the plate could find its way into the sink", "(in plate0 sink0)"),
        ("kitchen", "full", "got any apples? bring me one", "(inhand apple0 human0)"),
        ("kitchen", "full", "bring me an apple, i don't care which", "(inhand apple0 human0)"),
        ("kitchen", "full", "bring me teh aplpe", "(inhand apple0 human0)"),
        ("kitchen", "full", "make sure I get the red mug, not the green one", "(inhand mug1 human0)"),
        ("kitchen", "full", "come over here", "(at robot0 human0)"),
        (
            "kitchen",
            "full",
            "if there is milk in the fridge, bring it to me, otherwise bring me the juice",
            "(inhand milk0 human0)",
        ),
        ("kitchen", "full", "the cola should not be in the fridge", "(not (in cola0 fridge0))"),
        (
            "kitchen",
            "full",
            "neither the apple nor the banana should stay on the table",
            "(and (not (on apple0 table0)) (not (on banana0 table0)))",
        ),
        ("kitchen", "full", "the fridge must not be left open", "(closed fridge0)"),
        ("kitchen", "full", "don't leave the fridge open", "(closed fridge0)"),
        (
            "kitchen",
            "full",
            "wash one of the two mugs and put that one on the table",
            "(or (and (clean mug0) (on mug0 table0)) (and (clean mug1) (on mug1 table0)))",
        ),
        (
            "kitchen",
            "full",
            "collect the silverware in the sink",
            "(and (in fork0 sink0) (in knife0 sink0) (in spoon0 sink0))",
        ),
        ("barman", "counter", "switch the cooler off", "(not (powered cooler))"),
        ("barman", "counter", "I want the cooler off", "(not (powered cooler))"),
        ("barman", "counter", "the cooler shouldn't be running", "(not (powered cooler))"),
        ("barman", "counter", "put the milk on the serving tray", "(on milk_bottle serving_tray)"),
        (
            "blocks",
            "sussman",
            "stack the blocks red on green on blue",
            "(and (on green_block blue_block) (on red_block green_block))",
        ),
        (
            "blocks",
            "sussman",
            "I'd like a tower with blue at the bottom, green in the middle and red on top",
            "(and (on green_block blue_block) (on red_block green_block))",
        ),
        (
            "blocks",
            "sussman",
            "put the green block on the blue block and then the red block on the green one",
            "(on green_block blue_block), then (and (on red_block green_block) (on green_block blue_block))",
        ),
        (
            "tabletop",
            "four",
            "the blocks all belong in the red bowl",
            ALL_IN_BOWL,
        ),
        (
            "tabletop",
            "four",
            "tidy the blocks away into the red bowl",
            ALL_IN_BOWL,
        ),
        (
            "tabletop",
            "four",
            "put the green block in the corner at the top right",
            "(lies green_block top_right_corner)",
        ),
    ],
)
def test_a_sentence_is_put_in_the_words_of_the_world(world, scene, sentence, stages):
    goal = read(sentence, world, scene)
    assert isinstance(goal, Goal), goal
    assert ", then ".join(str(stage.formula) for stage in goal.stages) == stages


def test_what_is_put_in_place_of_a_sentence_stands_in_it():
    for said, meant, _ in recasts._recasts():
        parts = set(re.findall(r"\\g<(\w+)>", meant))
        assert parts <= recasts._pattern(said, frozenset({"put"})).groupindex.keys(), (said, meant)


@pytest.mark.parametrize(
    ("world", "scene", "sentence", "goal"),
    [
        ("kitchen", "full", "I want the milk from the fridge", "(inhand milk0 human0)"),
        ("kitchen", "full", "the milk from the fridge please", "(inhand milk0 human0)"),
        ("kitchen", "full", "no cups on the table or the shelf", NO_CUPS),
        ("kitchen", "full", "put the apple in the bowl, no, the banana in the bowl", None),
        ("kitchen", "full", "put the cup and the plate in the sink, no, the plate on the table", None),
        ("kitchen", "full", "put the cup on the table, no, the mug", None),
        ("kitchen", "full", "bring me everything except the apple, no, the banana", None),
        (
            "kitchen",
            "full",
            "put the cup in the sink, actually the plate too",
            "(and (in cup0 sink0) (in plate0 sink0))",
        ),
        ("kitchen", "full", "one mug should be in the sink, the other should be on the table", MUGS_APART),
        ("kitchen", "full", "make sure one mug is in the sink, the other is on the table", MUGS_APART),
        ("kitchen", "full", "put the two cans on each other", "(or (on can0 can1) (on can1 can0))"),
        ("tabletop", "four", "stack the blocks on top of each other", None),
        ("tabletop", "four", "put the blocks next to each other", None),
    ],
)
def test_nothing_else_and_nothing_less_is_meant(world, scene, sentence, goal):
    answer = read(sentence, world, scene)
    assert not isinstance(answer, Goal) or str(answer.formula) == goal, answer


@pytest.mark.parametrize(
    "sentence",
    [
        "put nothing on the table",
        "never put the cup in the sink",
        "put the cup there",
    ],
)
def test_what_would_lose_a_word_is_refused(sentence):
    assert isinstance(read(sentence), Rejection)
