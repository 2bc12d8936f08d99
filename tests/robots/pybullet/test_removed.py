"""What somebody removes from the simulation is out of sight, and no fault of the body."""

import pybullet
import pytest

from graftwork import Session
from robots.informed import body_of
from robots.pybullet import PyBulletRobot
from tests.robots.pybullet.kitchen import done, succeeds


def remove(robot: PyBulletRobot, name: str) -> None:
    world = robot.rig.world
    pybullet.removeBody(world.body(name), physicsClientId=world.client)


def test_a_thing_that_lay_on_the_counter_is_not_seen_any_more(robot: PyBulletRobot) -> None:
    assert succeeds(robot, "drive", to="counter0")
    assert "cup0" in robot.observation().sightings
    remove(robot, "cup0")
    robot.clock.sleep(0.6)
    assert "cup0" not in robot.observation().sightings
    assert succeeds(robot, "pick", object="apple0", source="counter0", at="counter0")


def test_what_the_hand_held_is_gone_and_the_robot_works_on(robot: PyBulletRobot) -> None:
    assert succeeds(robot, "drive", to="counter0")
    assert succeeds(robot, "pick", object="apple0", source="counter0", at="counter0")
    remove(robot, "apple0")
    robot.clock.sleep(0.6)
    assert robot.observation().agents["robot0"].held == ()
    assert done(robot, "place", object="apple0", target="counter0", at="counter0").feedback is not None
    assert succeeds(robot, "pick", object="cup0", source="counter0", at="counter0")


@pytest.mark.slow
@pytest.mark.parametrize("tick", [5, 60, 150])
def test_a_run_that_wanted_it_ends_with_a_reason(tick: int) -> None:
    with Session(scene="small", robot="pybullet", memory=False) as session:
        run = session.start("put the apple on the counter")
        for _ in range(tick):
            assert run.tick()
        remove(body_of(session.environment.robot), "apple0")
        episode = run.finish()
    assert episode.outcome == "failed"
    assert episode.exit_code == 1
    assert "apple" in episode.message
