"""Trees as plain data, for the memory, for the record and for people.

A tree document is ``{"type", "name", "children"}`` with the details of its type: a step has its ``action`` and
``command``, its ``before`` and ``after``; a goal node has its ``goals``, a resume node its ``plan`` as the text of a
program (`bt.programs.plan_statement`), a weave node also the ``order`` of its steps, as pairs of an earlier and a later
one. Formulas are PDDL text. All of it is valid JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from py_trees.behaviour import Behaviour

from bt.execution.execute import Execute
from bt.execution.goal import GoalNode
from bt.execution.step import Step
from bt.node import kind_of, leaves_first, what_of
from bt.programs.plan_statement import plan_text
from semantics.logic.atoms import Conjunct


@runtime_checkable
class Telling(Protocol):
    """A node of another package that defines the details of its document itself."""

    def details(self) -> dict[str, Any]:
        """Return the details as plain data."""


def document(root: Behaviour) -> dict[str, Any]:
    """Return a tree as plain data."""
    return folded(root, lambda node: {"type": kind_of(node), "name": node.name, **_details(node)})


def folded(root: Behaviour, tell: Callable[[Behaviour], dict[str, Any]]) -> dict[str, Any]:
    """Return what `tell` says of each node of a tree, with that of the nodes below it as its ``children``."""
    made: dict[int, dict[str, Any]] = {}
    for node in leaves_first(root):
        made[id(node)] = {**tell(node), "children": [made.pop(id(child)) for child in node.children]}
    return made[id(root)]


def _details(node: Behaviour) -> dict[str, Any]:
    details = next((tell(node) for kind, tell in DETAILS.items() if isinstance(node, kind)), None)
    if details is None and isinstance(node, Telling):
        details = node.details()
    return details or ({"what": what_of(node)} if what_of(node) else {})


def _step(node: Step) -> dict[str, Any]:
    operator = node.operator
    command = operator.command
    return {
        "action": str(operator.action),
        "command": None if command is None else {"primitive": command.primitive, "roles": dict(command.roles)},
        "before": [str(literal) for literal in sorted(operator.precondition)],
        "after": [str(literal) for literal in sorted(operator.effects)],
    }


DETAILS: Mapping[type, Callable[[Any], dict[str, Any]]] = {
    Step: _step,
    GoalNode: lambda node: {"goals": [_formula(goal) for goal in node.goals]},
    Execute: lambda node: {
        "plan": plan_text(node.plan),
        **({} if node.order.total else {"order": [list(pair) for pair in node.order.pairs]}),
    },
}


def _formula(goal: Conjunct) -> str:
    return f"(and {' '.join(str(literal) for literal in sorted(goal))})" if goal else "(and)"
