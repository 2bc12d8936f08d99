"""Domains as checks need them: read once, with the places of their names and everything that is known beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from domains.errors import Diagnostic, DomainFileError, Severity
from domains.lint import ADDED, CHECKS, YamlPlaces, absent_conventions, lint_domain, lint_scene
from domains.model import Domain, SceneFile
from domains.reader import available_scenes, load_scene
from domains.reader.domain_file import is_sidecar, read_domain
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Node, read_document
from domains.reader.scene_file import read_scene
from graftwork.checks.bodies import check_bodies
from graftwork.checks.files import problem_of
from semantics.errors import UsageError

__all__ = ["CheckedDomain", "check_domain", "check_scene"]


@dataclass(slots=True)
class CheckedDomain:
    """A domain and what is wrong with its file.

    Attributes:
        shown: Its path, for messages.
        domain: None when the file cannot be used.
        problems: What is wrong in it.
        notes: What does not work in its world, though nothing is wrong in it.
    """

    shown: str
    domain: Domain | None = None
    problems: list[Diagnostic] = field(default_factory=list)
    notes: list[Diagnostic] = field(default_factory=list)

    @property
    def errors(self) -> int:
        """Number of problems for which it cannot be used."""
        return sum(problem.severity is Severity.ERROR for problem in self.problems)


def check_domain(path: Path, shown: str) -> CheckedDomain:
    """Read a domain and check what can be read of it."""
    checked = CheckedDomain(shown)
    try:
        node, diagnostics = read_document(path, shown)
        domain = read_domain(node, str(path), diagnostics)
        checked.problems = list(diagnostics.problems)
        if not checked.errors:
            checked.domain = domain
            scenes = _scenes_beside(domain)
            places = YamlPlaces(node, diagnostics)
            checks = ADDED if is_sidecar(node) else CHECKS
            lint_domain(domain, places, diagnostics, scenes=scenes, checks=checks)
            check_bodies(domain, places, diagnostics)
            checked.notes = list(absent_conventions(domain, places, shown))
            checked.problems = list(diagnostics.problems)
    except DomainFileError as error:
        checked.problems = list(error.problems)
    except UsageError as error:
        checked.problems.append(problem_of(shown, str(error), "unusable"))
    return checked


def _scenes_beside(domain: Domain) -> Iterable[SceneFile]:
    """Return the scenes of a domain; none when one of them cannot be used, since nobody knows what it states."""
    try:
        return [load_scene(domain, name) for name in available_scenes(domain)]
    except UsageError:
        return ()


def check_scene(node: Node, diagnostics: Diagnostics, domain: Domain, name: str) -> None:
    """Read a scene and check what it means."""
    scene = read_scene(node, domain, name, diagnostics)
    if not any(problem.severity is Severity.ERROR for problem in diagnostics.problems):
        lint_scene(scene, domain, YamlPlaces(node, diagnostics), diagnostics)
