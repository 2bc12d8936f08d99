"""Two processes with one seed write one record, in whatever order their sets are: only the wall clock differs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bt.record import WALL_CLOCK, read_record
from tests.wall_clock import without_wall_clock

ROOT = Path(__file__).resolve().parents[2]
SYMBOLIC = [
    "kitchen|tea|symbolic|0|give me a glass of water",
    "kitchen|small|symbolic|0|put the apple in the fridge and close it",
    "barman|counter|symbolic|0|pour milk into the tall glass",
    "pizza|corner|symbolic|0|prepare a garden pizza",
    "blocks|sussman|symbolic|0|put the green block on the blue block",
    "tabletop|four|symbolic|0|put the green block in the blue bowl",
]
FAKE = [
    "kitchen|small|fake|3|put the juice on the table and the apple in the fridge",
    "kitchen|full|fake|5|bring me the milk",
    "kitchen|small|fake|0|I would like something cold|(in juice0 fridge0)",
    "kitchen|small|faulty|4|put the apple in the fridge and close it",
]


def records(folder: Path, tasks: list[str]) -> list[Path]:
    """Do the tasks in two processes whose sets are in different orders; return the folders of their records."""
    command = [sys.executable, "-m", "tests.graftwork.recorded"]
    processes = [
        subprocess.Popen(
            [*command, str(folder / seed), *tasks],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    told = [process.communicate(timeout=300)[0] for process in processes]
    for one in told:
        assert json.loads(one) == dict.fromkeys(tasks, "achieved")
    return [folder / seed for seed in ("1", "2")]


def compare(folder: Path, tasks: list[str]) -> None:
    one, other = records(folder, tasks)
    for number, task in enumerate(tasks):
        first, second = read_record(one / str(number)), read_record(other / str(number))
        assert without_wall_clock(first) == without_wall_clock(second), task
        assert sum(event["e"] == "tick" for event in first) > 20


def test_a_body_of_the_model_in_every_world(tmp_path: Path):
    compare(tmp_path, SYMBOLIC)


def test_a_fake_body_with_a_model_that_is_asked_again(tmp_path: Path):
    compare(tmp_path, FAKE)


@pytest.mark.slow
def test_a_body_with_physics(tmp_path: Path):
    pytest.importorskip("pybullet", reason="the simulated body needs the extra 'sim'")
    compare(tmp_path, ["kitchen|small|pybullet|2|open the fridge"])


def test_only_what_the_list_names_is_left_out():
    events = [{"e": "plan", "t": 1.0, "seconds": 0.2}, {"e": "rung", "seconds": 0.2}]
    assert without_wall_clock(events) == [{"e": "plan", "t": 1.0}, {"e": "rung", "seconds": 0.2}]
    assert set(WALL_CLOCK) == {"start", "plan", "end"}
