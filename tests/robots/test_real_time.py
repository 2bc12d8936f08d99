"""Clocks that follow the wall clock: in step without drift, standing still while nobody sleeps, late when too slow."""

import pytest

from robots.fake import FakeRobot, VirtualClock
from robots.informed import Informed, body_of
from robots.real_time import GRACE_SECONDS, PacedClock, RealTime, WallClock
from semantics.body.protocols import Clock, ExactSensing, LimitedMotion, Robot
from semantics.logic.state import Command
from tests.contracts.bodies import LAYOUT


class Wall:
    """A wall clock whose time passes by waiting, and while the simulation computes."""

    def __init__(self, computing: float = 0.0) -> None:
        self.time = 100.0
        self.computing = computing
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        assert seconds > 0.0
        self.waits.append(seconds)
        self.time += seconds


class Slow(VirtualClock):
    """A simulation that needs `wall.computing` seconds of the wall clock for a second of its own."""

    def __init__(self, wall: Wall) -> None:
        super().__init__()
        self.wall = wall

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.wall.time += seconds * self.wall.computing


def paced(wall: Wall) -> PacedClock:
    return PacedClock(Slow(wall), wall=lambda: wall.time, wait=wall.wait)


def test_it_is_a_simulated_clock():
    assert isinstance(paced(Wall()), Clock)
    assert paced(Wall()).simulated is True


@pytest.mark.parametrize("computing", [0.0, 0.3, 0.95])
@pytest.mark.parametrize("step", [0.01, 0.05, 0.07, 3.0])
def test_both_clocks_stay_in_step_over_a_long_time(computing, step):
    wall = Wall(computing)
    clock = paced(wall)
    for _ in range(round(600.0 / step)):
        clock.sleep(step)
        assert wall.time - 100.0 == pytest.approx(clock.now(), abs=1e-6)
    assert clock.late == 0.0
    assert clock.told == ""


def test_a_long_sleep_passes_in_small_steps():
    wall = Wall()
    paced(wall).sleep(5.0)
    assert max(wall.waits) <= 0.1


def test_a_short_delay_is_made_up_for():
    wall = Wall()
    clock = paced(wall)
    clock.sleep(0.05)
    wall.time += 0.3  # such as a picture for the record
    for _ in range(20):
        clock.sleep(0.05)
    assert wall.time - 100.0 == pytest.approx(clock.now())
    assert clock.late == 0.0


def test_while_nobody_sleeps_it_stands_still_and_does_not_hurry_afterwards():
    wall = Wall()
    clock = paced(wall)
    clock.sleep(1.0)
    wall.time += 20.0  # a plan is made
    before = wall.time
    clock.sleep(1.0)
    assert wall.time - before == pytest.approx(1.0)
    assert clock.late == 0.0


def test_a_simulation_slower_than_real_time_is_told_with_its_delay():
    wall = Wall(computing=1.5)
    clock = paced(wall)
    for _ in range(200):
        clock.sleep(0.05)
    assert clock.now() == pytest.approx(10.0)
    assert clock.late == pytest.approx(5.0, abs=GRACE_SECONDS + 0.1)
    assert f"{clock.late:.1f} s late" in clock.told
    clock.restart()
    assert clock.told == ""


def test_the_wall_clock_passes_by_itself_and_takes_no_negative_time():
    clock = WallClock()
    before = clock.now()
    clock.sleep(0.01)
    clock.sleep(-5.0)
    assert before + 0.01 <= clock.now()
    assert clock.simulated is False


def test_a_body_in_real_time_has_all_abilities_of_the_body():
    body = FakeRobot(LAYOUT)
    slow = RealTime(body)
    for ability in (Robot, ExactSensing, LimitedMotion):
        assert isinstance(slow, ability)
    assert slow.motion_interlock is body.motion_interlock
    assert slow.start(Command("drive", "robot0", {"to": "table0"})).poll().stage.value == "running"
    assert slow.observation() == body.observation()
    assert body_of(Informed(slow, {}, (), ())) is body
