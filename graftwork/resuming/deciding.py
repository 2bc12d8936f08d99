"""From the goal of an earlier run to what is left to be done of it."""

from __future__ import annotations

from graftwork.deciding.decider import Ready, Settled
from graftwork.episode import Outcome
from graftwork.running.means import Means
from semantics.goal import Goal, Rejection

__all__ = ["decided_again"]


def decided_again(means: Means, goal: Goal) -> Ready | Settled:
    """Check a goal against what is believed now and plan for it; nobody is asked again what was meant.

    A plan from here has no step whose work is done, and its tree finds the latest step that leads on by itself.
    """
    watcher, decider = means.stage.watcher, means.decider
    watcher.refresh()
    try:
        checked = decider.check(goal, watcher.state)
        if isinstance(checked, Rejection):
            return Settled(Outcome.REFUSED, str(checked), checked.feedback, goal)
        return decider.plan(checked, watcher.state)
    except BaseException:  # an interrupt too: nothing may go on planning for nobody
        means.plans.service.cancel()
        raise
