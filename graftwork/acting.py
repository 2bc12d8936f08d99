"""From a decision to a tree that plans again when its plan no longer does."""

from __future__ import annotations

from collections.abc import Mapping

from bt import Tree, pursue
from bt.record import Journal
from graftwork.deciding import Decider, Ready
from graftwork.opening import Stage
from planning import solve
from semantics.feedback import Feedback
from semantics.protocols import NoPlan, Skill
from semantics.state import Plan, State

__all__ = ["build_tree"]


def build_tree(
    ready: Ready, decider: Decider, stage: Stage, skills: Mapping[str, Skill], journal: Journal | None
) -> Tree:
    """Compile the plan of a decision, under a rung that plans again from what is believed."""

    def replan(state: State, _: Feedback) -> Plan | NoPlan:
        seconds = decider.planning_seconds
        return solve(ready.goal, state, decider.things, decider.domain, planner=decider.planner, seconds=seconds)

    return pursue(
        ready.plan,
        replan,
        beliefs=stage.watcher,
        robot=stage.robot,
        goals=ready.goal.conjuncts,
        skills=skills,
        journal=journal,
    )
