"""The log file, for details that a person need not see while a robot works.

Only its user can read it. It has at most `MOST_BYTES`, and `KEPT` older files stand beside it. An entry begins at the
left margin and its further lines do not, so that no text from outside can look like an entry.

A log that cannot be written stops nothing: that is said once on standard error, and the program works without it.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import cast

import platformdirs

from semantics.body.foreign import describe_error
from semantics.plain_text import plain, plain_lines, shortened
from semantics.process.writing import OWNER_FOLDER, owners_only

LOGGER = logging.getLogger("graftwork")
LOGGER.addHandler(logging.NullHandler())
MOST_BYTES = 5_000_000
KEPT = 3
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path() -> Path:
    """Return the path of the log file."""
    return Path(platformdirs.user_log_dir("graftwork", appauthor=False)) / "graftwork.log"


def keep_log(*, verbose: bool = False) -> None:
    """Write the log to its file, and with `verbose` to standard error too.

    If the file cannot be written, the program works without it.
    """
    LOGGER.setLevel(logging.DEBUG)
    place = log_path()
    file = LogFile(place, maxBytes=MOST_BYTES, backupCount=KEPT, encoding="utf-8", delay=True)
    for handler in (file, logging.StreamHandler(sys.stderr)) if verbose else (file,):
        handler.setFormatter(PlainFormatter(FORMAT))
        LOGGER.addHandler(handler)
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER)
    except OSError:
        LOGGER.removeHandler(file)
        LOGGER.debug("the log file cannot be written")


class PlainFormatter(logging.Formatter):
    """Formats an entry without control characters, and indents all its lines but the first."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the entry."""
        return plain_lines(super().format(record)).replace("\n", "\n    ")


class LogFile(RotatingFileHandler):
    """Writes the log until the disk does not take it.

    Attributes:
        reason: Why it is not written any more; empty while it is.
    """

    reason = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, unless an earlier one could not be written."""
        if self.reason:
            return
        try:
            super().emit(record)
        except OSError:  # the file cannot be opened
            self.handleError(record)

    def _open(self) -> TextIOWrapper:
        opened = open(  # noqa: SIM115 - the handler closes it
            self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors, opener=owners_only
        )
        return cast("TextIOWrapper", opened)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - a method of the library
        """Say once that the disk does not take the log; treat other errors like any handler."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handleError(record)
            return
        self.reason = error.strerror or str(error)
        with suppress(OSError):
            sys.stderr.write(f"graftwork: the log {self.baseFilename} cannot be written: {self.reason}\n")
        with suppress(OSError):  # what is left of a line
            self.close()


class LogJournal:
    """Writes the events of a run to the log, except ticks, views, trees, pictures and the vocabulary."""

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Log an event."""
        if event not in ("tick", "view", "tree", "picture", "vocabulary"):
            text = ", ".join(f"{name} {value}" for name, value in fields.items())
            LOGGER.debug("%s: %s", event, text)


def log_fault(error: BaseException) -> str:
    """Write an exception to the log, and return words that say where it is."""
    if not _is_kept():
        keep_log()
    LOGGER.error("fault", exc_info=error)
    return f"the details are in {log_path()}" if _is_kept() else "the log file could not be written"


def _is_kept() -> bool:
    """Return whether the log is written to its file."""
    files = [handler for handler in LOGGER.handlers if isinstance(handler, LogFile) and not handler.reason]
    return str(log_path().absolute()) in {file.baseFilename for file in files}


LONGEST_TOLD = 300  # the most characters of an exception that are told in a message


def exception_told(error: BaseException) -> str:
    """Return an exception in one line, with the place where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"it raised {shortened(plain(describe_error(error).removesuffix(': ')), LONGEST_TOLD)}{where}"
