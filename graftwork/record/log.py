"""The log file, for details that a person need not see while a robot works."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from pathlib import Path

import platformdirs

__all__ = ["LOGGER", "LogJournal", "keep_log", "log_fault", "log_path"]

LOGGER = logging.getLogger("graftwork")
LOGGER.addHandler(logging.NullHandler())
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
    file = logging.FileHandler(place, encoding="utf-8", delay=True)
    for handler in (file, logging.StreamHandler(sys.stderr)) if verbose else (file,):
        handler.setFormatter(logging.Formatter(FORMAT))
        LOGGER.addHandler(handler)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        LOGGER.removeHandler(file)
        LOGGER.debug("the log file cannot be written")


class LogJournal:
    """Writes the events of a run to the log, except ticks, views, trees and pictures."""

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Log an event."""
        if event not in ("tick", "view", "tree", "picture"):
            text = ", ".join(f"{name} {value}" for name, value in fields.items())
            LOGGER.debug("%s: %s", event, text)


def log_fault(error: BaseException) -> str:
    """Write an exception to the log, and return words that say where it is."""
    files = {handler.baseFilename for handler in LOGGER.handlers if isinstance(handler, logging.FileHandler)}
    if str(log_path().absolute()) not in files:
        keep_log()
    LOGGER.error("fault", exc_info=error)
    return f"the details are in {log_path()}" if log_path().exists() else "the log file could not be written"
