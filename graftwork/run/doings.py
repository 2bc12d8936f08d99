"""What a run has done, does and is to do, taken at any moment; `graftwork.decision.query` answers from it."""

from __future__ import annotations

from bt import Runner
from bt.execution.execute import plan_under_way
from graftwork.decision.model import Doings
from graftwork.run.context import RunState
from graftwork.run.stages import in_order
from semantics.logic.feedback import Feedback
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import bits


def doings_of(state: RunState, runner: Runner | None, goal: CheckedGoal | Goal | None, ended: str = "") -> Doings:
    """Return what a run has done, does and is to do; any thread may ask.

    Args:
        state: The state of the run.
        runner: The runner of its tree; None before it has one.
        goal: The goal that is pursued now.
        ended: The message at its end; empty while it runs.
    """
    work, goals = None if runner is None else plan_under_way(runner.root), in_order(runner)
    later = () if goals is None else goals.first.goal.later[len(goals.achieved) :]
    heard = [event for event in tuple(state.events.events) if event["e"] in ("heard", "asked", "answered")]
    return Doings(
        goal="" if goal is None else str((goal.goal if isinstance(goal, CheckedGoal) else goal).formula),
        done=tuple(state.trials.worked),
        running=() if work is None else tuple(step.operator for step in work.running_steps()),
        left=() if work is None else tuple(work.plan.steps[number] for number in bits(work.left)),
        later=tuple(str(each.formula) for each in later),
        failures=tuple(Feedback.from_dict(dict(event["feedback"])) for event in state.events.of("feedback")),
        said=tuple(str(event.get("question") or event.get("words")) for event in heard),
        ended=ended,
    )
