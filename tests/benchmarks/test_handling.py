"""Trials of handling: their tasks, their verdicts, and what an interruption leaves."""

import json
from decimal import Decimal
from math import hypot

import pytest

from benchmarks.handling import suite
from benchmarks.handling.judge import Wanted, fulfils
from benchmarks.handling.pours import poured, poured_by_fake
from benchmarks.handling.rooms import RELATION_TASKS, TABLE, Task, carry_task, relation_task, stack_task
from benchmarks.handling.samples import SAMPLES, sampled
from benchmarks.handling.trials import Trial, carried, conducted, related, stands, truth_of
from robots.fake.world import FakeWorld
from robots.primitives import PRIMITIVES, unfit
from robots.pybullet import PyBulletRobot
from semantics.geometry.places import Place
from semantics.logic.state import Command


def test_one_seed_gives_one_task():
    assert carry_task(3) == carry_task(3) != carry_task(4)
    assert stack_task(3) == stack_task(3) != stack_task(4)


def test_there_are_twenty_relations_and_each_put_is_a_command_that_bodies_know():
    assert len(RELATION_TASKS) == 20
    for name in RELATION_TASKS:
        for seed in range(5):
            task = relation_task(name, seed)
            assert task.wanted.relation == RELATION_TASKS[name].relation
            for put in task.placements:
                roles = {"object": put.thing, "target": put.target, "at": "table0", **put.roles}
                assert unfit(Command(put.primitive, "robot0", roles, put.values)) is None
                assert put.roles.keys() <= PRIMITIVES["put"].optional.keys()


@pytest.mark.parametrize("seed", range(20))
def test_what_stands_on_the_table_is_within_reach_and_apart(seed):
    pieces = stack_task(seed).layout.pieces
    for piece in pieces:
        assert all(abs(way) < side / 2 for way, side in zip(piece.offset, TABLE.size[:2], strict=True))
        others = [other for other in pieces if other is not piece]
        assert all(hypot(*(a - b for a, b in zip(piece.offset, other.offset, strict=True))) > 0.09 for other in others)


@pytest.mark.parametrize("name", ["left_of, distance", "in_corner_of, named"])
def test_a_relation_is_brought_about_and_sensed(name):
    assert conducted(name, 1, relation_task(name, 1), related).why == ""


@pytest.mark.parametrize("name", ["behind", "in", "in_row", "stacked"])
def test_a_relation_is_so_and_sensed_at_the_places_that_are_proposed(name):
    trials = [*sampled(name, 2, relation_task(name, 2))]
    assert len(trials) == SAMPLES
    assert {trial.why for trial in trials} == {""}


def test_a_place_that_is_not_proposed_is_told(monkeypatch):
    monkeypatch.setattr("benchmarks.handling.samples.places", lambda *_, **__: [Place(0.5, 0.0, 0.72, 0.0, "table0")])
    (trial,) = sampled("in_corner_of", 1, relation_task("in_corner_of", 1))
    assert trial.why == "in_corner_of is not so and it is not sensed"


def test_a_thing_that_was_left_where_it_was_is_not_carried_and_a_heap_is_no_stack():
    for task, verdict in ((carry_task(1), carried), (stack_task(1), stands)):
        idle = Task(task.layout, (), task.wanted)
        assert "not" in conducted("idle", 1, idle, verdict).why


def test_the_judge_denies_what_is_not_so_of_a_true_scene():
    task = stack_task(1)
    robot = PyBulletRobot(task.layout)
    try:
        truth = truth_of(robot, task)
        assert fulfils(Wanted("on", ("block0", "table0")), truth)
        assert not fulfils(Wanted("on", ("block0", "block1")), truth)
    finally:
        robot.close()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_pour_is_exact(seed):
    assert poured(seed).why == ""
    assert poured_by_fake(seed).why == ""


def test_more_than_there_is_is_refused_and_an_amount_that_is_lost_is_told(monkeypatch):
    assert poured_by_fake(5).why == ""
    monkeypatch.setattr(FakeWorld, "count", lambda *_: None)
    assert "(level bottle0) is" in poured_by_fake(1).why
    monkeypatch.setattr("benchmarks.handling.pours.ROOM", Decimal(50))
    assert "of 50 ml: achieved" in poured_by_fake(5).why


def test_an_interruption_leaves_the_trials_until_then(monkeypatch, tmp_path, capsys):
    def trial(seed):
        if seed == 3:
            raise KeyboardInterrupt
        yield Trial("carry", seed, "it fell" if seed == 2 else "", 1.0, 0.1)

    monkeypatch.setattr(suite, "PARTS", {**suite.PARTS, "carry": suite.Part(trial, 5, 0.97)})
    rows = tmp_path / "rows.json"
    assert suite.main(["--only", "carry", "--json", str(rows)]) == suite.INTERRUPTED
    assert [row["why"] for row in json.loads(rows.read_text())] == ["", "it fell"]
    told = capsys.readouterr()
    assert "it fell" in told.err
    assert "50.0%, 97% asked" in told.out


def test_a_part_that_falls_short_is_told():
    trials = {"stack": [Trial("stack", seed, "" if seed else "it fell", 1.0, 0.1) for seed in range(10)]}
    assert suite.misses(trials) == ["stack: 90.0%, 95% asked"]
    trials["stack"] = trials["stack"][1:]
    assert suite.misses(trials) == []
