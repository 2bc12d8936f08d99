"""``graftwork check``: report all mistakes of worlds, scenes, cases and problems, each with its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from domains.errors import Diagnostic, Severity
from graftwork.checks import check_paths
from graftwork.checks.bodies import Means
from graftwork.checks.report import HELD_UP
from graftwork.cli.options import echo, print_json
from graftwork.setup.bodies import primitives_of
from graftwork.setup.extensions import extensions_from
from graftwork.setup.settings import command_settings, worlds_named
from semantics.plain_text import plain
from semantics.sentences import counted

__all__ = ["check_command"]

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def check_command(
    paths: Sequence[str], *, as_json: bool, strict: bool, robot: str | None = None, skills: Sequence[str] | None = None
) -> int:
    """Check the files of `paths`, print the problems, and return the exit code."""
    settings = command_settings({"skills": skills or None})
    means = Means(robot or "", extensions_from(settings.skills))
    if robot:
        primitives_of(robot)  # an unknown body is said before any file is read
    report = check_paths(worlds_named(paths), means)
    if as_json:
        print_json(report.as_dict())
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


def _line(problem: Diagnostic, *, coloured: bool) -> str:
    severity = typer.style(problem.severity.value, COLOURS[problem.severity]) if coloured else problem.severity.value
    place = plain(f"{problem.file}:{problem.line}:{problem.column}")
    return f"{place}: {severity}: {problem.code}: {plain(problem.message)}"
