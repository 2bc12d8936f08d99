"""The composite that works on a plan at several places at once, from wherever the world is.

It is `bt.reactive.resume.Resume` for a partial order of steps, and for a total one does what that does. Whenever what
is believed has changed it asks for the smallest set of steps that still reaches the goal in any order (`Rest`), while
steps run of the state with the effects of all of them applied. A step is begun when nothing before it is left or
running, and when nobody else has what it claims: its agent or hands, and the objects that it changes. Nothing is begun
while a stopped motion has not come to rest.

A running step is stopped when no set without it reaches the goal any more, or when a precondition that it leaves alone
was sensed false; the others go on. When a step has failed nothing new begins, the others are let come to their end, and
what it was for is asked again: then the plan goes on without it, or fails with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from bt.reactive.accountable import Accountable
from bt.reactive.bounds import REST_SECONDS, Doubt, may_err
from bt.reactive.judging import holds, without_proof
from bt.reactive.resume import GRACE_SECONDS, MOST_ATTEMPTS, PROOF_SECONDS
from bt.reactive.step import Step
from bt.reactive.walking import failure_of
from bt.record import Journal
from bt.weaving.claims import Claim
from bt.weaving.notes import Notes
from bt.weaving.order import Order, bits
from bt.weaving.reasons import given_up, lack_of, late, lost
from bt.weaving.rest import Rest
from bt.weaving.trouble import Begun, Doubts, Stopping
from bt.weaving.work import Work
from semantics.atoms import Conjunct
from semantics.feedback import Feedback
from semantics.protocols import Beliefs, Clock
from semantics.state import Plan, State

__all__ = ["Weave"]

Moment = tuple[int, tuple[int, ...]]
"""The revision of what is believed, and the steps that run: what an answer depends on."""


class Weave(Accountable, Composite):
    """Succeeds when the plan's goal was sensed, fails when no step leads there or a step failed.

    Args:
        plan: What to do; its steps are in a linearisation of `order`.
        steps: A node for each of its steps.
        order: Which steps wait for which; any two that do not are independent.
        claims: What each step locks.
        beliefs: What is held true.
        clock: The body's clock.
        journal: Where changes of the resume point and failures are written.
        grace: How long trouble has to last before it counts, in seconds, where sensing may err.
        patience: How long to wait at the goal for the sensing of what is only believed, in seconds of the clock.
        attempts: How often a step is begun before there has to be less left to do than ever before.

    Attributes:
        point: The first step that is running or left; the number of steps at the goal, None when no step leads there.
        running: The steps that are running.
        left: The steps that are still to be begun, as bits.
        sought: After a failure, the effects that were not brought about; None when it was the goal itself.
    """

    kind = "weave"

    def __init__(
        self,
        plan: Plan,
        steps: Sequence[Step],
        order: Order,
        claims: Sequence[Claim],
        *,
        beliefs: Beliefs,
        clock: Clock,
        journal: Journal | None = None,
        grace: float = GRACE_SECONDS,
        patience: float = PROOF_SECONDS,
        attempts: int = MOST_ATTEMPTS,
    ) -> None:
        super().__init__("weave", steps)
        self._set_up(Work(plan, tuple(steps), tuple(claims), Rest(plan.steps, plan.goal, order)))
        self.point: int | None = None
        self.sought: Conjunct | None = None
        self._beliefs, self._clock, self._notes = beliefs, clock, Notes(journal, clock)
        grace = grace if may_err(beliefs) else 0.0
        self._doubts, self._lost, self._redone = Doubts(clock, grace), Doubt(clock, grace), Doubt(clock, grace)
        self._unproven, self._most = Doubt(clock, patience), attempts
        self._stopping = Stopping(clock)
        self._forget()

    @property
    def has_failed(self) -> bool:
        """Whether a step has failed, and the others are let come to their end before that is answered."""
        return bool(self._failed)

    def ahead(self, state: State) -> int:
        """Return the steps that are still to be begun if `state` is so, as bits: as before when none will do."""
        found = self._work.ahead(self.running, state)
        return self.left if found is None else found

    def _set_up(self, work: Work) -> None:
        self._work, self._rest, self._steps = work, work.rest, work.steps
        self.plan, self.order, self.what = work.plan, work.rest.order, work.what

    def _forget(self) -> None:
        self.running: list[int] = []
        self.left = (1 << len(self._steps)) - 1
        self._asked: Moment | None = None
        self._served: Moment | None = None
        self._found: int | None = None
        self._troubles: dict[int, str] = {}
        self._failed: dict[int, Feedback] = {}
        self._begun = Begun(self._most)
        self._doubts.lasting({})
        self._lost.lasts(False), self._redone.lasts(False), self._unproven.lasts(False)
        self._why, self._setback = "the plan starts", ""

    def take_over(self, work: Work, left: int, why: str) -> None:
        """Go on with another plan, between two ticks, `left` of which is still to be begun, as bits.

        A step that runs goes on where its node is among the new ones, and is stopped otherwise.
        """
        running = [self._steps[index] for index in self.running]
        self._stopping.stop(*(step for step in running if step not in work.steps))
        for child in self.children:
            child.parent = None
        for one in work.steps:
            one.parent = self
        self.children = list(work.steps)
        self._set_up(work)
        self._forget()
        self.running = [index for index, step in enumerate(work.steps) if step in running]
        self.left, self.point, self._why = left, None, why
        for index in self.running:
            self._begun.allows(index, left.bit_count())

    def initialise(self) -> None:
        """Start afresh: nothing is known of where the plan stands, but that stopped motions may not have ended."""
        super().initialise()
        self._forget()
        self._stopping.restart()
        self.point = self.sought = None
        for child in self.children:
            if child.status != Status.INVALID:
                child.stop(Status.INVALID)

    def terminate(self, new_status: Status) -> None:
        """Remember only what has still to come to rest."""
        self._stopping.add(*(self._steps[index] for index in self.running))
        self.running = []

    def tick(self) -> Iterator[Behaviour]:
        """Begin what can be begun, tick what runs, or wait."""
        if self.status != Status.RUNNING:
            self.initialise()
        verdict = self._choose()
        if verdict is None:
            for index in tuple(self.running):
                yield from self._steps[index].tick()
            verdict = self._after()
        if verdict != Status.RUNNING:
            for index in self.running:
                self._steps[index].stop(Status.INVALID)
            self.stop(verdict)
        self.status = verdict
        yield self

    def _choose(self) -> Status | None:
        """Stop what is in trouble, begin what can be begun; return how it ends, or None to tick what runs."""
        if self._late():
            return Status.FAILURE
        self._ask()
        for index, why in self._doubts.lasting(self._troubles).items():
            self._halt(index, why)
        if self._stopping or self._failed:
            return None if self.running or self._stopping else self._settle()
        if self._lost.lasts(self._found is None):
            return None if self.running else self._lose()
        if self._found is None or self._served == self._asked or not self._accepts(self._found):
            return None
        self.left, self._served = self._found, self._asked
        if self.left or self.running:
            return self._begin()
        self._served = None
        self._move(self._work.first(self.running, self.left))
        return self._judge()

    def _late(self) -> bool:
        """Let go of what has come to rest; return whether something has not in time."""
        overdue = self._stopping.overdue()
        if overdue is not None:
            self._fail(late(overdue.operator, REST_SECONDS))
        return overdue is not None

    def _ask(self) -> None:
        """Ask what is left to do and what is in trouble, if that can have changed."""
        asked = self._beliefs.revision, tuple(self.running)
        if self._asked == asked:
            return
        self._asked = asked
        self._found = self._work.ahead(self.running, self._beliefs.state)
        self._troubles = self._work.troubles(self.running, self._found, self.left, self._beliefs)

    def _accepts(self, found: int) -> bool:
        """Return whether to go by that set now: work is not done again for what shows for a moment while steps run."""
        redo = bool(self.running and found & ~self.left)
        return self._redone.lasts(redo) or not redo

    def _begin(self) -> Status | None:
        """Take up every step that need not wait for another, unless that was done too often to no avail."""
        for index in bits(self.left):
            if self._work.waits(index, self.running, self.left):
                continue
            if self._begun.allows(index, self.left.bit_count()):
                self.left &= ~(1 << index)
                self.running = sorted((*self.running, index))
            elif not self.running:
                step, furthest = self.plan.steps[index], self.plan.steps[self._begun.furthest]
                return self._fail(given_up(step, furthest, self._most, self._setback), sought=furthest.effects)
        self.current_child = self._steps[self.running[0]] if self.running else None
        self._unproven.lasts(False)
        self._rest.learn(self.left)
        self._move(self._work.first(self.running, self.left))
        return None

    def _halt(self, index: int, why: str) -> None:
        self._stopping.stop(self._steps[index])
        self._put_back(index)
        self._why = self._setback = why
        self._lost.lasts(False)

    def _put_back(self, index: int) -> None:
        self.running.remove(index)
        self.left |= 1 << index | self.order.after[index]
        self._rest.learn(self.left)

    def _after(self) -> Status:
        """Return what follows from the statuses of the steps that were ticked."""
        for index in [one for one in self.running if self._steps[one].status != Status.RUNNING]:
            step = self._steps[index]
            self._asked = self._served = None
            if step.status == Status.SUCCESS:
                self.running.remove(index)
                self._why = f"{step.operator} worked"
            else:
                self._put_back(index)
                self._failed[index] = failure_of(step)
        if self.running or self._stopping:
            return Status.RUNNING
        return self._settle() if self._failed else self._at_goal()

    def _settle(self) -> Status:
        """Fail with the reason of a step that failed, unless the plan can do without them by now."""
        failed, self._failed = self._failed, {}
        found = self._rest.smallest(self._beliefs.state)
        for index, feedback in failed.items():
            step = self._steps[index]
            if found is None or found >> index & 1:
                return self._fail(feedback, step, step.operator.effects)
            self._notes.failed(feedback, step)
            self._why = f"{step.operator} failed, but what it was for holds"
        return self._at_goal()

    def _at_goal(self) -> Status:
        """End at the goal at once; what else there is to do is chosen in the next tick, on what is believed then."""
        if self._rest.smallest(self._beliefs.state) != 0:
            return Status.RUNNING
        self.left = 0
        self._move(self._work.first(self.running, self.left))
        return self._judge()

    def _judge(self) -> Status:
        """Succeed when the goal was sensed to hold; wait for that, but not for ever."""
        proven = holds(self.plan.goal, self._beliefs)
        if self._unproven.lasts(not proven):
            return self._fail(without_proof(self.plan.goal, self._beliefs))
        return Status.SUCCESS if proven else Status.RUNNING

    def _lose(self) -> Status:
        self._move(None)
        lacking = lack_of(self._rest.chosen(self.left), self.plan.goal, self._beliefs.state)
        return self._fail(lost(lacking), sought=lacking.sought if lacking else None)

    def _fail(self, feedback: Feedback, source: Behaviour | None = None, sought: Conjunct | None = None) -> Status:
        self.sought = sought
        self._notes.failed(feedback, source or self)
        return self.fail(feedback)

    def _move(self, point: int | None) -> None:
        """Set the resume point, and write its change down."""
        if point != self.point:
            self._notes.moved(self.point, point, self._why, self.running)
            self.point = point
