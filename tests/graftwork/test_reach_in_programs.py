"""A program asks what is in reach, and free points of an area are searched among those that the arm reaches."""

from math import dist

import pytest

from graftwork import Outcome, Session

ASKED = """
far = corner(table0, "top right", 0.01)
return [reachable(green_block), reachable(point(far[0], far[1])), reachable(point(0.53, 0, 2.5)), reachable(middle0)]
"""


def tabletop(robot: str) -> Session:
    return Session(domain="tabletop", scene="four", robot=robot, memory=None)


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_a_program_learns_what_is_in_reach_and_asking_moves_nothing_and_changes_no_belief(robot):
    with tabletop(robot) as session:
        body, watcher = session.environment.robot, session.environment.watcher
        watcher.refresh()
        before = watcher.state, body.observation().agents
        episode = session.program(ASKED).finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert episode.answer["value"] == [True, robot == "fake", False, True]
        assert (watcher.state, body.observation().agents) == before


def test_a_body_that_does_not_tell_it_refuses_and_the_program_may_catch_that():
    with tabletop("symbolic") as session:
        refused = session.program("return reachable(point(0.5, 0, 0.8))").finish()
        assert refused.outcome is not Outcome.ACHIEVED
        assert "does not tell what its hand reaches" in refused.message
        caught = session.program(
            "try:\n    x = reachable(point(0.5, 0, 0.8))\nexcept:\n    x = True\nreturn x"
        ).finish()
        assert caught.answer["value"] is True


def test_a_rehearsal_asks_the_body_as_well():
    with tabletop("fake") as session:
        run = session.program("if not reachable(green_block):\n    fail('too far')")
        assert run.rehearse().failure is None
        run.leave()


def test_a_free_point_is_one_that_the_arm_reaches_though_the_nearest_one_is_not():
    """The place, 25 cm before the base, is too near for the hand to come down."""
    text = """
spot = free_points([green_block], point(0.25, 0), 0.055)[0]
reached = [reachable(point(0.25, 0)), reachable(spot)]
pick_up(green_block)
place(green_block, where=spot)
return reached
"""
    with tabletop("pybullet") as session:
        episode = session.program(text).finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert episode.answer["value"] == [False, True]
        session.sleep(0.5)
        assert dist(where_green_is(session), (0.25, 0.0)) < 0.06


def test_a_region_is_searched_among_the_places_that_the_arm_reaches():
    """Most of the region, its middle among it, is too near the base."""
    text = "pick_up(green_block)\nplace(green_block, where=box(point(0.17, -0.025), point(0.32, 0.025)))"
    with tabletop("pybullet") as session:
        episode = session.program(text).finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        session.sleep(0.5)
        x, y = where_green_is(session)
        assert 0.17 < x < 0.32
        assert abs(y) < 0.025


def where_green_is(session: Session) -> tuple[float, float]:
    x, y, _ = session.environment.robot.observation().sightings["green_block"].box.centre
    return x, y
