"""The part of a run that carries out a program: its tree, its rehearsal and its corrections."""

from __future__ import annotations

import re
from abc import abstractmethod
from contextlib import AbstractContextManager
from functools import partial

from bt.background import in_background, waited
from bt.correction import Midway
from bt.correction.rehearsal import Rehearsed
from bt.programs import CheckedProgram, Routine, check_program, write_program
from bt.record import Journal
from bt.runner import Runner
from graftwork.decision import ProgramDecision
from graftwork.errors import NothingToDoError
from graftwork.run.context import RunState, Services
from graftwork.run.correction import Amending, Attempt, trial_of_program
from graftwork.run.program_tree import Whereabouts, build_program, rehearsal_in
from semantics.logic.correction import Correction
from semantics.logic.feedback import Feedback
from semantics.logic.goal import Rejection
from semantics.logic.reply import ProgramText
from semantics.logic.state import Plan


class Programmed(Amending):
    """The part of a run that carries out a program. A program states its goals while it is carried out."""

    instruction: str
    program: str | None  # the text of the program; None for a run without one
    tree: Routine | None = None  # the tree that executes it; None without a program, and for one that is refused
    rehearsed: Rehearsed | None = None  # the result of the rehearsal on the model; None before `rehearse`
    _services: Services
    _state: RunState

    @property
    @abstractmethod
    def recalled(self) -> bool:
        """Whether the memory has replaced the model."""

    @abstractmethod
    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the decision."""

    @abstractmethod
    def _at_work(self) -> AbstractContextManager[None]: ...

    def _begin_program(self, program: ProgramText) -> None:
        """Record a program before it is checked."""
        self.program = program.text
        self._state.journal.write("program", {"text": program.text})
        self._services.watcher.refresh()
        self._state.seen = self._services.watcher.sightings
        self._services.watcher.require_distances({})  # those of the goal before

    def _show_program(self, decision: ProgramDecision) -> None:
        """Begin a program that a model has written, and show it."""
        self._begin_program(ProgramText(decision.text))
        lines = "\n".join(f"    {line}" for line in decision.text.splitlines())
        assert self._state.record is not None
        self._state.record.note(f"The model answers with this program:\n{lines}")

    @property
    def _new_program(self) -> ProgramText | None:
        """The program of a model, or one that was remembered; None for a taught one, which is kept as that."""
        is_new = self._state.use.calls or self.recalled
        return ProgramText(self.program) if self.program is not None and is_new else None

    def _take_up_program(self, decision: ProgramDecision) -> Runner:
        """Build the tree and the runner of a checked program."""
        services, names = self._services, decision.checked.language.names
        if services.world.origins:  # there are things that no file lists
            services.watcher.keep({names[word] for word in re.findall(r"\w+", decision.text) if word in names})
        self.tree = build_program(decision.checked, services, self._state)
        runner = self._state.runner(services, self.tree)
        runner.listen(Whereabouts(self.tree, self._state.journal))
        return runner

    def rehearse(self) -> Rehearsed:
        """Execute the program on the model, from the believed state; nothing moves.

        The goals of the program are planned for on another thread, so that an interrupt ends the rehearsal at once.

        Raises:
            NothingToDoError: There is no program, or it was refused.
        """
        services = self._services
        rehearsal = rehearsal_in(services)
        self.wait()
        with self._at_work():
            if self.tree is None or self.program is None:
                raise NothingToDoError(self.instruction, "the program was refused")
            language = self.tree.setting.language
            checked = check_program(self.program, language.domain, language.things, bound=language.names)
            assert isinstance(checked, CheckedProgram)
            work = in_background(partial(rehearsal.of, checked, services.beliefs.state), "run-rehearsal")
            waited(work)
        self.rehearsed = work.result()
        return self.rehearsed

    @property
    def _rehearsed_plan(self) -> Plan | None:
        """The steps of the rehearsal as a plan; None before `rehearse`."""
        return None if self.rehearsed is None else Plan(self.rehearsed.steps, frozenset(), planner="rehearsal")

    @property
    def _failed_rehearsal(self) -> tuple[Feedback, ...]:
        """Why the rehearsal failed; nothing if it did not, or was not made."""
        return () if self.rehearsed is None or self.rehearsed.failure is None else (self.rehearsed.failure,)

    def _tried_by(self, runner: Runner, correction: Correction, journal: Journal) -> Attempt | Rejection:
        if self.tree is None:
            return super()._tried_by(runner, correction, journal)

        def taken(midway: Midway) -> None:
            self.program = write_program(midway.checked.program)
            journal.write("program", {"text": self.program})

        return trial_of_program(self.tree, correction, self._services, journal, taken)
