"""From where left and right are meant, said in words, in the full kitchen."""

from functools import cache

import pytest

from domains import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.language.offline import interpret
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import Quantity
from semantics.logic.state import State


@cache
def kitchen():
    domain = load_domain("kitchen")
    scene = load_scene(domain, "full")
    return domain.vocabulary(scene.things, scene.speaker), State(scene.facts)


def read(sentence):
    return interpret(sentence, *kitchen())


FORK = "put the fork left of the plate"
VIEWPOINTS = {
    "seen from the robot": "robot0",
    "as seen from the fridge": "fridge0",
    "viewed from the front of the fridge": "fridge0",
    "as seen from the door": "fridge0",
    "looking from the counter": "counter0",
    "from my side": "human0",
    "from my side of the table": "human0",
    "from your side": "robot0",
    "from your point of view": "robot0",
    "from the robot's perspective": "robot0",
    "from the person's point of view": "human0",
    "from the point of view of the robot": "robot0",
    "seen from where I stand": "human0",
    "from where you are standing": "robot0",
    "from here": "human0",
    "as I see it": "human0",
    "as the robot sees it": "robot0",
    "seen from a table": "table0",
}


@pytest.mark.parametrize("words", VIEWPOINTS)
@pytest.mark.parametrize("form", ["{fork} {words}", "{fork}, {words}, please", "{words}, {fork}"])
def test_a_viewpoint_is_read(form, words):
    goal = read(form.format(fork=FORK, words=words))
    assert isinstance(goal, Goal), goal
    assert goal.formula == parse_formula(f"(left_of_seen_from fork0 plate0 {VIEWPOINTS[words]})")


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        (FORK, "(left_of fork0 plate0)"),
        ("put the cup behind the plate from your side", "(behind_seen_from cup0 plate0 robot0)"),
        (
            "put the apple in the top left corner of the table seen from the robot",
            "(in_top_left_corner_of_seen_from apple0 table0 robot0)",
        ),
        (
            "put the cup at the left edge of the counter from my side",
            "(at_left_edge_of_seen_from cup0 counter0 human0)",
        ),
        (
            "put the fork left of the plate and the knife right of it, seen from the robot",
            "(and (left_of_seen_from fork0 plate0 robot0) (right_of_seen_from knife0 plate0 robot0))",
        ),
        (
            "put the fork left of the plate from my side and the knife right of it from your side",
            "(and (left_of_seen_from fork0 plate0 human0) (right_of_seen_from knife0 plate0 robot0))",
        ),
        (
            "put the fork left of the plate seen from the robot and bring me the milk",
            "(and (left_of_seen_from fork0 plate0 robot0) (inhand milk0 human0))",
        ),
    ],
)
def test_what_is_said_from_a_viewpoint(sentence, goal):
    read_goal = read(sentence)
    assert isinstance(read_goal, Goal), read_goal
    assert read_goal.formula == parse_formula(goal)


def test_a_viewpoint_holds_for_what_comes_later():
    goal = read("from your side, put the fork left of the plate, then put the knife right of the plate")
    assert [each.formula for each in (goal, *goal.later)] == [
        parse_formula("(left_of_seen_from fork0 plate0 robot0)"),
        parse_formula("(right_of_seen_from knife0 plate0 robot0)"),
    ]


def test_a_distance_belongs_to_the_relation_with_its_viewer():
    goal = read("put the fork 5 cm left of the plate seen from the robot")
    assert goal.values == (("place_left_of_seen_from.distance", Quantity(5, "cm")),)


@pytest.mark.parametrize(
    ("sentence", "code", "told"),
    [
        (f"{FORK} seen from the moon", Code.UNKNOWN_NAME, "What would do here: counter0, table0, sink0"),
        ("put the fork next to the plate seen from the robot", Code.NOT_UNDERSTOOD, "Say it with a direction"),
        ("bring me the milk, seen from the robot", Code.NOT_UNDERSTOOD, "Say it with a direction"),
        (f"from my side, {FORK} from your side", Code.NOT_UNDERSTOOD, "Say one of them"),
        (f"{FORK} seen from", Code.UNKNOWN_NAME, "after 'plate' it is not understood"),
    ],
)
def test_a_viewpoint_that_means_nothing_is_refused_with_what_would_do(sentence, code, told):
    answer = read(sentence)
    assert isinstance(answer, Rejection), answer
    assert answer.feedback[0].code is code
    assert told in str(answer.feedback[0])


def test_a_side_table_is_no_side():
    answer = read(f"{FORK} from my side table")
    assert isinstance(answer, Question)
    assert "my side table" in answer.text


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("from your side", "'Seen from robot0' is meant as robot0 sees, from where robot0 stands in the end."),
        (
            "seen from the fridge",
            "'Seen from fridge0' is meant as one sees who stands at the front of fridge0 and faces it.",
        ),
    ],
)
def test_whose_view_was_meant_is_told(words, note):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        episode = session.handle(f"put the cup left of the plate {words}")
    assert episode.outcome in (Outcome.ACHIEVED, Outcome.ALREADY), episode.message
    assert note in episode.notes


def test_what_has_no_front_is_refused_with_what_has_one():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        episode = session.handle(f"{FORK} seen from the cup")
    assert episode.outcome is Outcome.REFUSED
    assert "counter0, fridge0, human0" in episode.message
