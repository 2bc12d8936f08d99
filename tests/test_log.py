"""The log: no text from outside forges a line or commands a terminal; its owner alone reads it; it stays small."""

import logging
import stat

import pytest

from graftwork.record import log


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    before = list(log.LOGGER.handlers)
    log.keep_log()
    yield log.log_path()
    for handler in set(log.LOGGER.handlers) - set(before):
        log.LOGGER.removeHandler(handler)
        handler.close()


def test_what_somebody_said_stays_on_its_line_and_is_no_command_of_a_terminal(place):
    log.LogJournal().write("heard", {"words": "stop\n2026-01-01 ERROR graftwork: forged\x1b[2J\r\ud800"})
    (line,) = place.read_text(encoding="utf-8").splitlines()
    assert "forged" in line
    assert line.isprintable()


def test_a_traceback_cannot_be_taken_for_lines_of_the_log(place):
    log.log_fault(ValueError("nothing\n2026-01-01 00:00:00,000 ERROR graftwork: forged\x1b[31m"))
    first, *rest = place.read_text(encoding="utf-8").splitlines()
    assert first.endswith("fault")
    assert any("forged" in line for line in rest)
    assert all(line.startswith("  ") and line.isprintable() for line in rest)


def test_only_its_owner_reads_it(place):
    log.LOGGER.info("a line")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_a_large_log_is_begun_anew_and_few_are_kept(place, monkeypatch):
    (handler,) = [each for each in log.LOGGER.handlers if isinstance(each, log.LogFile)][-1:]
    monkeypatch.setattr(handler, "maxBytes", 1000)
    for number in range(200):
        log.LOGGER.info("line %d %s", number, "x" * 100)
    files = sorted(place.parent.glob("graftwork.log*"))
    assert len(files) == 1 + log.KEPT
    assert all(file.stat().st_size <= 1100 and stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    assert "line 199" in place.read_text(encoding="utf-8")


def test_arguments_of_a_message_are_cleaned_too(place, caplog):
    logging.getLogger("graftwork").warning("a row of %s", "me\x07mory")
    assert "\x07" not in place.read_text(encoding="utf-8") + caplog.text
