"""Which plan a tree is working on."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.resume import Resume
from bt.reactive.walking import walk
from bt.weaving import Weave
from semantics.state import Plan

__all__ = ["plan_under_way"]


def plan_under_way(root: Behaviour) -> Plan:
    """Return the plan that a tree works on; of several, the one that has failed.

    Raises:
        ValueError: It works on none.
    """
    resumes = [node for node in walk(root) if isinstance(node, Resume | Weave)]
    return max(resumes, key=lambda node: node.status == Status.FAILURE).plan
