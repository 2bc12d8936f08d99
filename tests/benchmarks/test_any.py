"""The verdict of the benchmark of any problem: it falls short when a row does."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from benchmarks.any.judge import ACCEPTED, UNREAD
from benchmarks.any.rows import Measured, Row
from benchmarks.any.suite import _verdict, main

STOCK, OURS = Measured(1.0, 5, "fast-downward.py"), Measured(0.5, 5, "lama")
FIRST = Row("household 10", "first", STOCK, OURS, ACCEPTED)
PROVED = Row("household 10", "optimal", replace(STOCK, proved=True), replace(OURS, proved=True), ACCEPTED)
NONE = Measured(1.0, None)


def verdict(*rows):
    console = Console(file=io.StringIO(), width=200)
    code = _verdict(rows, console)
    return code, [line for line in console.file.getvalue().splitlines() if line.startswith("SHORT")]


@pytest.mark.parametrize("judged", [ACCEPTED, UNREAD])
def test_good_rows_meet_every_target(judged):
    assert verdict(replace(FIRST, judged=judged), PROVED) == (0, [])


@pytest.mark.parametrize(
    ("bad", "target"),
    [
        (replace(FIRST, ours=replace(OURS, seconds=1000.0)), "in time"),
        (replace(FIRST, ours=NONE, judged=None), "as many solved"),
        (replace(FIRST, ours=replace(NONE, proved=True), judged=None), "wrongly called impossible"),
        (replace(FIRST, judged=1), "rejects"),
        (replace(PROVED, ours=OURS), "optimal wherever"),
        (replace(PROVED, ours=replace(PROVED.ours, cost=6)), "optimal wherever"),
    ],
)
def test_a_row_that_falls_short_makes_the_verdict_fail(bad, target):
    code, short = verdict(FIRST, PROVED, bad)
    assert code == 1
    assert any(target in line for line in short)


def test_a_row_is_the_same_after_it_was_kept():
    assert Row.of(FIRST.as_dict) == FIRST


@pytest.mark.slow
def test_two_small_sizes_are_measured_into_a_file_that_is_gone_on_with(tmp_path):
    file = tmp_path / "rows.jsonl"
    words = ["--families", "gripper", "--only", "first", "--rows", str(file), "--sizes"]
    main([*words, "0"])
    (first,) = file.read_text().splitlines()
    main([*words, "0", "1"])
    kept, added = file.read_text().splitlines()
    assert kept == first
    assert [json.loads(line)["name"] for line in (kept, added)] == ["gripper 0", "gripper 1"]
    assert [json.loads(line)["judged"] for line in (kept, added)] == [ACCEPTED] * 2
