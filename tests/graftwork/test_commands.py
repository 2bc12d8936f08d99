"""The command line as a person meets it: outcomes, exit codes, and what is printed."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from benchmarks import SUITES
from tests.commands import commanded

COMMAND = [sys.executable, "-m", "graftwork"]


def graftwork(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GRAFTWORK_", "OPENAI_"))}
    homes = {"XDG_DATA_HOME": str(cwd / "data"), "XDG_STATE_HOME": str(cwd / "state")}
    return commanded(words, cwd, kept | homes | environment)


def run_json(sentence: str, cwd: Path, *options: str) -> tuple[int, dict]:
    ended = graftwork("run", sentence, "--robot", "fake", "--json", *options, cwd=cwd)
    assert "Traceback" not in ended.stderr
    return ended.returncode, json.loads(ended.stdout)


def test_help_says_how_to_use_each_command_with_an_example(tmp_path):
    for command in ([], ["run"], ["plan"], ["memory", "list"]):
        ended = graftwork(*command, "--help", cwd=tmp_path)
        assert ended.returncode == 0
        assert "Usage:" in ended.stdout
    assert "Example:" in graftwork("run", "--help", cwd=tmp_path).stdout


def test_what_is_run_here_as_a_copy_ends_as_the_command_itself_does(tmp_path):
    for words in (["scene", "--scene", "small"], ["affordances", "show", "cupp", "--json"]):
        copy = graftwork(*words, cwd=tmp_path)
        ended = subprocess.run(
            [*COMMAND, *words], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert (copy.returncode, copy.stdout, copy.stderr) == (ended.returncode, ended.stdout, ended.stderr)


def test_an_achieved_run_prints_one_versioned_object(tmp_path):
    code, told = run_json("put the apple on the counter", tmp_path)
    assert code == 0
    assert told["version"] == 1
    assert told["outcome"] == "achieved"
    assert told["goal"] == "(on apple0 counter0)"
    assert len(told["plan"]) == told["cost"] == 4
    assert told["optimal"] is True
    assert told["ticks"] > 0
    assert {"load", "interpret", "check", "plan", "act", "total"} <= told["seconds"].keys()
    assert told.keys() >= {"feedback", "rungs", "model_calls", "tokens", "recalled"}


def test_what_is_so_already_moves_nothing(tmp_path):
    code, told = run_json("put the apple on the table", tmp_path)
    assert (code, told["outcome"], told["ticks"]) == (0, "already", 0)


@pytest.mark.parametrize(
    ("sentence", "feedback", "word"),
    [
        ("bring me the unicorn", "unknown-name", "unicorn"),
        ("put the apple on the table and in the fridge", "contradiction", "apple0"),
        ("put the fridge on the table", "wrong-affordance", "carry"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason_before_anything_moves(tmp_path, sentence, feedback, word):
    code, told = run_json(sentence, tmp_path, "--no-input")
    assert (code, told["outcome"], told["ticks"]) == (3, "refused", 0)
    assert told["feedback"][0]["code"] == feedback
    assert word in told["message"]


def test_a_goal_no_plan_reaches_is_refused_with_its_reason(tmp_path):
    ended = graftwork("plan", "--goal", "(at human0 table0)", "--json", cwd=tmp_path)
    told = json.loads(ended.stdout)
    assert (ended.returncode, told["outcome"]) == (3, "refused")
    assert told["feedback"][0]["code"] == "no-plan"
    assert "human0" in told["message"]


def test_a_goal_that_holds_already_is_told_with_what_was_read(tmp_path):
    said = ("put the juice on the countertop", "--scene", "small")
    shown = graftwork("plan", *said, cwd=tmp_path)
    assert shown.stdout.startswith("already: That is already so.")
    assert "note   'the countertop' was read as counter0 (synonym)." in shown.stdout


def test_a_question_with_nobody_to_ask_ends_with_its_options(tmp_path):
    code, told = run_json("bring me the can", tmp_path)
    assert (code, told["outcome"], told["ticks"]) == (3, "question", 0)
    assert "can0" in told["message"]
    assert "can1" in told["message"]


def test_a_plan_tells_which_parts_of_the_goal_are_left_out(tmp_path):
    goal = "(or (opened fridge0) (on fridge0 milk0) (at human0 table0))"
    shown = graftwork("plan", "--goal", goal, cwd=tmp_path)
    assert shown.returncode == 0
    assert "note   left out: fridge0 is on milk0: fridge0" in shown.stdout
    assert "note   left out: human0 is at table0: human0 cannot move" in shown.stdout
    document = json.loads(graftwork("plan", "--goal", goal, "--json", cwd=tmp_path).stdout)
    assert [reason["code"] for reason in document["dropped"]] == ["wrong-affordance", "wrong-affordance", "no-plan"]


def test_a_dry_run_shows_the_plan_and_moves_nothing(tmp_path):
    code, told = run_json("bring me the milk", tmp_path, "--dry-run")
    assert (code, told["outcome"], told["ticks"], told["cost"]) == (0, "planned", 0, 5)


def test_confirm_without_a_terminal_is_bad_usage(tmp_path):
    ended = graftwork("run", "bring me the milk", "--robot", "fake", "--confirm", cwd=tmp_path)
    assert ended.returncode == 2
    assert "--dry-run" in ended.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "bring me the milk", "--domain", "kichen"], "kitchen"),
        (["run", "bring me the milk", "--scene", "ful"], "full"),
        (["run", "bring me the milk", "--model", "openia:x"], "openai"),
        (["run", "bring me the milk", "--robot", "nobody"], "pybullet"),
        (["run", "bring me the milk", "--seed", "-1"], "seed"),
        (["run", "bring me the milk", "--domain", "nowhere/domain.yaml"], "nowhere/domain.yaml"),
        (["plan"], "--goal"),
        (["plan", "--goal", "(on apple0"], "')' is missing"),
        (["memory", "show", "99"], "99"),
        (["memory", "forget"], "--all"),
        (["frobnicate"], "frobnicate"),
        (["test", "kitchen", "--jobs", "99999999999"], "--jobs"),
        (["affordances", "ask", "wok", "--at-once", "0"], "--at-once"),
        (["affordances", "ask", "wok", "--tries", "0"], "--tries"),
        (["domain", "page", "kitchen", "--into", "."], "cannot be written to"),
        (["domain", "page", "kitchen", "--into", "/proc/page.md"], "cannot be written to"),
    ],
)
def test_bad_usage_names_the_culprit_and_exits_2(tmp_path, words, told):
    ended = graftwork(*words, cwd=tmp_path)
    assert ended.returncode == 2
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "bring me the milk", "--domain", "kichen"], "kitchen"),
        (["test", "nowhere", "--jobs", "0"], "--jobs"),
        (["check"], "PATH"),
        (["plan", "--goal", "(on apple0"], "')' is missing"),
    ],
)
def test_who_asks_for_json_gets_an_error_as_json_too(tmp_path, words, told):
    ended = graftwork(*words, "--json", cwd=tmp_path)
    document = json.loads(ended.stdout)
    assert told in document.pop("error")
    assert document == {"version": 1, "outcome": "error", "exit": 2}
    assert (ended.returncode, told in ended.stderr) == (2, True)


def test_words_after_two_dashes_ask_for_nothing(tmp_path):
    ended = graftwork("test", "--", "--json", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")


def test_a_suite_of_measurements_shows_its_own_options(tmp_path):
    every, one = graftwork("bench", "--help", cwd=tmp_path), graftwork("bench", "planning", "--help", cwd=tmp_path)
    assert all(name in every.stdout for name in SUITES)
    assert "--sizes" in one.stdout
    assert (every.returncode, one.returncode) == (0, 0)


def test_a_record_is_never_written_over_another(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious.txt").write_text("keep")
    ended = graftwork("run", "open the fridge", "--robot", "fake", "--record", "full", cwd=tmp_path)
    assert ended.returncode == 2
    assert "not an empty folder" in ended.stderr
    assert (tmp_path / "full" / "precious.txt").read_text() == "keep"


def test_a_broken_scene_file_is_told_with_line_and_column(tmp_path):
    (tmp_path / "scene.yaml").write_text("domain: kitchen\nthings:\n  apple0: {class: aple, on: table0}\n")
    ended = graftwork("run", "bring me the apple", "--robot", "fake", "--scene", "./scene.yaml", cwd=tmp_path)
    assert ended.returncode == 2
    assert "scene.yaml:3:" in ended.stderr
    assert "apple" in ended.stderr


def test_settings_come_from_the_file_and_the_environment(tmp_path):
    (tmp_path / "graftwork.toml").write_text('robot = "fake"\nscene = "small"\n')
    ended = graftwork("run", "put the apple on the counter", "--json", cwd=tmp_path, GRAFTWORK_SEED="3")
    told = json.loads(ended.stdout)
    assert (told["robot"], told["scene"], told["seed"]) == ("fake", "small", 3)


def test_the_same_request_again_is_answered_from_memory(tmp_path):
    first = run_json("put the apple on the counter", tmp_path, "--memory", "memory.sqlite")[1]
    again = run_json("Please put the apple on the counter!", tmp_path, "--memory", "memory.sqlite")[1]
    assert (first["recalled"], again["recalled"]) == (False, True)
    assert again["outcome"] == "achieved"
    shown = graftwork("memory", "list", "--memory", "memory.sqlite", "--json", cwd=tmp_path)
    assert [row["episode"]["outcome"] for row in json.loads(shown.stdout)["episodes"]] == ["achieved", "achieved"]
    assert graftwork("memory", "forget", "--all", "--memory", "memory.sqlite", cwd=tmp_path).returncode == 0
    assert "nothing" in graftwork("memory", "list", "--memory", "memory.sqlite", cwd=tmp_path).stdout


def test_planning_loads_neither_a_simulator_nor_torch(tmp_path):
    code = (
        "import sys; sys.argv = ['graftwork', 'plan', 'bring me the milk']\n"
        "from graftwork.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert ended.code == 0\n"
        "assert not {'pybullet', 'torch', 'sentence_transformers'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr


def carriers(mark: str) -> list[str]:
    """Processes that inherited a variable, whatever group or session they are in."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            found += [environ.parent.name] * (mark.encode() in environ.read_bytes())
        except OSError:
            continue
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_run_and_leaves_no_process(tmp_path, number):
    words = ["run", "put all the fruit on the shelf", "--robot", "pybullet", "--no-memory", "--record", "rec", "--json"]
    mark = f"MARK_OF_THIS_TEST={uuid.uuid4()}"
    environment = os.environ | dict([mark.split("=")])
    record = tmp_path / "rec" / "record.jsonl"
    with subprocess.Popen(
        [*COMMAND, *words], cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        deadline = time.monotonic() + 60
        while not (record.exists() and '"n":20,' in record.read_text()) and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(number)
        printed, _ = process.communicate(timeout=30)
    assert process.returncode == 4
    assert json.loads(printed)["outcome"] == "stopped"
    deadline = time.monotonic() + 2
    while carriers(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert carriers(mark) == []


def test_a_goal_that_is_only_believed_is_not_called_so(tmp_path):
    code, told = run_json("put the milk in the fridge", tmp_path)
    assert (code, told["outcome"], told["ticks"]) == (3, "refused", 0)
    assert told["feedback"][0]["code"] == "not-visible"


def test_words_that_are_no_text_are_bad_usage(tmp_path):
    ended = subprocess.run(
        [*COMMAND, b"run", b"open the fridge \xff", b"--robot", b"fake"], cwd=tmp_path, capture_output=True, check=False
    )
    assert ended.returncode == 2
    assert b"UTF-8" in ended.stderr


def test_a_mistyped_scene_leaves_the_record_folder_for_the_next_try(tmp_path):
    words = ["open the fridge", "--robot", "fake", "--record", "rec"]
    assert graftwork("run", *words, "--scene", "bogus", cwd=tmp_path).returncode == 2
    assert graftwork("run", *words, cwd=tmp_path).returncode == 0
    assert (tmp_path / "rec" / "report.html").exists()


def test_a_refused_run_is_recorded_and_reported_too(tmp_path):
    code, told = run_json("put the fridge on the table", tmp_path, "--record", "rec")
    assert code == 3
    assert "wrong-affordance" in (tmp_path / "rec" / "record.jsonl").read_text(encoding="utf-8")
    assert Path(tmp_path / told["report"]).exists()


def test_without_prolog_it_says_what_to_install_and_exits_5(tmp_path):
    ended = graftwork(
        "run",
        "open the fridge",
        "--robot",
        "fake",
        "--json",
        cwd=tmp_path,
        LIBSWIPL_PATH="missing",
        SWI_HOME_DIR="missing",
    )
    told = json.loads(ended.stdout)
    assert (ended.returncode, told["outcome"], told["ticks"]) == (5, "unavailable", 0)
    assert "swi-prolog-nox" in told["message"]


def test_a_memory_that_is_no_memory_is_named_and_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("my notes, not a database, and long enough to be looked at")
    ended = graftwork("run", "open the fridge", "--robot", "fake", "--memory", "notes.txt", cwd=tmp_path)
    assert ended.returncode == 2
    assert "notes.txt" in ended.stderr
    assert (tmp_path / "notes.txt").read_text().startswith("my notes")


def test_a_plan_is_printed_as_a_program_as_well(tmp_path):
    ended = graftwork("plan", "bring me the apple, then open the fridge", "--scene", "small", "--json", cwd=tmp_path)
    told = json.loads(ended.stdout)
    (tmp_path / "plan.py").write_text(told["program"], encoding="utf-8")
    done = graftwork("run", "--program", "plan.py", "--scene", "small", "--robot", "fake", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["outcome"] == "achieved"
    assert told["program"].count("achieve(") == 2
    assert told["program"].count("robot0") == len(told["plan"])
