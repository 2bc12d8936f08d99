"""The golden runs decide what they decided when they were recorded; `tests.golden.comparison` says what counts.

All of them take about two minutes of one core. A run that is meant to decide otherwise is recorded again, see
`tests.golden.record`.
"""

import copy
from dataclasses import replace

import pytest

from domains.repairs import Spending
from tests.golden.comparison import SLACK, difference, normalised, read
from tests.golden.scenarios import SCENARIOS, file_of, files, golden_events
from tests.golden.scenarios.ladder import STORIES
from tests.golden.stories import play

LEFT_OUT = {
    # A repair of a single step is a detour: once it is over its plan is no part of the tree, and so has no point.
    "programs/rule-of-an-obstacle": ("point",),
    "programs/rule-opens-and-closes": ("point",),
    "programs/rule-after-again": ("point",),
    # What fails is written down around single steps of a tree written by hand, too.
    "trees/page-example-1": ("failure",),
    "trees/page-example-4": ("failure",),
}
"""By scenario, the kinds of events that are not compared, since they changed on purpose."""


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_run_decides_what_it_decided_before(name):
    kinds = LEFT_OUT.get(name, ())
    expected, got = ([event for event in events if event["e"] not in kinds] for events in both(name))
    found = difference(expected, got)
    assert found is None, f"{name}: {found}"


def both(name):
    return read(file_of(name)), golden_events(name)


def test_every_scenario_has_a_file_and_every_file_a_scenario():
    assert {file_of(name) for name in SCENARIOS} == files()


@pytest.fixture
def golden():
    return read(file_of("ladder/pair-again-rule"))


def test_a_journal_is_equal_to_itself_and_may_come_sooner(golden):
    sooner = [event | ({"t": event["t"] - 0.1} if "t" in event else {}) for event in golden]
    assert difference(golden, golden) is None
    assert difference(golden, sooner) is None


def test_an_event_that_says_something_else_is_told_with_both(golden):
    other = copy.deepcopy(golden)
    number = next(number for number, event in enumerate(other) if event["e"] == "rung")
    other[number]["rung"] = "replan"
    told = difference(golden, other)
    assert f"event {number + 1} of" in told
    assert "all others DIFFER" in told
    assert '  rung: "again"\n    is "replan"' in told


def test_events_in_another_order_missing_or_added_are_told(golden):
    assert "facts equal, resume points equal, all others equal" in difference(golden, swapped(golden))
    assert "got       no more" in difference(golden, golden[:-1])
    assert "expected  no more" in difference(golden, [*golden, golden[-1]])


def swapped(events):
    """Return events in which the last facts come one event sooner."""
    number = max(number for number, event in enumerate(events) if event["e"] == "facts")
    return [*events[: number - 1], events[number], events[number - 1], *events[number + 1 :]]


def test_what_comes_too_late_is_told(golden):
    later = [event | ({"t": event["t"] + SLACK + 0.1} if "t" in event else {}) for event in golden]
    assert "its t is" in difference(golden, later)


def test_a_run_with_a_smaller_budget_is_told_from_the_golden_one(tmp_path):
    story = replace(STORIES["rung-again"], ladder={"again": Spending(tries=0), "consult": None})
    other = normalised(play(story, tmp_path), tmp_path)
    told = difference(read(file_of("ladder/rung-again"))[1:], other[1:])  # without the settings, which differ too
    assert "facts equal, resume points DIFFER, all others DIFFER" in told


FACTS = {"+": ["(a)"], "-": []}


def test_a_tick_is_folded_into_facts_before_and_the_resume_point_after_what_it_wrote():
    start, first = {"e": "start", "date": "today", "world": "0"}, {"e": "note", "text": "first"}
    second = {"e": "feedback", "node": "root/step", "feedback": {"what": "root/step"}}
    ticks = [{"e": "tick", "n": 1, "t": 0.0, "facts": FACTS}, {"e": "tick", "n": 2, "t": 0.1, "status": {"n1": "x"}}]
    last = {"e": "tick", "n": 3, "t": 0.2, "facts": FACTS, "resume": 1}
    found = normalised([start, first, ticks[0], {"e": "view"}, ticks[1], second, last])
    assert [event["e"] for event in found] == ["start", "note", "facts", "facts", "feedback", "point"]
    assert found[0] == {"e": "start"}
    assert found[4] == {"e": "feedback", "node": "step", "feedback": {"what": "step"}}
