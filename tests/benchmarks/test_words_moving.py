"""Lines that are said to a robot while it moves: what comes of them, how fast, and what that is worth."""

import json

import pytest

from benchmarks.words.entries import Moving
from benchmarks.words.judge import Judged, Verdict, judge
from benchmarks.words.rows import Kind, Row
from benchmarks.words.table import Result, remarks_on
from benchmarks.words.trial import Manner, perform
from benchmarks.words.worlds import ROOT

RIGHT, _, ASKED, _, WRONG, NOT_DONE = Verdict


def line(sentence: str, effect: str, **keys) -> Moving:
    usual = {"id": "m", "scene": "small", "goal": "(on cup0 shelf0)", "steps_done": 2}
    return Moving(sentence=sentence, effect=effect, **usual | keys)


@pytest.mark.parametrize(
    ("sentence", "effect", "seen"),
    [
        ("stop", "stop", "stopped"),
        ("wait a moment", "back", "held"),
        ("what a nice day", "none", ""),
    ],
)
def test_a_line_is_said_after_some_steps_and_its_effect_is_timed(monkeypatch, sentence, effect, seen):
    monkeypatch.chdir(ROOT)
    entry = line(sentence, effect)
    row = perform(entry, Manner())
    assert "(inhand cup0 robot0)" in row.start
    assert row.plans[0][2] == "(move robot0 table0 shelf0)"
    assert set(row.effects) == ({seen} if seen else set())
    assert all(seconds <= 0.1 for seconds in row.effects.values())
    assert 0 < row.latency < 5
    assert (row.longest_tick == 0.0) is (seen == "held")  # a robot that waits is not late
    assert judge(entry, row).verdict is RIGHT, judge(entry, row)


@pytest.mark.parametrize(
    ("effect", "effects", "expected"),
    [
        ("back", {"held": 0.05}, RIGHT),
        ("back", {"stopped": 0.05}, RIGHT),
        ("back", {"asks": 0.5}, RIGHT),
        ("back", {"other goal": 0.9}, RIGHT),
        ("back", {"other plan": 0.9}, RIGHT),
        ("back", {"held": 1.4}, WRONG),
        ("back", {"over": 0.5}, WRONG),
        ("back", {}, WRONG),
        ("stop", {"stopped": 0.0}, RIGHT),
        ("stop", {"held": 0.0}, ASKED),
        ("stop", {"asks": 0.0}, WRONG),
        ("none", {}, RIGHT),
        ("none", {"other plan": 0.1, "asks": 0.2}, RIGHT),
        ("none", {"held": 0.1}, WRONG),
        ("none", {"stopped": 0.1}, WRONG),
    ],
)
def test_what_takes_something_back_must_have_an_effect_within_a_second_and_nothing_else_may(effect, effects, expected):
    judged = judge(line("…", effect), Row("m", Kind.UNDER_WAY, effects=effects))
    assert judged.verdict is expected
    assert judged.missed is (expected is WRONG and effect != "none")


def test_a_run_that_ends_since_its_goal_is_another_one_has_heard_the_line(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    script = tmp_path / "script.txt"
    script.write_text(f"{json.dumps(json.dumps({'reply': {'goal': ['(closed fridge0)']}}))}\n")
    entry = line("I meant the fridge closed", "back")
    row = perform(entry, Manner(f"scripted:{script}"))
    assert (row.outcome, row.aims) == ("already", ["(closed fridge0)"])
    assert {"over", "other goal"} <= row.effects.keys()
    assert judge(entry, row).verdict is RIGHT


def test_a_goal_that_is_over_before_the_line_is_not_done(monkeypatch):
    monkeypatch.chdir(ROOT)
    entry = line("stop", "stop", goal="(on cup0 table0)")
    assert judge(entry, perform(entry, Manner())).verdict is NOT_DONE


def test_a_reader_is_told_what_had_no_effect_what_rested_for_nothing_and_how_fast_it_was():
    rows = {
        "back": Row("a", Kind.UNDER_WAY, latency=0.2, longest_tick=0.01),
        "none": Row("b", Kind.UNDER_WAY, latency=0.001, longest_tick=0.07),
    }
    judged = {"back": Judged(WRONG, missed=True), "none": Judged(WRONG)}
    results = [Result("moving", line("…", effect, id=rows[effect].id), rows[effect], judged[effect]) for effect in rows]
    assert list(remarks_on(results)) == [
        "Words that take something back, without effect: 1 of 1. a",
        "Rested for nothing: 1 of 1. b",
        "Said in mid-run: 2. Half was taken in within 1.0 ms, 99 % within 200.0 ms, and 1 in more than 100 ms.",
        "The longest tick meanwhile took 10.0 ms (half) and 70.0 ms (99 %); 1 took more than 50 ms.",
    ]
