"""`Report`: the findings of a check, and the files it looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from domains.errors import Diagnostic, Severity
from domains.reader.nodes.document import Listing, Node, TableNode
from semantics.plain_text import counted, shortened
from semantics.process.reading import real_path

__all__ = ["HELD_UP", "FileKind", "Report", "sort_of_yaml"]


HELD_UP = "unusable-domain"
"""Code of the problem that the domain of a file has errors; these are the cause, and are told instead of it."""
MOST_OF_A_FILE = 100
LONGEST_MESSAGE = 1000
MOST_VALID = 100


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a check.

    Attributes:
        problems: Errors and warnings, sorted by file, line and column.
        files: Paths of the checked files, as they are shown.
        notes: Features that do not work although nothing is wrong, and limits; they do not change the exit code.
        held_up: By domain with errors, the number of its files that could not be looked at.
    """

    problems: tuple[Diagnostic, ...]
    files: tuple[str, ...]
    notes: tuple[Diagnostic, ...] = ()
    held_up: Mapping[str, int] = field(default_factory=dict)

    @property
    def shown(self) -> tuple[Diagnostic, ...]:
        """The problems that are told: the first `MOST_OF_A_FILE` of each file, errors before others."""
        told = Counter[str]()
        shown = []
        for problem in sorted(self.problems, key=lambda problem: problem.severity is not Severity.ERROR):
            told[problem.file] += 1
            if told[problem.file] <= MOST_OF_A_FILE:
                shown.append(_brief(problem))
        return tuple(sorted(shown))

    @property
    def more(self) -> dict[str, int]:
        """By file, the number of its problems that are not among the `shown`."""
        counts = Counter(problem.file for problem in self.problems)
        return {file: count - MOST_OF_A_FILE for file, count in counts.items() if count > MOST_OF_A_FILE}

    @property
    def errors(self) -> int:
        """Number of problems that make a file unusable."""
        return sum(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def warnings(self) -> int:
        """Number of problems that leave a file usable."""
        return len(self.problems) - self.errors

    def exit_code(self, *, strict: bool) -> int:
        """Return 2 if there are errors, or warnings with `strict`; else 0."""
        return 2 if self.errors or (strict and self.warnings) else 0

    def words(self) -> str:
        """Return a summary in one line, such as ``3 errors, 1 warning in 5 files``."""
        files = counted(len(self.files), "file")
        counts = [counted(count, word) for count, word in ((self.errors, "error"), (self.warnings, "warning")) if count]
        return f"{', '.join(counts) or 'no mistakes'} in {files}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON."""
        return {
            "errors": self.errors,
            "warnings": self.warnings,
            "files": list(self.files),
            "problems": [_row(problem) for problem in self.shown],
            "more": self.more,
            "notes": [_row(note) for note in self.notes],
        }


def _brief(problem: Diagnostic) -> Diagnostic:
    """Return a problem with texts of bounded length, since they may repeat anything that a file holds."""
    message, culprit = (
        text if len(text) <= LONGEST_MESSAGE else shortened(text, LONGEST_MESSAGE)
        for text in (problem.message, problem.culprit)
    )
    return replace(problem, message=message, culprit=culprit, valid=problem.valid[:MOST_VALID])


def _row(problem: Diagnostic) -> dict[str, Any]:
    row = asdict(problem)
    order = ("file", "line", "column", "severity", "code", "message", "culprit", "valid", "nearest")
    return {name: row[name] for name in order} | {"severity": problem.severity.value}


class FileKind(StrEnum):
    """Kinds of YAML files."""

    DOMAIN = "domain"
    SCENE = "scene"
    CASES = "cases"


OF_DOMAIN = frozenset({"affordances", "classes", "predicates", "capabilities", "agents", "phrases", "rules"})
OF_SCENE = frozenset({"things", "beliefs", "speaker"})
OF_CASE = frozenset({"goal", "instruction", "scene", "plan", "cost", "refused", "answers"})
BY_FOLDER = {"scenes": FileKind.SCENE, "cases": FileKind.CASES}


def sort_of_yaml(node: Node, path: Path) -> FileKind | None:
    """Return the kind of a document by its keys or its folder; None when both are unknown."""
    if path.name in ("domain.yaml", "domain.yml"):
        return FileKind.DOMAIN
    if isinstance(node, Listing):
        return FileKind.CASES
    keys = {entry.key.text for entry in node.entries} if isinstance(node, TableNode) else set()
    counts = {
        FileKind.DOMAIN: len(keys & OF_DOMAIN),
        FileKind.SCENE: len(keys & OF_SCENE),
        FileKind.CASES: len(keys & OF_CASE),
    }
    best = max(counts, key=lambda sort: counts[sort])
    return best if counts[best] else BY_FOLDER.get(real_path(path).parent.name)
