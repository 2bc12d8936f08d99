"""Things of a few centimetres: a miss is evidence only where the picture would have shown them."""

from collections.abc import Iterator

import pytest

from benchmarks import stagehand
from benchmarks.bins.suite import WORLD, brought_from_astray, noticed, sorted_in
from graftwork import Outcome, Session
from robots.informed import body_of
from robots.pybullet import PyBulletRobot
from semantics.logic.feedback import Code


@pytest.mark.parametrize("scene", ["bench", "bin"])
def test_small_parts_are_not_believed_gone_for_want_of_pixels(scene: str) -> None:
    assert sorted_in(scene, 1) == ""


@pytest.mark.parametrize("scene", ["bench", "bin"])
def test_a_small_part_that_was_taken_away_is_believed_gone_once_its_place_was_seen_well(scene: str) -> None:
    assert noticed(scene, 1) == ""


def test_a_banana_across_a_bowl_is_near_the_bowl_and_is_fetched() -> None:
    assert brought_from_astray(1) == ""


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(domain=WORLD, scene="bench", robot="pybullet", memory=None) as session:
        yield session


def test_from_afar_a_place_names_the_small_things_that_it_could_hide(session: Session) -> None:
    robot = body_of(session.environment.robot)
    assert isinstance(robot, PyBulletRobot)
    stagehand.move_piece(robot, "nut0", (20.0, 20.0, 0.05))
    robot.clock.sleep(1.0)
    observation = robot.observation()
    assert "bench0" in observation.searched
    assert "nut0" in observation.undetectable["bench0"]
    session.environment.watcher.refresh()
    assert "(on nut0 bench0)" in {str(atom) for atom in session.environment.watcher.state.atoms}


def test_what_is_in_view_but_on_and_in_nothing_is_told_and_not_searched_for(session: Session) -> None:
    robot = body_of(session.environment.robot)
    assert isinstance(robot, PyBulletRobot)
    (x, y, z), _ = stagehand.poses(robot)["rod0"]
    stagehand.move_piece(robot, "nut0", (x, y, z + 0.046))  # nothing of this world can be on a rod
    for _ in range(20):
        robot.clock.sleep(0.05)
        session.environment.watcher.refresh()
    episode = session.handle("take the nut")
    assert episode.outcome is not Outcome.ACHIEVED
    assert episode.feedback[-1].code is Code.WHEREABOUTS_UNKNOWN
    assert "on and in nothing" in episode.message
    assert episode.ticks < 100
