"""Trees that the caller ticks in a loop of its own: their clock, their sensing, their record, and the watch over them.

Each tick of a subtree senses first. On a simulated clock the time of the caller's loop passes on the body's clock too,
unless the caller lets time pass there itself, by `OwnLoop.sleep` or by the clock. So one seed gives one run in a loop
with `sleep`, and a loop without it takes as long as it would with a real body.

One thread ticks a subtree from its begin to its end. A subtree that is not ticked for `SILENCE_SECONDS` loses the body:
its motions are stopped, and somebody else may take the body. On a clock that runs by itself a thread watches that,
which calls `stop` of the body. A simulated body rests while nobody lets its clock go on, so that `OwnLoop.sleep` stops
it after that time, without a thread.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from bt import Runner, Tree, UserPrompt
from bt.examination import FlawKind, examine
from bt.exclusive import Exclusive
from bt.listeners import Requests
from bt.runner import Ending
from graftwork.decision import PlanDecision, ProgramDecision
from graftwork.record.episode import Episode, Outcome, Stopwatch
from graftwork.record.recorder import RunRecord
from graftwork.run.context import RunState, Services, persons_of, record_goal, tree_of
from robots.lease import Lease
from semantics.errors import UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.plain_text import shortened

SILENCE_SECONDS = 1.0  # how long a subtree that runs may go without a tick
OUTCOMES = {
    Ending.SUCCESS: Outcome.ACHIEVED,
    Ending.FAILURE: Outcome.FAILED,
    Ending.TIMEOUT: Outcome.FAILED,
    Ending.CANCELLED: Outcome.STOPPED,
    Ending.EXCEPTION: Outcome.FAULT,
}
CAUSES = {
    Code.CANCELLED: Outcome.STOPPED,
    Code.UNAVAILABLE: Outcome.UNAVAILABLE,
    Code.EXCEPTION: Outcome.FAULT,
}
"""The outcome of a subtree that did not succeed, by the code of the reason; of any other it is `FAILED`."""


class OwnLoop:
    """What all subtrees of a session share that the caller ticks; a journal for their events.

    Args:
        services: The services of the session, with the lease as body.
        lease: The right of these subtrees to drive the body.
        refusal: Returns why nothing may move now, or None.

    Attributes:
        is_run: Whether a runner of the session ticks them, which senses and lets the clock go on.
        record: The record of the tree that is ticked; None if it is not recorded.
        sleeps: How often the caller has called `sleep`.
    """

    def __init__(self, services: Services, lease: Lease, refusal: Callable[[], Feedback | None]) -> None:
        self.services = services
        self.lease = lease
        self.refusal = refusal
        self.is_run = False
        self.record: RunRecord | None = None
        self.sleeps = 0
        self.turns: list[_Turn] = []

    def subtree(self, decision: PlanDecision | ProgramDecision, instruction: str, namespace: str) -> Tree:
        """Return the behaviour that carries out a decision; see `Session.subtree`."""
        # Nobody would see a question, so that none is asked.
        desk = UserPrompt(is_open=False)
        state = RunState(journal=self, desk=desk, tell=self.tell)
        if self.services.model is not None:
            state.begin_model(self.services.model, self.services.limits)
        if isinstance(decision, ProgramDecision):
            from graftwork.run.program_tree import build_program  # few subtrees are programs

            tree: Tree = build_program(decision.checked, self.services, state)
        else:
            tree = tree_of(self.services, decision, state)
        turn = _Turn(self, decision)
        turn.node = Exclusive(tree, turn, shortened(instruction), namespace)
        return turn.node

    def recorded(self, root: Tree, title: str) -> RecordedTree:
        """Return the record of a tree, to be used as a services; see `Session.recorded`."""
        return RecordedTree(self, root, title)

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Write an event of a subtree to the record of the tree, if there is one."""
        if self.record is not None:
            self.record.write(event, fields)

    def tell(self, decision: PlanDecision | ProgramDecision) -> None:
        """Write a goal that is begun, and its plan, or a program to the record of the tree, if there is one."""
        if isinstance(decision, ProgramDecision):
            self.write("program", {"text": decision.text})
        elif self.record is not None:
            record_goal(self.record, self.services, decision)

    def sleep(self, seconds: float) -> None:
        """Let `seconds` of the body's clock pass, and sense; see `Session.sleep`."""
        clock = self.services.clock
        self.sleeps += 1
        for turn in sorted(self.turns, key=lambda turn: turn.due) if clock.simulated else ():
            if (left := turn.due - clock.now()) < seconds:
                clock.sleep(left)
                seconds -= max(left, 0.0)
                turn.lose()
        clock.sleep(seconds)
        self.services.beliefs.refresh()

    def give_way(self) -> None:
        """Give the body back if no subtree that holds it was ticked for `SILENCE_SECONDS`."""
        if not self.is_run and all(turn.silence > SILENCE_SECONDS for turn in self.turns):
            self.let_go()

    def let_go(self) -> None:
        """Stop the motions of all subtrees, and give the body back."""
        for turn in tuple(self.turns):
            turn.lose()


class _Turn:
    """The permit of one subtree to drive the body; see `bt.exclusive.Permit`.

    Attributes:
        goal: The goal of the subtree, as PDDL; of a program its text.
        node: The subtree.
        due: When the subtree loses the body without another tick, in seconds of a simulated clock.
    """

    def __init__(self, loop: OwnLoop, decision: PlanDecision | ProgramDecision) -> None:
        self.goal = decision.text if isinstance(decision, ProgramDecision) else str(decision.goal.goal)
        self.node: Tree | None = None
        self.due = 0.0
        self._loop = loop
        self._decision = decision
        self._thread = 0
        self._ticks = 0
        self._ticked = 0.0
        self._passed = 0.0
        self._left: tuple[float, int] | None = None
        self._over = threading.Event()

    @property
    def is_held(self) -> bool:
        """Whether the subtree has the body."""
        return self in self._loop.turns and self._loop.lease.is_held

    @property
    def silence(self) -> float:
        """Seconds of the wall clock since the last tick."""
        return time.monotonic() - self._ticked

    def take(self) -> Feedback | None:
        """Take the body; return why that is impossible, or None."""
        loop = self._loop
        if refusal := loop.lease.refusal():
            return refusal
        self._thread, self._left, self._over = threading.get_ident(), None, threading.Event()
        self._ticked = time.monotonic()
        self.due = loop.services.clock.now() + SILENCE_SECONDS
        loop.turns.append(self)
        if not self._ticks:
            self._loop.tell(self._decision)
            self._warn()
        if not (loop.is_run or loop.services.clock.simulated):
            loop.services.planning.service.give_way()
            threading.Thread(target=self._watch, args=(self._over,), name="subtree-watch", daemon=True).start()
        return None

    def _warn(self) -> None:
        """Warn of steps that drive one body at the same time: they undo each other."""
        root = self.node
        while root is not None and root.parent is not None:
            root = root.parent
        for flaw in () if root is None else examine(root):
            if flaw.sort is FlawKind.ONE_BODY:
                warnings.warn(str(flaw), stacklevel=2)
                self._loop.write("note", {"text": str(flaw)})

    @property
    def waits(self) -> bool:
        """Whether a person said to wait; a runner holds its tree itself."""
        return not self._loop.is_run and self._loop.services.hold.waits

    def begin_tick(self) -> Feedback | None:
        """Let the clock go on, and sense, unless a runner does both; return why the subtree must end, or None.

        Raises:
            UsageError: Another thread ticks the subtree, which goes on undisturbed.
        """
        loop = self._loop
        if not loop.is_run and threading.get_ident() != self._thread:
            raise UsageError("a subtree is ticked by the thread that began it; stop it before another thread ticks it")
        if refusal := loop.refusal():
            return refusal
        self._ticks += 1
        self._ticked = time.monotonic()
        if not loop.is_run:
            self._keep_pace()
            loop.services.beliefs.refresh()
        return None

    def end_tick(self) -> None:
        """Note the end of a tick."""
        loop, clock = self._loop, self._loop.services.clock
        self._ticked = time.monotonic()
        if clock.simulated and not loop.is_run:
            self._left = (clock.now(), loop.sleeps)
            self.due = self._left[0] + SILENCE_SECONDS

    def lose(self) -> None:
        """Stop the motions, and give the body back; any thread may call this."""
        if self._leave():
            self._loop.lease.stop()
            self._loop.lease.give_back()

    def end(self, succeeded: bool, feedback: Feedback | None) -> str:
        """Give the body back; return the outcome."""
        if feedback is not None and feedback.code is Code.EXCEPTION:
            self.lose()
        elif self._leave():
            self._loop.lease.give_back()
        if not (self._loop.turns or self._loop.is_run):
            self._loop.services.hold.end_wait()  # a wait ends with what it held
        ticks, self._ticks = self._ticks, 0
        if succeeded:
            return str(Outcome.ACHIEVED if ticks > 1 else Outcome.ALREADY)
        return str(Outcome.STOPPED if feedback is None else CAUSES.get(feedback.code, Outcome.FAILED))

    def _leave(self) -> bool:
        """End the watch; return whether the subtree had the body until now."""
        self._over.set()
        try:
            self._loop.turns.remove(self)
        except ValueError:
            return False
        if not self._loop.turns:
            self._loop.services.planning.service.take_turns()
        return True

    def _keep_pace(self) -> None:
        """Let a simulated clock go on as long as the caller's loop has taken since the last tick, at most a second.

        The time that the simulation itself takes does not count, so that a slow one does not fall behind ever more. The
        clock is left alone if anybody else has let it go on since that tick, and during a wait.
        """
        clock = self._loop.services.clock
        untouched = clock.simulated and self._left == (clock.now(), self._loop.sleeps)
        if untouched and not self.waits:
            clock.sleep(min(time.monotonic() - self._passed, SILENCE_SECONDS))
        self._passed = time.monotonic()

    def _watch(self, over: threading.Event) -> None:
        """Take the body away when the subtree is not ticked any more."""
        while not over.wait(max(SILENCE_SECONDS - self.silence, 0.0)):
            if self.silence >= SILENCE_SECONDS:
                self.lose()


class RecordedTree:
    """The record of a tree that the caller ticks; see `Session.recorded`.

    Attributes:
        report: The path of the report; None before the end, and without a record on disk.
        runner: Counts the ticks, calls the listeners, and stops the tree.
    """

    def __init__(self, loop: OwnLoop, root: Tree, title: str) -> None:
        self.report: str | None = None
        self._loop = loop
        self._title = title or root.name
        self._watch = Stopwatch()
        self.runner = Runner(root, loop.lease, loop.services.beliefs, hold=loop.services.hold)

    def ticked(self, tree: object = None) -> None:
        """Record a tick; call this after each tick. It can be a post-tick handler of ``py_trees.trees.BehaviourTree``.

        Args:
            tree: Not used.
        """
        self.runner.note_tick()

    def __enter__(self) -> Self:
        services, loop = self._loop.services, self._loop
        if loop.record is not None:
            raise UsageError("another tree of this session is recorded; end that one first")
        fields = {"instruction": self._title, **services.names, **services.about}
        loop.record = services.begin_record(fields)
        for listener in (*loop.record.listeners(), Requests(loop.record, persons_of(services.world))):
            self.runner.listen(listener)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ended = self.runner.ended or self.runner.note_end(error)
        record, self._loop.record = self._loop.record, None
        assert record is not None
        message = "Done: the tree has succeeded." if ended.reason is None else str(ended.reason)
        names = {"instruction": self._title, **self._loop.services.names}
        episode = Episode(OUTCOMES[ended.status], message=message, ticks=ended.ticks, **names)
        self.report = record.end(episode, self._watch).report
