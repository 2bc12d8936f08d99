"""`ProgramRun`: a program on its way, from its text to its episode."""

from __future__ import annotations

from functools import partial

from bt.background import in_background, waited
from bt.correction import Midway, Rehearsal
from bt.correction.rehearsal import Rehearsed
from bt.programs import CheckedProgram, Routine, check_program, write_program
from bt.record import Journal
from bt.runner import Runner
from graftwork.decision import FinalDecision
from graftwork.errors import NothingToDoError
from graftwork.record.episode import Episode, Outcome
from graftwork.run.context import RunContext
from graftwork.run.correction import Trial, trial_of_program
from graftwork.run.program_text import ProgramSource, closing, refusal
from graftwork.run.program_tree import Whereabouts, build_program
from graftwork.run.run import Run
from semantics.correction import Correction
from semantics.feedback import Feedback
from semantics.goal import Rejection
from semantics.program import RefusedProgram
from semantics.state import Plan

__all__ = ["ProgramRun"]


class ProgramRun(Run):
    """One program, from its text to its episode.

    `begin` has it read and checked; nothing moves before the first `tick` after that, and nothing at all when a mistake
    was found.

    Args:
        context: The services of the session.
        source: The text of the program, with its name.

    Attributes:
        program: The text of the program.
        tree: What carries it out; None when it was refused.
        rehearsed: How it went on the model, once `rehearse` was called.
    """

    program: str
    tree: Routine | None = None
    rehearsed: Rehearsed | None = None

    def __init__(self, context: RunContext, source: ProgramSource) -> None:
        super().__init__(context, source.name)
        self.program = source.text

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
        self._state.journal.write("program", {"text": self.program})
        self._context.stage.watcher.refresh()
        check = partial(check_program, self.program, self._context.stage.domain, self._context.plans.things)
        self._deciding = in_background(lambda: partial(self._carry_out, check()), "run-decision")

    def _carry_out(self, checked: CheckedProgram | RefusedProgram) -> None:
        """Get ready to be ticked; or end it, where a mistake was found."""
        if isinstance(checked, RefusedProgram):
            self._settle(FinalDecision(Outcome.REFUSED, refusal(checked), checked.feedback))
            return
        self._decision = FinalDecision(Outcome.PLANNED, "The program stands; nothing was moved.")
        self.checked = checked
        self.tree = build_program(checked, self._context, self._state)
        self.runner = self._state.runner(self._context, self.tree)
        self.runner.listen(Whereabouts(self.tree, self._state.journal))

    def rehearse(self) -> Rehearsed:
        """Carry it out on the model, from what is believed now; nothing moves.

        It is planned for what the program is to achieve, on another thread: an interrupt ends it at once.
        """
        context = self._context
        rehearsal = Rehearsal(planner=context.plans.found)
        self.wait()
        with self._at_work():
            if self.tree is None:
                raise NothingToDoError(self.instruction, "the program was refused")
            work = in_background(partial(rehearsal.of, self.checked, context.beliefs.state), "run-rehearsal")
            waited(work)
        self.rehearsed = work.result()
        return self.rehearsed

    def _tried_by(self, runner: Runner, correction: Correction, journal: Journal) -> Trial | Rejection:
        assert self.tree is not None

        def taken(midway: Midway) -> None:
            self.checked, self.program = midway.checked, write_program(midway.checked.program)
            journal.write("program", {"text": self.program})

        return trial_of_program(self.tree, correction, self._context, journal, taken)

    def leave(self) -> Episode:
        """End it before anything moved; what failed in a rehearsal is told."""
        self.wait()
        if self.episode is None:
            failed = () if self.rehearsed is None or self.rehearsed.failure is None else (self.rehearsed.failure,)
            message = f"The program stands; nothing was moved.{' On the model it would fail.' if failed else ''}"
            self._end(Outcome.PLANNED, message, failed, None)
        assert self.episode is not None
        return self.episode

    def _closing(self, outcome: Outcome, feedback: tuple[Feedback, ...]) -> str:
        if outcome is Outcome.ACHIEVED and self.tree is not None:
            return closing(self.tree.achieved, self._context.stage.watcher)
        return super()._closing(outcome, feedback)
