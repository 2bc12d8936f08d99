"""Robot bodies, and what they share.

There are four bodies: `FakeRobot` without physics, `SymbolicRobot` in a PDDL model, `PyBulletRobot` in a physics
simulation, and `ServedRobot`, which drives a body in another process. All of them implement `semantics.protocols.Robot`
and report failures as `Feedback`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from robots.errors import BodyUnavailableError
    from robots.fake import FakeRobot, InjectedFault, VirtualClock
    from robots.mishaps import Faulty, MishapKind
    from robots.perturb import perturbed
    from robots.primitives import PRIMITIVES, Primitive
    from robots.pybullet import PyBulletRobot
    from robots.served import BodyServer, ServedRobot
    from robots.symbolic import SymbolicRobot

__all__ = [
    "PRIMITIVES",
    "BodyServer",
    "BodyUnavailableError",
    "FakeRobot",
    "Faulty",
    "InjectedFault",
    "MishapKind",
    "Primitive",
    "PyBulletRobot",
    "ServedRobot",
    "SymbolicRobot",
    "VirtualClock",
    "perturbed",
]

_HOMES = {
    "BodyServer": "served",
    "BodyUnavailableError": "errors",
    "FakeRobot": "fake",
    "Faulty": "mishaps",
    "InjectedFault": "fake",
    "MishapKind": "mishaps",
    "PRIMITIVES": "primitives",
    "Primitive": "primitives",
    "PyBulletRobot": "pybullet",
    "ServedRobot": "served",
    "SymbolicRobot": "symbolic",
    "VirtualClock": "fake",
    "perturbed": "perturb",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name on first use, so that importing one body does not load the others or PyBullet."""
    if name not in _HOMES:
        raise AttributeError(f"module 'robots' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"robots.{_HOMES[name]}"), name)
