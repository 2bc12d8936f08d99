"""`check_paths`: the pipeline from names on a command line to all problems of their files.

A PDDL domain is checked together with the problems beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from domains.diagnostics import Diagnostics, Mark
from domains.errors import Diagnostic, DomainFileError, Severity
from domains.invariants.mentions import certain
from domains.lint import PddlPlaces, lint_domain, lint_scene
from domains.lint.conditions import lint_pack
from domains.lint.usage import fluents_read
from domains.model import Domain, SceneFile
from domains.pddl.reader import Document, ProblemFile, open_document, read_problem_document
from domains.pddl.reader.domain import read_domain_document
from domains.problem import Problem
from domains.reader.nodes.document import Listing, Node, Scalar, TableNode, read_document, read_text, value_of
from domains.worlds import ENDINGS, available_domains
from graftwork.cases.case_file import CaseWorld, read_cases
from graftwork.cases.suites import shown_path
from graftwork.checks.bodies import Means
from graftwork.checks.files import DOMAIN_FILES, PACK, domain_beside, files_of, load_source, problem_of
from graftwork.checks.worlds import ANY, CheckedDomain, check_domain, check_scene
from planning.reasons import out_of_reach
from semantics.errors import UsageError
from semantics.logic.atoms import conjoined, literals
from semantics.logic.parsing import Group, Word
from semantics.logic.state import State
from semantics.plain_text import counted, shortened
from semantics.process.reading import real_path

HELD_UP = "unusable-domain"
"""Code of the problem that the domain of a file has errors; these are the cause, and are told instead of it."""
MOST_OF_A_FILE = 100
LONGEST_MESSAGE = 1000
MOST_VALID = 100


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a check."""

    problems: tuple[Diagnostic, ...]  # errors and warnings, sorted by file, line and column
    files: tuple[str, ...]  # paths of the checked files, as they are shown
    # features that do not work although nothing is wrong, and limits; they do not change the exit code
    notes: tuple[Diagnostic, ...] = ()
    # by domain with errors, the number of its files that could not be looked at
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


MOST_BESIDE = 50
PROBLEMS = ("*.pddl", "problems/*.pddl", "scenes/*.pddl")


def kind_of(document: Document) -> str:
    """Return what a file defines: ``domain``, ``problem``, or any other word as it is written."""
    second = document.define.items[1] if len(document.define.items) > 1 else None
    return second.head if isinstance(second, Group) else ""


def check_pddl_domain(path: Path, shown: str) -> CheckedDomain:
    """Read a PDDL domain and check it as far as it can be read."""
    checked = CheckedDomain(shown)
    try:
        document = open_document(path, shown)
        reading = read_domain_document(document, str(path))
        checked.problems = list(document.diagnostics.problems)
        if not checked.errors:
            checked.domain = reading.domain
            beside = tuple(_problems_beside(path, reading.domain))
            lint_domain(
                reading.domain,
                PddlPlaces(document.text),
                document.diagnostics,
                scenes=[problem.scene for problem in beside],
                goals=[problem.goal for problem in beside],
            )
            checked.problems = [
                problem for problem in document.diagnostics.problems if not _is_for_goals(problem, beside)
            ]
    except DomainFileError as error:
        checked.problems = list(error.problems)
    return checked


def _is_for_goals(finding: Diagnostic, problems: Iterable[ProblemFile]) -> bool:
    """Return whether the finding is an unused ``:negative-preconditions`` that the goal of a problem beside needs."""
    if (finding.code, finding.culprit) != ("unused-requirement", ":negative-preconditions"):
        return False
    return any(not literal.positive for problem in problems for literal in literals(problem.goal))


def _problems_beside(path: Path, domain: Domain) -> Iterator[ProblemFile]:
    """Yield the usable problems that stand beside a domain."""
    for file in [file for place in PROBLEMS for file in sorted(path.parent.glob(place))][:MOST_BESIDE]:
        try:
            document = open_document(file)
            if kind_of(document) == "problem" and named_domain(document) in ("", domain.name):
                problem = read_problem_document(domain, document, file.stem)
                document.diagnostics.settle()
                yield problem
        except UsageError:
            continue  # the check of that file reports it


def named_domain(document: Document) -> str:
    """Return the domain name in a problem; empty when there is none."""
    for section in document.define.items:
        if isinstance(section, Group) and section.head == ":domain" and len(section.items) == 2:
            name = section.items[1]
            return name.text if isinstance(name, Word) else ""
    return ""


def domain_of_problem(document: Document, path: Path) -> Path | None:
    """Return the PDDL file beside a problem that defines the problem's domain, or None."""
    wanted = named_domain(document)
    for file in sorted(path.parent.glob("*.pddl"))[:MOST_BESIDE]:
        try:
            other = open_document(file)
        except UsageError:
            continue
        second = other.define.items[1] if kind_of(other) == "domain" else None
        if isinstance(second, Group) and wanted in (item.text for item in second.items if isinstance(item, Word)):
            return file
    return None


def check_pddl_problem(document: Document, domain: Domain, stem: str) -> None:
    """Read a problem and check its meaning; the findings go to the diagnostics of its document."""
    problem = read_problem_document(domain, document, stem)
    diagnostics = document.diagnostics
    if any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics.problems):
        return
    places = PddlPlaces(document.text)
    lint_scene(problem.scene, domain, places, diagnostics)
    _check_numbers(problem.scene, domain, document)
    start = State(problem.scene.facts | problem.scene.beliefs.keys(), problem.scene.numbers)
    scene = Problem(domain, problem.scene.things, start)
    for literal in out_of_reach(certain(conjoined(problem.goal)), scene):
        mark = places.literal(("goal",), (literal.atom.predicate, *literal.atom.args), literal.positive)
        message = f"nothing that can be done from here makes {literal} true"
        diagnostics.warn(mark, message, "unreachable-goal", str(literal))


def _check_numbers(scene: SceneFile, domain: Domain, document: Document) -> None:
    """Report numeric fluents that an action reads but that neither the initial state nor an effect assigns."""
    with_value = {atom.predicate for atom in scene.numbers}
    start = next(
        (section for section in document.define.items if isinstance(section, Group) and section.head == ":init"), None
    )
    with_value |= {
        numeric.fluent.predicate for capability in domain.capabilities.values() for numeric in capability.numeric
    }
    for name in sorted({*fluents_read(domain)} & domain.fluents.keys() - with_value):
        if domain.fluents[name].default is None:
            message = f"an action reads the number '{name}', which has no value here; expected such as (= ({name} …) 1)"
            document.warn(start or document.define, message, "no-value", name)
