"""The trees whose ticks are timed are those of plans and of sessions."""

import pytest

from benchmarks.trees.answering import answers
from benchmarks.trees.plans import TREES, planned


@pytest.mark.parametrize("tree", TREES)
def test_every_kind_of_tick_is_timed(tree):
    assert {change: len(seconds) for change, seconds in planned(tree, 3).items()} == {
        "nothing changed": 3,
        "a fact changed": 3,
        "a fact that the plan needs changed": 3,
    }


@pytest.mark.parametrize("tree", TREES)
def test_a_lost_plan_is_followed_by_a_motion(tree):
    (seconds,) = answers(tree, 1)
    assert seconds > 0
