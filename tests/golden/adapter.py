"""All that the golden runs need of the inner parts of the program; a change of these changes this module alone.

The runs themselves are written against sessions, journals and settings.
"""

from __future__ import annotations

from typing import Any

from benchmarks.faults.runs import shared
from graftwork.setup.model_body import symbolic_robot
from tests.bt.execution.team import Team
from tests.bt.execution.test_execute import BOTH, HANDS, START, TABLE
from tests.bt.execution.test_improvement import DETOUR, FROM_SINK, make
from tests.bt.execution.test_mended import EACH_HAND, SERVED
from tests.bt.recovery.bodies import Bar, Rungs
from tests.bt.recovery.test_rules import MISHAPS
from tests.docs.blocks import DOCS, python_blocks

__all__ = [
    "EACH_HAND",
    "MISHAPS",
    "SERVED",
    "body_in_model",
    "improved",
    "mended",
    "page_blocks",
    "page_example",
    "planner",
    "settled",
    "woven",
]

Events = list[dict[str, Any]]


def planner() -> Any:
    """Return the planning service that all sessions of this process use one after the other."""
    return shared()


def body_in_model(domain: Any, scene: Any) -> Any:
    """Return the body that lives in the model of a scene."""
    return symbolic_robot(domain, scene)


def settled(run: Any) -> Any:
    """Return a run once it is decided on."""
    run.wait()
    return run


def mended(
    world: str, scene: str, goal: str, steps: list[str], *, change: Any = None, faults: Any = (), together: bool = False
) -> Events:
    """Run a plan written by hand under the lower rungs, without a planner; return what its tree wrote."""
    bar = Bar(world, scene, change)
    for fault in faults:
        bar.robot.add_fault(fault)
    end = bar.run(bar.plan(goal, steps), Rungs(bar.mender, together=together))
    return [*bar.journal.events, _ended(end, bar.robot)]


def woven(plan: str, *, together: bool = True, faults: Any = (), slow: str = "") -> Events:
    """Do a plan of two agents or of two hands; the agent `slow` takes three times as long."""
    steps, atoms = {"agents": (BOTH, START), "hands": (HANDS, TABLE)}[plan]
    team = Team(
        steps, atoms, together=together, seconds=lambda step: 3.0 if slow and slow in step.action.args[0] else 1.0
    )
    for fault in faults:
        team.robot.add_fault(fault)
    end = team.run()
    return [*team.journal.events, _ended(end, team.robot)]


def improved(answer: str, delay: float) -> Events:
    """Do a roundabout plan while a search for a cheaper one goes on, whose answer comes after a delay."""
    robot, journal, _, runner = make({"cheaper": FROM_SINK, "same": DETOUR}[answer], delay=delay)
    end = runner.run(60)
    return [*journal.events, _ended(end, robot)]


def _ended(end: Any, robot: Any) -> dict[str, Any]:
    reason = None if end.reason is None else end.reason.as_dict()
    return {"e": "ended", "t": round(robot.clock.now(), 3), "status": str(end.status), "reason": reason}


def page_blocks() -> dict[str, str]:
    """Return the examples of the page of trees that are written by hand and keep a journal, in their order."""
    by_hand = [block.code for block in python_blocks(DOCS / "trees.md") if "Session(" not in block.code]
    return {f"example-{number}": code for number, code in enumerate(by_hand[:4], 1) if "journal" in code}


def page_example(code: str) -> Events:
    """Run an example of that page, and return what it wrote."""
    names: dict[str, Any] = {"__name__": "example", "print": lambda *words: None}
    exec(compile(code, "trees.md", "exec"), names)
    events: Events = names["journal"].events
    return events
