"""Keeps problems for which a planner made a plan that the validation refuses, so that the fault can be found.

A problem is written once, as PDDL, with the reason beside it, into the folder of the log.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import platformdirs

from domains.pddl import write_problem
from domains.problem import Problem
from semantics.errors import UsageError
from semantics.feedback import Code
from semantics.protocols import NoPlan

__all__ = ["faults_folder", "keep_faults"]

LOGGER = logging.getLogger("graftwork.planning")
MOST = 100
"""How many problems are kept."""


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
    written = write_problem(replace(problem, costs=None), "numeric" if problem.domain.planned_numbers else "adl-costs")
    digest = hashlib.sha256((written.domain + written.problem).encode()).hexdigest()[:12]
    folder = faults_folder() / digest
    if not folder.exists():
        if folder.parent.exists() and sum(1 for _ in folder.parent.iterdir()) >= MOST:
            raise OSError(f"{folder.parent} has {MOST} problems already")
        folder.mkdir(parents=True)
        (folder / "domain.pddl").write_text(written.domain, encoding="utf-8")
        (folder / "problem.pddl").write_text(written.problem, encoding="utf-8")
        (folder / "reason.txt").write_text(why + "\n", encoding="utf-8")
    return folder
