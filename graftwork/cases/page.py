"""The documentation page of a world: its scenes, its cases, and the optimal search that it permits."""

from __future__ import annotations

from pathlib import Path

from domains.page import page
from domains.reader import available_scenes, load_domain, load_scene
from graftwork.cases.model import (
    Already,
    Case,
    Expected,
    Partial,
    Planned,
    QuestionExpected,
    RefusalExpected,
    Substituted,
)
from graftwork.cases.suites import load_suites
from planning.adl import admits

__all__ = ["world_page"]


def world_page(name_or_path: str) -> str:
    """Return the page of a world.

    Raises:
        UsageError: There is no such world, or one of its files cannot be used.
    """
    domain = load_domain(name_or_path)
    scenes = [load_scene(domain, scene) for scene in available_scenes(domain)]
    has_cases = domain.source is not None and (Path(domain.source).parent / "cases").is_dir()
    suites = load_suites([domain.source or name_or_path]) if has_cases else ()
    cases = [(case.name, _asked(case)) for suite in suites for case in suite.cases]
    return page(domain, scenes, str(admits(domain)), cases)


def _asked(case: Case) -> str:
    wanted = f'"{case.instruction}"' if case.instruction else f"`{case.goal}`"
    return f"{wanted} in `{case.scene}`: {_expected(case.expected)}"


def _expected(expected: Expected) -> str:
    match expected:
        case Planned(cost, _, optimal):
            sure = ", proved to be the least" if optimal else ""
            return "a plan" if cost is None else f"a plan of cost {cost}{sure}"
        case RefusalExpected(code):
            return f"refused, `{code}`"
        case QuestionExpected():
            return "a question"
        case Already():
            return "already so"
        case Substituted(class_name):
            return f"a {class_name} instead"
        case Partial(_, left_out):
            return f"all but {', '.join(f'`{literal}`' for literal in sorted(left_out))}" if left_out else "all of it"
