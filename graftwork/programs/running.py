"""`ProgramRun`: a program on its way, from its text to its episode."""

from __future__ import annotations

from bt.editing import Midway, Rehearsal
from bt.editing.rehearsing import Rehearsed
from bt.programs import CheckedProgram, Routine, check_program, write_program
from bt.record import Journal
from bt.runner import Runner
from graftwork.deciding.decider import Settled
from graftwork.episode import Episode, Outcome
from graftwork.programs.mending import build_program
from graftwork.programs.source import Source
from graftwork.programs.telling import closing, refusal
from graftwork.programs.whereabouts import Whereabouts
from graftwork.running.correcting import Trial, trial_of_program
from graftwork.running.means import Means
from graftwork.running.run import Run
from semantics.correction import Correction
from semantics.feedback import Feedback
from semantics.goal import Rejection
from semantics.state import Plan

__all__ = ["ProgramRun"]


class ProgramRun(Run):
    """One program, from its text to its episode.

    It is read and checked when it is made; nothing moves before the first `tick`, and nothing at all when a mistake
    was found.

    Attributes:
        program: The text of the program.
        tree: What carries it out; None when it was refused.
        rehearsed: How it went on the model, once `rehearse` was called.
    """

    program: str
    tree: Routine | None = None
    rehearsed: Rehearsed | None = None

    def __init__(self, means: Means, source: Source) -> None:
        self.program = source.text
        super().__init__(means, source.name)

    @property
    def goal(self) -> None:
        """Nothing: what a program is to achieve, it says on its way."""

    @property
    def plan(self) -> Plan | None:
        """What would be done, once it was rehearsed."""
        return None if self.rehearsed is None else Plan(self.rehearsed.steps, frozenset(), planner="rehearsal")

    @property
    def cost(self) -> float | None:
        """Nothing: what a program costs shows when it is carried out."""
        return None

    def _decide(self) -> None:
        means = self._means
        self._decided = Settled(Outcome.PLANNED, "The program stands; nothing was moved.")
        told = means.telling(self._events)
        told.write("program", {"text": self.program})
        means.stage.watcher.refresh()
        checked = check_program(self.program, means.stage.domain, means.decider.things)
        if not isinstance(checked, CheckedProgram):
            self._decided = Settled(Outcome.REFUSED, refusal(checked), checked.feedback)
            means.decided(self._decided)
            self._settle(self._decided)
            return
        self.checked = checked
        self.tree = build_program(checked, means, told)
        self._runner = means.ticking(self.tree, told)
        self._runner.listen(Whereabouts(self.tree, told))

    def rehearse(self) -> Rehearsed:
        """Carry it out on the model, from what is believed now; nothing moves."""
        means = self._means
        self.rehearsed = Rehearsal(planner=means.plans.found).of(self.checked, means.beliefs.state)
        return self.rehearsed

    def _tried_by(self, runner: Runner, correction: Correction, told: Journal) -> Trial | Rejection:
        assert self.tree is not None

        def taken(midway: Midway) -> None:
            self.checked, self.program = midway.checked, write_program(midway.checked.program)
            told.write("program", {"text": self.program})

        return trial_of_program(self.tree, correction, self._means, told, taken)

    def leave(self) -> Episode:
        """End it before anything moved; what failed in a rehearsal is told."""
        if self.episode is None:
            failed = () if self.rehearsed is None or self.rehearsed.failure is None else (self.rehearsed.failure,)
            message = f"The program stands; nothing was moved.{' On the model it would fail.' if failed else ''}"
            self._end(Outcome.PLANNED, message, failed, None)
        assert self.episode is not None
        return self.episode

    def _closing(self, outcome: Outcome, feedback: tuple[Feedback, ...]) -> str:
        if outcome is Outcome.ACHIEVED and self.tree is not None:
            return closing(self.tree.achieved, self._means.stage.watcher)
        return super()._closing(outcome, feedback)
