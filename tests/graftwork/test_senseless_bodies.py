"""A body that senses what is no number is refused alike with and without a record, and is stopped."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bt.record import read_record
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from planning import FastDownward
from robots.fake import FakeRobot
from semantics.body.observation import Observation, Sighting, not_finite
from semantics.errors import SensingError
from semantics.geometry.geometry import Box, PlanarPose
from semantics.logic.atoms import Atom

NAN, INF = float("nan"), float("inf")


def sighted(**fields: object) -> Callable[[Observation], Observation]:
    """Return what changes the sighting of the milk's fridge."""

    def change(seen: Observation) -> Observation:
        return replace(seen, sightings={**seen.sightings, "fridge0": replace(seen.sightings["fridge0"], **fields)})

    return change


def pose(seen: Observation) -> Observation:
    agent = seen.agents["robot0"]
    return replace(seen, agents={**seen.agents, "robot0": replace(agent, pose=PlanarPose(NAN, 0.0))})


CHANGES = {
    "a box": sighted(box=Box((0.0, NAN, 0.0), (1.0, 1.0, 1.0))),
    "a box without end": sighted(box=Box((0.0, 0.0, 0.0), (1.0, 1.0, INF))),
    "a box from one end to the other": sighted(box=Box((-INF, 0.0, 0.0), (INF, 1.0, 1.0))),
    "a surface": sighted(surfaces=(Box((0.0, 0.0, 0.0), (1.0, NAN, 1.0)),)),
    "an inside": sighted(interior=Box((NAN, 0.0, 0.0), (1.0, 1.0, 1.0))),
    "a door": sighted(opening=NAN),
    "a stand": sighted(stand=PlanarPose(0.0, 0.0, NAN)),
    "a confidence": sighted(confidence=NAN),
    "a pose": pose,
    "a number": lambda seen: replace(seen, numbers={Atom("left", ("milk0",)): NAN}),
}


class Senseless(FakeRobot):
    """Senses nonsense when it is told to."""

    def __init__(self, change: Callable[[Observation], Observation] | None = None) -> None:
        super().__init__(load_scene(load_domain("kitchen"), "small").arrangement)
        self.change = change
        self.stops = 0

    def observation(self) -> Observation:
        seen = super().observation()
        return seen if self.change is None else self.change(seen)

    def stop(self) -> None:
        self.stops += 1
        super().stop()


def opened(robot: FakeRobot, record: Path | None) -> Session:
    return Session("kitchen", "small", robot=robot, memory=None, planner=FastDownward(), record=record)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_session_with_it_does_not_begin(tmp_path: Path, change: Callable[[Observation], Observation]):
    for record in (None, tmp_path / "one"):
        with pytest.raises(SensingError, match="that is not finite"):
            opened(Senseless(change), record)


@pytest.mark.parametrize("name", ["a box", "a pose"])
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "not recorded"])
def test_one_that_loses_its_senses_under_way_is_stopped_and_told(tmp_path: Path, name: str, recorded: bool):
    robot = Senseless()
    with opened(robot, tmp_path / "one" if recorded else None) as session:
        run = session.start("put the apple on the counter")
        run.wait()
        while run.runner.ticks < 30:
            run.tick()
        robot.change, stops = CHANGES[name], robot.stops
        episode = run.finish()
        robot.change = None
    assert (episode.outcome, episode.exit_code) == (Outcome.UNAVAILABLE, 5)
    assert f"senses a number about {'fridge0' if name == 'a box' else 'robot0'} that is not finite" in episode.message
    assert robot.stops > stops
    assert not robot._motions
    assert not recorded or read_record(tmp_path / "one")[-1]["outcome"] == "unavailable"


def test_what_was_seen_before_is_not_tested_again():
    cup = Sighting("cup0", Box((NAN, 0.0, 0.0), (1.0, 1.0, 1.0)))
    seen = Observation(1.0, 1, {"cup0": cup})
    assert not_finite(seen, Observation()) == "cup0"
    assert not_finite(seen, seen) == ""
    assert not_finite(Observation(NAN, 1), Observation()) == "the time"
