"""`ProgramRun`: the run of a program, from its text to its episode."""

from __future__ import annotations

import re
from functools import partial

from bt.background import in_background, waited
from bt.correction import Midway
from bt.correction.rehearsal import Rehearsed
from bt.programs import CheckedProgram, Routine, check_program, write_program
from bt.record import Journal
from bt.runner import Runner
from graftwork.decision import FinalDecision
from graftwork.errors import NothingToDoError
from graftwork.record.episode import Episode, Outcome
from graftwork.run.context import Services
from graftwork.run.correction import Attempt, trial_of_program
from graftwork.run.program_text import ProgramSource, closing, refusal
from graftwork.run.program_tree import Whereabouts, build_program, rehearsal_in
from graftwork.run.run import Run
from semantics.logic.correction import Correction
from semantics.logic.feedback import Feedback
from semantics.logic.goal import Rejection
from semantics.logic.program import RefusedProgram
from semantics.logic.state import Plan


class ProgramRun(Run):
    """The run of a program, from its text to its episode.

    `begin` starts the check of the program on another thread. Nothing moves before the first `tick` after the check,
    and nothing moves at all if the check finds a mistake. For threads and forks, see `Run`.

    Args:
        services: The services of the session.
        source: The text of the program, with its name.

    Attributes:
        program: The text of the program.
        tree: The tree that executes it; None when the program is refused.
        rehearsed: The result of the rehearsal on the model; None before `rehearse`.
    """

    program: str
    tree: Routine | None = None
    rehearsed: Rehearsed | None = None

    def __init__(self, services: Services, source: ProgramSource) -> None:
        super().__init__(services, source.name)
        self.program = source.text

    @property
    def goal(self) -> None:
        """None: a program states its goals during its execution."""

    @property
    def plan(self) -> Plan | None:
        """The steps of the rehearsal as a plan; None before `rehearse`."""
        return None if self.rehearsed is None else Plan(self.rehearsed.steps, frozenset(), planner="rehearsal")

    @property
    def cost(self) -> float | None:
        """None: the cost of a program is known only after its execution."""
        return None

    def _decide(self) -> None:
        self._state.journal.write("program", {"text": self.program})
        self._services.watcher.refresh()
        self._services.watcher.require_distances({})  # those of the goal before
        check = partial(check_program, self.program, self._services.world.domain, self._services.world.objects)
        self._deciding = in_background(check, "run-decision")

    def _take_up(self, checked: CheckedProgram | RefusedProgram) -> None:  # type: ignore[override]
        """Build the tree and the runner; or end the run if the check found a mistake."""
        if isinstance(checked, RefusedProgram):
            self._settle(FinalDecision(Outcome.REFUSED, refusal(checked), checked.feedback))
            return
        self._decision = FinalDecision(Outcome.PLANNED, "The program stands; nothing was moved.")
        names = checked.language.names
        self._services.watcher.keep({names[word] for word in re.findall(r"\w+", self.program) if word in names})
        self.tree = build_program(checked, self._services, self._state)
        self.runner = self._state.runner(self._services, self.tree)
        self.runner.listen(Whereabouts(self.tree, self._state.journal))

    def rehearse(self) -> Rehearsed:
        """Execute the program on the model, from the believed state; nothing moves.

        The goals of the program are planned for on another thread, so that an interrupt ends the rehearsal at once.
        """
        services = self._services
        rehearsal = rehearsal_in(services)
        self.wait()
        with self._at_work():
            if self.tree is None:
                raise NothingToDoError(self.instruction, "the program was refused")
            language = self.tree.setting.language
            checked = check_program(self.program, language.domain, language.things, bound=language.names)
            assert isinstance(checked, CheckedProgram)
            work = in_background(partial(rehearsal.of, checked, services.beliefs.state), "run-rehearsal")
            waited(work)
        self.rehearsed = work.result()
        return self.rehearsed

    def _tried_by(self, runner: Runner, correction: Correction, journal: Journal) -> Attempt | Rejection:
        assert self.tree is not None

        def taken(midway: Midway) -> None:
            self.program = write_program(midway.checked.program)
            journal.write("program", {"text": self.program})

        return trial_of_program(self.tree, correction, self._services, journal, taken)

    def leave(self) -> Episode:
        """End the run before anything moved; a failure of the rehearsal becomes feedback."""
        failed = () if self.rehearsed is None or self.rehearsed.failure is None else (self.rehearsed.failure,)
        message = f"The program stands; nothing was moved.{' On the model it would fail.' if failed else ''}"
        return self._unmoved(Outcome.PLANNED, message, failed)

    def _closing(self, outcome: Outcome, feedback: tuple[Feedback, ...]) -> str:
        if outcome is Outcome.ACHIEVED and self.tree is not None:
            return closing(self.tree, self._services.watcher)
        return super()._closing(outcome, feedback)
