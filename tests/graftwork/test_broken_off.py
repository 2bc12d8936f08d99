"""A camera or a planner that dies in the middle: every running leaf ended, the robot stopped, within one period."""

from pathlib import Path

import pytest
from py_trees.common import Status

from bt.node import walk
from bt.record import read_record
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from planning import FastDownward
from robots.fake import FakeRobot
from semantics.body.observation import Observation
from semantics.errors import OutsideError

PERIOD = 0.05
SAID = "put the apple on the counter"


class Fragile(FakeRobot):
    """Its camera dies when it is told to; it notes when it was stopped with a motion under way."""

    def __init__(self) -> None:
        super().__init__(load_scene(load_domain("kitchen"), "small").arrangement)
        self.broken: Exception | None = None
        self.broke_at: float | None = None
        self.stopped_at: list[float] = []

    def observation(self) -> Observation:
        if self.broken is not None:
            self.broke_at = self.clock.now() if self.broke_at is None else self.broke_at
            raise self.broken
        return super().observation()

    def stop(self) -> None:
        if self._motions:
            self.stopped_at.append(self.clock.now())
        super().stop()


class Mortal(FastDownward):
    """Plans until it is dead."""

    dead = False

    def search(self, *args, **kwargs):
        if self.dead:
            raise OutsideError("the planner has died")
        return super().search(*args, **kwargs)


def at_rest(session: Session, run) -> bool:
    nodes = walk(run.runner.root)
    return not session.environment.robot._motions and all(node.status != Status.RUNNING for node in nodes)


@pytest.mark.parametrize(
    "error", [ValueError("no picture"), OutsideError("the camera is unplugged")], ids=["a fault", "an outage"]
)
def test_a_camera_that_dies_stops_the_robot_at_once_and_is_told(tmp_path: Path, error: Exception):
    robot, record = Fragile(), tmp_path / "run"
    with Session("kitchen", "small", robot=robot, memory=None, planner=FastDownward(), record=record) as session:
        run = session.start(SAID)
        run.wait()
        while run.runner.ticks < 30:
            run.tick()
        assert robot._motions
        robot.broken = error
        episode = run.finish()
        assert at_rest(session, run)
        assert robot.stopped_at or not robot._motions
        assert run.runner.ended.seconds <= robot.broke_at + PERIOD
        assert episode.outcome is Outcome.UNAVAILABLE
        assert str(error) in episode.feedback[-1].why
        events = read_record(record)
        assert events[-1]["outcome"] == "unavailable"
        assert any(event["e"] == "feedback" and str(error) in event["feedback"]["why"] for event in events)
        robot.broken = None
        assert session.handle(SAID).outcome is Outcome.ACHIEVED


def test_a_planner_that_dies_under_way_ends_the_run_with_the_robot_still(tmp_path: Path):
    planner, robot = Mortal(), Fragile()
    with Session("kitchen", "small", robot=robot, memory=None, planner=planner, record=tmp_path / "run") as session:
        run = session.start(SAID)
        run.wait()
        while run.runner.ticks < 30:
            run.tick()
        planner.dead = True
        robot.move_piece("apple0", "in", "trash0")
        episode = run.finish()
        assert at_rest(session, run)
        assert (episode.outcome, episode.exit_code) == (Outcome.UNAVAILABLE, 5)
        assert any("the planner has died" in one.why for one in episode.feedback)
