import pytest

from robots.fake import VirtualClock
from semantics.body.protocols import Clock
from tests.contracts.bodies import BODIES, LAYOUT


@pytest.fixture(params=["virtual", *BODIES])
def clock(request):
    if request.param == "virtual":
        yield VirtualClock()
        return
    body = BODIES[request.param](LAYOUT)
    yield body.clock
    body.close()


def test_it_is_a_clock(clock):
    assert isinstance(clock, Clock)


def test_time_never_goes_back(clock):
    times = [clock.now()]
    for _ in range(5):
        clock.sleep(0.01)
        times.append(clock.now())
    assert times == sorted(times)


def test_sleeping_lets_at_least_that_time_pass(clock):
    before = clock.now()
    clock.sleep(0.05)
    assert clock.now() >= before + 0.05 - 1e-9


def test_sleeping_for_no_time_is_no_error(clock):
    before = clock.now()
    clock.sleep(0.0)
    assert clock.now() >= before


def test_it_says_whether_its_time_is_simulated(clock):
    assert clock.simulated is True


def test_a_simulated_clock_stands_still_unless_somebody_sleeps(clock):
    assert len({clock.now() for _ in range(1000)}) == 1
