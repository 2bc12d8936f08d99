"""`Run`: the execution of one instruction, ticked by its caller.

The decision is made on another thread, so that a tick never waits for a language model or a planner. On a real clock a
tick returns while the decision is open. A simulated clock stands still meanwhile, and the tick waits for the decision
in short intervals, so that one seed always gives the same run. The thread that ticks or waits adopts the decision.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from bt.background import SLICE_SECONDS, in_background, waited
from bt.record import Journals
from bt.runner import Ended, prompt
from graftwork.decision import (
    Decision,
    FinalDecision,
    PersonAnswer,
    PlanDecision,
    ProgramDecision,
    Wanted,
    decide,
    words_of,
)
from graftwork.decision.exploration import last_seen
from graftwork.decision.treatment import treated
from graftwork.record.episode import Episode, Outcome, Stopwatch
from graftwork.record.log import exception_told, log_fault
from graftwork.run.conclusion import (
    already_told,
    closing_told,
    concluded,
    decided_with_senses,
    describe_side_effects,
    run_told,
    unconfirmed,
)
from graftwork.run.context import Keeping, RunState, Services, record_goal, tree_of
from graftwork.run.growth import Growing
from graftwork.run.hearing import Answering
from graftwork.run.own_loop import OUTCOMES
from graftwork.run.past import Past
from graftwork.run.program_text import closing
from graftwork.run.revision import Revising
from graftwork.run.stages import in_order
from graftwork.setup.limits import Consent
from robots.lease import Lease
from semantics.body.exchange import outage
from semantics.errors import OutsideError, UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, values_document
from semantics.logic.reply import ProgramText
from semantics.logic.state import Plan
from semantics.plain_text import shortened

__all__ = ["Answering", "Run"]


class Run(Revising, Growing):
    """One instruction, from its words to its episode.

    `begin` starts the decision, and nothing moves before the first `tick` after it. A run that resumes an earlier one,
    its `past`, pursues that run's goal. Call all methods but `say` and `cancel` on one thread. After a fork, the run
    goes on in the parent only.

    Args:
        services: The services of the session.
        wanted: The instruction; or a goal or a partial goal, which is used as given.
        past: The run that this one resumes.
        instead_of: As in `Hearing`.

    Attributes:
        instruction: The instruction.
        episode: The result; None while the run is active.
        runner: The runner of the tree, if there is one.
        program: The text of the program, if the run executes one.
    """

    def __init__(
        self, services: Services, wanted: Wanted, past: Past | None = None, instead_of: str | None = None
    ) -> None:
        self.instruction, self.episode, self.runner = words_of(wanted), None, None
        self._identity: Mapping[str, Any] = {"instruction": self.instruction, **services.names}
        self._lease = Lease(services.robot, f"'{shortened(self.instruction)}'", self.cancel)
        self._services = replace(services, robot=self._lease)
        self.wanted, self._past, self.instead_of = wanted, past, instead_of
        self._state = RunState()
        self._answers: list[PersonAnswer] = []
        self._deciding: Future[Any] | None = None
        self._decision: Decision | None = None
        self._ready: PlanDecision | None = None
        self._pursued: CheckedGoal | Goal | None = None
        self._stopped = ""
        self._error: BaseException | None = None
        self._turn, self._reads = threading.Lock(), threading.Lock()
        self._replies, self._remarks, self._afterwards, self._lines = deque(), deque(), deque(), deque()

    def begin(self, watch: Stopwatch) -> None:
        """Begin the record and start the decision on another thread; return at once.

        After a stop that nobody has ended, the run ends without a decision. A wait ends with the run that it held.

        Args:
            watch: Measures the time of each stage.

        Raises:
            BodyTakenError: Somebody else drives the body.
        """
        services, state, past = self._services, self._state, self._past
        self._lease.take()
        try:
            state.begun, state.watch = services.watcher.state, watch
            if services.model is not None:
                state.begin_model(services.model, services.limits)
            if past is not None:
                services.watcher.know_again(past.things.values(), past.given)
            # Without either, its world started again, or it had sensed nothing.
            if past is not None and (past.sensed or past.stated):
                services.watcher.recall(past.beliefs(services.clock.now(), services.world.domain))
            fields = {**self._identity, **services.about, **({} if past is None else {"resumes": past.told()})}
            if isinstance(self.wanted, Goal):  # its text need not be a sentence that can be read again
                fields |= {"formula": str(self.wanted.formula), **values_document(self.wanted.values)}
            record = state.record = services.begin_record(fields)
            state.journal = Journals((state.events, record, Keeping(services.watcher)))
            for note in (*services.notes, *(() if past is None else past.notes)):
                record.note(note)
            record.revision()
            services.beliefs.forget()
            services.hold.end_wait()
            if services.hold.stopped and self.instead_of is None:
                self._stopped = f'{services.hold.stopped}, and nobody has said "go on" since'
                self._end_if_stopped()
            else:
                self._decide()
        except BaseException:
            self.let_go()
            raise

    @property
    def is_undecided(self) -> bool:
        """Whether the decision is still open."""
        return self._deciding is not None and self.episode is None and self._error is None

    @property
    def is_over(self) -> bool:
        """Whether the run has ended: it has its episode, or its decision has failed."""
        return self.episode is not None or self._error is not None

    @property
    def decision(self) -> Decision | None:
        """The decision; None while it is open."""
        return self._decision

    @property
    def question(self) -> Question | None:
        """The open question that `say` answers: about the instruction, or from a recovery strategy during the run."""
        if self.runner is not None and self.episode is None:
            return self._state.desk.question or self._asked_back
        return self._decision.question if isinstance(self._decision, FinalDecision) else None

    @property
    def plan(self) -> Plan | None:
        """The plan, with what is foreseen of later goals; of a program the rehearsed steps; None without one."""
        if self.tree is not None:
            return self._rehearsed_plan
        return None if self._ready is None else self._ready.foreseen

    @property
    def dropped(self) -> tuple[Feedback, ...]:
        """Why alternatives of the goal that is pursued now, and denials of what can never hold, were left out."""
        return self._dropped(self.goal)

    def _dropped(self, goal: CheckedGoal | Goal | None) -> tuple[Feedback, ...]:
        if self._ready is not None and goal is self._ready.goal:
            return self._ready.dropped
        return goal.dropped if isinstance(goal, CheckedGoal) else ()

    @property
    def looks_for(self) -> str:
        """The object that must be found before planning is possible; empty when there is a plan."""
        return self._decision.looks_for if isinstance(self._decision, PlanDecision) else ""

    @property
    def last_seen(self) -> str:
        """When and where what it looks for was last seen, in words; empty if it never was."""
        return last_seen(self.looks_for, self._services.watcher)

    @property
    def cost(self) -> float | None:
        """The cost of the plan, in the displayed unit; None while there is no plan."""
        plan = None if self.looks_for or self.tree is not None else self.plan
        return None if plan is None else self._services.plans.pricing.units(plan.cost)

    @property
    def goal(self) -> CheckedGoal | Goal | None:
        """The goal that is pursued now."""
        if self.episode is not None:
            return self._pursued
        if self.tree is not None:  # it states its goals while it is carried out
            return None
        return self._state.goal or (None if self._decision is None else self._decision.goal)

    @property
    def recalled(self) -> bool:
        """Whether memory answered instead of the interpreter or the model."""
        return self._decision is not None and self._decision.recalled is not None

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the decision; return whether it is made.

        Args:
            seconds: Maximum wall-clock time to wait; None for no limit.

        Raises:
            UsageError: A file or a rule that the decision needs cannot be used.
        """
        with self._at_work():
            self._state.write_replies(self._services, self._replies)
            deciding = self._deciding
            if deciding is not None and waited(deciding, seconds, lambda: self._stopped) and not self._stopped:
                self._deciding = None
                try:
                    self._take_up(deciding.result())
                except OutsideError as error:
                    self._settle(FinalDecision(Outcome.UNAVAILABLE, str(error), (outage(self.instruction, error),)))
                except BaseException as error:
                    self._error = error
                    self.let_go()
                    raise
        return self._deciding is None

    def tick(self) -> bool:
        """Tick the tree once and let the body's clock run to the next tick; return whether the run continues.

        While the decision is open, a tick does nothing on a real clock and waits on a simulated one. The tick that
        finds a question returns; if the question has no answer at the next tick, the run ends.

        Raises:
            UsageError: As `wait`.
        """
        if self._deciding is not None:
            self.wait(None if self._services.clock.simulated else 0.0)
            if self._deciding is not None or self.question is not None:
                return not self.is_over
        with self._at_work():
            self._state.write_replies(self._services, self._replies)
            if self.is_over:
                return False
            if self.runner is None:  # its question has no answer
                assert isinstance(self._decision, FinalDecision)
                self._settle(self._decision)
                return False
            if self._take_in():
                return True
            if not self.runner.ticks and not self._services.clock.simulated:
                self._services.planning.service.give_way()
            try:
                with self._state.watch.stage("act"):
                    self.runner.step(self._services.limits.run_seconds)
            finally:  # an interrupt also ends the run, and gives the body back
                if self.runner.ended is not None:
                    self._finish(self.runner.ended)
        return not self.is_over

    def decline(self) -> Episode:
        """End the run before anything moved, because the person said no to the plan."""
        why = "the person said no before anything moved"
        feedback = Feedback(Code.DECLINED, "the plan", why, recoverable=False)
        return self._unmoved(Outcome.STOPPED, "Nothing was done: the person said no.", (feedback,))

    def cancel(self, reason: str = "the person stopped it") -> None:
        """End the run before its next tick, with the body at rest; call this from any thread or a signal handler."""
        self.call_off(reason)
        if self.runner is not None:
            self.runner.cancel(reason)
        elif self._turn.acquire(blocking=False):  # otherwise the thread that ticks or waits ends it within one interval
            try:
                self._end_if_stopped()
            finally:
                self._turn.release()

    def call_off(self, reason: str) -> None:
        """Cancel its decision and all planning; the next tick or wait ends the run."""
        self._stopped = reason
        # First, so that a result of cancelled planning is not taken for an answer.
        self._state.cancellation.cancel(reason)
        self._services.planning.service.cancel()

    def let_go(self) -> None:
        """Give the body back; from now on, the run moves nothing. It does so by itself at its end."""
        self._lease.give_back()

    def leave(self) -> Episode:
        """End the run before anything moved, with its plan as the result."""
        self.wait()
        what = f"{self.looks_for} would be looked for" if self.looks_for else "The plan stands"
        what, failed = "The program stands" if self.tree is not None else what, self._failed_rehearsal
        fails = " On the model it would fail." if failed else ""
        return self._unmoved(Outcome.PLANNED, f"{what}; nothing was moved.{fails}", failed)

    def _unmoved(self, outcome: Outcome, message: str, feedback: tuple[Feedback, ...] = ()) -> Episode:
        """End the run before anything moved, unless its decision has ended it."""
        self.wait()
        with self._at_work():
            if outcome is not Outcome.PLANNED:
                self.runner = None
            if self.episode is None:
                self._end(outcome, message, feedback, self.goal)
        assert self.episode is not None
        return self.episode

    def finish(self, tick: Callable[[], object] | None = None, answer: Answering | None = None) -> Episode:
        """Tick to the end, and return the episode.

        Args:
            tick: Called between two ticks.
            answer: Answers questions: called with the open question between two ticks, until it returns an answer;
                None means no answer yet. Without it, every question stays without an answer and fails at once.

        Raises:
            UsageError: As `wait`; or `answer` failed or returned no text, and the run has ended with its body at rest.
        """
        unusable: UsageError | None = None
        self._state.desk.is_open = answer is not None
        with prompt():
            while not self.is_over:
                if not self.wait(SLICE_SECONDS):
                    continue
                if answer is not None and (unusable := self._hear(answer)) is not None:
                    answer = None
                    self.cancel("its question got no answer that can be used")
                if self._deciding is None and self.tick() and tick is not None:
                    tick()
        if (error := unusable or self._error) is not None:
            raise error
        assert self.episode is not None
        return self.episode

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Hold the lock of the run, so that `cancel` cannot end it meanwhile; end a cancelled run afterwards."""
        self._services.must_be_here()
        if self._error is not None:
            raise self._error
        with self._turn:
            try:
                yield
            except BaseException:  # also an interrupt: no planning may continue without a caller
                self.call_off("it was broken off")
                raise
            if self._stopped:
                self._end_if_stopped()

    def _end_if_stopped(self) -> None:
        """End the run, which was cancelled, if that was before anything moved."""
        if self.runner is None and not self.is_over and self._state.record is not None:
            feedback = Feedback(Code.CANCELLED, shortened(self.instruction), self._stopped, recoverable=False)
            self._settle(FinalDecision(Outcome.STOPPED, f"Stopped: {self._stopped}.", (feedback,)))

    def _decide(self) -> None:
        """Start the decision from the current beliefs on another thread; this thread adopts it later."""
        wanted = self._grown or self._turned or (self._past and not self._answers and self._past.goal) or self.wanted
        watcher = self._services.watcher
        self._decision = None
        if isinstance(wanted, ProgramText):
            self._begin_program(wanted)
        else:
            self._services.begin_goal()
        context, self._considered = self._services.decide_in(watcher.world), frozenset(watcher.world.unknown)
        self._state.decided_in = watcher.world
        work = partial(
            decide,
            context if isinstance(wanted, str) else replace(context, consent=Consent.NEVER),
            wanted,
            watcher.state,
            tuple(self._answers),
            watch=self._state.watch,
            use=self._state.use,
            cancelled=lambda: bool(self._stopped),
        )
        self._deciding = in_background(work, "run-decision")

    def _take_up(self, decision: Decision) -> None:
        """Adopt a decision: end the run, keep its question open, or build the tree and the runner.

        Things of an unknown class are believed from now on to be what the decision treats them as.
        """
        services, record = self._services, self._state.record
        then, self._state.decided_in = self._state.decided_in, None
        services.watcher.refresh()
        decision_now = decision if then is None or services.world is then else self._as_now(decision, then)
        if decision_now is None:
            return
        decision = self._decision = decision_now
        assert record is not None
        if decision.treatments:
            services.watcher.adopt(treated(services.world, *decision.treatments))
        record.revision()
        self._end_stop(decision)
        self._state.write_replies(self._services, self._replies)
        if isinstance(decision, ProgramDecision):
            if self.program is None:
                self._show_program(decision)
            self.runner = self._take_up_program(decision)
            self._decision = decision.without_program  # nor the world of its check
        elif isinstance(decision, FinalDecision):
            final = decided_with_senses(decision, services.robot, lambda: self._stopped)
            if final is None:
                self._decide()
            elif final.question is None:
                self._settle(final)
        else:
            self._ready = decision
            self._state.tell = partial(record_goal, record, services)
            self._state.tell(decision)
            self.runner = self._state.runner(services, tree_of(services, decision, self._state))

    def _settle(self, decision: FinalDecision) -> None:
        """End the run with a final decision, and record its goal and its reasons."""
        if self._end_grown(decision):
            return
        decision = self._decision = already_told(decision, self._services.watcher)
        record = self._state.record
        assert record is not None
        if decision.goal is not None:
            record.goal(decision.goal, self._dropped(decision.goal))
        record.refusal(decision.feedback)
        self._end(decision.outcome, decision.message, decision.feedback, decision.goal)

    def _finish(self, ended: Ended) -> None:
        self._services.planning.service.cancel()  # the answers of running searches are no longer needed
        self._services.planning.service.take_turns()
        if self._turns(outcome := OUTCOMES[ended.status]):
            return
        feedback: tuple[Feedback, ...] = (ended.reason,) if ended.reason else ()
        ending = describe_side_effects(self._ready, self._services, self._state)
        if isinstance(ended.error, OutsideError):
            outcome = Outcome.UNAVAILABLE
        elif ended.error is not None:
            ending += f" A fault, sorry: {exception_told(ended.error)}; {log_fault(ended.error)}."
        if outcome is Outcome.ACHIEVED:
            goal = self.goal
            feedback = unconfirmed(goal, self._services.watcher) if isinstance(goal, CheckedGoal) else ()
            outcome = Outcome.FAILED if feedback else outcome
        if outcome is Outcome.ACHIEVED and self._takes_in():
            return
        ending += "".join(f" The goal was changed on the way: {turn.said}" for turn in self._state.turns[-1:])
        self._end(outcome, self._closing(outcome, feedback) + ending, feedback, self.goal)

    def _closing(self, outcome: Outcome, feedback: tuple[Feedback, ...]) -> str:
        """Return the closing message."""
        if outcome is Outcome.ACHIEVED and self.tree is not None:
            return closing(self.tree, self._services.watcher)
        return closing_told(outcome, feedback, self.goal, in_order(self.runner), self._services.watcher)

    @property
    def _learned(self) -> PlanDecision | ProgramText | None:
        """The decision, or the program of a model, that the memory learns for these words.

        None when more than the words determined it: answers, an earlier run, a changed goal, a substitute, or a part.
        Of a run that began by looking for something, only the goal is kept.
        """
        by_words_alone = isinstance(self.wanted, str) and not self._answers and self._stands_alone
        if not by_words_alone or self._past or self._state.turns or self._grown or self._turned:
            return None
        as_said = self._ready is not None and replace(self._ready, looks_for="").as_said
        return self._new_program if self.program else self._ready if as_said else None

    def _end(
        self, outcome: Outcome, message: str, feedback: tuple[Feedback, ...], goal: CheckedGoal | Goal | None
    ) -> None:
        self._state.write_replies(self._services, self._replies)
        self._pursued, self._deciding = goal, None
        final_goal = goal.goal if isinstance(goal, CheckedGoal) else goal
        if (goals := in_order(self.runner)) is not None and not self._state.turns:
            final_goal = goals.first.goal  # with the later ones
        noted = (Feedback.from_dict(dict(event["feedback"])) for event in self._state.events.of("feedback"))
        episode = Episode(
            outcome=outcome,
            goal=str(final_goal) if final_goal else None,
            program=self.program,
            **run_told(self._ready or self._decision, self._services, self._state),
            feedback=(*noted, *feedback),
            ticks=self._ticks_before + (self.runner.ticks if self.runner else 0),
            notes=() if final_goal is None else final_goal.notes,
            dropped=self._dropped(goal),
            recalled=self.recalled,
            message=message,
            **self._identity,
        )
        self.let_go()
        self._remember(goal, message, outcome)
        self.episode = concluded(episode, self._learned, self._services, self._state, self._decision)
