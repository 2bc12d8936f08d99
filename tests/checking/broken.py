"""The broken worlds, and the exact answer that stands beside each: ``line:column: severity: code: culprit``."""

from pathlib import Path

from domains.errors import Diagnostic
from graftwork.checks import check_paths

WORLDS = Path(__file__).parent.parent / "domains" / "broken_worlds"
ANSWER = ".expected"


def written(problem: Diagnostic) -> str:
    culprit = " ".join(problem.culprit.split())
    return f"{problem.line}:{problem.column}: {problem.severity}: {problem.code}: {culprit}".rstrip()


def broken_files() -> list[Path]:
    return sorted(path.with_suffix("") for path in WORLDS.rglob(f"*{ANSWER}"))


def found(file: Path) -> list[str]:
    """Return what a check of the file's world, or of it alone, tells of it."""
    asked = file.parent if file.parent.parent.name in ("worlds", "pddl") else file
    problems = check_paths([str(asked)]).problems
    return [written(problem) for problem in problems if Path(problem.file).resolve() == file]


def expected(file: Path) -> list[str]:
    return Path(f"{file}{ANSWER}").read_text(encoding="utf-8").splitlines()
