"""The vocabulary of the project: facts, states, actions, goals and feedback, and the check of a goal.

The other packages build on these values and protocols; this package imports none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semantics.atoms import Atom, Literal, dnf
    from semantics.correction import Correction, Insert, Remove, Replace, StatementPlace
    from semantics.feedback import Code, Feedback
    from semantics.goal import CheckedGoal, Goal, Question, Rejection
    from semantics.observation import Observation
    from semantics.parsing import parse_formula
    from semantics.protocols import Message, Robot
    from semantics.state import Action, State

__all__ = [
    "Action",
    "Atom",
    "CheckedGoal",
    "Code",
    "Correction",
    "Feedback",
    "Goal",
    "Insert",
    "Literal",
    "Message",
    "Observation",
    "Question",
    "Rejection",
    "Remove",
    "Replace",
    "Robot",
    "State",
    "StatementPlace",
    "dnf",
    "parse_formula",
]

_HOMES = {
    "Action": "state",
    "Atom": "atoms",
    "CheckedGoal": "goal",
    "Code": "feedback",
    "Correction": "correction",
    "Feedback": "feedback",
    "Goal": "goal",
    "Insert": "correction",
    "Literal": "atoms",
    "Message": "protocols",
    "Observation": "observation",
    "Question": "goal",
    "Rejection": "goal",
    "Remove": "correction",
    "Replace": "correction",
    "Robot": "protocols",
    "State": "state",
    "StatementPlace": "correction",
    "dnf": "atoms",
    "parse_formula": "parsing",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name at its first use, so that importing one module does not import all."""
    if name not in _HOMES:
        raise AttributeError(f"module 'semantics' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"semantics.{_HOMES[name]}"), name)
