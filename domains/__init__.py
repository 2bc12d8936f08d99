"""Worlds as data: the domain language, its readers, writers and checks, and one folder for each built-in world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from domains.errors import Diagnostic, DomainFileError
    from domains.model import Domain, SceneFile
    from domains.pddl import (
        PddlWriter,
        ProfileError,
        read_pddl_domain,
        read_pddl_problem,
        read_pddl_reading,
        write_problem,
    )
    from domains.problem import Problem
    from domains.reader import available_domains, available_scenes, load_domain, load_scene
    from domains.scaffold import new_world

__all__ = [
    "Diagnostic",
    "Domain",
    "DomainFileError",
    "PddlWriter",
    "Problem",
    "ProfileError",
    "SceneFile",
    "available_domains",
    "available_scenes",
    "load_domain",
    "load_scene",
    "new_world",
    "read_pddl_domain",
    "read_pddl_problem",
    "read_pddl_reading",
    "write_problem",
]

_HOMES = {
    "Diagnostic": "errors",
    "Domain": "model",
    "DomainFileError": "errors",
    "PddlWriter": "pddl",
    "Problem": "problem",
    "ProfileError": "pddl",
    "SceneFile": "model",
    "available_domains": "reader",
    "available_scenes": "reader",
    "load_domain": "reader",
    "load_scene": "reader",
    "new_world": "scaffold",
    "read_pddl_domain": "pddl",
    "read_pddl_problem": "pddl",
    "read_pddl_reading": "pddl",
    "write_problem": "pddl",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name at its first use, so that importing one module does not import all."""
    if name not in _HOMES:
        raise AttributeError(f"module 'domains' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"domains.{_HOMES[name]}"), name)
