"""How long a plan takes the two hands of the body that lives in the model: one step after the other, and at once."""

from __future__ import annotations

from typing import NamedTuple

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Runner, compile_plan
from bt.runner import Ending
from domains.model import Domain, SceneFile
from domains.problem import Problem
from graftwork.setup.model_body import symbolic_robot
from graftwork.setup.plans import Sharing
from semantics.logic.state import Plan, State

__all__ = ["Lasting", "lasting"]

RATE = 5.0
"""Ticks per second; of steps that take from 10 s on, more of them show little more."""
LONGEST = 10_000.0
"""Seconds, as the body lives them, after which a run is called off."""


class Lasting(NamedTuple):
    """Seconds as the body lives them, from the first motion to the goal sensed; `states` are where the runs ended.

    Attributes:
        in_turn: One step after the other.
        at_once: What does not depend on each other at once, in parts by the other hand.
        states: The body's true state at the end of both.
    """

    in_turn: float
    at_once: float
    states: tuple[State, State]


def lasting(plan: Plan, domain: Domain, scene: SceneFile) -> Lasting | str:
    """Run a plan in both ways, as a session does without a mishap; or return which of them failed, and why."""
    state = State(scene.facts, scene.numbers)
    sharing = Sharing.on(symbolic_robot(domain, scene))
    shared = plan if sharing is None else sharing.shared(plan, Problem(domain, scene.things, state))
    times, ends = [], []
    for one, together in ((plan, False), (shared, True)):
        robot = symbolic_robot(domain, scene)
        watcher = Watcher(robot, Scene.start(scene, domain))
        watcher.refresh()
        root = compile_plan(one, beliefs=watcher, robot=robot, together=together)
        ended = Runner(root, robot, watcher, rate_hz=RATE).run(LONGEST)
        if ended.status is not Ending.SUCCESS:
            return f"{'at once' if together else 'in turn'}: {ended.reason}"
        times.append(robot.clock.now())
        ends.append(robot.state)
    return Lasting(times[0], times[1], (ends[0], ends[1]))
