"""Sentences that stand for programs: what is read, what is told, what is asked, and what is left to goals."""

from functools import cache

import pytest

from domains.reader import load_domain, load_scene
from graftwork.language.dialogue import read_words
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.reply import ProgramText
from semantics.logic.state import State
from tests.language.offline.test_kitchen import kitchen


@cache
def world(name, scene_name):
    domain = load_domain(name)
    scene = load_scene(domain, scene_name)
    return domain.vocabulary(scene.things, scene.speaker), State(scene.facts)


def read(sentence, name="tabletop", scene_name="four"):
    return read_words(sentence, *world(name, scene_name))


def program(sentence, *where):
    answer = read(sentence, *where)
    assert isinstance(answer, ProgramText), answer
    return answer.text.split("\n\n\n")[-1]


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("go to (0.4, -0.1, 0.83)", "move_hand(to=point(0.4, -0.1, 0.83))"),
        (
            "please move your hand above the red bowl",
            "move_hand(to=point(get_position(red_bowl)[0], get_position(red_bowl)[1]))",
        ),
        ("lift your hand by ten centimetres", 'move_hand(to=get_position("gripper") + direction("up") * 0.1)'),
        ("go 8 cm north of (0.4, 0, 0.8)", 'move_hand(to=point(0.4, 0, 0.8) + direction("top") * 0.08)'),
        ("go 3 cm above the red block", 'move_hand(to=middle(top_of(red_block)) + direction("up") * 0.03)'),
        (
            "hold your hand over the red bowl",
            "move_hand(to=point(get_position(red_bowl)[0], get_position(red_bowl)[1]))",
        ),
        ("turn the green block by 30 degrees clockwise", "turn(green_block, angle=-30)"),
        (
            "line up the red block and the green block",
            'put_in_line([red_block, green_block], [direction("right"), direction("top")])',
        ),
    ],
)
def test_a_phrase_of_the_world_becomes_its_program(sentence, text):
    assert program(sentence) == text


OTHERS = [
    ("put the green block 4 cm from the red bowl", "put_at_gap(green_block, red_bowl, 0.04)"),
    ("leave 3 cm between the green block and the red bowl", "put_at_gap(green_block, red_bowl, 0.03)"),
    (
        "put the red block 10 cm from the left edge of the table and 12 cm from the far edge",
        "put_down(red_block, both)",
    ),
    (
        "build a tower from the red, the green and the yellow block, in this order from the bottom to the top",
        "pile(things)",
    ),
    ("give the green block a quarter turn to the left", "turn(green_block, angle=90)"),
    ("go over the red bowl with your hand and shut your gripper there", "close_gripper()"),
    ("grab the green block, move it over the red bowl and let go of it", "open_gripper()"),
    (
        "which block is closest to the blue bowl?",
        'return closest(blue_bowl, [thing for thing in objects("block") if thing != blue_bowl])',
    ),
    ("what colour is the second object from the left", "return colour(things[2 - 1])"),
    ("are there more blocks than bowls north of the bottom side", "return len(some) > len(rest)"),
    (
        "list all objects that are less than 15 cm from the red bowl",
        "return [thing for thing in others if thing not in near]",
    ),
    ("how far is the red block from the green block", "return distance(red_block, green_block)"),
    (
        "I'd like 160 ml of soda water and 80 of apple juice in the tall glass",
        "pour_amount(apple_juice, tall_glass, 80)",
        "barman",
        "counter",
    ),
    (
        "20 ml of soda water in the thimble, and twice as much apple juice",
        "pour_amount(apple_juice, thimble, 20 * 2)",
        "barman",
        "counter",
    ),
    (
        "only a little bit of ginger beer in the tall glass, please",
        "pour_amount(ginger_beer, tall_glass, 20)",
        "barman",
        "counter",
    ),
    (
        "turn the fork around so that it points exactly the other way, and leave it lying there",
        "    set_down(thing, home, get_position(thing), yaw(thing) + 180)",
        "kitchen",
        "full",
    ),
    ("leave 5 cm of space between the cup and the plate", "put_at_gap(cup0, plate0, 0.05)", "kitchen", "full"),
    (
        "lay the fork and the knife on the table side by side: from left to right the knife and the fork",
        'line_up([knife0, fork0], table0, direction("right", seen_from=table0) * (1))',
        "kitchen",
        "full",
    ),
    ("stack two of the cans, one on top of the other", "    achieve(on(things[i + 1], things[i]))", "kitchen", "full"),
]


@pytest.mark.parametrize(("sentence", "ends", "where"), [(said, ends, where) for said, ends, *where in OTHERS])
def test_gaps_edges_amounts_rows_and_what_can_be_measured_are_said_in_ordinary_words(sentence, ends, where):
    assert program(sentence, *where).split("\n")[-1] == ends


def test_from_where_somebody_counts_is_not_lost():
    assert isinstance(
        read("take the block that is second from my left and put it on the blue one"), Question | Rejection
    )


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        (
            "pour 10 cl of milk into the tall glass and then another 50 ml",
            "pour_amount(milk, tall_glass, 100)\npour_amount(milk, tall_glass, 50)",
        ),
        (
            "two cl of ginger beer and four cl of milk in the thimble",
            "pour_amount(ginger_beer, thimble, 20)\npour_amount(milk, thimble, 40)",
        ),
        ("just a splash of milk into the tall glass", 'say("I pour 20 ml of it.")\npour_amount(milk, tall_glass, 20)'),
    ],
)
def test_several_amounts_are_poured_by_a_program(sentence, text):
    assert program(sentence, "barman", "counter") == text


@pytest.mark.parametrize(
    "words", ["one third of the tall glass", "the tall glass to a third", "a third of teh tall glass"]
)
def test_a_part_of_a_vessel_is_filled_by_a_program(words):
    assert "* 33.333 / 100" in program(f"fill {words} with milk", "barman", "counter")


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("push the kettle five centimetres closer to you", "set_down(thing, viewer, end, yaw(thing))"),
        ("turn the knife anticlockwise, by about 45 degrees", "get_position(thing), yaw(thing) + 45)"),
        ("put the cup down two centimetres from the plate", "put_at_gap(cup0, plate0, 0.02)"),
        ("take the cup from the table, hold it for five seconds and put it back there", "wait(duration=5)"),
        ("line up the cup and the apple on the counter from left to right", "line_up([cup0, apple0], counter0"),
    ],
)
def test_what_no_goal_of_the_kitchen_says_is_a_program(sentence, text):
    assert text in program(sentence, "kitchen", "full")


def test_a_time_at_which_something_is_to_be_done_is_waited_for():
    goal = read("in two minutes, not before, bring me the orange", "kitchen", "full")
    assert isinstance(goal, Goal)
    assert len(goal.stages) == 2


def test_what_is_vague_or_chosen_is_told_at_the_beginning():
    assert program("move a little up").startswith("say(\"I take 'a little' as 0.05 m.\")")
    assert program("turn the green block by 90 degrees").startswith('say("I turn it counter-clockwise.")')
    assert "as 'a block'" in program("move a block 4 cm to the left")


def test_a_name_of_several_things_is_asked_about():
    answer = read("move the block 4 cm to the left")
    assert isinstance(answer, Question)
    assert set(answer.options) >= {"green_block", "red_block"}


def test_what_is_only_taken_is_moved_from_where_it_stands():
    text = program("pick up the green block and move it 3 cm towards the red bowl")
    assert "achieve" not in text
    assert "things = [green_block]" in text
    assert "toward(start, get_position(red_bowl), 0.03) - start" in text


def test_goals_and_phrases_follow_each_other_in_the_order_of_the_words():
    lines = program("put the green block in the blue bowl, then move the hand up by 5 cm").splitlines()
    assert lines[0] == 'achieve("(in green_block blue_bowl)")'
    assert lines[-1] == 'move_hand(to=start + direction("up") * 0.05)'
    before = program("move the hand up by 5 cm and then put the green block in the blue bowl").splitlines()
    assert before[-1] == 'achieve("(in green_block blue_bowl)")'


def test_functions_come_once_each_before_what_calls_them():
    text = read("stack the blocks on the left side").text
    assert text.index("def put_down(") < text.index("def put_each(") < text.index("things = ")
    assert text.count("def put_down(") == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "move the red bowl 4 cm to the left",  # it is not carried
        "move the green block 4 cm to the moon",
        "put the green block in a wavy line",
        "move the hand up by 5 cm and dance",
        "first move the hand up, but only if it rains",
        "turn the green block by 90 litres",
    ],
)
def test_what_is_not_understood_to_the_end_is_no_program(sentence):
    assert isinstance(read(sentence), Question | Rejection)


def test_goals_stay_goals():
    assert isinstance(read("put the green block on the left side"), Goal)
    assert isinstance(read("put the green block left of the red bowl"), Goal)
    words, _, state = kitchen()
    assert isinstance(read_words("put the apple on the table", words, state), Goal)


def test_a_distance_and_a_vague_one_belong_to_the_relation():
    goal = read("put the green block a little to the left of the red bowl")
    assert [(name, str(quantity)) for name, quantity in goal.values] == [("place_at_left_of.distance", "4cm")]
    assert any("'a little' was read as" in note for note in goal.notes)
    near = read("put the green block 6 cm behind the red bowl")
    assert [(name, str(quantity)) for name, quantity in near.values] == [("place_at_behind.distance", "6cm")]


def test_directions_of_the_map_are_relations():
    for words, relation in (("to the top", "behind"), ("south", "in_front_of"), ("to the west", "left_of")):
        goal = read(f"put the green block {words} of the red bowl")
        assert str(goal.formula) == f"({relation} green_block red_bowl)"
