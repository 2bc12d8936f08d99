"""From where a program sees its directions: `seen_from=` of relations, of what sets down, and of places."""

import pytest

from bt.programs.evaluation import ExpressionEvaluator, Trouble
from bt.programs.language import Language
from bt.programs.place_queries import PLACE_QUERIES
from bt.programs.reader import read_program
from graftwork import Outcome, Session
from semantics.geometry.points import NORTH, MapPoint
from semantics.logic.feedback import Code
from semantics.logic.program import ProgramLimits
from semantics.logic.state import State
from tests.bt.programs.test_place_queries import SEEN, told
from tests.bt.programs.worlds import KITCHEN, SMALL, mistakes

VIEWS = {"human0": -NORTH, "fridge0": 0.0}


def value(text):
    language = Language(KITCHEN, SMALL.things)
    judge = ExpressionEvaluator(
        language, State(SMALL.facts), {}, ProgramLimits(), sightings=lambda: SEEN, views=lambda: VIEWS
    )
    return judge.value(read_program(f"kept = {text}").body[0].value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('direction("left")', (-1.0, 0.0)),
        ('direction("left", seen_from=human0)', (1.0, 0.0)),
        ('direction("left", seen_from=fridge0)', (0.0, 1.0)),
        ('corner(table0, "top left", seen_from=human0)', (1.0, -0.5, 1.0)),
        ('side(table0, "left", 0.1, seen_from=human0)', (0.9, 0.0, 1.0)),
        ("corners(table0, seen_from=human0)[0]", (1.0, -0.5, 1.0)),
        ("sides(table0, seen_from=human0)[0]", (1.0, 0.0, 1.0)),
        ("circle(point(0, 0), 1, 4, seen_from=human0)[0]", (-1.0, 0.0)),
        ('lies_to(apple0, "left", banana0)', True),
        ('lies_to(apple0, "left", banana0, seen_from=human0)', False),
        ('sorted_by([apple0, banana0], "left", seen_from=human0)', ["banana0", "apple0"]),
    ],
)
def test_a_query_is_answered_as_the_viewer_sees_it(text, expected):
    found = value(text)
    assert (told(found) if isinstance(found, MapPoint) else found) == expected


def test_every_query_with_a_direction_takes_a_viewer():
    directed = {name for name, query in PLACE_QUERIES.items() if query.directed}
    assert directed == {"circle", "corner", "corners", "direction", "lies_to", "side", "sides", "sorted_by"}
    assert PLACE_QUERIES["direction"].usage("direction") == "direction(direction[, seen_from=viewer])"


def test_a_viewer_of_whom_nobody_knows_where_they_look_is_told_with_the_others():
    with pytest.raises(Trouble) as caught:
        value('direction("left", seen_from=table0)')
    feedback = caught.value.feedback
    assert feedback.code is Code.NOT_VISIBLE
    assert feedback.how == "Say it as seen from fridge0 or human0."


@pytest.mark.parametrize(
    ("text", "code", "what"),
    [
        ('x = direction("left", seen_from=cup0)', Code.WRONG_AFFORDANCE, "Take one of: counter0"),
        ('x = direction("left", seen_from=humann0)', Code.UNKNOWN_NAME, "human0"),
        ("x = middle(table0, seen_from=human0)", Code.WRONG_ARITY, "Leave out seen_from; it goes with left_of"),
        ("x = next_to(cup0, apple0, seen_from=human0)", Code.WRONG_ARITY, "next_to does not depend on who looks"),
        ("x = left_of(cup0, apple0, seen_from=apple0)", Code.WRONG_AFFORDANCE, "does not afford 'viewpoint'"),
        ("place_left_of_seen_from(cup0, apple0)", Code.WRONG_ARITY, "it does not say who looks"),
        ("place_next_to(cup0, apple0, seen_from=human0)", Code.WRONG_ARITY, "does not fit what place_next_to takes"),
    ],
)
def test_a_viewer_that_does_not_fit_is_told_before_the_run(text, code, what):
    feedback = mistakes(text)[0].feedback
    assert feedback.code is code
    assert what in str(feedback)


def test_a_program_asks_and_acts_as_the_robot_sees_it():
    program = (
        "if left_of(fork0, plate0, seen_from=robot0):\n    fail('it is there already')\n"
        "grasp(fork0)\nplace_left_of(fork0, plate0, seen_from=robot0, distance='5 cm')\n"
        "achieve(right_of(knife0, plate0, seen_from=robot0))\n"
        "return [left_of(fork0, plate0, seen_from=robot0), lies_to(fork0, 'left', plate0, seen_from=robot0), "
        "lies_to(knife0, 'left', plate0, seen_from=robot0)]\n"
    )
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        session.handle("go to the table")
        episode = session.program(program).finish()
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert episode.answer["value"] == [True, True, False]


def test_a_rehearsal_knows_from_where_things_are_seen():
    program = "x = direction('left', seen_from=human0)\nreturn x"
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        rehearsed = session.program(program).rehearse()
    assert rehearsed.failure is None


def test_the_robot_sees_left_where_it_looks():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        yaw = session.environment.robot.observation().agents["robot0"].pose.yaw
        assert session.environment.watcher.views["robot0"] == yaw
        assert (
            session.environment.watcher.views["fridge0"] == session.environment.watcher.sightings["fridge0"].stand.yaw
        )
