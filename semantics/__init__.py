"""The vocabulary of the project: facts, states, actions, goals and feedback, and the check of a goal.

The other packages build on these values and protocols; this package imports none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semantics.lazy import imported_from

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

__getattr__ = imported_from(
    __name__,
    {
        "state": "Action State",
        "atoms": "Atom Literal dnf",
        "goal": "CheckedGoal Goal Question Rejection",
        "feedback": "Code Feedback",
        "correction": "Correction Insert Remove Replace StatementPlace",
        "protocols": "Message Robot",
        "observation": "Observation",
        "parsing": "parse_formula",
    },
)
