"""Words and names set right before any rung, and never set wrong."""

import pytest

from benchmarks.copal_ladder.normalisation import Meant, completed, meant
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import State

BAR = load_domain("barman")
COUNTER = load_scene(BAR, "counter")
KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")

SAME = [
    "get soda_bottle rack left_hand",
    "[Ropa to Roco] get soda_bottle from rack left_hand",
    "(get robot0 left_hand soda_bottle rack)",
    "get(soda_bottle, rack, left_hand)",
    "Get the Soda-Bottle from the rack with the left hand.",
    'take "soda_bottle" from "rack" hand_left',
    "3. grab soda bottle from rack_1 using left_hand,",
    "get sodabottle from rack left_hand",
    "get robot0 robot0 soda_bottle from rack left_hand",
    "get soda_bottel from rack left_hand",
]


@pytest.mark.parametrize("text", SAME)
def test_the_same_command_is_read_however_it_is_written(text):
    said = meant(text, BAR, COUNTER.things)
    assert isinstance(said, Meant), said
    assert (said.capability, said.binding) == (
        "get",
        {"o": "soda_bottle", "from": "rack", "h": "left_hand"} | _agent(said),
    )


def _agent(said):
    return {name: one for name, one in said.binding.items() if name == "a"}


@pytest.mark.parametrize(
    ("text", "capability", "binding"),
    [
        ("open soda_bottle", "unscrew", {"b": "soda_bottle"}),
        ("open cooler", "open_door", {"d": "cooler"}),
        ("switch_on blender", "finger_push", {"d": "blender"}),
        ("pour soda_bottle tall_glass 100", "pour", {"b": "soda_bottle", "to": "tall_glass"}),
        ("pour mixing_cup tall_glass 1_dosis", "pour_mix", {"c": "mixing_cup", "to": "tall_glass"}),
        ("put milk_bottle into the refrigerator", "put_in", {"o": "milk_bottle", "d": "cooler"}),
        ("put tall_glass serving_trays", "put", {"o": "tall_glass", "to": "serving_tray"}),
        ("put tall_glass tray-7.", "put", {"o": "tall_glass", "to": "serving_tray"}),
        ("look at lemon_bowl", "gaze", {"o": "lemon_bowl"}),
    ],
)
def test_other_words_for_the_same_deed_are_decided_by_what_is_acted_upon(text, capability, binding):
    said = meant(text, BAR, COUNTER.things)
    assert isinstance(said, Meant), said
    assert (said.capability, said.binding) == (capability, binding)
    assert said.changed or text.split()[0] == capability


@pytest.mark.parametrize(
    ("text", "code", "culprit"),
    [
        ("", Code.UNREADABLE, None),
        ("get tomato_bottle from rack", Code.UNKNOWN_NAME, "tomato_bottle"),
        ("put lemon_bore counter", Code.UNKNOWN_NAME, "lemon_bore"),
        ("juggle soda_bottle", Code.UNKNOWN_NAME, "juggle"),
        ("put glass_1 counter", Code.AMBIGUOUS, "glass_1"),
        ("open tall_glass", Code.WRONG_AFFORDANCE, "tall_glass"),
        ("put soda_water counter", Code.WRONG_AFFORDANCE, "soda_water"),
    ],
)
def test_what_has_no_sure_meaning_is_told_and_located(text, code, culprit):
    said = meant(text, BAR, COUNTER.things)
    assert isinstance(said, Feedback)
    assert said.code is code
    assert culprit is None or culprit in said.culprits


def test_the_nearest_names_are_offered():
    told = meant("get aple_bole from rack", BAR, COUNTER.things)
    assert "apple_bottle" in told.how


def test_what_is_not_said_is_taken_from_what_is_believed():
    state = State(COUNTER.facts, COUNTER.numbers)
    said = meant("get ginger_bottle", BAR, COUNTER.things)
    whole = completed(said, Problem(BAR, COUNTER.things, state))
    assert str(whole) == "(get robot0 left_hand ginger_bottle rack)"
    assert whole.applicable(state)
    poured = completed(
        meant("pour ginger_bottle into tall_glass", BAR, COUNTER.things), Problem(BAR, COUNTER.things, state)
    )
    assert str(poured) == "(pour robot0 left_hand ginger_bottle ginger_beer tall_glass)"


def test_what_can_never_be_is_told_and_not_done():
    said = meant("pour soda_bottle lemon", BAR, COUNTER.things)
    assert isinstance(said, Meant)
    told = completed(said, Problem(BAR, COUNTER.things, State(COUNTER.facts, COUNTER.numbers)))
    assert isinstance(told, Feedback)
    assert told.code is Code.WRONG_AFFORDANCE


@pytest.mark.parametrize("name", sorted(SMALL.things.keys() - {"robot0"}))
def test_every_name_means_itself_also_in_other_letters(name):
    for written in (name, name.upper(), f"'{name}'.", name.replace("_", "-")):
        said = meant(f"move {written}", KITCHEN, SMALL.things)
        assert isinstance(said, Feedback) == ("location" not in SMALL.things[name].affordances)
        assert isinstance(said, Feedback) or name in said.binding.values()
