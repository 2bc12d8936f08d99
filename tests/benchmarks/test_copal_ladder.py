"""The published cocktail runs, read again: causes, rates, and which rung has an answer."""

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.copal_ladder.configurations import Bar
from benchmarks.copal_ladder.derive import error_model, tally
from benchmarks.copal_ladder.mending import Answer, answered, published_scene
from benchmarks.copal_ladder.rates import rates
from benchmarks.copal_ladder.records import Cause, Record, read_records, read_runs

ROOT = Path(__file__).resolve().parents[2]
MODEL = json.loads((ROOT / "benchmarks" / "copal_ladder" / "error_model.json").read_text(encoding="utf-8"))
DATA = Path(os.environ.get("GRAFTWORK_DATA", ROOT / "data"))
LOGS = DATA / "copal_logs"
BAR = DATA / "copal_scenes" / "env_state_cocktail.json"
HERE = LOGS.exists() and BAR.exists()
needs_data = pytest.mark.skipif(not HERE, reason="GRAFTWORK_DATA names no folder with the logs")


def test_a_rate_counts_the_runs_without_a_mistake():
    records = [
        Record("H1", ("a", 1), False, "get x", Cause.CLOSED),
        Record("H1", ("a", 1), True, "get y", Cause.CLOSED),
    ]
    found = rates(records, 4)
    assert (found["mistakes"].mean, found["mistakes"].count) == (0.5, 2)
    assert found["closed get"].low == 0.0
    assert found["repairs"].mean == found["replans"].mean == 0.25


def test_the_model_of_errors_tells_the_published_replans():
    told = {name: one["per_run"]["replans"] for name, one in MODEL["configurations"].items()}
    assert told["H0"]["mean"] == 1.96
    assert told["MH2"]["mean"] == pytest.approx(0.47, abs=0.005)
    assert all(one["low"] < one["mean"] < one["high"] for one in told.values())


@pytest.fixture(scope="module")
def records():
    return read_records(LOGS / "errors_and_repairs.json")


@pytest.fixture(scope="module")
def bar():
    return published_scene(DATA)


@needs_data
def test_the_model_of_errors_is_what_the_logs_give(records, bar):
    assert json.loads(json.dumps(error_model(records, read_runs(LOGS / "runs_summary.json"), bar))) == MODEL


@needs_data
def test_most_failures_need_no_new_plan(records, bar):
    counts = Counter()
    for (_, answer), count in tally(records, bar).items():
        counts[answer] += count
    assert counts.total() == 1140
    assert counts[Answer.UNTOLD] == 265
    told = counts.total() - counts[Answer.UNTOLD]
    assert counts[Answer.RULE] > 0.75 * told
    assert counts[Answer.WORDS] > 40


@needs_data
def test_every_name_that_was_set_right_means_what_was_written(records, bar):
    """All of them were read against the scene; this holds them as they were read."""
    right = {
        "tray.": "tray",
        "tray_1": "tray",
        "tray-1": "tray",
        "sugar_cube": "sugar_cubes1",
        "electric_shaker,": "electric_shaker",
        "gin_bottle`.": "gin_bottle",
    }
    for record in records:
        answer, said = answered(record, bar)
        if record.cause is Cause.UNKNOWN_NAME and answer is Answer.WORDS:
            words = set(record.command.split())
            meant = {right[word] for word in words & right.keys()}
            assert meant <= set(said.action.args), record.command
            others = (word for word in words - right.keys() if word in bar.objects)
            assert all(word in said.action.args for word in others), record.command


@needs_data
@pytest.mark.parametrize(
    "word", ["lime_juice", "lime_juice_bottle", "lemon", "dry_vermouth", "mixer_container", "alex"]
)
def test_what_only_resembles_a_thing_is_never_taken_for_it(word, records, bar):
    own = [one for one in records if one.cause is Cause.UNKNOWN_NAME and word in one.command.lower().split()]
    assert own
    assert all(answered(one, bar)[0] is Answer.PLAN for one in own)


@pytest.fixture(scope="module")
def published():
    return Bar(DATA, MODEL["habits"], None)


@needs_data
def test_every_cocktail_is_served_by_a_text_without_mistakes(published):
    for case in published.cases(1):
        outcome = published.run(replace(case, mistakes=()), "BL")
        assert outcome.executable, outcome.reason
        meant = case.recipe.must <= set(case.aim.items) <= case.recipe.must | case.recipe.may
        assert outcome.correct is meant


@needs_data
def test_a_seed_gives_one_text(published):
    first, again = list(published.cases(2)), list(published.cases(2))
    assert first == again
    assert len({one.mistakes for one in first}) > 10
