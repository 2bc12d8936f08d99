"""Conditions are read strictly: a mistake is told with its place and the nearest name."""

import pytest
import yaml

from benchmarks.judge import ConditionError, judge, read_condition
from tests.benchmarks.judged_room import TOP, Room

MOVABLE, FIXED = ("apple0", "cup0", "sponge0"), ("counter0", "table0", "human0", "fridge0")


def read(text):
    return read_condition(yaml.safe_load(text), MOVABLE, FIXED, where="sentence 3")


@pytest.mark.parametrize(
    "text",
    [
        "on(apple0, counter0)",
        "'on( apple0 ,counter0, board=1 )'",
        "on(apple0, counter0, 2)",
        "in(apple0, cup0)",
        "upright(cup0)",
        "has(human0, apple0)",
        "open(fridge0)",
        "shut(fridge0)",
        "held(apple0)",
        "left_of(apple0, cup0, -1.57)",
        "right_of(apple0, table0, 1e-3)",
        "in_front_of(apple0, cup0, 0)",
        "behind(apple0, cup0, 3.1416)",
        "next_to(apple0, cup0, 0.1)",
        "next_to(apple0, cup0)",
        "poured(cup0, apple0)",
        "wiped(counter0, sponge0, 0.5)",
        "wiped(counter0, sponge0, share=0.5, region=[[0, 0, 1, -1.5]])",
        "unmoved(apple0, cup0)",
        "unmoved()",
        "unmoved_except(apple0)",
        "not_spilled()",
        "not_dropped(apple0)",
        "{and: ['on(apple0, counter0)', {not: 'held(apple0)'}]}",
        "{or: ['on(apple0, counter0)', 'on(apple0, table0)']}",
        "{at_least: 2, of: ['upright(cup0)', 'held(cup0)', 'moved(cup0)']}",
    ],
)
def test_the_vocabulary_can_be_read(text):
    assert read(text).text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("onn(apple0, counter0)", "sentence 3, column 1 of 'onn(apple0, counter0)': no predicate 'onn'; nearest: on"),
        ("on(aple0, counter0)", "no movable thing 'aple0'; nearest: apple0"),
        ("on(apple0, contour0)", "no name 'contour0'; nearest: counter0"),
        ("open(apple0)", "no piece of furniture 'apple0'"),
        ("on(apple0)", "on takes 2 to 3 arguments, not 1"),
        ("upright(cup0, apple0)", "takes 1 arguments, not 2"),
        ("on(apple0, counter0", "expected ',', not the end"),
        ("on apple0 counter0", "expected '('"),
        ("on(apple0 counter0)", "expected ','"),
        ("on(apple0, counter0) or", "nothing is expected after"),
        ("left_of(apple0, cup0)", "takes 3 arguments"),
        ("left_of(apple0, cup0, north)", "'north' is no number"),
        ("on(apple0, counter0, board=1.5)", "no number of a board"),
        ("on(apple0, counter0, bord=1)", "no option 'bord'; nearest: board"),
        ("on(apple0, counter0, 1, board=1)", "board is given twice"),
        ("on(apple0, counter0, board=1, board=2)", "board is given twice"),
        ("on(board=1, apple0, counter0)", "comes after one with a name"),
        ("wiped(counter0, sponge0, 0.5, region=[1, 2, 3, 4])", "list of boxes"),
        ("unmoved(apple0, counter0)", "no movable thing 'counter0'"),
        ("{andd: ['held(cup0)']}", "no key 'andd'; nearest: and"),
        ("{and: 'held(cup0)'}", "sentence 3.and: expected a list"),
        ("{and: ['held(cup0)', 'hold(cup0)']}", "sentence 3.and[1], column 1"),
        ("{and: [], or: []}", "expected one key"),
        ("{or: []}", "expected a list of conditions"),
        ("{at_least: 3, of: ['held(cup0)']}", "from 1 to 1"),
        ("{not: {not: 'helt(cup0)'}}", "sentence 3.not.not, column 1"),
        ("7", "expected a text or a mapping"),
        ("''", "expected a name or a number, not the end"),
    ],
)
def test_a_mistake_is_told_with_its_place(text, words):
    with pytest.raises(ConditionError) as caught:
        read(text)
    assert words in str(caught.value)
    assert str(caught.value).startswith("sentence 3")


def test_conditions_combine_and_every_false_part_tells_its_number():
    room = Room("counter0", "block0", "block1", "cup0")
    try:
        room.put("block0", 0, 0, TOP + 0.025)
        room.put("cup0", 0, 0.2, TOP + 0.0425)
        room.begin()
        track = room.finish()
    finally:
        room.close()
    right, wrong = "on(block0, counter0)", "on(block1, counter0)"
    assert judge({"or": [wrong, right]}, track).holds
    assert judge({"not": wrong}, track).holds
    assert judge({"at_least": 2, "of": [right, wrong, "upright(cup0)"]}, track).holds
    both = judge({"and": [right, wrong, "moved(cup0)"]}, track)
    assert both.reasons == (
        "on(block1, counter0): counter0 does not carry block1; floor0 does",
        "moved(cup0): cup0 is where it stood",
    )
    assert judge({"not": right}, track).reasons == (f"not({right}): {right} holds",)
    assert "1 of 3 hold" in judge({"at_least": 2, "of": [right, wrong, "moved(cup0)"]}, track).reasons[0]
    assert "0 of 1 hold" in judge({"or": [wrong]}, track).reasons[0]
