"""`Execute`: the composite that carries out a plan from any state of the world.

A plan is partially ordered; a sequence is a special case. Whenever the beliefs change, the composite computes the
smallest set of steps that still reaches the goal in every permitted order (`bt.execution.remaining`). For a sequence
this set begins at the *resume point*, the latest step from which the rest of the plan still works. So finished work is
not repeated, lucky changes are used, and undone work is redone.

While steps run, the set is computed for a predicted state: the effects of all running steps are applied, and their
agents are at the places where the steps begin. The state in between is not usable: a driving robot is at no place, and
a door is open before the hand has let go. A step begins when no step before it is left or running, and when no other
step claims what it claims: its agent or hands, and the objects that it changes. No step begins while a stopped motion
is not at rest.

A running step is stopped when no set of the other steps reaches the goal any more, or when a precondition that it does
not change was sensed false; the other steps go on. If sensing may err, both conditions have to last for a moment, since
an arm in front of a camera can hide a fact in one picture. When a step has failed, no new step begins and the others
end. Then the plan goes on without that step if it can, or fails with its reason.

Every wait is bounded. At the goal, the composite waits for facts that were not sensed yet, up to a limit of time. A
step that was begun too often without progress of the plan is a failure.

Between two steps of a sequence a cheaper plan may take over (`bt.execution.improvement`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from bt.execution.goal import holds, without_proof
from bt.execution.improvement import Basis, Improvement
from bt.execution.remaining import Work, mask_of
from bt.execution.step import Step
from bt.execution.trouble import UNPLANNED, Debounces, LossCounter, RetryCounter, Stopping, given_up, late, lost
from bt.node import REST_SECONDS, Accountable, Debounce, failure_of, lag_of, path_of, walk
from bt.record import Journal, Journals, plan_fields
from semantics.body.protocols import Beliefs, Clock
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Feedback
from semantics.logic.state import Plan, State, bits

GRACE_SECONDS = 0.25
"""How long a problem has to last before it counts if sensing may err, in seconds of the body's clock."""
PROOF_SECONDS = 3.0
MOST_ATTEMPTS = 5  # how often a step may begin until the number of steps left reaches a new minimum

Moment = tuple[int, tuple[int, ...]]
"""The revision of the beliefs and the running steps: all that the set of steps ahead depends on."""


class Execute(Accountable, Composite):
    """Carries out a plan: succeeds when its goal was sensed, fails when no step leads to the goal or a step failed.

    Args:
        work: The plan, with a node for each step, their order and their claims.
        beliefs: The beliefs about the world.
        clock: The body's clock.
        journal: The journal for moves of the resume point, failures and cheaper plans.
        patience: How long to wait at the goal until believed facts are sensed, in seconds of the clock.
        improvement: Searches for cheaper plans during execution; only for a sequence.
        build: Returns the work of a cheaper plan; needed with an improvement.
        basis: What the plan was made from; None if unknown.
        losses: Counts what the steps of the whole run lose again; None: nobody counts.

    Attributes:
        plan: The current plan.
        basis: What the current plan was made from; None if unknown.
        order: The order of its steps.
        point: The first step that is running or left; the number of steps at the goal, None when no step leads there.
        running: The steps that are running.
        left: The steps that still have to begin, as bits.
        sought: After a failure, the effects that were not achieved; None when the goal itself was not.
        changes: How often a cheaper plan took over.
    """

    kind = "execute"

    def __init__(
        self,
        work: Work,
        *,
        beliefs: Beliefs,
        clock: Clock,
        journal: Journal | None = None,
        patience: float = PROOF_SECONDS,
        improvement: Improvement | None = None,
        build: Callable[[Plan], Work] | None = None,
        basis: Basis | None = None,
        losses: LossCounter | None = None,
    ) -> None:
        super().__init__("execute", work.steps)
        self.basis = basis
        self._set_up(work)
        self.running: list[int] = []
        self._is_several = not self.order.total  # the record then lists the steps that run together
        self.point: int | None = None
        self.sought: Conjunct | None = None
        self.changes = 0
        self._has_begun = False
        self._beliefs, self._clock, self._journal = beliefs, clock, journal or Journals()
        self._improvement, self._build, self._losses = improvement, build, losses
        grace = GRACE_SECONDS if lag_of(beliefs) is None else 0.0
        self._conflicting, self._lost = Debounces(clock, grace), Debounce(clock, grace)
        self._redone, self._unproven = Debounce(clock, grace), Debounce(clock, patience)
        self._stopping = Stopping(clock)
        self._was_between = True
        self._forget()

    @property
    def has_failed(self) -> bool:
        """Whether a step has failed; the other running steps end before the failure is handled."""
        return bool(self._failed)

    def running_steps(self) -> list[Step]:
        """Return the nodes of the steps that run."""
        return [self._work.steps[index] for index in self.running]

    def ahead(self, state: State) -> int:
        """Return the steps that still have to begin in `state`, as bits; the intended ones if no set works."""
        ahead = self._work.ahead(self.running, state)
        return self._intended() & ~mask_of(self.running) if ahead is None else ahead

    def rest(self, state: State) -> tuple[Plan, Basis | None]:
        """Return what is left of the plan, and the basis from which it was to begin; the whole plan without a basis.

        In a partial order, the rest is the steps that are left or running, since the states between two steps of the
        sequence may never occur. In a sequence, the rest follows the planned state that differs least from `state`, the
        latest one if several do.
        """
        plan = self.plan
        if self.basis is None:
            return plan, None
        start, revision = self.basis
        if not self.order.total:
            unfinished = {*bits(self.left), *self.running}
            for index, step in enumerate(plan.steps):
                start = start if index in unfinished else step.apply(start)
            steps = tuple(plan.steps[index] for index in sorted(unfinished))
            return replace(plan, steps=steps), Basis(start, revision)
        states = [start]
        for step in plan.steps:
            states.append(step.apply(states[-1]))
        point = min(range(len(states)), key=lambda index: (len(states[index].atoms ^ state.atoms), -index))
        return replace(plan, steps=plan.steps[point:]), Basis(states[point], revision)

    def take_over(self, work: Work, left: int, why: str, *, keep: bool = False) -> None:
        """Go on with another plan; call this between two ticks.

        A running step goes on if its node is part of the new plan, and is stopped otherwise.

        Args:
            work: The new plan.
            left: The steps of the new plan that still have to begin, as bits.
            why: The reason for the change, for the record.
            keep: Search for no cheaper plan that could replace the new one.
        """
        running, point = self.running_steps(), self.point if self.order.total else None
        self._stopping.stop(*(step for step in running if step not in work.steps))
        self._adopt(work)
        self.basis = None
        self._forget()
        self.running = [index for index, step in enumerate(work.steps) if step in running]
        self.left, self._why = left, why
        for index in self.running:
            self._attempts.allows(index, left.bit_count())
        self.point = point
        if point is not None and self.running:
            self._move()
        if self._improvement is not None and keep:
            self._improvement.settle()

    def initialise(self) -> None:
        """Start again without progress; only stopped motions that may not have ended are remembered."""
        super().initialise()
        self._forget()
        self._stopping.since = dict.fromkeys(self._stopping.since, self._clock.now())  # their time limits start again
        self.point = self.sought = None
        if self._improvement is not None:
            self._improvement.begin()
        for child in self.children:
            if child.status != Status.INVALID:
                child.stop(Status.INVALID)

    def terminate(self, new_status: Status) -> None:
        """Remember only the motions that are not at rest, and end the current search."""
        self._stopping.add(*self.running_steps())
        self.running = []
        if self._improvement is not None:
            self._improvement.cancel()

    def tick(self) -> Iterator[Behaviour]:
        """Begin what can begin, tick what runs, or wait."""
        verdict = self.begin_tick()
        if verdict is None:
            for index in tuple(self.running):
                yield from self._work.steps[index].tick()
        self.end_tick(verdict)
        yield self

    def begin_tick(self) -> Status | None:
        """Stop the steps that cannot go on and begin those that can; the caller then ticks the running steps.

        Returns:
            The status that ends the tick; None when the running steps have to be ticked first, in order.
        """
        if self.status != Status.RUNNING:
            self.initialise()
        self._was_between = not self.running and not self._stopping.since
        if self._was_between and self._improvement is not None:
            self._improve(self._improvement)
        return self._choose()

    def end_tick(self, verdict: Status | None) -> None:
        """Set the status that follows from a tick.

        Args:
            verdict: The result of `begin_tick`; None when the running steps were ticked.
        """
        if verdict is None:
            verdict = self._after()
        if verdict != Status.RUNNING:
            for step in self.running_steps():
                step.stop(Status.INVALID)
            self.stop(verdict)
        elif self._was_between and self.running and self._improvement is not None:
            self._improvement.look(self.plan, self.running[0])
        self.status = verdict

    def _set_up(self, work: Work) -> None:
        self._work, self.plan = work, work.plan
        self.what = f"{len(self.plan.steps)} steps, cost {self.plan.cost}"
        self.order = work.remaining.order

    def _adopt(self, work: Work) -> None:
        """Replace the nodes of the old plan by those of another plan."""
        for child in self.children:
            child.parent = None
        for step in work.steps:
            step.parent = self
        self.children[:] = work.steps  # keep the list object: a ticker observes it
        self._set_up(work)

    def _forget(self) -> None:
        self.running = []
        self.left = (1 << len(self._work.steps)) - 1
        self._asked: Moment | None = None
        self._served: Moment | None = None
        self._ahead: int | None = None
        self._conflicts: dict[int, str] = {}
        self._failed: dict[int, Feedback] = {}
        self._attempts = RetryCounter(MOST_ATTEMPTS)
        self._conflicting.lasting({})
        self._lost.lasts(False), self._redone.lasts(False), self._unproven.lasts(False)
        self._why, self._setback = "the plan starts", ""

    def _improve(self, improvement: Improvement) -> None:
        """Replace the plan by a cheaper one, if one is known; no motion is stopped for it."""
        if (better := improvement.better(self.plan)) is None:
            return
        plan, self.basis = better
        assert self._build is not None
        self.changes += 1
        for child in self.children:
            if child.status == Status.RUNNING:
                child.stop(Status.INVALID)
        self._adopt(self._build(plan))
        self._forget()
        self.point = None
        self._journal.write("plan", plan_fields(self.plan, "cheaper"))

    def _choose(self) -> Status | None:
        """Stop the steps that cannot go on, begin those that can; return the final status, or None to tick them."""
        if self._stopping.since and self._is_late():
            return Status.FAILURE
        self._ask()
        lasting = self._conflicting.lasting(self._conflicts)
        for index, why in lasting.items():
            self._halt(index, why)
        if lasting:  # a motion may be at rest immediately: then do not wait a tick for it
            self._is_late()
            self._ask()
        # While a stopped motion moves, or after a failure, nothing begins; the running steps end first.
        if self._stopping.since or self._failed:
            return None if self.running or self._stopping.since else self._settle()
        if self._lost.lasts(self._ahead is None):
            return None if self.running else self._lose()
        # `_served` is the moment whose answer was already acted upon: without news there is nothing to begin.
        # While steps run, work is redone only if the reason lasts.
        redo = bool(self.running and (self._ahead or 0) & ~self.left)
        if self._ahead is None or self._served == self._asked or (not self._redone.lasts(redo) and redo):
            return None
        self.left, self._served = self._ahead, self._asked
        self._has_begun = True
        if self.left or self.running:
            return self._begin()
        self._served = None
        self._move()
        return self._judge()

    def _is_late(self) -> bool:
        """Forget the motions that are at rest; fail and return True if one has not ended in time."""
        overdue = self._stopping.overdue()
        if overdue is not None:
            self._fail(late(overdue.operator, REST_SECONDS))
        return overdue is not None

    def _ask(self) -> None:
        """Compute the steps ahead and the conflicts again, if the beliefs or the running steps have changed."""
        asked = self._beliefs.revision, tuple(self.running)
        if self._asked == asked:
            return
        self._asked = asked
        self._ahead = self._work.ahead(self.running, self._beliefs.state)
        self._conflicts = {}
        if self.running:
            self._conflicts = self._work.conflicts(self.running, self._ahead, self.left, self._beliefs)

    def _begin(self) -> Status | None:
        """Begin every step that does not have to wait; fail if a step was begun too often without progress."""
        for index in bits(self.left):
            if self._work.waits(index, self.running, self.left):
                continue
            step = self._work.steps[index]
            undone = self._losses.begin(step, self._beliefs.state) if self._losses is not None else None
            if undone is None and self._attempts.allows(index, self.left.bit_count()):
                self.left &= ~(1 << index)
                self.running = sorted((*self.running, index))
            elif not self.running:
                self._move()
                if undone is not None:
                    return self._fail(undone, sought=step.operator.effects)
                furthest = self.plan.steps[self._attempts.furthest]
                return self._fail(
                    given_up(step.operator, furthest, MOST_ATTEMPTS, self._setback), sought=furthest.effects
                )
        self.current_child = self._work.steps[self.running[0]] if self.running else None
        self._unproven.lasts(False)
        self._work.remaining.learn(self.left)
        self._move()
        return None

    def _halt(self, index: int, why: str) -> None:
        self._stopping.stop(self._work.steps[index])
        self._put_back(index)
        self._why = self._setback = why
        self._lost.lasts(False)

    def _put_back(self, index: int) -> None:
        self.running.remove(index)
        self.left |= 1 << index | self.order.after[index]  # the set of steps left stays successor-closed
        self._work.remaining.learn(self.left)

    def _after(self) -> Status:
        """Return the status that follows from the steps that were ticked."""
        for index in [number for number in self.running if self._work.steps[number].status != Status.RUNNING]:
            step = self._work.steps[index]
            self._asked = self._served = None
            if self._losses is not None:
                self._losses.end(step, failure_of(step) if step.status == Status.FAILURE else None)
            if step.status == Status.SUCCESS:
                self.running.remove(index)
                self._why = f"{step.operator} worked"
            else:
                self._put_back(index)
                self._failed[index] = failure_of(step)
        if self.running or self._stopping.since:
            return Status.RUNNING
        return self._settle() if self._failed else self._at_goal()

    def _settle(self) -> Status:
        """Fail with the reason of a failed step, unless the plan no longer needs that step."""
        failed, self._failed = self._failed, {}
        ahead = self._work.remaining.smallest(self._beliefs.state)
        for index, feedback in failed.items():
            step = self._work.steps[index]
            if ahead is None or ahead >> index & 1:
                return self._fail(feedback, step, step.operator.effects)
            self._write_failure(feedback, step)
            self._why = f"{step.operator} failed, but what it was for holds"
        return self._at_goal()

    def _at_goal(self) -> Status:
        """Succeed at once if nothing is left; otherwise the next tick chooses, with the beliefs of that time."""
        if self._work.remaining.smallest(self._beliefs.state) != 0:
            return Status.RUNNING
        self.left = 0
        self._move()
        return self._judge()

    def _judge(self) -> Status:
        """Succeed when the goal was sensed to hold; wait for the sensing, up to the patience."""
        proven = holds(self.plan.goal, self._beliefs)
        if self._unproven.lasts(not proven):
            return self._fail(without_proof(self.plan.goal, self._beliefs))
        return Status.SUCCESS if proven else Status.RUNNING

    def _lose(self) -> Status:
        intended = self._intended()
        self._move(lost=True)
        if self.basis is not None and not self._has_begun:
            return self.fail(UNPLANNED)  # the plan was made ahead, for a state that is past
        lacking = self._work.lack(intended, self._beliefs.state)
        return self._fail(lost(lacking), sought=lacking.sought if lacking else None)

    def _intended(self) -> int:
        """Return the steps that were last intended, as bits; in a sequence, all steps from the resume point on."""
        if self.order.total and self.point is not None:
            return (1 << len(self.plan.steps)) - 1 >> self.point << self.point
        return self.left

    def _fail(self, feedback: Feedback, source: Behaviour | None = None, sought: Conjunct | None = None) -> Status:
        self.sought = sought
        self._write_failure(feedback, source or self)
        return self.fail(feedback)

    def _move(self, *, lost: bool = False) -> None:
        """Set the resume point to the first step that is running or left, and record a change."""
        point = None if lost else min((*self.running, *bits(self.left)), default=len(self.plan.steps))
        if point == self.point:
            return
        now = round(self._clock.now(), 3)
        fields: dict[str, object] = {"t": now, "from": self.point, "to": point, "why": self._why}
        self.point = point
        if self._is_several:
            fields["together"] = list(self.running)
        self._journal.write("resume", fields)

    def _write_failure(self, feedback: Feedback, source: Behaviour) -> None:
        told = {"t": round(self._clock.now(), 3), "node": path_of(source), "feedback": feedback.as_dict()}
        self._journal.write("feedback", told)


def plan_under_way(root: Behaviour) -> Execute | None:
    """Return the node below `root` that carries out a plan; of several, the one that has failed or else runs."""
    if isinstance(root, Execute):  # no other one is below its steps
        return root
    nodes = [node for node in walk(root) if isinstance(node, Execute)]
    return max(nodes, key=lambda node: (node.status == Status.FAILURE, node.status == Status.RUNNING), default=None)
