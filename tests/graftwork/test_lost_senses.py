"""A body whose last observation is old senses nothing: a run waits for its senses, and fails without them."""

from dataclasses import replace

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from robots.fake import FakeRobot
from semantics.body.observation import Observation
from semantics.logic.feedback import Code

ALREADY, TO_DO, REFUSED, ASKED = "(closed fridge0)", "(on milk0 table0)", "(on fridge0 table0)", "Bring it."


class Blinking(FakeRobot):
    """Its observations are ten seconds old between two times of its clock."""

    def __init__(self, blind_from: float, blind_to: float) -> None:
        super().__init__(load_scene(load_domain("kitchen"), "small").arrangement)
        self.blind_from, self.blind_to = blind_from, blind_to

    def observation(self) -> Observation:
        seen, now = super().observation(), self.clock.now()
        return replace(seen, time=now - 10.0) if self.blind_from <= now < self.blind_to else seen


def run_of(body: FakeRobot, wanted: str):
    with Session("kitchen", "small", robot=body, memory=None, model="offline") as session:
        episode = session.start(goal=wanted).finish() if wanted.startswith("(") else session.start(wanted).finish()
        return episode, body.clock.now()


@pytest.mark.parametrize("wanted", [ALREADY, TO_DO, REFUSED, ASKED])
def test_whatever_was_decided_a_run_without_senses_fails_after_five_seconds(wanted):
    episode, ended = run_of(Blinking(0.0, 1e9), wanted)
    assert (episode.outcome, episode.feedback[-1].code) == (Outcome.FAILED, Code.SENSING_LOST)
    assert "robot0 has sensed nothing for 10 s" in episode.message
    assert 5.0 <= ended < 6.0


@pytest.mark.parametrize(
    ("wanted", "outcome"), [(ALREADY, Outcome.ALREADY), (TO_DO, Outcome.ACHIEVED), (REFUSED, Outcome.REFUSED)]
)
def test_senses_that_come_back_within_five_seconds_are_waited_for(wanted, outcome):
    episode, _ = run_of(Blinking(0.0, 4.0), wanted)
    assert episode.outcome is outcome


def test_senses_that_are_lost_on_the_way_end_the_run():
    episode, ended = run_of(Blinking(2.0, 1e9), TO_DO)
    assert episode.feedback[-1].code is Code.SENSING_LOST
    assert 7.0 <= ended < 8.0
