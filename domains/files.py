"""Whole worlds as files: PDDL of a scene and its goal, and YAML of a PDDL world and its problems."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from domains.errors import DomainFileError
from domains.model import Domain, SceneFile
from domains.pddl.reader import ProblemFile, read_pddl_problem
from domains.pddl.writer import PddlWriter
from domains.pddl.yaml_text import domain_yaml, scene_yaml
from domains.reader import load_domain, scene_path
from semantics.errors import UsageError
from semantics.logic.atoms import And, Formula
from semantics.logic.state import State


def problem_in(domain: Domain, name_or_path: str | Path) -> ProblemFile | None:
    """Return the PDDL problem of a scene, with its goal; None for a scene in YAML.

    Raises:
        UnknownNameError: There is no such scene.
        DomainFileError: The file cannot be used.
    """
    path = scene_path(domain, name_or_path)
    return read_pddl_problem(domain, path) if path.suffix == ".pddl" else None


def write_pddl(
    domain: Domain,
    scene: SceneFile | None,
    goal: Formula | None,
    profile: str = "adl-costs",
    *,
    state: State | None = None,
    drop_costs: bool = False,
) -> tuple[str, str, dict[str, str]]:
    """Write a domain and the problem of a scene.

    Args:
        domain: The domain to write.
        scene: The scene with its things; None to write no things and all classes.
        goal: Goal of the problem; None for the empty goal.
        profile: One of `PROFILES`.
        state: Initial state; by default the facts and beliefs of the scene.
        drop_costs: Whether to omit action costs.

    Returns:
        The domain, the problem, and the original names of renamed parts, by their PDDL names.

    Raises:
        ProfileError: The profile cannot express the domain or the goal; lists every reason.
        UnknownNameError: There is no such profile, or the goal has an unknown name.
    """
    writer = PddlWriter(domain, scene.things if scene else {}, profile, drop_costs=drop_costs)
    if state is None:
        state = State(scene.facts | frozenset(scene.beliefs), scene.numbers) if scene else State()
    written = writer.write(state, goal if goal is not None else And(()), scene.name if scene else "task")
    return written.domain, written.problem, dict(writer.naming.renamed)


def as_yaml(name: str, problems: Iterable[str]) -> dict[str, str]:
    """Return the files of a PDDL world in YAML, by name.

    Raises:
        UsageError: A name or file is wrong, or YAML cannot express the PDDL world.
    """
    domain = load_domain(name)
    files = {}
    for name_or_path in problems:
        problem = problem_in(domain, name_or_path)
        if problem is None:
            raise UsageError(f"{name_or_path} is no PDDL problem")
        files[f"scenes/{problem.scene.name}.yaml"] = scene_yaml(domain, problem.scene, problem.goal)
    return {"domain.yaml": _readable(domain), **files}


def _readable(domain: Domain) -> str:
    """Write a domain such that our own reader accepts it, with untyped predicates if necessary."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "domain.yaml"
        for loosely in (False, True):
            text = domain_yaml(domain, loosely=loosely)
            path.write_text(text, encoding="utf-8")
            try:
                load_domain(path)
            except DomainFileError as exc:
                problems = exc.problems
            else:
                return text
    messages = "\n".join(problem.message for problem in problems)
    raise UsageError(f"the domain {domain.name} cannot be said in YAML as it is:\n{messages}")
