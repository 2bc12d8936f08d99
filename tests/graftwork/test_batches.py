"""Batches: many runs by one command, or from Python, each in a process of its own."""

import csv
import json
import os
import shlex
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bt.errors import RecordError
from bt.record import WALL_CLOCK
from graftwork import Outcome, Session, Settings, read_record
from graftwork.batch import (
    BatchFolder,
    BatchRequest,
    BatchResult,
    BatchRun,
    batch_results,
    batch_runs,
    csv_of,
    read_requests,
    seeds_in,
    summary_of,
)
from semantics.errors import UsageError
from tests.commands import begun, commanded
from tests.graftwork.test_on_a_terminal import on_a_terminal
from tests.wall_clock import without_wall_clock

POLISH = Path(__file__).resolve().parents[2] / "examples" / "polish"
APPLE = ("run", "put the apple on the counter", "--scene", "small", "--robot", "fake")
FILE = "batch.jsonl"
SETTINGS = Settings(scene="small", robot="fake")
CRASHING = """
import os, signal
from semantics import Atom
from semantics.body.protocols import MotionProgress, MotionStatus

class Polish:
    def start(self, operator, robot):
        try:
            open("crashed", "x")
        except FileExistsError:
            robot.tell({Atom("polished", operator.action.args[1:2]): True})
            return self
        HOW

    def poll(self):
        return MotionProgress(MotionStatus.DONE)

    def cancel(self):
        pass

SKILLS = {"polish": Polish()}
"""


def environment(folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GRAFTWORK_", "OPENAI_"))}
    return kept | {"XDG_DATA_HOME": str(folder / "data"), "XDG_STATE_HOME": str(folder / "state")}


def graftwork(*words, cwd):
    return commanded(words, cwd, environment(cwd))


def rows_of(folder):
    about, *rows = map(json.loads, (folder / FILE).read_text().splitlines())
    assert about["v"] == 1
    return rows


def processes_of(command):
    """Return the processes of runs that a command has started; each of them is told its number."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if b"graftwork.batch.processes:worker" in words and str(command).encode() in words:
            found.append(place.parent.name)
    return found


def test_each_seed_has_its_row_its_record_and_the_table_its_interval(tmp_path):
    told = graftwork(*APPLE, "--seeds", "1..3,7", "--parallel", "2", "--csv", "all.csv", "--record", "b", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    *lines, _, _, table, last = told.stdout.splitlines()
    assert {line.split()[0] for line in lines} == {"seed1", "seed2", "seed3", "seed7"}
    assert all("achieved" in line for line in lines)
    assert table.startswith("put the apple on the counter")
    assert "4 of 4    51 to 100 %" in table
    assert last == "records in b"
    with (tmp_path / "all.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == ["seed1", "seed2", "seed3", "seed7"]
    for row in rows:
        start, *_, end = read_record(tmp_path / row["record"])
        assert (start["seed"], end["outcome"]) == (int(row["seed"]), row["outcome"])
        assert (tmp_path / row["record"] / "report.html").exists()


def test_a_run_of_a_batch_is_the_run_of_its_seed(tmp_path):
    given = {"robot": "fake", "seed": 7, "memory": None}
    with Session("kitchen", "small", record=tmp_path / "alone" / "seed7", **given) as session:
        session.handle("put the apple on the counter")
    runs = batch_runs([BatchRequest("put the apple on the counter")], [3, 7])
    with batch_results(runs, SETTINGS, record=tmp_path / "batch") as results:
        names = [result.run.name for result in results]
    assert sorted(names) == ["seed3", "seed7"]
    alone, other = (without_wall_clock(read_record(tmp_path / folder / "seed7")) for folder in ("alone", "batch"))
    assert alone == other
    assert set(WALL_CLOCK) == {"start", "plan", "end"}


def test_a_file_of_sentences_and_goals(tmp_path):
    (tmp_path / "chores.txt").write_text(
        "# what is to be done\nput the apple on the counter\n\nput the fridge on the table\n(opened fridge0)\n"
    )
    words = ("run", "--instructions", "chores.txt", "--scene", "small", "--robot", "fake", "--json")
    told = graftwork(*words, cwd=tmp_path)
    assert told.returncode == 1
    document = json.loads(told.stdout)
    assert document["version"] == 1
    assert [(row["wanted"], row["runs"], row["succeeded"]) for row in document["requests"]] == [
        ("put the apple on the counter", 1, 1),
        ("put the fridge on the table", 1, 0),
        ("(opened fridge0)", 1, 1),
    ]
    assert [run["name"] for run in document["runs"]] == ["line2-seed0", "line4-seed0", "line5-seed0"]
    assert [run["outcome"] for run in document["runs"]] == ["achieved", "refused", "achieved"]
    assert (document["summary"]["runs"], document["summary"]["succeeded"]) == (3, 2)
    assert document["go_on"] is None


def test_the_lines_of_a_file_are_one_conversation_if_asked(tmp_path):
    said = "bring me the can\nthe second one\nput it back\n(opened fridge0)\nwhere is the apple?\n"
    (tmp_path / "talk.txt").write_text(said)
    words = ("--instructions", "talk.txt", "--scene", "full", "--robot", "fake", "--seeds", "1,2", "--record", "b")
    told = graftwork("run", *words, "--conversation", "--csv", "all.csv", cwd=tmp_path)
    assert told.returncode == 0, told.stdout + told.stderr
    with (tmp_path / "all.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["seed"] == "2"]
    assert [row["outcome"] for row in rows] == ["achieved"] * 4 + ["answered"]
    assert [Path(row["record"]).name for row in rows] == [f"line{number}-seed2" for number in (1, 1, 3, 4, 5)]
    goals = [next(event for event in read_record(tmp_path / row["record"]) if event["e"] == "goal") for row in rows[:4]]
    assert [goal["formula"] for goal in goals] == ["(inhand can1 human0)"] * 2 + [
        "(on can1 shelf0)",
        "(opened fridge0)",
    ]
    (tmp_path / "talk.txt").write_text("\n".join(said.splitlines()[:1]) + "\nopen the fridge\n")
    other = graftwork("run", *words, "--conversation", cwd=tmp_path)
    assert "its line2-seed1 is 'the second one'" in other.stderr
    assert "its conversation is True" in graftwork("run", *words, cwd=tmp_path).stderr


def test_a_conversation_that_was_cut_off_begins_anew(tmp_path):
    (tmp_path / "talk.txt").write_text("bring me the apple\n")
    words = ("--instructions", "talk.txt", "--scene", "small", "--robot", "fake", "--record", "b", "--conversation")
    assert graftwork("run", *words, cwd=tmp_path).returncode == 0
    (tmp_path / "talk.txt").write_text("bring me the apple\nput it back\n")
    told = graftwork("run", *words, "--json", cwd=tmp_path)
    assert [run["outcome"] for run in json.loads(told.stdout)["runs"]] == ["achieved"] * 2
    assert [row["name"] for row in rows_of(tmp_path / "b")] == ["line1-seed0", "line1-seed0", "line2-seed0"]


def test_a_program_with_several_seeds(tmp_path):
    (tmp_path / "policy.py").write_text("achieve(opened(fridge0))\nachieve(not opened(fridge0))\n")
    words = ("run", "--program", "policy.py", "--scene", "small", "--robot", "fake", "--seeds", "1,2", "--record", "b")
    told = graftwork(*words, cwd=tmp_path)
    assert told.returncode == 0, told.stdout + told.stderr
    assert [(row["program"], row["outcome"]) for row in rows_of(tmp_path / "b")] == [("policy.py", "achieved")] * 2
    assert "policy.py" in told.stdout
    (tmp_path / "policy.py").write_text("achieve(opened(fridge0))\n")
    again = graftwork(*words, cwd=tmp_path)
    assert again.returncode == 2
    assert "is of another batch" in again.stderr


def test_the_cases_of_a_world_that_a_body_can_carry_out(tmp_path):
    file = Path(__file__).resolve().parents[2] / "domains" / "blocks" / "cases"
    file = sorted(file.glob("*.yaml"))[0]
    found = read_requests(file)
    assert found.requests
    (tmp_path / "cases").mkdir()
    told = graftwork("run", "--instructions", str(file), "--parallel", "2", "--json", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    document = json.loads(told.stdout)
    assert document["summary"]["succeeded"] == len(found.requests)
    assert (f"{found.left_out} case" in told.stderr) == bool(found.left_out)


def test_a_goal_that_cannot_be_read_is_told_with_its_line_before_anything_runs(tmp_path):
    (tmp_path / "goals.txt").write_text("(opened fridge0)\n(on apple0\n")
    words = ("run", "--instructions", "goals.txt", "--scene", "small", "--robot", "fake", "--record", "b")
    told = graftwork(*words, cwd=tmp_path)
    assert told.returncode == 2
    assert "line2: " in told.stderr
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("how", ["os.kill(os.getpid(), signal.SIGSEGV)", "os._exit(3)", "raise SystemExit"])
def test_a_run_that_crashes_does_not_end_the_batch_and_is_repeated_when_it_goes_on(how, tmp_path):
    (tmp_path / "skill.py").write_text(CRASHING.replace("HOW", how))
    words = (
        "run",
        "polish the cup",
        "--domain",
        str(POLISH / "domain.yaml"),
        "--robot",
        "fake",
        "--skills",
        "skill.py",
    )
    command = (*words, "--seeds", "1,2", "--record", "b")
    told = graftwork(*command, cwd=tmp_path)
    assert told.returncode == 70, told.stderr
    assert [(row["name"], row["outcome"]) for row in rows_of(tmp_path / "b")] == [
        ("seed1", "fault"),
        ("seed2", "achieved"),
    ]
    assert ("SystemExit" if "SystemExit" in how else "Its process ended before it had a result") in told.stdout
    again = graftwork(*command, cwd=tmp_path)
    assert again.returncode == 0
    assert "1 run of 2 done before" in again.stderr
    assert rows_of(tmp_path / "b")[-1]["record"].endswith("/b/seed1-2")
    assert "2 of 2" in again.stdout


def test_a_run_that_takes_too_long_ends_alone(tmp_path):
    skill = tmp_path / "skill.py"
    skill.write_text(CRASHING.replace('open("crashed", "x")', "import time; time.sleep(600)"))
    settings = Settings(str(POLISH / "domain.yaml"), robot="fake", skills=(str(skill),))
    with batch_results(batch_runs([BatchRequest("polish the cup")], [1]), settings, seconds=1.0) as results:
        (result,) = results
    assert result.outcome is Outcome.FAILED
    assert result.message == "It took longer than 1 s and was ended."
    assert result.seconds < 300


def test_what_is_missing_outside_is_told_and_ends_with_5(tmp_path):
    words = (*APPLE, "--seeds", "1,2", "--model", "openai:none", "--record", "b")
    told = commanded(
        words, tmp_path, environment(tmp_path) | {"OPENAI_API_KEY": "any", "OPENAI_BASE_URL": "http://127.0.0.1:9"}
    )
    assert told.returncode == 5, told.stderr
    assert {row["outcome"] for row in rows_of(tmp_path / "b")} == {"unavailable"}


def ended_after_its_first_result(number, folder):
    """Begin six runs, send a signal when one of them has a result, and return the ended command."""
    streams = (os.devnull, str(folder / "out"), str(folder / "err"))
    command = begun((*APPLE, "--seeds", "1..6", "--parallel", "2"), folder, environment(folder), streams)
    wait_until(lambda: any(len(rows_of(place)) > 0 for place in folder.glob("runs/*") if (place / FILE).stat().st_size))
    assert processes_of(command.pid)
    os.kill(command.pid, number)
    command.join(60)
    wait_until(lambda: not processes_of(command.pid))
    return command


def wait_until(is_so):
    deadline = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path):
    command = ended_after_its_first_result(signal.SIGINT, tmp_path)
    printed, told = ((tmp_path / name).read_text() for name in ("out", "err"))
    assert command.exitcode == 4, told
    (folder,) = tmp_path.glob("runs/*")
    done = rows_of(folder)
    assert 1 <= len(done) < 6
    assert f"stopped: {len(done)} of 6 runs done" in told
    assert f"{len(done)} of {len(done)}" in printed
    words = shlex.split(told.partition("Go on with: ")[2])[1:]
    assert words[:3] == ["run", "--record", str(folder.relative_to(tmp_path))]
    again = graftwork(*words, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "6 of 6" in again.stdout
    rows = rows_of(folder)
    assert rows[: len(done)] == done
    assert sorted(row["name"] for row in rows) == [f"seed{number}" for number in range(1, 7)]


def test_a_batch_that_was_killed_leaves_no_process_and_can_go_on(tmp_path):
    ended_after_its_first_result(signal.SIGKILL, tmp_path)
    (folder,) = tmp_path.glob("runs/*")
    done = rows_of(folder)
    again = graftwork(*APPLE, "--seeds", "1..6", "--parallel", "2", "--record", str(folder), cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert rows_of(folder)[: len(done)] == done
    assert "6 of 6" in again.stdout


def test_on_a_terminal_the_progress_is_drawn_and_every_result_is_a_line(tmp_path):
    words = ("put the apple on the counter", "--scene", "small", "--seeds", "1,2")
    code, printed = on_a_terminal(*words, cwd=tmp_path)
    assert code == 0, printed
    assert b"1/2" in printed
    lines = [line for line in printed.split(b"\r\n") if b"achieved" in line]
    assert len(lines) == 2
    assert all(line.rpartition(b"\x1b[2K")[2].startswith(b"seed") for line in lines)  # not behind the bar
    assert b"2 of 2" in printed


def test_more_seeds_go_on_with_the_same_batch_and_another_batch_is_refused(tmp_path):
    request, other = BatchRequest("open the fridge"), BatchRequest("close the fridge")
    with BatchFolder(tmp_path / "b", SETTINGS, "world") as folder:
        folder.add(BatchResult(BatchRun(request, 1), Outcome.ACHIEVED, "Done."))
        folder.add(BatchResult(BatchRun(request, 2), Outcome.UNAVAILABLE, "No server."))
    with (tmp_path / "b" / "batch.jsonl").open("a") as file:
        file.write('{"name":"seed3","requ')  # it was killed
    with BatchFolder(tmp_path / "b", SETTINGS, "world") as folder:
        assert [result.run.seed for result in folder.results(batch_runs([request], range(1, 9)))] == [1]
        folder.add(BatchResult(BatchRun(request, 2), Outcome.FAILED, "It fell."))
    again = BatchFolder(tmp_path / "b", SETTINGS, "world").results(batch_runs([request], range(9)))
    assert [(result.run.seed, result.outcome, result.message) for result in again] == [
        (1, Outcome.ACHIEVED, "Done."),
        (2, Outcome.FAILED, "It fell."),
    ]
    with pytest.raises(RecordError, match="its seed1 is 'open the fridge', and now it is 'close the fridge'"):
        BatchFolder(tmp_path / "b", SETTINGS, "world").results(batch_runs([other], [1]))
    with pytest.raises(RecordError, match="its search is best, and now it is first; name another folder"):
        BatchFolder(tmp_path / "b", replace(SETTINGS, search="first"), "world")
    with pytest.raises(RecordError, match="the files of its world or its program have changed"):
        BatchFolder(tmp_path / "b", SETTINGS, "changed")


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    for place in (tmp_path, tmp_path / "thesis.txt", tmp_path / "a\0b"):
        with pytest.raises(RecordError), BatchFolder(place, SETTINGS, "world"):
            pass
    (tmp_path / "batch.jsonl").write_text("years of work\n")
    with pytest.raises(RecordError, match=r"batch\.jsonl:1: not a line of a batch"):
        BatchFolder(tmp_path, SETTINGS, "world")


def test_a_batch_of_which_nothing_was_begun_leaves_nothing(tmp_path):
    with BatchFolder(tmp_path / "b", SETTINGS, "world"):
        pass
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("open the fridge", "--seeds", "1-20"), "1..20"),
        (("open the fridge", "--seeds", "5..1"), "from the smaller to the larger"),
        (("open the fridge", "--seeds", "1..3", "--seed", "2"), "--seed is one seed"),
        (("open the fridge", "--parallel", "2"), "add --seeds"),
        (("open the fridge", "--seeds", "1..3", "--dry-run"), "--dry-run is for one run"),
        (("--seeds", "1..3", "--resume", "somewhere"), "--resume is for one run"),
        (("open the fridge", "--seeds", "1..3", "--memory", "mine.db"), "leave out --memory"),
        (("open the fridge", "--seeds", "1..3", "--robot", "served:/tmp/nobody"), "a body of its own"),
        (("open the fridge", "--seeds", "1..3", "--robot", "nobody"), "pybullet"),
        (("open the fridge", "--seeds", "1..3", "--scene", "ful"), "full"),
        (("open the fridge", "--seeds", "1..3", "--csv", "nowhere/all.csv"), "no folder nowhere"),
        (("open the fridge", "--goal", "(opened fridge0)", "--seeds", "1..3"), "one of them"),
        (("open the fridge", "--instructions", "chores.txt"), "one of them"),
        (("--program", "missing.py", "--seeds", "1..3"), "no such file"),
        (("--program", "-", "--seeds", "1..3"), "name a file"),
        (("open the fridge", "--program", "policy.py", "--seeds", "1..3"), "one of them"),
        (("--instructions", "missing.txt"), "missing.txt"),
        (("--instructions", "empty.txt"), "nothing to do"),
        (("--seeds", "1..3"), "nothing was said"),
    ],
)
def test_bad_usage_names_the_culprit_and_leaves_no_folder(words, told, tmp_path):
    (tmp_path / "empty.txt").write_text("# later\n")
    ended = graftwork("run", *words, cwd=tmp_path)
    assert ended.returncode == 2, ended.stderr
    assert told in ended.stderr
    assert not list(tmp_path.glob("runs/*"))


def test_seeds_are_ranges_and_numbers_each_once():
    assert seeds_in("1..3, 2,9") == [1, 2, 3, 9]
    assert seeds_in("0") == [0]
    for wrong in ("", "1..", "-1", "1..2..3", "0..999999999"):
        with pytest.raises(UsageError):
            seeds_in(wrong)


def test_the_figures_of_results():
    run = BatchRun(BatchRequest("open the fridge"), 1)
    results = [
        BatchResult(run, Outcome.ACHIEVED, "", body_seconds=4.0, seconds=1.0, repairs=2, solved=1),
        BatchResult(run, Outcome.ALREADY, "", body_seconds=0.0, seconds=2.0),
        BatchResult(run, Outcome.FAILED, 'it "fell", twice', body_seconds=90.0, seconds=3.0, repairs=1),
    ]
    summary = summary_of(results)
    assert (summary.runs, summary.succeeded, summary.repairs, summary.solved) == (3, 2, 3, 1)
    assert (summary.body_seconds, summary.seconds) == (2.0, 2.0)
    assert (summary.low, summary.high) == pytest.approx((0.2077, 0.9385), abs=5e-5)
    assert summary_of([]).body_seconds is None
    assert list(csv.DictReader(csv_of(results).splitlines()))[2]["message"] == 'it "fell", twice'
    assert [BatchResult.from_dict(result.as_dict()) for result in results] == results


def test_two_requests_need_names():
    with pytest.raises(UsageError, match="the same name"):
        batch_runs([BatchRequest("open the fridge"), BatchRequest("close the fridge")], [1])
