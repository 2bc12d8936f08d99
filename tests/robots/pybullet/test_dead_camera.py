from collections.abc import Callable, Iterator

import pybullet
import pytest
from py_trees.common import Status

from benchmarks import stagehand
from bt.node import leaves_first
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.run.run import Run
from robots.pybullet import PyBulletRobot
from robots.pybullet.camera import Camera
from semantics.logic.feedback import Code

BRAKED = 0.05
"""How far the body may still go when it is stopped on its way, in metres or radians: about as far as in a tick."""


def raises(*_: object, **__: object) -> None:
    raise pybullet.error("the renderer is gone")


def nothing(*_: object, **__: object) -> None:
    return None


@pytest.fixture
def run() -> Iterator[tuple[Run, PyBulletRobot]]:
    scene = load_scene(load_domain("kitchen"), "small")
    assert scene.arrangement is not None
    robot = PyBulletRobot(scene.arrangement)
    with Session("kitchen", "small", robot=robot, memory=None) as session:
        yield session.start("put the apple on the counter"), robot


@pytest.mark.parametrize("death", [raises, nothing])
def test_a_run_whose_camera_dies_ends_at_once_with_the_robot_at_rest(
    run: tuple[Run, PyBulletRobot], monkeypatch: pytest.MonkeyPatch, death: Callable[..., object]
) -> None:
    under_way, robot = run
    while robot.rig.chassis.speed() < 0.2:
        assert under_way.tick()
    with monkeypatch.context() as broken:
        broken.setattr(Camera, "_render", death)
        died = robot.clock.now()
        while under_way.tick():
            assert robot.clock.now() < died + 1.0
    runner = under_way.runner
    assert under_way.episode is not None
    assert runner is not None
    assert under_way.episode.outcome is Outcome.UNAVAILABLE
    assert "camera" in under_way.episode.message
    assert under_way.episode.feedback[-1].code is Code.EXCEPTION
    assert [node.name for node in leaves_first(runner.root) if node.status is Status.RUNNING] == []
    robot.clock.sleep(1.0)  # it brakes
    at_rest = stagehand.snapshot(robot)
    robot.clock.sleep(1.0)
    assert not stagehand.moved(at_rest, stagehand.snapshot(robot), BRAKED)
