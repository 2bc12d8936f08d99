"""Keeps problems for which a planner made a plan that the validation refuses, so that the fault can be found.

A problem is written once, as PDDL, with the reason beside it, into the folder of the log. It is written under a
temporary name and then renamed, so that a folder with the name of a problem is whole.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import platformdirs

from domains.pddl import ProfileError, WrittenProblem, write_problem
from domains.problem import Problem
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.feedback import Code

LOGGER = logging.getLogger("graftwork.planning")
MOST = 100  # how many problems are kept
LAST = "reason.txt"  # the file that is written last
UNFINISHED = ".half-"  # the prefix of the folder in which a problem is written before it is kept
OLD_SECONDS = 600.0  # after this time, a folder that is still unfinished belongs to a process that was killed


def faults_folder() -> Path:
    """Return the folder of the kept problems."""
    return Path(platformdirs.user_log_dir("graftwork", appauthor=False)) / "faults"


def keep_faults(problem: Problem, failures: Iterable[NoPlan]) -> None:
    """Log the failures that are plans or texts that do not work, and keep their problem."""
    reasons = [str(failure.feedback) for failure in failures if failure.feedback.code is Code.INVALID_PLAN]
    if not reasons:
        return
    why = "\n".join(reasons)
    try:
        where = str(_kept(problem, why))
    except (OSError, UsageError) as error:
        where = f"it could not be kept ({error})"
    LOGGER.error("a planner's answer was refused: %s; the problem: %s", why, where)


def _kept(problem: Problem, why: str) -> Path:
    written = _written(replace(problem, costs=None))
    digest = hashlib.sha256((written.domain + written.problem).encode()).hexdigest()[:12]
    folder = faults_folder() / digest
    if not _is_whole(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_unfinished(folder.parent)
        if sum(map(_is_whole, folder.parent.iterdir())) >= MOST:
            raise OSError(f"{folder.parent} has {MOST} problems already")
        texts = {"domain.pddl": written.domain, "problem.pddl": written.problem, LAST: f"{why}\n"}
        _write_whole(folder, texts)
    return folder


def _written(problem: Problem) -> WrittenProblem:
    """Write a problem, with its numbers only if it cannot be written without them."""
    if not problem.domain.planned_numbers:
        with suppress(ProfileError):  # it compares numbers that never change
            return write_problem(problem)
    return write_problem(problem, "numeric")


def _write_whole(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files into a new folder that gets its name when all are written: a process may be killed meanwhile."""
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder.parent))
    try:
        for name, text in texts.items():
            (unfinished / name).write_text(text, encoding="utf-8")
        if folder.exists() and not _is_whole(folder):  # an older version wrote in place, and was killed
            shutil.rmtree(folder)
        try:
            unfinished.rename(folder)
        except OSError:
            if not _is_whole(folder):  # otherwise another process has kept the same problem meanwhile
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _is_whole(folder: Path) -> bool:
    return not folder.name.startswith(UNFINISHED) and (folder / LAST).exists()


def _remove_unfinished(parent: Path) -> None:
    """Remove what processes that were killed while writing have left."""
    for folder in parent.glob(f"{UNFINISHED}*"):
        with suppress(OSError):  # another process has removed it
            if time.time() - folder.stat().st_mtime > OLD_SECONDS:
                shutil.rmtree(folder)
