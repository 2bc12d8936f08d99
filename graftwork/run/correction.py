"""Corrections of a running plan or program: tested on the model, described in words, and applied between two ticks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bt import Runner, Tree
from bt.background import Pending, in_background, waited
from bt.correction import Midway, Rehearsal, exchange, exchange_program, propose, propose_midway, worked_on
from bt.errors import TreeError
from bt.programs import Routine
from bt.record import Journal, plan_fields
from graftwork.record.episode import Episode
from graftwork.recovery.tree import PLANNED_SECONDS
from graftwork.run.context import RunState, Services, changed_meanwhile
from graftwork.run.program_tree import rehearsal_in
from semantics.logic.correction import Correction
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.logic.state import Plan


@dataclass(frozen=True, slots=True)
class Amended:
    """An applied correction.

    Attributes:
        difference: The changes, one sentence each.
        steps: The remaining steps, running ones first, as texts of actions.
        stopped: Running steps that were stopped because the correction removed them; all others continue.
    """

    difference: tuple[str, ...]
    steps: tuple[str, ...]
    stopped: tuple[str, ...] = ()


NOTHING = Rejection((Feedback(Code.INVALID_PLAN, "the correction", "nothing is under way", recoverable=False),))

Taking = Callable[[], Amended | Rejection]
"""Applies a tested correction between two ticks, or returns why it is too late."""
Attempt = Callable[[], Taking | Rejection]
"""Tests a correction on the model; any thread may call it, and it may take long."""


class Correcting:
    """A correction that is tested while the run continues; the run applies it before a tick.

    Args:
        run: The corrected run.
        answer: The pending test; a rejection if the correction cannot be tested.
    """

    def __init__(self, run: Amending, answer: Pending[Taking | Rejection] | Rejection) -> None:
        self._run, self._answer = run, answer
        self._result: Amended | Rejection | Exception | None = answer if isinstance(answer, Rejection) else None

    @property
    def result(self) -> Amended | Rejection | None:
        """The result, or None during the test; raises the exception of the test."""
        if isinstance(self._result, Exception):
            raise self._result
        return self._result if self._result is not None or self.is_pending else NOTHING

    @property
    def is_pending(self) -> bool:
        """Whether the test is running."""
        return self._result is None and self._run.episode is None

    def take_over(self, now: float) -> None:
        """Apply the correction if its test is complete; called between two ticks."""
        if self._result is not None or isinstance(self._answer, Rejection) or not self._answer.arrived(now):
            return
        try:
            taking = self._answer.result()
            self._result = taking if isinstance(taking, Rejection) else taking()
        except Exception as error:  # `result` raises it; the run continues unchanged
            self._result = error


class Amending:
    """The part of a run that handles corrections."""

    episode: Episode | None
    _services: Services
    _state: RunState
    runner: Runner | None
    _correcting: Correcting | None = None

    def correct(self, correction: Correction) -> Amended | Rejection:
        """Correct the rest of the plan; call this between two ticks on the ticking thread, which waits for the test.

        Another thread tests the correction on the model first. An interrupt ends the wait at once and cancels all
        planning of the session. Running steps continue, unless the correction edits them.

        Args:
            correction: Edits of the complete current plan; steps are counted from its first step.

        Returns:
            The changes, in words; or why nothing was changed.
        """
        trial = self._trial(correction)
        if isinstance(trial, Rejection):
            return trial
        try:
            trying = in_background(trial, "run-correction")
            waited(trying)
        except KeyboardInterrupt:
            self._services.planning.service.cancel()  # no caller needs the answer now
            raise
        taking = trying.result()
        return taking if isinstance(taking, Rejection) else taking()

    def correct_meanwhile(self, correction: Correction) -> Correcting:
        """Correct the rest of the plan like `correct`, but continue to tick during the test.

        Steps that are done before the test ends can no longer be corrected. Only one correction is tested at a time.
        """
        if self._correcting is not None and self._correcting.is_pending:
            why, how = "another one is still being tried", "Wait for that one."
            return Correcting(self, Rejection((Feedback(Code.INVALID_PLAN, "the correction", why, how),)))
        trial = self._trial(correction)
        if isinstance(trial, Rejection):
            return Correcting(self, trial)
        clock, cancellation = self._services.clock, self._state.cancellation
        delay = PLANNED_SECONDS if clock.simulated else None
        pending = Pending(trial, name="correction", now=clock.now(), delay=delay, cancellation=cancellation)
        self._correcting = Correcting(self, pending)
        return self._correcting

    def _trial(self, correction: Correction) -> Attempt | Rejection:
        if self.runner is None or self.episode is not None:
            return NOTHING
        return self._tried_by(self.runner, correction, self._state.journal)

    def _tried_by(self, runner: Runner, correction: Correction, journal: Journal) -> Attempt | Rejection:
        return trial_of_plan(runner.root, correction, self._services, journal)


def trial_of_plan(tree: Tree, correction: Correction, services: Services, journal: Journal) -> Attempt | Rejection:
    """Return the test of a correction of a tree's current plan, or why the plan cannot be corrected."""
    then = services.world
    problem = then.problem(services.beliefs.state)
    try:
        proposed = propose(tree, correction, problem)
    except TreeError as error:
        return _unsupported(error)
    if isinstance(proposed, Rejection):
        return proposed

    def trial() -> Taking | Rejection:
        tried = proposed.tried(Rehearsal(planner=services.plans.found))
        return tried if isinstance(tried, Rejection) else partial(taking, *tried)

    def taking(plan: Plan, difference: Sequence[str]) -> Amended | Rejection:
        try:
            if worked_on(tree).plan is not proposed.old:
                why, how = "the plan has become another one meanwhile", "Correct that one."
                return Rejection((Feedback(Code.INVALID_PLAN, "the correction", why, how),))
            why = changed_meanwhile({name for step in plan.steps for name in step.action.args}, then, services.world)
            changed = Rejection((Feedback(Code.INVALID_PLAN, "the correction", why, "Say it again."),))
            exchanged = changed if why else exchange(tree, plan, services.beliefs)
        except TreeError as error:
            return _unsupported(error)
        if isinstance(exchanged, Rejection):
            return exchanged
        journal.write("plan", plan_fields(plan, "correction"))
        _note(difference, services, journal)
        return Amended(tuple(difference), tuple(map(str, plan.steps)), tuple(map(str, exchanged.stopped)))

    return trial


def trial_of_program(
    routine: Routine, correction: Correction, services: Services, journal: Journal, taken: Callable[[Midway], None]
) -> Attempt | Rejection:
    """Return the test of a correction of a running program, or why the program cannot be corrected.

    `taken` is called with the new program once it replaces the old one.
    """
    proposed = propose_midway(routine, correction, services.beliefs.state)
    if isinstance(proposed, Rejection):
        return proposed

    rehearsal = rehearsal_in(services)

    def trial() -> Taking | Rejection:
        midway = proposed.tried(rehearsal)
        return midway if isinstance(midway, Rejection) else partial(taking, midway)

    def taking(midway: Midway) -> Amended | Rejection:
        stand = proposed.stand_now(routine)
        stopped = stand if isinstance(stand, Rejection) else exchange_program(routine, midway.checked, stand)
        if isinstance(stopped, Rejection):
            return stopped
        _note(midway.difference, services, journal)
        taken(midway)
        return Amended(midway.difference, tuple(map(str, midway.rehearsed.steps)), tuple(node.what for node in stopped))

    return trial


def _unsupported(error: TreeError) -> Rejection:
    return Rejection((Feedback(Code.UNSUPPORTED, "the correction", str(error)),))


def _note(difference: Sequence[str], services: Services, journal: Journal) -> None:
    now = round(services.robot.clock.now(), 3)
    for sentence in difference:
        journal.write("note", {"t": now, "text": f"corrected: {sentence}"})
