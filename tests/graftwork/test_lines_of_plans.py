"""A line of a plan is read however it is written, and never read wrong."""

from random import Random

import pytest

from affordances.scene import Scene
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from graftwork.decision.plan_text import read_line
from semantics.logic.feedback import Code, Feedback


def problem_of(world, scene):
    domain = load_domain(world)
    found = load_scene(domain, scene)
    return Problem(domain, found.things, Scene.as_written(found, domain).state)


BAR, KITCHEN, TOWERS = problem_of("barman", "counter"), problem_of("kitchen", "small"), problem_of("blocks", "sussman")


def said(text, problem=BAR):
    return str(read_line(text, problem))


SAME = [
    "get soda_bottle rack left_hand",
    "[Ropa to Roco] get soda_bottle from rack left_hand",
    "(get robot0 left_hand soda_bottle rack)",
    "get(soda_bottle, rack, left_hand)",
    "Get the Soda-Bottle from the rack with the left hand.",
    'take "soda_bottle" from "rack" left_hand',
    "3. grab soda bottle from rack_1 using left_hand,",
    "get robot0 robot0 soda_bottle from rack left_hand",
    "Step 2: then get soda_bottle from rack left_hand (left_hand holds it now)",
    "robot0 takes soda_bottle from rack with left_hand  # a comment",
    "- get soda_bottle rack left_hand  -- the first one",
    "I pick up the soda_bottle from the rack with left_hand",
]


@pytest.mark.parametrize("text", SAME)
def test_the_same_line_is_read_however_it_is_written(text):
    assert said(text) == "(get robot0 left_hand soda_bottle rack)"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("open soda_bottle", "(unscrew robot0 left_hand right_hand soda_bottle)"),
        ("open cooler", "(open_door robot0 left_hand cooler)"),
        ("switch_on blender", "(finger_push robot0 left_hand blender)"),
        ("pour soda_bottle tall_glass 100", "(pour robot0 left_hand soda_bottle soda_water tall_glass)"),
        ("pour mixing_cup tall_glass 1_dosis", "(pour_mix robot0 left_hand mixing_cup tall_glass)"),
        ("put milk_bottle into the refrigerator", "(put_in robot0 left_hand milk_bottle cooler)"),
        ("put tall_glass serving_trays", "(put robot0 left_hand tall_glass serving_tray)"),
        ("put tall_glass tray-7.", "(put robot0 left_hand tall_glass serving_tray)"),
        ("put tall_glass on counter with right_hand", "(put robot0 right_hand tall_glass counter)"),
        ("look at lemon_bowl", "(gaze robot0 lemon_bowl)"),
        ("add lemon to tall_glass", "(add robot0 left_hand lemon1 lemon tall_glass)"),
        ("get ginger_bottle", "(get robot0 left_hand ginger_bottle rack)"),
    ],
)
def test_what_is_acted_upon_decides_the_deed_and_the_state_what_is_not_said(text, action):
    assert said(text) == action


def test_a_value_in_pddl_is_kept():
    text = "(pour robot0 left_hand soda_bottle soda_water tall_glass :amount 30ml)"
    assert said(text) == text


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Pickup blue_block", "(unstack blue_block red_block)"),
        ("get green_block from table0 hand_right", "(pick-up green_block)"),
        ("put down the block blue_block on the table", "(put-down blue_block)"),
        ("move blue_block on top of green_block", "(stack blue_block green_block)"),
        ("stack green_block blue_block", "(stack green_block blue_block)"),
    ],
)
def test_a_world_with_other_capabilities_takes_the_same_words(text, action):
    assert said(text, TOWERS) == action


@pytest.mark.parametrize("text", ["", "   ", "```pddl", "# only a comment", "The plan is:", "[Roco to Robi]"])
def test_a_comment_or_a_heading_is_no_step(text):
    assert read_line(text, BAR) is None


@pytest.mark.parametrize(
    ("text", "code", "culprit"),
    [
        ("get tomato_bottle from rack", Code.UNKNOWN_NAME, "tomato_bottle"),
        ("put lemon_bore counter", Code.UNKNOWN_NAME, "lemon_bore"),
        ("juggle soda_bottle", Code.UNKNOWN_NAME, "juggle"),
        ("put glass_1 counter", Code.AMBIGUOUS, "glass_1"),
        ("open tall_glass", Code.WRONG_AFFORDANCE, "tall_glass"),
        ("put soda_water counter", Code.WRONG_AFFORDANCE, "soda_water"),
        ("pour soda_bottle lemon", Code.WRONG_AFFORDANCE, "lemon"),
        ("get from rack", Code.AMBIGUOUS, "soda_bottle"),
        ("(pour robot0 left_hand soda_bottle soda_water tall_glass :amount much)", Code.UNREADABLE, ""),
    ],
)
def test_what_has_no_sure_meaning_is_told_and_located(text, code, culprit):
    told = read_line(text, BAR)
    assert isinstance(told, Feedback)
    assert told.code is code
    assert not culprit or culprit in told.culprits


def test_the_nearest_names_are_offered():
    assert "apple_bottle" in read_line("get aple_bole from rack", BAR).how


@pytest.mark.parametrize("name", sorted(KITCHEN.objects.keys() - {"robot0"}))
def test_every_name_means_itself_also_in_other_letters(name):
    for written in (name, name.upper(), f"'{name}'.", name.replace("_", "-")):
        told = read_line(f"drive to {written}", KITCHEN)
        assert isinstance(told, Feedback) == ("location" not in KITCHEN.objects[name].affordances)
        assert isinstance(told, Feedback) or name in told.action.args


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("take the cup from table0", "(grasp robot0 cup0 table0 table0)"),
        ("hand the cup to human0", "(handover robot0 human0 cup0)"),
        ("(move robot0 table0 counter0)", "(move robot0 table0 counter0)"),
        ("close fridge0", "(close robot0 fridge0 fridge0)"),
        ("(place_left_of robot0 cup0 mug0 table0)", "(place_left_of robot0 cup0 mug0 table0)"),
    ],
)
def test_where_the_robot_stands_is_chosen_so_that_it_can_be_reached(text, action):
    assert said(text, KITCHEN) == action


def test_no_text_raises_an_error():
    random = Random(7)
    pieces = [
        *SAME,
        *BAR.objects,
        *BAR.domain.capabilities,
        "(",
        ")",
        ":amount",
        "30ml",
        "it",
        "::",
        "\\",
        "\x00",
        "é",
        "-",
    ]
    for _ in range(300):
        text = " ".join(random.choice(pieces)[: random.randint(1, 40)] for _ in range(random.randint(1, 8)))
        told = read_line(text, BAR)
        assert told is None or isinstance(told, Feedback) or BAR.ground(told.action).action == told.action
