"""The documentation page of a world: its scenes, its cases, and the optimal search that it permits."""

from __future__ import annotations

from pathlib import Path

from domains.page import page
from domains.reader import available_scenes, load_domain, load_scene
from graftwork.cases.model import Case
from graftwork.cases.suites import load_suites
from planning.adl import admits


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
    return f"{wanted} in `{case.scene}`: {case.expected}"
