"""The log file: where details go that a person need not see while a robot works."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import platformdirs

__all__ = ["keep_log", "log_fault", "log_path"]

LOGGER = logging.getLogger("graftwork")
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path() -> Path:
    """Return where the log is written."""
    return Path(platformdirs.user_log_dir("graftwork", appauthor=False)) / "graftwork.log"


def keep_log(*, verbose: bool = False) -> None:
    """Write the log to its file, and with `verbose` to standard error too.

    A place that cannot be written to is no reason to refuse work: the log then stays on standard error if asked for.
    """
    LOGGER.setLevel(logging.DEBUG)
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)] if verbose else []
    try:
        log_path().parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(log_path(), encoding="utf-8"))
    except OSError:
        handlers = handlers or [logging.NullHandler()]
    for handler in handlers:
        handler.setFormatter(logging.Formatter(FORMAT))
        LOGGER.addHandler(handler)


def log_fault() -> Path:
    """Write the exception that is being handled to the log; return where."""
    if not LOGGER.handlers:
        keep_log()
    LOGGER.exception("fault")
    return log_path()
