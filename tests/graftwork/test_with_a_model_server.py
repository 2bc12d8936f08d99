"""Whole runs against a stand-in for a model server on the loopback; the server counts what it is asked."""

import json
import subprocess
from pathlib import Path

import pytest

from domains.worlds import WORLDS
from tests.graftwork.test_commands import graftwork
from tests.loopback import Fault, LoopbackServer, dead_address

MILK = '{"goal": "(inhand milk0 human0)"}'
IN_TWO_PLACES = '{"goal": "(and (inhand apple0 robot0) (in apple0 trash0))"}'
IN_THE_BIN = '{"goal": "(in apple0 trash0)"}'


def ask(base_url: str, sentence: str, cwd: Path, *options: str) -> tuple[dict, subprocess.CompletedProcess[str]]:
    words = ["run", sentence, "--robot", "fake", "--model", "openai:stand-in", "--memory", "m.sqlite", "--json"]
    ended = graftwork(*words, *options, cwd=cwd, OPENAI_BASE_URL=base_url, OPENAI_API_KEY="secret-word")
    assert "Traceback" not in ended.stderr
    assert "secret-word" not in ended.stdout + ended.stderr
    return json.loads(ended.stdout), ended


def test_the_same_sentence_again_asks_no_model_even_after_the_milk_was_put_elsewhere(tmp_path):
    scene = (WORLDS / "kitchen" / "scenes" / "full.yaml").read_text(encoding="utf-8")
    moved = "\n".join(
        "  milk0: {class: milk, on: table0, offset: [0.25, -0.01]}" if line.startswith("  milk0:") else line
        for line in scene.splitlines()
        if "(in milk0 fridge0)" not in line
    )
    (tmp_path / "moved.yaml").write_text(moved)
    with LoopbackServer(MILK) as server:
        first, _ = ask(server.base_url, "bring me the milk", tmp_path)
        asked = server.count
        again, _ = ask(server.base_url, "bring me the milk", tmp_path)
        elsewhere, _ = ask(server.base_url, "bring me the milk", tmp_path, "--scene", "./moved.yaml")
        assert asked >= 1
        assert server.count == asked
    assert [told["outcome"] for told in (first, again, elsewhere)] == ["achieved"] * 3
    assert [told["recalled"] for told in (first, again, elsewhere)] == [False, True, True]
    assert [told["model_calls"] for told in (first, again, elsewhere)] == [asked, 0, 0]
    assert "(grasp robot0 milk0 table0 table0)" in elsewhere["plan"]


def test_a_contradictory_goal_is_mended_by_the_correction_loop(tmp_path):
    with LoopbackServer(IN_TWO_PLACES, IN_THE_BIN) as server:
        told, _ = ask(server.base_url, "throw the apple away", tmp_path)
        correction = json.dumps(server.requests[1])
    assert (told["outcome"], told["goal"], told["model_calls"]) == ("achieved", "(in apple0 trash0)", 2)
    assert "apple0" in correction
    assert "contradiction" in correction


@pytest.mark.parametrize("fault", [Fault.ERROR, Fault.NONSENSE, Fault.NOT_JSON, Fault.CUT, Fault.SLOW])
def test_a_server_that_fails_moves_nothing_and_exits_5(tmp_path, fault):
    (tmp_path / "graftwork.toml").write_text("model_seconds = 2\n")
    with LoopbackServer(fault) as server:
        told, ended = ask(server.base_url, "bring me the milk", tmp_path)
    assert (ended.returncode, told["outcome"], told["ticks"]) == (5, "unavailable", 0)
    assert told["model_calls"] >= 1


def test_a_server_that_is_not_there_moves_nothing_and_exits_5(tmp_path):
    (tmp_path / "graftwork.toml").write_text("model_seconds = 2\n")
    told, ended = ask(dead_address(), "bring me the milk", tmp_path)
    assert (ended.returncode, told["outcome"], told["ticks"]) == (5, "unavailable", 0)


def test_a_model_that_never_makes_sense_is_asked_five_times_and_refused(tmp_path):
    with LoopbackServer(IN_TWO_PLACES) as server:
        told, ended = ask(server.base_url, "throw the apple away", tmp_path)
        assert server.count == 5
    assert (ended.returncode, told["outcome"], told["ticks"]) == (3, "refused", 0)


def test_without_a_key_it_says_which_variable_is_missing(tmp_path):
    ended = graftwork("run", "bring me the milk", "--robot", "fake", "--model", "openai:any", cwd=tmp_path)
    assert ended.returncode == 2
    assert "OPENAI_API_KEY" in ended.stderr
