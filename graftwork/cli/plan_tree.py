"""The behaviour tree that ``graftwork plan --tree`` shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Entries
from bt.document import document
from bt.recovery import Obstacles, UserPrompt
from bt.recovery.budget import joined_budgets
from domains.model import SceneFile
from graftwork.decision import DecisionContext, PlanDecision
from graftwork.recovery.context import RecoveryContext
from graftwork.recovery.tree import build_tree
from graftwork.setup.environment import Environment
from graftwork.setup.settings import Settings
from robots.fake import FakeRobot
from semantics.body.interlock import interlocked
from semantics.body.layout import Layout, RobotStart
from semantics.geometry.geometry import PlanarPose

SIGNS = {"goal": "◎", "recover": "◇", "execute": "→", "step": "→", "condition": "?", "act": "▸", "effect": "?"}


def tree_document(
    ready: PlanDecision, context: DecisionContext, settings: Settings, scene: SceneFile
) -> dict[str, Any]:
    """Return the tree that a session would tick; it is built for the fake body and never ticked."""
    domain = context.domain
    robot = interlocked(FakeRobot(scene.layout or Layout(RobotStart("robot0", PlanarPose(0.0, 0.0)))))
    environment = Environment(robot, Watcher(robot, Scene.as_written(scene, domain)), "fake")
    helpers = RecoveryContext(lambda _: context, Entries(), UserPrompt())
    obstacles, budgets = Obstacles(environment.watcher), joined_budgets(domain.ladder, settings.ladder)
    return document(build_tree(ready, environment, helpers, obstacles, budgets, domain.repairs))


def tree_text(node: Mapping[str, Any], depth: int = 0) -> str:
    """Return a tree document as indented text."""
    about = node.get("action") or " or ".join(node.get("goals", ())) or node.get("what") or ""
    words = dict.fromkeys(str(word) for word in (node["type"], node["name"], about) if word)
    line = f"{'  ' * depth}{SIGNS.get(node['type'], '-')} {'  '.join(words)}"
    return "\n".join([line, *(tree_text(child, depth + 1) for child in node["children"])])
