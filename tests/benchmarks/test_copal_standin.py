"""The stand-in for the model: what it writes works, and what it errs in fails just as the logs say."""

import pytest

from benchmarks.copal_ladder.habits import habits
from benchmarks.copal_ladder.records import Cause, Record
from benchmarks.copal_ladder.running.outcome import drink
from benchmarks.copal_ladder.standin.line import Mistake
from benchmarks.copal_ladder.standin.slips import SLIPS
from tests.benchmarks.copal_bar import RECIPE, SmallBar

ABOUT = {
    "not-in-hand pour": "mixing_container",
    "not-in-hand put": "lime_slice",
    "unknown-name get": "lime_slice>lime_juice",
    "unknown-name pour": "gin_bottle>gin_bottle_1",
    "unknown-name put": "first_glass>first_glass.",
    "unknown-name switch_on": "electric_shaker>electric_shaker,",
    "unknown-name gaze": "tray.",
    "unknown-name glance": "tray.",
}
NAMELESS = ("closed", "not-openable", "unknown-command")


def about(kind):
    """Return a mistake of a kind in the text for the small bar."""
    other = "" if kind.startswith(NAMELESS) else "gin_bottle"
    return Mistake(kind, ABOUT.get(kind, other))


def test_a_right_text_is_carried_out_to_the_drink(tmp_path):
    bar = SmallBar(tmp_path)
    assert bar.sequencer().run(bar.text).executable
    assert drink(bar.robot.state, RECIPE).right


@pytest.mark.parametrize("kind", SLIPS)
def test_a_mistake_makes_its_line_fail_for_the_logged_cause(kind, tmp_path):
    bar = SmallBar(tmp_path, about(kind))
    ladder = bar.sequencer()
    assert not ladder.run(bar.text).executable
    ((line, failure),) = ladder.failures
    assert line.mistake == about(kind)
    assert failure.cause == kind.split()[0]


def test_a_text_is_written_anew_from_where_the_world_is(tmp_path):
    bar = SmallBar(tmp_path, about("not-in-hand pour"))
    ladder = bar.sequencer(fields=1)
    assert ladder.run(bar.text).executable
    assert ladder.answered == {"model": 1}
    assert drink(bar.robot.state, RECIPE).right


def test_a_model_that_does_not_learn_is_asked_five_times(tmp_path):
    bar = SmallBar(tmp_path, about("not-openable close"), again=(1.0, 0.0, 0.0))
    ladder = bar.sequencer(fields=1)
    assert not ladder.run(bar.text).executable
    assert ladder.answered == {"model": 5, "none": 1}


def test_what_is_shown_decides_whether_it_learns(tmp_path):
    bar = SmallBar(tmp_path, about("not-openable close"), again=(1.0, 1.0, 0.0))
    assert bar.sequencer(fields=3).run(bar.text).executable


def test_habits_are_read_from_runs_without_repairs_only():
    def failed(config, command, cause=Cause.CLOSED, run=1):
        return Record(config, ("a", run), False, command, cause)

    records = [
        failed("H0", "get x from y", Cause.UNTOLD),
        failed("H0", "get x from z", Cause.UNTOLD),
        failed("H0", "get w from z", Cause.UNTOLD),
        failed("H1", "pour mixing_container g", Cause.NOT_IN_HAND),
        failed("H2", "pour mixing_container g", Cause.NOT_IN_HAND),
        failed("H2", "pour gin_bottle g", Cause.NOT_IN_HAND, run=2),
        failed("MH2", "put x y"),
    ]
    found = habits(records, {"H1": 2, "H2": 2}, 0.4)
    assert found["fresh"] == {"not-in-hand pour": 0.75}
    assert found["again"] == {"H0": pytest.approx(1 / 3, abs=1e-3), "H1": 0.0, "H2": 0.0}
    assert found["mix"] == pytest.approx(2 / 3, abs=1e-3)
