"""Case files and cases as pytest items; imported when pytest collects the first case file."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

import pytest

from graftwork.cases import Case, CaseRunner, CaseWorld, read_cases
from graftwork.cases.suites import domain_of
from graftwork.testing.stash import CLOSERS, WORLDS
from semantics.errors import UsageError


class CaseFailedError(AssertionError):
    """A case has an unexpected outcome."""


class CaseFile(pytest.File):
    """A file of cases."""

    def collect(self) -> Iterator[CaseItem]:
        """Yield its cases; a file that cannot be used is an error that lists every problem."""
        try:
            world = _world(self)
            cases = read_cases(self.path, world, self.nodeid)
        except UsageError as error:
            raise self.CollectError(str(error)) from error
        for case in cases:
            yield CaseItem.from_parent(self, name=case.name, case=case, world=world)


class CaseItem(pytest.Item):
    """A case as a test."""

    def __init__(self, *, case: Case, world: CaseWorld, **others: Any) -> None:
        super().__init__(**others)
        self.case = case
        self.world = world

    def runtest(self) -> None:
        """Run it."""
        result = _runner(self).run(self.case, self.world)
        if not result.passed:
            raise CaseFailedError("\n".join(result.problems))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401 - as pytest has it
        """Return the differences without a traceback; other exceptions keep their traceback."""
        if isinstance(excinfo.value, CaseFailedError):
            return f"{self.case.place}: {self.case.name}\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """Return its file, its line and its name."""
        return self.path, self.case.place.line - 1, self.name


def _world(file: CaseFile) -> CaseWorld:
    from domains.reader import load_domain

    source = domain_of(file.path)
    worlds = file.config.stash[WORLDS]
    if source not in worlds:
        worlds[source] = CaseWorld(load_domain(source))
    world: CaseWorld = worlds[source]
    return world


def _runner(item: CaseItem) -> CaseRunner:
    worlds = item.config.stash[WORLDS]
    if CaseRunner not in worlds:
        runner = worlds[CaseRunner] = CaseRunner(item.config.getini("graftwork_planner"))
        item.config.stash.setdefault(CLOSERS, []).append(runner.close)
    made: CaseRunner = worlds[CaseRunner]
    return made
