"""``graftwork check``: report all mistakes of worlds, scenes, cases and problems, each with its place.

A class of the user's, ``module:Class``, is tried with the conformance suite of what it is.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

import typer

from domains.errors import Diagnostic, Severity
from graftwork.checks import check_paths
from graftwork.checks.bodies import Means
from graftwork.checks.check import HELD_UP
from graftwork.cli.options import echo, print_json
from graftwork.setup.bodies import is_class, primitives_of
from graftwork.setup.extensions import extensions_from
from graftwork.setup.settings import command_settings, worlds_named
from semantics.plain_text import counted, plain

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def check_command(
    paths: Sequence[str],
    *,
    as_json: bool,
    strict: bool,
    robot: str | None = None,
    skills: Sequence[str] | None = None,
    trial: Mapping[str, str | None] = MappingProxyType({}),
) -> int:
    """Check the files and classes of `paths`, print the problems, and return the exit code.

    Args:
        paths: Worlds by name, folders, files, and classes as ``module:Class``.
        as_json: Whether to print JSON.
        strict: Whether warnings count as errors.
        robot: The body that worlds are checked for, and that a skill is tried with.
        skills: Modules with skills and sensors.
        trial: What a class is tried with, by the fields of `graftwork.conformance.users.TrialSetup`; None by default.
    """
    classes = [path for path in paths if is_class(path)]
    paths = [path for path in paths if path not in classes]
    own = command_settings({"skills": skills}).skills
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        tried = [_tried(name, {**trial, "robot": robot, "skills": own}, quietly=as_json) for name in classes]
    failed = 2 if any(finding["unmet"] for each in tried for finding in each["findings"]) else 0
    if classes and not paths:
        if as_json:
            print_json({"classes": tried})
        return failed
    return max(failed, _files_checked(paths, tried, robot, own, as_json=as_json, strict=strict))


def _files_checked(
    paths: Sequence[str],
    tried: Sequence[Mapping[str, Any]],
    robot: str | None,
    skills: Sequence[str],
    *,
    as_json: bool,
    strict: bool,
) -> int:
    """Check files, print the problems, with what came of the classes in JSON, and return the exit code."""
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        means = Means(robot or "", extensions_from(skills), samples=True)
        if robot:
            primitives_of(robot)  # an unknown body is said before any file is read
        report = check_paths(worlds_named(paths), means)
    if as_json:
        print_json(report.as_dict() | ({"classes": tried} if tried else {}))
    else:
        coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        for problem in (*report.shown, *report.notes):
            if problem.code != HELD_UP:
                typer.echo(_line(problem, coloured=coloured))
        for domain, count in report.held_up.items():
            echo(f"{plain(domain)}: cannot be used, so {counted(count, 'file')} of it could not be looked at")
        for file, count in report.more.items():
            echo(f"{plain(file)}: and {count} more; mend these first")
        echo(report.words())
    return report.exit_code(strict=strict)


def _tried(name: str, trial: Mapping[str, Any], *, quietly: bool) -> dict[str, Any]:
    """Try a class with its suite, print each finding as it comes, and return them as data."""
    from graftwork.conformance.users import TrialSetup, findings_of

    kind, findings = findings_of(name, TrialSetup(**{key: value for key, value in trial.items() if value is not None}))
    if not quietly:
        echo(f"{plain(name)}: a {kind}")
    rows, counts = [], Counter[str]()
    for finding in findings:
        rows.append(asdict(finding))
        word, why = ("fails", finding.unmet) if finding.unmet else ("not tried", finding.untried)
        counts["met" if not why else word] += 1
        if not quietly:
            echo(f"  {'met' if not why else word:9}  {finding.sentence}")
            echo(f"             {plain(why)}{f'; see {finding.page}' if finding.unmet else ''}") if why else None
    if not quietly:
        echo(", ".join(f"{counts[word]} {word}" for word in ("met", "fails", "not tried") if counts[word]))
    return {"class": name, "kind": kind, "findings": rows}


def _line(problem: Diagnostic, *, coloured: bool) -> str:
    severity = typer.style(problem.severity.value, COLOURS[problem.severity]) if coloured else problem.severity.value
    place = plain(f"{problem.file}:{problem.line}:{problem.column}")
    return f"{place}: {severity}: {problem.code}: {plain(problem.message)}"
