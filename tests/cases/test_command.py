"""``graftwork test`` as a person runs it."""

import json
import os
import pty
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from graftwork.cli.app import app
from semantics.errors import UsageError
from tests.cases.worlds import make_world

GOOD = "- {name: it passes, goal: (on cup0 shelf0), refused: unknown-name}\n"
BAD = "- {name: it fails, goal: (on cup0 floor0), already: true}\n"


def run(*words):
    ran = CliRunner().invoke(app, ["test", *map(str, words)])
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran.exit_code, ran.stdout


def test_it_exits_with_0_when_all_pass_and_sums_up_in_a_line(tmp_path):
    code, said = run(make_world(tmp_path, GOOD * 1))
    assert code == 0
    assert said.startswith("1 passed in ")
    assert said.count("\n") == 1


def test_a_failure_is_told_with_its_place_and_what_is_different(tmp_path):
    file = make_world(tmp_path, GOOD + BAD)
    code, said = run(file)
    assert code == 1
    assert said.startswith(
        f"{file}:2: it fails\n    expected that the goal holds already, got the goal passes the check\n"
        "1 passed, 1 failed in "
    )


def test_json_is_one_object_and_nothing_else(tmp_path):
    file = make_world(tmp_path, GOOD + BAD)
    code, said = run(file, "--json")
    told = json.loads(said)
    assert code == 1
    assert (told["version"], told["passed"], told["failed"], told["not_run"]) == (1, 1, 1, 0)
    assert told["cases"][1] | {"seconds": 0} == {
        "name": "it fails",
        "file": str(file),
        "line": 2,
        "passed": False,
        "got": "the goal passes the check",
        "problems": ["expected that the goal holds already, got the goal passes the check"],
        "seconds": 0,
    }


def test_a_pattern_chooses_cases_by_name_and_file(tmp_path):
    file = make_world(tmp_path, GOOD + BAD)
    assert run(file, "-k", "PASSES")[0] == 0
    assert run(file, "-k", "first")[0] == 1
    with pytest.raises(UsageError, match="matches none of the cases"):
        run(file, "-k", "nothing like it")
    with pytest.raises(UsageError, match="is no pattern"):
        run(file, "-k", "(")


def test_fail_fast_leaves_the_rest_out(tmp_path):
    file = make_world(tmp_path, BAD + GOOD)
    code, said = run(file, "--fail-fast")
    assert code == 1
    assert "0 passed, 1 failed, 1 not run in " in said


def test_several_jobs_find_the_same_in_the_same_order(tmp_path):
    file = make_world(tmp_path, "".join(GOOD.replace("passes", f"passes {n}") for n in range(9)) + BAD)
    code, said = run(file, "--jobs", "2", "--json")
    told = json.loads(said)
    assert code == 1
    assert [case["line"] for case in told["cases"]] == list(range(1, 11))
    assert (told["passed"], told["failed"]) == (9, 1)


def test_several_jobs_tell_cases_in_one_line_apart(tmp_path):
    file = make_world(tmp_path, f"[{GOOD[2:].strip()}, {BAD[2:].strip()}]")
    told = json.loads(run(file, "--jobs", "2", "--json")[1])
    assert [(case["name"], case["passed"]) for case in told["cases"]] == [("it passes", True), ("it fails", False)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_planner_that_is_not_there_is_exit_5(tmp_path, jobs):
    (tmp_path / "stub" / "up_fast_downward").mkdir(parents=True)
    (tmp_path / "stub" / "up_fast_downward" / "__init__.py").touch()
    file = make_world(tmp_path / "world", "{name: a plan, goal: (on cup0 floor0), cost: 3}")
    asked = [*command(file), "--jobs", str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "stub")}
    ran = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert ran.returncode == 5, ran.stderr
    assert "the planner 'fast-downward' is not available" in ran.stderr


def command(*words):
    return [sys.executable, "-m", "graftwork", "test", *map(str, words)]


def test_a_bad_file_is_exit_2_with_every_problem(tmp_path):
    file = make_world(tmp_path, "{name: a, cost: x}")
    ran = subprocess.run(command(file), capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr == (
        f"graftwork: {file}:1:1: nothing is asked for; expected 'goal' (PDDL) or 'instruction' (words)\n"
        f"{file}:1:17: the cost is 'x'; expected a number\n"
    )


def test_an_interruption_is_exit_4_and_tells_what_was_done(tmp_path):
    text = "".join(f"- {{name: c{n}, goal: (on cup{n % 2} floor0), cost: 4}}\n" for n in range(4000))
    file = make_world(tmp_path, BAD + text)
    with subprocess.Popen(command(file), stdout=subprocess.PIPE, text=True) as running:
        assert "it fails" in running.stdout.readline()
        running.stdout.readline()
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=30)[0]
    assert running.returncode == 4
    assert said.startswith("interrupted: ")
    assert " 1 failed, " in said
    assert " not run in " in said


def test_a_terminal_sees_a_bar_that_is_gone_at_the_end(tmp_path):
    file = make_world(tmp_path, GOOD)
    ours, theirs = pty.openpty()
    ran = subprocess.run(command(file), stdout=theirs, stderr=theirs, timeout=60, check=False)
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:
        pass  # the end of a terminal
    os.close(ours)
    assert ran.returncode == 0
    assert b"1/1" in said
    assert said.rstrip().endswith(b" s")
