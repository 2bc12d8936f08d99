"""Behaviour trees of plans and programs: compiled, ticked, repaired, recorded and shown.

The names here are those that a user needs to build a tree with recovery strategies and to run it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bt.compiler import compile_plan, pursue
    from bt.examination.examination import examine
    from bt.execution.step import Step
    from bt.node import Tree
    from bt.record import Entries
    from bt.recovery.budget import Budget
    from bt.recovery.inquiry import UserPrompt
    from bt.recovery.obstacles import Obstacles
    from bt.recovery.recover import Recover
    from bt.recovery.repair_search import RepairSearch
    from bt.recovery.request import Ask, Nothing, Repeat, Scope, Strategy
    from bt.recovery.strategies import Replan, Retry, Rule
    from bt.runner import Runner

__all__ = [
    "Ask",
    "Budget",
    "Entries",
    "Nothing",
    "Obstacles",
    "Recover",
    "RepairSearch",
    "Repeat",
    "Replan",
    "Retry",
    "Rule",
    "Runner",
    "Scope",
    "Step",
    "Strategy",
    "Tree",
    "UserPrompt",
    "compile_plan",
    "examine",
    "pursue",
]

_HOMES = {
    "Ask": "recovery.request",
    "Budget": "recovery.budget",
    "Entries": "record",
    "Nothing": "recovery.request",
    "Obstacles": "recovery.obstacles",
    "Recover": "recovery.recover",
    "RepairSearch": "recovery.repair_search",
    "Repeat": "recovery.request",
    "Replan": "recovery.strategies",
    "Retry": "recovery.strategies",
    "Rule": "recovery.strategies",
    "Runner": "runner",
    "Scope": "recovery.request",
    "Step": "execution.step",
    "Strategy": "recovery.request",
    "Tree": "node",
    "UserPrompt": "recovery.inquiry",
    "compile_plan": "compiler",
    "examine": "examination.examination",
    "pursue": "compiler",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name when it is first asked for, so that importing one part does not load the others."""
    if name not in _HOMES:
        raise AttributeError(f"module 'bt' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"bt.{_HOMES[name]}"), name)
