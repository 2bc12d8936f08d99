"""``graftwork run --program``: refused with every place, shown, carried out, mended, asked, stopped."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from bt.record import read_record
from graftwork import Limits, Outcome, Session
from graftwork.cli.app import app
from graftwork.errors import ProgramFileError
from graftwork.record.episode import Episode
from robots.fake import InjectedFault
from semantics.errors import UsageError
from semantics.logic.feedback import Code

OPTIONS = ["--scene", "small", "--robot", "fake", "--no-memory"]
AWAY = (
    "move(end=table0)\ngrasp(cup0)\nachieve(in_(cup0, fridge0))\nachieve(opened(fridge0))\nachieve(closed(fridge0))\n"
)


def ran(tmp_path, text, *more):
    file = tmp_path / "policy.py"
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(app, ["run", "--program", str(file), *OPTIONS, *more])


def test_every_problem_is_told_with_its_place_and_nothing_moves(tmp_path):
    result = ran(tmp_path, "move(end=tabel0)\nfrobnicate(cup0)\nfor x in 3:\n    grasp(x)\n", "--json")
    assert result.exit_code == 3
    episode = json.loads(result.stdout)
    assert (episode["outcome"], episode["ticks"], episode["tried"]) == ("refused", 0, [])
    places = [one["what"].split(":")[0] for one in episode["feedback"]]
    assert places == ["line 1, column 10", "line 2, column 1", "line 3, column 10"]
    assert "Nobody has defined frobnicate." in episode["message"]
    assert "table0" in episode["feedback"][0]["how"]


def test_a_dry_run_shows_the_tree_and_what_it_would_do(tmp_path):
    result = ran(tmp_path, AWAY, "--dry-run")
    assert result.exit_code == 0
    assert "capability  grasp(cup0)" in result.stdout
    assert "comes to its end" in result.stdout
    assert "robot0 puts cup0 into fridge0" in result.stdout
    assert "nothing was moved" in result.stdout


def test_a_dry_run_says_where_it_would_fail(tmp_path):
    result = ran(tmp_path, "grasp(cup0)\n", "--dry-run", "--json")
    episode = json.loads(result.stdout)
    assert (result.exit_code, episode["outcome"]) == (1, "failed")
    assert episode["feedback"][0]["what"].startswith("line 1, column 1")


def test_what_it_achieved_and_what_of_it_is_so_no_longer_is_told(tmp_path):
    result = ran(tmp_path, AWAY, "--record", str(tmp_path / "record"))
    assert result.exit_code == 0
    assert "the program came to its end" in result.stdout
    assert "Sensed when it was achieved: cup0 is in fridge0, fridge0 is open, fridge0 is closed." in result.stdout
    assert "No longer so at the end: fridge0 is open." in result.stdout
    events = read_record(tmp_path / "record")
    assert [one["line"] for one in events if one["e"] == "line"] == [1, 2, 3, 4, 5]
    assert next(one for one in events if one["e"] == "program")["text"] == AWAY
    assert "achieve(in_(cup0, fridge0))" in (tmp_path / "record" / "report.html").read_text(encoding="utf-8")
    again = CliRunner().invoke(app, ["run", "--resume", str(tmp_path / "record")])
    assert isinstance(again.exception, UsageError)
    assert "--program" in str(again.exception)


@pytest.mark.parametrize("more", [["bring me the milk"], ["--resume", "somewhere"]])
def test_a_program_is_carried_out_by_itself(tmp_path, more):
    assert isinstance(ran(tmp_path, AWAY, *more).exception, UsageError)


def test_a_bracket_that_is_never_closed_is_told_where_it_stands(tmp_path):
    result = ran(tmp_path, "move(end=table0)\ngrasp(apple0\n")
    assert result.exit_code == 3
    assert "line 2, column 6: the bracket: it is never closed." in result.stdout


def test_a_program_without_an_end_is_shown_to_fail(tmp_path):
    result = ran(tmp_path, "while True:\n    pass\n", "--dry-run")
    assert result.exit_code == 1
    assert "On the model it fails after 0 steps.\nIt fails at line 1, column 1: while True: it goes" in result.stdout


def test_a_stop_in_answer_to_a_question_ends_the_run_at_once(tmp_path):
    asked = []

    def person(question):
        asked.append(question.text)
        assert len(asked) < 3, "asked again and again without a tick"
        return "stop"

    with Session(scene="small", robot="fake", memory=None, record=str(tmp_path / "record")) as session:
        episode = session.program('where = ask("Where to?")\n').finish(answer=person)
    assert (episode.outcome, asked) == (Outcome.STOPPED, ["Where to?"])


def test_a_file_that_is_none_is_told_and_never_waited_for(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "bytes").write_bytes(b"move(\xff)")
    with Session(scene="small", robot="fake", memory=None) as session:
        for file in (tmp_path / "none", tmp_path, pipe, tmp_path / "bytes"):
            with pytest.raises(ProgramFileError):
                session.program(file)
        (tmp_path / "long").write_text("#" * 90_000, encoding="utf-8")
        assert session.program(tmp_path / "long").finish().outcome is Outcome.REFUSED


def faulty(text, *faults, **options):
    with Session(scene="small", robot="fake", memory=None, **options) as session:
        for fault in faults:
            session.environment.robot.add_fault(fault)
        return session.program(text).finish()


def test_a_grasp_that_slips_is_done_once_more():
    episode = faulty("move(end=table0)\ngrasp(cup0)\n", InjectedFault(Code.NOT_GRASPED, "pick"))
    assert episode.outcome is Outcome.ACHIEVED
    assert [(use.rung, use.solved) for use in episode.rungs] == [("again", True)]


def test_without_the_rung_it_fails_with_its_place():
    from domains.repairs import Spending

    ladder = {"again": Spending(tries=0), "rule": None}
    episode = faulty(
        "move(end=table0)\ngrasp(cup0)\n", InjectedFault(Code.NOT_GRASPED, "pick"), limits=Limits(ladder=ladder)
    )
    assert episode.outcome is Outcome.FAILED
    assert episode.feedback[-1].code is Code.NOT_GRASPED


def test_a_rule_of_the_world_opens_the_fridge_before_a_step():
    episode = faulty("move(end=table0)\ngrasp(cup0)\nmove(end=fridge0)\nputin(cup0, fridge0)\n")
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert ("rule", True) in [(use.rung, use.solved) for use in episode.rungs]


def test_what_is_to_be_achieved_is_planned_for_again_when_its_plan_is_lost():
    faults = [InjectedFault(Code.NOT_GRASPED, "pick") for _ in range(3)]
    episode = faulty("achieve(in_(cup0, fridge0))\n", *faults)
    assert episode.outcome is Outcome.ACHIEVED
    assert {use.rung for use in episode.rungs} >= {"again", "replan"}


def test_an_answer_from_the_person_is_taken_between_two_ticks():
    with Session(scene="small", robot="fake", memory=None) as session:
        run = session.program('where = ask("Where to?")\nmove(end=where)\n')
        asked = []
        episode = run.finish(answer=lambda question: asked.append(question.text) or "table0")
    assert (episode.outcome, asked) == (Outcome.ACHIEVED, ["Where to?"])


def test_with_nobody_to_ask_a_question_is_a_failure_that_can_be_caught():
    episode = faulty('try:\n    x = ask("Where to?")\nexcept:\n    move(end=table0)\n')
    assert episode.outcome is Outcome.ACHIEVED


def _moves(record):
    file = record / "record.jsonl"
    return file.exists() and '"e":"line"' in file.read_text("utf-8")


@pytest.mark.slow
def test_an_interrupt_ends_it_as_any_run(tmp_path):
    file = tmp_path / "policy.py"
    file.write_text("while not on(cup0, counter0):\n    move(end=table0)\n    move(end=counter0)\n", "utf-8")
    record = tmp_path / "record"
    options = [*OPTIONS[:2], "--robot", "pybullet", "--no-memory", "--json", "--record", str(record)]
    command = [sys.executable, "-m", "graftwork", "run", "--program", str(file), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while process.poll() is None and not _moves(record):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 4
    assert json.loads(told)["outcome"] == "stopped"


def test_the_terminal_shows_the_line_a_program_is_at():
    import io

    from bt.terminal import LiveTree

    screen = io.StringIO()
    with Session(scene="small", robot="fake", memory=None, journals=[LiveTree(screen)]) as session:
        session.program("move(end=table0)\ngrasp(cup0)\n").finish()
    assert "line 2  grasp(cup0)" in screen.getvalue()


def test_an_answer_is_printed_recorded_and_kept_in_the_episode(tmp_path):
    text = "move(end=table0)\nreturn [x for x in objects('fruit') if on(x, table0)]\n"
    result = ran(tmp_path, text, "--record", str(tmp_path / "record"))
    assert result.exit_code == 0
    assert "Its answer: apple0, banana0." in result.stdout
    events = read_record(tmp_path / "record")
    assert [(one["type"], one["value"]) for one in events if one["e"] == "answer"] == [("names", ["apple0", "banana0"])]
    page = (tmp_path / "record" / "report.html").read_text(encoding="utf-8")
    assert "The program answered" in page
    assert "Its answer: apple0, banana0." in page
    told = CliRunner().invoke(app, ["record", "show", str(tmp_path / "record")]).stdout
    assert "The program answered: apple0, banana0" in told


def test_a_comment_is_shown_at_its_statement_in_the_record_and_the_report(tmp_path):
    ran(tmp_path, "# The cup is there.\nmove(end=table0)\n", "--record", str(tmp_path / "record"))
    trees = [one["root"] for one in read_record(tmp_path / "record") if one["e"] == "tree"]
    assert "move(end=table0)  # The cup is there." in json.dumps(trees)
    assert "# The cup is there." in (tmp_path / "record" / "report.html").read_text(encoding="utf-8")


def test_an_episode_has_the_answer_with_its_type_and_reads_it_back(tmp_path):
    episode = json.loads(ran(tmp_path, "return opened(fridge0)\n", "--json").stdout)
    assert episode["answer"] == {"type": "yes or no", "value": False}
    assert Episode.from_dict(episode).answer == episode["answer"]
    assert json.loads(ran(tmp_path, "pass\n", "--json").stdout)["answer"] is None
