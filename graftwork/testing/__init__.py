"""Test doubles: a body without physics, a virtual clock, and language models without a network.

`docs/testing.md` shows each of them. Importing this package loads none of them before its first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graftwork.errors import OutOfAnswersError, RecordingError, UnrecordedRequestError
    from graftwork.language.replayed import ReplayedModel
    from graftwork.language.scripted import ModelRequest, ScriptedModel
    from graftwork.testing.plans import assert_plan_valid
    from robots.fake import FakeRobot, InjectedFault, VirtualClock

__all__ = [
    "FakeRobot",
    "InjectedFault",
    "ModelRequest",
    "OutOfAnswersError",
    "RecordingError",
    "ReplayedModel",
    "ScriptedModel",
    "UnrecordedRequestError",
    "VirtualClock",
    "assert_plan_valid",
]

_HOMES = {
    **dict.fromkeys(("FakeRobot", "InjectedFault", "VirtualClock"), "robots.fake"),
    **dict.fromkeys(("OutOfAnswersError", "RecordingError", "UnrecordedRequestError"), "graftwork.errors"),
    **dict.fromkeys(("ModelRequest", "ScriptedModel"), "graftwork.language.scripted"),
    "ReplayedModel": "graftwork.language.replayed",
    "assert_plan_valid": "graftwork.testing.plans",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name on first use, so that a test run that does not use it starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'graftwork.testing' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
