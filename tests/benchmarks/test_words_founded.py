"""Right goals as replies of a model: in their order, and what a session asks about."""

import pytest

from benchmarks.words.entries import Instruction
from benchmarks.words.founded import Reply, right_goals, tried_in_sessions
from benchmarks.words.rows import Kind, Row
from benchmarks.words.worlds import ROOT


def entry(**keys):
    return Instruction(id="i", scene="small", names=True, **{"sentence": "put the cup on the counter", **keys})


def test_each_end_and_each_part_is_a_goal_of_its_own():
    assert [*right_goals(entry(ends=("(a)", "(b)"), part=("(c)",)))] == [("(a)",), ("(b)",), ("(c)",)]


def test_what_is_said_in_an_order_is_one_goal_after_the_other():
    assert [*right_goals(entry(order=(("(b)", "(c)"), ("(a)", "(b)"))))] == [("(a)", "(b)", "(c)")]


@pytest.mark.parametrize(("keys", "worth"), [({}, False), ({"part": ("(c)",)}, True), ({"asks": True}, True)])
def test_what_is_left_out_and_what_is_open_is_worth_asking(keys, worth):
    reply = Reply(entry(**keys), ("(a)",), Row("i", Kind.OFFER))
    assert reply.is_asked
    assert reply.is_worth_asking is worth
    assert not reply._replace(row=Row("i", Kind.GOAL)).is_asked


def test_a_right_goal_is_given_to_a_session_and_another_thing_is_asked_about(monkeypatch):
    monkeypatch.chdir(ROOT)
    ends = ("(on cup0 counter0)", "(on apple0 counter0)")
    assert [reply.is_asked for reply in tried_in_sessions([entry(ends=ends)])] == [False, True]
