"""The front door: from an instruction to an episode.

`Session` opens a world and a body; `Session.handle` does what a sentence asks for, `Session.start` gives a `Run` that a
program ticks itself, and `Session.subtree` gives a behaviour for a tree of one's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graftwork.record.episode import Episode, Outcome
    from graftwork.run.run import Run
    from graftwork.session import Session
    from graftwork.setup.limits import Limits

__all__ = ["Episode", "Limits", "Outcome", "Run", "Session"]

_HOMES = {
    "Episode": "record.episode",
    "Limits": "setup.limits",
    "Outcome": "record.episode",
    "Run": "run.run",
    "Session": "session",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name when it is first asked for, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'graftwork' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"graftwork.{_HOMES[name]}"), name)
