"""What is printed, logged and stored: no control characters, bounded, and readable by its owner only."""

import json
import logging
import os
import stat
from pathlib import Path

import pytest

from domains.errors import Diagnostic
from graftwork import Session
from graftwork.checks.check import MOST_OF_A_FILE, Report
from graftwork.cli.options import echo
from graftwork.cli.run import closing_words
from graftwork.memory import Memory
from graftwork.record import log
from graftwork.record.episode import Episode, Outcome
from tests.checking.shed import shed
from tests.commands import commanded

ESCAPE = "milk\x1b]0;owned\x07\x1b[2J\r\x9b31m\u202emoc"
FORGED = "milk\n2026-01-01 00:00:00,000 INFO graftwork: all is well"


@pytest.fixture
def log_file(tmp_path, monkeypatch):
    """Keep a log in a folder of this test."""
    place = tmp_path / "logs" / "graftwork.log"
    monkeypatch.setattr(log, "log_path", lambda: place)
    before = list(log.LOGGER.handlers)
    log.keep_log()
    yield place
    for handler in [each for each in log.LOGGER.handlers if each not in before]:
        handler.close()
        log.LOGGER.removeHandler(handler)


def is_private(path: Path) -> bool:
    return not stat.S_IMODE(path.stat().st_mode) & 0o077


def test_a_text_cannot_forge_an_entry_of_the_log_or_write_an_escape_sequence(log_file):
    log.LogJournal().write("heard", {"words": FORGED, "reply": ESCAPE})
    log.log_fault(ValueError(f"{FORGED} {ESCAPE}"))
    text = log_file.read_text(encoding="utf-8")
    entries = [line for line in text.split("\n") if line and not line.startswith(" ")]
    assert len(entries) == 2
    assert "all is well" in text
    assert all(letter.isprintable() or letter == "\n" for letter in text)


def test_the_log_rotates_and_only_its_owner_reads_it(log_file, monkeypatch):
    (handler,) = (each for each in log.LOGGER.handlers if getattr(each, "baseFilename", "") == str(log_file))
    monkeypatch.setattr(handler, "maxBytes", 2000)
    for number in range(1000):
        logging.getLogger("graftwork").debug("an entry of the log, number %d", number)
    files = sorted(log_file.parent.iterdir())
    assert len(files) == log.KEPT + 1
    assert all(file.stat().st_size <= 2000 for file in files)
    assert "number 999" in log_file.read_text()
    assert all(map(is_private, (log_file.parent, *files)))


def test_records_and_memories_are_for_their_owner_only(tmp_path):
    before = os.umask(0o022)
    try:
        record, memory = tmp_path / "runs" / "first", tmp_path / "kept" / "memory.sqlite"
        with Session(scene="small", robot="fake", memory=memory, record=record) as session:
            session.handle("open the fridge")
        Memory(tmp_path / "second.sqlite")
        (tmp_path / "other").mkdir()
    finally:
        os.umask(before)
    made = [record, *record.iterdir(), memory.parent, *memory.parent.iterdir(), tmp_path / "second.sqlite"]
    assert {"record.jsonl", "report.html", "memory.sqlite"} <= {path.name for path in made}
    assert all(map(is_private, made))
    assert stat.S_IMODE((tmp_path / "other").stat().st_mode) == 0o755  # the choice of the user elsewhere


def test_nothing_that_is_printed_moves_the_cursor(capsys):
    echo(f"first\n\tsecond {ESCAPE}")
    echo(ESCAPE, err=True)
    printed = capsys.readouterr()
    assert printed.out.startswith("first\n\tsecond milk")
    assert all(letter.isprintable() or letter in "\n\t" for letter in printed.out + printed.err)


def test_each_row_of_a_result_stays_one_line():
    episode = Episode(Outcome.REFUSED, "fly", "kitchen", "small", "fake", "m", 0, message=f"{FORGED}{ESCAPE}")
    assert "\n" not in closing_words(episode)
    assert closing_words(episode).isprintable()


def test_no_command_prints_past_the_sink():
    for file in sorted(Path(log.__file__).parent.parent.joinpath("cli").rglob("*.py")):
        direct = [line for line in file.read_text().splitlines() if "typer.echo(" in line]
        known = ("typer.echo(context.get_help())", "typer.echo(plain_lines(text)", "typer.echo(_line(problem")
        assert all(line.strip().startswith(known) for line in direct), file


def test_an_error_of_the_command_line_holds_no_escape_sequence(tmp_path):
    ended = commanded(("check", f"no\x1b[2J-such-{ESCAPE}"), tmp_path, os.environ)
    assert ended.returncode == 2
    assert "\x1b" not in ended.stdout + ended.stderr


def test_check_tells_a_number_of_problems_of_a_file_and_how_many_more(tmp_path):
    scene = shed(tmp_path) / "scenes" / "good.yaml"
    wrong = "".join(f"  ghost{number}: {{class: ghost{number}, on: bench0}}\n" for number in range(400))
    scene.write_text(scene.read_text().replace("things:\n", f"things:\n{wrong}", 1))
    ended = commanded(("check", "."), tmp_path, os.environ)
    *lines, more, summary = ended.stdout.splitlines()
    assert ended.returncode == 2
    assert sum(line.startswith("scenes/good.yaml") for line in lines) == MOST_OF_A_FILE
    assert more.startswith("scenes/good.yaml: and ")
    assert more.endswith(" more; mend these first")
    assert int(summary.split()[0]) >= 400
    told = json.loads(commanded(("check", ".", "--json"), tmp_path, os.environ).stdout)
    assert len(told["problems"]) == len(lines)
    assert told["errors"] + told["warnings"] == len(lines) + sum(told["more"].values())


def test_a_message_about_a_long_name_is_short():
    long = "x" * 100_000
    report = Report(
        (Diagnostic("a.yaml", 1, 1, f"unknown {long}", culprit=long, valid=(long[:9],) * 1000),), ("a.yaml",)
    )
    assert len(json.dumps(report.as_dict())) < 10_000
