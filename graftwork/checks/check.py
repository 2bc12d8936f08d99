"""`check_paths`: the pipeline from names on a command line to all problems of their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from domains.diagnostics import Diagnostics, Mark
from domains.errors import Diagnostic, DomainFileError, Severity
from domains.lint.conditions import lint_pack
from domains.model import Domain
from domains.pddl.reader import open_document
from domains.reader.nodes.document import Listing, Node, Scalar, TableNode, read_document, read_text, value_of
from domains.worlds import ENDINGS, available_domains
from graftwork.cases.case_file import CaseWorld, read_cases
from graftwork.cases.suites import shown_path
from graftwork.checks.bodies import Means
from graftwork.checks.files import DOMAIN_FILES, PACK, domain_beside, files_of, load_source, problem_of
from graftwork.checks.pddl import check_pddl_domain, check_pddl_problem, domain_of_problem, kind_of
from graftwork.checks.worlds import ANY, CheckedDomain, check_domain, check_scene
from semantics.errors import UsageError
from semantics.plain_text import counted, shortened
from semantics.process.reading import real_path

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


KEYS_OF = {
    FileKind.DOMAIN: {"affordances", "classes", "predicates", "capabilities", "agents", "phrases", "rules"},
    FileKind.SCENE: {"things", "beliefs", "speaker"},
    FileKind.CASES: {"goal", "instruction", "scene", "plan", "cost", "refused", "answers"},
}
BY_FOLDER = {"scenes": FileKind.SCENE, "cases": FileKind.CASES}


def sort_of_yaml(node: Node, path: Path) -> FileKind | None:
    """Return the kind of a document by its keys or its folder; None when both are unknown."""
    if path.name in ("domain.yaml", "domain.yml"):
        return FileKind.DOMAIN
    if isinstance(node, Listing):
        return FileKind.CASES
    keys = {entry.key.text for entry in node.entries} if isinstance(node, TableNode) else set()
    counts = {kind: len(keys & own) for kind, own in KEYS_OF.items()}
    best = max(counts, key=lambda sort: counts[sort])
    return best if counts[best] else BY_FOLDER.get(real_path(path).parent.name)


def check_paths(names: Iterable[str], means: Means = ANY) -> Report:
    """Check all files of `names`, each once, for the body of `means`; a problem in a file never raises."""
    checker = _FileChecker(means)
    for name in dict.fromkeys(names):
        files = files_of(name)
        if isinstance(files, Diagnostic):
            checker.tell(files)
        else:
            for file in files:
                checker.check(file)
    return checker.report()


class _FileChecker:
    """Checks files, and reads each domain once."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._domains: dict[Path, CheckedDomain] = {}
        self._worlds: dict[Path, CaseWorld] = {}
        self._problems: dict[Diagnostic, None] = {}
        self._notes: dict[Diagnostic, None] = {}
        self._files: dict[str, None] = {}
        self._held_up = Counter[str]()

    def report(self) -> Report:
        return Report(tuple(sorted(self._problems)), tuple(self._files), tuple(sorted(self._notes)), self._held_up)

    def tell(self, *problems: Diagnostic) -> None:
        self._problems.update(dict.fromkeys(problems))

    def check(self, file: Path) -> None:
        shown = shown_path(file)
        if shown in self._files:
            return
        self._files[shown] = None
        try:
            if file.suffix == PACK:
                self._check_pack(file, shown)
            elif file.suffix not in ENDINGS:
                message = f"this is no file of a world; expected one that ends in {', '.join((*ENDINGS, PACK))}"
                self.tell(problem_of(shown, message, "unknown-file"))
            elif file.suffix in (".yaml", ".yml"):
                self._check_yaml(file, shown)
            elif file.suffix == ".pddl":
                self._check_pddl(file, shown)
        except DomainFileError as error:
            self.tell(*error.problems)
        except UsageError as error:
            self.tell(problem_of(shown, str(error), "unusable"))

    def _check_yaml(self, file: Path, shown: str) -> None:
        node, diagnostics = read_document(file, shown)
        sort = sort_of_yaml(node, file)
        if sort is FileKind.DOMAIN:
            self.tell(*self._domain(file).problems)
            self._notes.update(dict.fromkeys(self._domain(file).notes))
        elif sort is None:
            message = "this is no domain, no scene and no cases; expected keys such as capabilities, things or goal"
            raise diagnostics.fatal(node.mark, message, "unknown-file")
        else:
            self._check_part(file, shown, sort, node, diagnostics)

    def _check_pddl(self, file: Path, shown: str) -> None:
        document = open_document(file, shown)
        if kind_of(document) != "problem":
            self.tell(*self._domain(file).problems)
            return
        source = domain_beside(file) or domain_of_problem(document, file)
        domain = self._usable(source, "problem", document.mark(document.define), document.diagnostics)
        check_pddl_problem(document, domain, file.stem)
        self.tell(*document.diagnostics.problems)

    def _check_pack(self, file: Path, shown: str) -> None:
        text = read_text(file, shown)
        source = domain_beside(file)
        diagnostics = Diagnostics(shown, text)
        lint_pack(text, self._domain(source).domain if source else None, diagnostics)
        self.tell(*diagnostics.problems)

    def _check_part(self, file: Path, shown: str, sort: FileKind, node: Node, diagnostics: Diagnostics) -> None:
        source = domain_beside(file) or _named(node)
        domain = self._usable(source, sort, node.mark, diagnostics)
        if sort is FileKind.SCENE:
            self._notes.update(dict.fromkeys(check_scene(node, diagnostics, domain, file.stem, self._means)))
            self.tell(*diagnostics.problems)
        else:
            assert source is not None
            read_cases(file, self._worlds.setdefault(real_path(source), CaseWorld(domain)), shown)

    def _usable(self, source: Path | None, what: str, mark: Mark, diagnostics: Diagnostics) -> Domain:
        """Return the domain of a file.

        Raises:
            DomainFileError: There is none, or the domain itself has errors.
        """
        if source is None:
            message = f"no domain stands beside this {what}; expected {' or '.join(DOMAIN_FILES)} above it"
            raise diagnostics.fatal(mark, message, "no-domain")
        checked = self._domain(source)
        if checked.domain is None:
            self.tell(*checked.problems)  # the cause, also if only this file is checked
            message = f"the domain {checked.shown} cannot be used, so this file is looked at no further"
            self._held_up[checked.shown] += 1
            raise diagnostics.fatal(mark, message, HELD_UP)
        return checked.domain

    def _domain(self, file: Path) -> CheckedDomain:
        key = real_path(file)
        if key not in self._domains:
            is_pddl = file.suffix == ".pddl"
            shown = shown_path(file)
            checked = check_pddl_domain(file, shown) if is_pddl else check_domain(file, shown, self._means)
            self._domains[key] = checked
        return self._domains[key]


def _named(node: Node) -> Path | None:
    """Return the domain file that a scene names, if the name is a shipped world."""
    value = value_of(node, "domain")
    return load_source(value.text) if isinstance(value, Scalar) and value.text in available_domains() else None
