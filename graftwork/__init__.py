"""Graftwork: from an instruction to an episode.

`Session` opens a world and a body. `Session.handle` carries out an instruction, `Session.start` returns a `Run` that
your program ticks, and `Session.subtree` returns a behaviour for your own tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graftwork.decision.partial_goal import PartialGoal
    from graftwork.memory.memory import Memory
    from graftwork.record.episode import Episode, Outcome
    from graftwork.run.program import ProgramRun
    from graftwork.run.run import Run
    from graftwork.session import Session
    from graftwork.setup.limits import Weights
    from graftwork.setup.settings import Limits, Settings, load_settings

__all__ = [
    "Episode",
    "Limits",
    "Memory",
    "Outcome",
    "PartialGoal",
    "ProgramRun",
    "Run",
    "Session",
    "Settings",
    "Weights",
    "load_settings",
]

_HOMES = {
    "Episode": "record.episode",
    "Limits": "setup.settings",
    "Memory": "memory.memory",
    "Outcome": "record.episode",
    "PartialGoal": "decision.partial_goal",
    "ProgramRun": "run.program",
    "Run": "run.run",
    "Session": "session",
    "Settings": "setup.settings",
    "Weights": "setup.limits",
    "load_settings": "setup.settings",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name on first use, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'graftwork' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"graftwork.{_HOMES[name]}"), name)
