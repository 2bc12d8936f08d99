"""Corrections of what a run is doing: tried on the model, told in words, and taken over between two ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bt import Entries, Journal, Runner, Tree, plan_fields
from bt.editing import Rehearsal, correct_midway, correct_under_way, exchange, exchange_program
from bt.editing.midway import Midway
from bt.errors import TreeError
from bt.programs import Routine
from graftwork.episode import Episode
from graftwork.running.means import Means
from semantics.correction import Correction
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection

__all__ = ["Amended", "Amending", "amend_plan", "amend_program"]


@dataclass(frozen=True, slots=True)
class Amended:
    """A correction that was taken over.

    Attributes:
        difference: What is different, one sentence a change.
        steps: What is to be done from here on, as it went on the model.
        stopped: What ran and is stopped, since it was edited away; all else that ran goes on.
    """

    difference: tuple[str, ...]
    steps: tuple[str, ...]
    stopped: tuple[str, ...] = ()


class Amending:
    """What of a run lets it be corrected while it is under way."""

    episode: Episode | None
    _means: Means
    _runner: Runner | None
    _events: Entries

    def correct(self, correction: Correction) -> Amended | Rejection:
        """Do the rest otherwise; call it between two ticks, on the thread that ticks.

        The correction is tried on the model first. What runs goes on, unless it was edited itself.

        Args:
            correction: Edits of the whole plan that is under way, its steps counted from the first.

        Returns:
            What is different now, in words; or why nothing was changed.
        """
        if self._runner is None or self.episode is not None:
            return Rejection(
                (Feedback(Code.INVALID_PLAN, "the correction", "nothing is under way", recoverable=False),)
            )
        return self._amended(self._runner, correction, self._means.chronicle.journal(self._events, self._means.story))

    def _amended(self, runner: Runner, correction: Correction, told: Journal) -> Amended | Rejection:
        return amend_plan(runner.root, correction, self._means, told)


def amend_plan(tree: Tree, correction: Correction, means: Means, told: Journal) -> Amended | Rejection:
    """Correct the plan that a tree works on, or say why not; then nothing is changed."""
    domain, things, beliefs = means.stage.domain, means.decider.things, means.beliefs
    try:
        found = correct_under_way(tree, correction, domain, things, beliefs.state, rehearsal=_rehearsal(means))
        if isinstance(found, Rejection):
            return found
        plan, difference = found
        exchanged = exchange(tree, plan, beliefs)
    except TreeError as error:
        return Rejection((Feedback(Code.UNSUPPORTED, "the correction", str(error)),))
    if isinstance(exchanged, Rejection):
        return exchanged
    told.write("plan", plan_fields(plan, "correction"))
    _note(difference, means, told)
    return Amended(difference, tuple(map(str, plan.steps)), tuple(map(str, exchanged.stopped)))


def amend_program(
    routine: Routine, correction: Correction, means: Means, told: Journal
) -> tuple[Amended, Midway] | Rejection:
    """Correct a program that is under way, or say why not; then nothing is changed."""
    found = correct_midway(routine, correction, means.beliefs.state, rehearsal=_rehearsal(means))
    if isinstance(found, Rejection):
        return found
    stopped = exchange_program(routine, found.checked, found.stand)
    if isinstance(stopped, Rejection):
        return stopped
    _note(found.difference, means, told)
    steps = tuple(map(str, found.rehearsed.steps))
    return Amended(found.difference, steps, tuple(one.what for one in stopped)), found


def _rehearsal(means: Means) -> Rehearsal:
    return Rehearsal(planner=means.plans.found)


def _note(difference: Sequence[str], means: Means, told: Journal) -> None:
    now = round(means.stage.robot.clock.now(), 3)
    for sentence in difference:
        told.write("note", {"t": now, "text": f"corrected: {sentence}"})
