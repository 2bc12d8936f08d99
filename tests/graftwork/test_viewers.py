"""Left and right as somebody or something else sees them: planned, done, sensed and told."""

from math import cos, pi, sin

import pytest

from domains import load_domain, load_scene
from domains.problem import Problem
from graftwork import Outcome, Session
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, State

ROBOT_SEES = Atom("left_of_seen_from", ("fork0", "plate0", "robot0"))


def full(robot="fake"):
    return Session("kitchen", "full", robot=robot, memory=None)


def along(session, heading, name):
    """Return how far left a thing is, in metres, for who looks along a heading."""
    x, y, _ = session.environment.watcher.sightings[name].box.centre
    return -x * sin(heading) + y * cos(heading)


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
@pytest.mark.parametrize("viewer", ["robot0", "human0"])
def test_the_fork_is_put_left_as_the_named_viewer_sees_it(robot, viewer):
    with full(robot) as session:
        episode = session.handle(goal=f"(left_of_seen_from fork0 plate0 {viewer})")
        watcher = session.environment.watcher
        heading = session.environment.robot.observation().agents[viewer].pose.yaw
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert Atom("left_of_seen_from", ("fork0", "plate0", viewer)) in watcher.state.atoms
        assert along(session, heading, "fork0") > along(session, heading, "plate0") + 0.08
    assert any(note.startswith(f"'Seen from {viewer}' is meant as {viewer} sees") for note in episode.notes)


def test_furniture_is_seen_from_its_front():
    with full() as session:
        episode = session.handle(goal="(left_of_seen_from cup0 plate0 fridge0)")
        furniture = load_scene(load_domain("kitchen"), "full").arrangement.furniture
        (fridge,) = (item for item in furniture if item.name == "fridge0")
        heading = fridge.pose.yaw + pi
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert along(session, heading, "cup0") > along(session, heading, "plate0") + 0.08
    assert "'Seen from fridge0' is meant as one sees who stands at the front of fridge0 and faces it." in episode.notes


def test_a_distance_and_a_corner_are_said_from_a_viewer_too():
    with full() as session:
        episode = session.handle(goal="(right_of_seen_from cup0 plate0 human0) :distance 5cm")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert "(place_right_of_seen_from robot0 cup0 plate0 human0 table0 :distance 5cm)" in episode.plan
        episode = session.handle(goal="(in_top_left_corner_of_seen_from apple0 table0 robot0)")
        assert episode.outcome is Outcome.ACHIEVED, episode.message


@pytest.mark.parametrize("viewer", ["cup0", "floor0"])
def test_what_has_no_front_is_refused_as_a_viewer(viewer):
    with full() as session:
        episode = session.handle(goal=f"(left_of_seen_from fork0 plate0 {viewer})")
    assert episode.outcome is Outcome.REFUSED
    (reason,) = episode.feedback
    assert viewer in reason.culprits
    assert "Name something that affords 'viewpoint': counter0, fridge0, human0" in reason.how


def test_what_the_robot_sees_ends_when_it_drives_elsewhere():
    kitchen = load_domain("kitchen")
    scene = load_scene(kitchen, "full")
    model = Problem(kitchen, scene.things, State(scene.facts), (frozenset({Literal(ROBOT_SEES)}),)).for_goal()
    assert ROBOT_SEES in model.ground(Action("move", ("robot0", "table0", "counter0"))).deleted
    assert ROBOT_SEES in model.ground(Action("grasp", ("robot0", "plate0", "table0", "table0"))).deleted
    assert {name for name in model.domain.capabilities if name.startswith("place_")} == {
        "place_on_top",
        "place_left_of_seen_from",
    }


def test_what_is_to_be_left_as_the_robot_sees_it_is_put_there_last():
    with full() as session:
        episode = session.handle(goal=f"(and {ROBOT_SEES} (on cup0 counter0))")
        assert ROBOT_SEES in session.environment.watcher.state.atoms
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert episode.plan[-1] == "(place_left_of_seen_from robot0 fork0 plate0 robot0 table0)"


def test_whose_view_is_meant_by_default_is_told_of_corners_too():
    with full() as session:
        episode = session.handle("put the apple in the top left corner of the table")
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert "Left, right, in front and behind are meant as human0 sees them." in episode.notes
