"""The readers of PDDL domains and problems; each error has its position."""

from __future__ import annotations

from pathlib import Path

from domains.model import Domain
from domains.pddl.reader.document import Document, open_document
from domains.pddl.reader.domain import ParsedDomain, read_domain_document
from domains.pddl.reader.problem import ProblemFile, read_problem_document

__all__ = [
    "Document",
    "ParsedDomain",
    "ProblemFile",
    "open_document",
    "read_pddl_domain",
    "read_pddl_problem",
    "read_pddl_reading",
    "read_problem_document",
]


def read_pddl_reading(path: str | Path) -> ParsedDomain:
    """Read a domain file with its parse tree, positions and warnings.

    Raises:
        DomainFileError: The file cannot be used; lists every problem with its line and column.
    """
    reading = read_domain_document(open_document(Path(path), str(path)), str(path))
    reading.document.diagnostics.settle()
    return reading


def read_pddl_domain(path: str | Path) -> Domain:
    """Read a domain file.

    Raises:
        DomainFileError: The file cannot be used; lists every problem with its line and column.
    """
    return read_pddl_reading(path).domain


def read_pddl_problem(domain: Domain, path: str | Path) -> ProblemFile:
    """Read a problem of `domain`, which may come from PDDL or YAML.

    Raises:
        DomainFileError: The file cannot be used; lists every problem with its line and column.
    """
    document = open_document(Path(path))
    problem = read_problem_document(domain, document, Path(path).stem)
    document.diagnostics.settle()
    return problem
