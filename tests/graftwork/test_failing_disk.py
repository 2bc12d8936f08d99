"""A disk that fails under a run: the robot does what was asked, what is lost is said, and nothing is a fault."""

import errno
import json
import logging
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bt.errors import RecordWriteError
from bt.record import read_record
from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.memory import Memory
from graftwork.record import log
from graftwork.run.past import read_past
from planning import FastDownward
from semantics.errors import UsageError
from tests.failing_disk import FailingWrites, disk_full_at

SAID = "open the fridge"
RUN = ["run", SAID, "--scene", "small", "--robot", "fake"]


def session(folder: Path, **more: object) -> Session:
    return Session("kitchen", "small", robot="fake", planner=FastDownward(), record=folder / "one", **more)


@pytest.fixture(scope="module")
def writes(tmp_path_factory: pytest.TempPathFactory) -> int:
    """Return how many lines the undisturbed run records."""
    folder = tmp_path_factory.mktemp("run")
    with session(folder, memory=None) as undisturbed:
        assert undisturbed.handle(SAID).outcome is Outcome.ACHIEVED
    return len(read_record(folder / "one"))


@pytest.mark.parametrize("part", [0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1.0])
@pytest.mark.parametrize(("code", "taken"), [(errno.ENOSPC, 0), (errno.ENOSPC, 17), (errno.EIO, 0)])
def test_a_run_goes_on_without_its_record(tmp_path: Path, monkeypatch, caplog, writes, part, code, taken):
    count = max(1, min(int(part * writes), writes - 1))
    monkeypatch.setattr("semantics.process.writing.os", FailingWrites(count, code, taken))
    with session(tmp_path, memory=None) as failing, caplog.at_level(logging.WARNING, "graftwork"):
        episode = failing.handle(SAID)
    assert episode.outcome is Outcome.ACHIEVED
    (lost,) = (feedback for feedback in episode.feedback if feedback.what == "record")
    assert os.strerror(code) in lost.why
    assert str(tmp_path / "one") in lost.why
    assert lost.why in caplog.text
    assert len(read_record(tmp_path / "one")) == count
    assert read_past(tmp_path / "one").instruction == SAID
    assert Path(episode.report or "").exists()


def test_a_record_that_cannot_be_begun_is_told_before_anything_moves(tmp_path: Path, monkeypatch):
    with session(tmp_path, memory=None) as failing:
        with monkeypatch.context() as patched:
            patched.setattr("semantics.process.writing.os", FailingWrites(0, errno.ENOSPC))
            with pytest.raises(RecordWriteError, match="No space left on device"):
                failing.start(SAID)
        assert list((tmp_path / "one").iterdir()) == []
        assert failing.handle(SAID).outcome is Outcome.ACHIEVED
    with session(tmp_path, memory=None) as again:  # the folder is as it was
        assert again.handle(SAID).outcome is Outcome.ACHIEVED
    assert read_record(tmp_path / "one")[-1]["outcome"] == "achieved"


def test_a_report_that_cannot_be_written_changes_no_outcome(tmp_path: Path):
    with session(tmp_path, memory=None) as failing:
        run = failing.start(SAID)
        run.wait()
        (tmp_path / "one" / "report.html.part").mkdir()
        episode = run.finish()
    assert (episode.outcome, episode.report) == (Outcome.ACHIEVED, None)
    assert any("no report of" in feedback.why for feedback in episode.feedback)
    assert read_record(tmp_path / "one")[-1]["outcome"] == "achieved"


@pytest.mark.parametrize("size", [0, 100, 4096, 33_000, 40_000, 50_000])
def test_a_run_whose_memory_and_evidence_cannot_grow_does_what_was_asked(tmp_path: Path, size: int, caplog):
    memory = tmp_path / "memory.sqlite"
    with session(tmp_path, memory=memory) as first:
        assert first.handle(SAID).outcome is Outcome.ACHIEVED
    with session(tmp_path / "second", memory=memory) as failing:
        run = failing.start(SAID)
        run.wait()
        while run.runner.ticks < 20:
            run.tick()
        with disk_full_at(size), caplog.at_level(logging.WARNING, "graftwork"):
            episode = run.finish()
    assert episode.outcome is Outcome.ACHIEVED
    said = [feedback for feedback in episode.feedback if feedback.what == "memory"]
    assert bool(said) == ("this episode was not kept" in str(said))
    assert "damaged" not in caplog.text + str(said)
    with session(tmp_path / "third", memory=memory) as sound:
        assert sound.handle(SAID).recalled


def test_what_no_text_can_hold_is_not_remembered_and_is_no_fault(tmp_path: Path):
    kept = session(tmp_path, memory=tmp_path / "memory.sqlite")
    with kept, pytest.raises(UsageError, match="half a character"):
        kept.handle("open the \ud800 fridge")
    assert Memory(tmp_path / "memory.sqlite").list() == ()


@pytest.mark.parametrize("size", [0, 1000, 30_000, 34_000, 60_000, 120_000])
def test_the_command_on_a_full_disk_is_no_fault(tmp_path: Path, size: int):
    """The whole program, its log and its planner included, in a process whose files may not grow."""
    places = {"XDG_STATE_HOME": str(tmp_path / "log"), "XDG_DATA_HOME": str(tmp_path / "data")}
    places["PYTHONDONTWRITEBYTECODE"] = "1"  # Python does not notice that half a module was written
    done = subprocess.run(
        [sys.executable, "-m", "graftwork", *RUN, "--record", str(tmp_path / "one"), "--verbose"],
        env={**os.environ, **places},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY)),
    )
    assert done.returncode in (0, 1, 2, 3, 5), done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert "damaged" not in done.stderr + done.stdout
    assert "a fault of this program" not in done.stderr + done.stdout


@pytest.fixture
def logger():
    """Leave the handlers of the log as they are."""
    before = list(log.LOGGER.handlers)
    yield log.LOGGER
    for handler in [each for each in log.LOGGER.handlers if each not in before]:
        log.LOGGER.removeHandler(handler)
        handler.close()


@pytest.mark.parametrize("place", ["full", "folder"])
def test_a_log_that_cannot_be_written_is_said_once_and_stops_nothing(tmp_path, monkeypatch, capsys, logger, place):
    file = tmp_path / "graftwork.log"
    monkeypatch.setattr(log, "log_path", lambda: file)
    if place == "full":
        file.symlink_to("/dev/full")
    else:
        file.mkdir()
    log.keep_log()
    for number in range(3):
        logger.warning("line %d", number)
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"the log {file} cannot be written: {'No space left on device' if place == 'full' else 'Is a dir'}" in told
    assert log.log_fault(ValueError("x")) == "the log file could not be written"


@pytest.mark.parametrize("size", range(0, 3000, 97))
def test_wherever_the_disk_of_the_log_is_full_the_program_goes_on(tmp_path, monkeypatch, capsys, logger, size):
    file = tmp_path / "graftwork.log"
    monkeypatch.setattr(log, "log_path", lambda: file)
    log.keep_log()
    with disk_full_at(size):
        for number in range(60):
            logger.warning("line %d is written", number)
    assert capsys.readouterr().err.count("cannot be written: File too large") == 1
    assert file.read_text().startswith("20"[:size])


def test_a_fault_is_logged_once_there_is_room_again(tmp_path, monkeypatch, logger):
    file = tmp_path / "graftwork.log"
    monkeypatch.setattr(log, "log_path", lambda: file)
    log.keep_log()
    with disk_full_at(0):
        logger.warning("this line is lost")
    assert log.log_fault(ValueError("x")) == f"the details are in {file}"
    assert "ValueError: x" in file.read_text()


def test_a_person_is_told_what_was_lost(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("semantics.process.writing.os", FailingWrites(30, errno.ENOSPC))
    done = CliRunner().invoke(app, [*RUN, "--no-memory", "--record", str(tmp_path / "one")])
    assert done.exit_code == 0
    (lost,) = (line for line in done.output.splitlines() if line.startswith("lost "))
    assert "No space left on device; the run goes on without its record" in lost
    monkeypatch.setattr("semantics.process.writing.os", FailingWrites(30, errno.ENOSPC))
    again = CliRunner().invoke(app, [*RUN, "--no-memory", "--record", str(tmp_path / "two"), "--json"])
    assert json.loads(again.stdout)["feedback"][-1]["what"] == "record"
