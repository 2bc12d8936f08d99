"""The composite that carries out a sequence step by step, as it was first: the oracle of `bt.execution.Execute`.

It asks from which step on the rest of the plan still reaches the goal and takes the latest such step, with a regression
of whole suffixes and one running step, so it shares nothing with `Execute` but the nodes of steps and the bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from bt.execution.goal import holds, without_proof
from bt.execution.step import Step, afterwards
from bt.execution.trouble import lack, opposites
from bt.node import REST_SECONDS, Accountable, Debounce, failure_of, lag_of, path_of
from bt.record import Journal
from semantics.body.protocols import Beliefs, Clock
from semantics.logic.atoms import Conjunct, objects_in
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Operator, Plan, State
from tests.bt.oracles.regression import Regression

__all__ = ["Resume"]

GRACE_SECONDS = 0.25
PROOF_SECONDS = 3.0
MOST_ATTEMPTS = 5


def lost(plan: Plan, start: int, state: State) -> tuple[Feedback, Conjunct | None]:
    """Say that no step of a plan leads to its goal from `state`, and what was not brought about.

    Args:
        plan: What was to be done.
        start: The step from which on it was to be done last.
        state: What is believed.
    """
    lacking = lack(plan, start, state)
    assert lacking is not None
    why = f"no step leads to the goal from here: {lacking.why}"
    return Feedback(Code.PRECONDITION, "the plan", why, culprits=objects_in(lacking.missing)), lacking.sought


def in_vain(step: Operator, furthest: Operator, times: int, setback: str) -> Feedback:
    """Say that a step was begun too often, how far the plan has come, and what went wrong at last, if that is known."""
    why = f"it was begun {times} times, and the plan got no further than {furthest}"
    return Feedback(Code.STUCK, str(step), why + (f"; at last, {setback}" if setback else ""))


class Attempts:
    """Counts how often each step was begun since the plan last got further than ever before.

    Attributes:
        furthest: Index of the latest step that was ever begun; -1 before the first.
    """

    def __init__(self, most: int) -> None:
        self.furthest = -1
        self._most = most
        self._begun: Counter[int] = Counter()

    def allows(self, index: int) -> bool:
        """Take in that a step is to be begun; return whether that is not once too often."""
        if index > self.furthest:
            self.furthest = index
            self._begun.clear()
        self._begun[index] += 1
        return self._begun[index] <= self._most


class Resume(Accountable, Composite):
    """Succeeds when the plan's goal was sensed, fails when no step leads there or a step failed.

    Args:
        plan: What to do.
        steps: A node for each of its steps.
        beliefs: What is held true.
        clock: The body's clock.
        journal: Where changes of the resume point and failures are written.
        grace: How long trouble has to last before it counts, in seconds of the clock, where sensing may err.
        patience: How long to wait at the goal for the sensing of what is only believed, in seconds of the clock.
        attempts: How often a step is begun before the plan has to get further than ever before.

    Attributes:
        point: Index of the step worked on; the number of steps at the goal, None when there is no such step.
        sought: After a failure, the effects that were not brought about; None when it was the goal itself.
    """

    kind = "resume"

    def __init__(
        self,
        plan: Plan,
        steps: Sequence[Step],
        *,
        beliefs: Beliefs,
        clock: Clock,
        journal: Journal | None = None,
        grace: float = GRACE_SECONDS,
        patience: float = PROOF_SECONDS,
        attempts: int = MOST_ATTEMPTS,
    ) -> None:
        super().__init__("resume", steps)
        self.plan = plan
        self.what = _told(plan)
        self.point: int | None = None
        self.sought: Conjunct | None = None
        self._steps = tuple(steps)
        self._beliefs = beliefs
        self._clock = clock
        self._journal = journal
        self._regression = Regression(plan.steps, plan.goal)
        self._doubt = Debounce(clock, grace if lag_of(beliefs) is None else 0.0)
        self._unproven = Debounce(clock, patience)
        self._most = attempts
        self._forget()

    def _forget(self) -> None:
        self._running: int | None = None
        self._stopping: Step | None = None
        self._stopped_at = 0.0
        self._asked = -1
        self._trouble = ""
        self._doubt.lasts(False)
        self._unproven.lasts(False)
        self._attempts = Attempts(self._most)
        self._why = "the plan starts"
        self._setback = ""

    @property
    def working_on(self) -> int | None:
        """Index of the step that is running or being brought to rest; None between two steps."""
        if self._running is None and self._stopping is not None:
            return self._steps.index(self._stopping) if self._stopping in self._steps else self.point
        return self._running

    @property
    def running(self) -> Step | None:
        """The step that is running; None between two steps."""
        return None if self._running is None else self._steps[self._running]

    def take_over(self, plan: Plan, steps: Sequence[Step], going_on: int | None, why: str) -> None:
        """Go on with another plan, between two ticks; `steps` are its nodes, with the running one among them again.

        `going_on` is that one's index; where it is None, what runs is stopped over the next ticks.
        """
        if self._running is not None and going_on is None:
            self._halt(self._running, why)
        for child in self.children:
            child.parent = None
        for step in steps:
            step.parent = self
        self.plan, self._steps, self.children = plan, tuple(steps), list(steps)
        self.what = _told(plan)
        self._regression = Regression(plan.steps, plan.goal)
        self._running, self._asked, self._trouble, self._why = going_on, -1, "", why
        self._attempts = Attempts(self._most)
        self._doubt.lasts(False)
        self._unproven.lasts(False)
        if going_on is not None:
            self._attempts.allows(going_on)
            self._move(going_on, why)

    def initialise(self) -> None:
        """Start afresh: nothing is known of where the plan stands."""
        super().initialise()
        self._forget()
        self.point = None
        self.sought = None
        for child in self.children:
            if child.status != Status.INVALID:
                child.stop(Status.INVALID)

    def terminate(self, new_status: Status) -> None:
        """Forget where the plan stood."""
        self._running = None
        self._stopping = None

    def tick(self) -> Iterator[Behaviour]:
        """Choose a step and tick it, or wait."""
        if self.status != Status.RUNNING:
            self.initialise()
        verdict = self._choose()
        if isinstance(verdict, Step):
            yield from verdict.tick()
            verdict = self._after(verdict)
        if verdict != Status.RUNNING:
            self.stop(verdict)
        self.status = verdict
        yield self

    def _choose(self) -> Step | Status:
        """Return the step to tick now, or how it ends, or that something has to come to rest first."""
        if self._stopping is not None and not self._at_rest(self._stopping):
            return Status.RUNNING if self.feedback is None else Status.FAILURE
        if self._running is None:
            return self._resume()
        if self._asked != self._beliefs.revision:
            self._asked = self._beliefs.revision
            self._trouble = self._trouble_of(self._running)
        if self._doubt.lasts(bool(self._trouble)):
            step = self._steps[self._running]
            self._halt(self._running, self._trouble)
            return self._resume() if self._at_rest(step) else Status.RUNNING
        return self._steps[self._running]

    def _resume(self) -> Step | Status:
        """Take the latest step from which the rest of the plan works."""
        state, before = self._beliefs.state, self.point or 0
        point = self._regression.latest(state)
        lost = self._doubt.lasts(point is None)
        if point is None and not lost:
            return Status.RUNNING
        self._move(point, self._why)
        if point is None:
            return self._lose(min(before, len(self._steps)), state)
        if point == len(self._steps):
            return self._judge()
        self._unproven.lasts(False)
        return self._begin(point)

    def _begin(self, point: int) -> Step | Status:
        """Take up a step, unless that was done too often to no avail."""
        if not self._attempts.allows(point):
            return self._give_up(point)
        self._asked = self._beliefs.revision
        self._trouble = ""
        self._running = point
        self.current_child = self._steps[point]
        return self._steps[point]

    def _trouble_of(self, index: int) -> str:
        """Return why the running step should be stopped, or nothing."""
        step = self._steps[index]
        gone = [e for e in sorted(step.kept) if self._beliefs.sensed(e, step.act.began) is False]
        if gone:
            return f"{step.operator} cannot go on: {opposites(gone)}"
        after = afterwards(step.expected, self._beliefs.state)
        point = self._regression.latest(after)
        lacking = None if point is not None and point > index else lack(self.plan, index + 1, after)
        return lacking.why if lacking else ""

    def _halt(self, index: int, why: str) -> None:
        step = self._steps[index]
        step.stop(Status.INVALID)
        self._stopping = step
        self._stopped_at = self._clock.now()
        self._running = None
        self.current_child = None
        self._why = self._setback = why
        self._doubt.lasts(False)

    def _at_rest(self, step: Step) -> bool:
        """Return whether a stopped step's motion has ended; give up when it does not end in time."""
        if step.act.at_rest():
            self._stopping = None
            return True
        if self._clock.now() - self._stopped_at > REST_SECONDS:
            why = f"the cancelled motion has not ended after {REST_SECONDS:g} s"
            self._fail(Feedback(Code.STUCK, str(step.operator), why))
        return False

    def _after(self, step: Step) -> Status:
        """Return what follows from a step's status."""
        if step.status == Status.RUNNING:
            return Status.RUNNING
        index = self._running
        assert index is not None
        self._running = None
        self._why = f"{step.operator} worked"
        if step.status == Status.SUCCESS:
            return self._at_goal()
        feedback = failure_of(step)
        point = self._regression.latest(self._beliefs.state)
        if point is None or point <= index:
            return self._fail(feedback, step, step.operator.effects)
        self._note(feedback, step)
        self._why = f"{step.operator} failed, but what it was for holds"
        return self._at_goal()

    def _at_goal(self) -> Status:
        """End at the goal at once; any other step is chosen in the next tick, on what is believed then."""
        if self._regression.latest(self._beliefs.state) != len(self._steps):
            return Status.RUNNING
        self._move(len(self._steps), self._why)
        return self._judge()

    def _judge(self) -> Status:
        """Succeed when the goal was sensed to hold; wait for that, but not for ever."""
        proven = holds(self.plan.goal, self._beliefs)
        if self._unproven.lasts(not proven):
            return self._fail(without_proof(self.plan.goal, self._beliefs))
        return Status.SUCCESS if proven else Status.RUNNING

    def _lose(self, start: int, state: State) -> Status:
        feedback, sought = lost(self.plan, start, state)
        return self._fail(feedback, sought=sought)

    def _give_up(self, index: int) -> Status:
        furthest, step = self._steps[self._attempts.furthest].operator, self._steps[index].operator
        return self._fail(in_vain(step, furthest, self._most, self._setback), sought=furthest.effects)

    def _fail(self, feedback: Feedback, source: Behaviour | None = None, sought: Conjunct | None = None) -> Status:
        self.sought = sought
        self._note(feedback, source or self)
        return self.fail(feedback)

    def _note(self, feedback: Feedback, source: Behaviour) -> None:
        if self._journal is not None:
            fields = {"t": self._now(), "node": path_of(source), "feedback": feedback.as_dict()}
            self._journal.write("feedback", fields)

    def _move(self, point: int | None, why: str) -> None:
        """Set the resume point, and write its change down."""
        if point == self.point:
            return
        source, self.point = self.point, point
        if self._journal is not None:
            self._journal.write("resume", {"t": self._now(), "from": source, "to": point, "why": why})

    def _now(self) -> float:
        return round(self._clock.now(), 3)


def _told(plan: Plan) -> str:
    return f"{len(plan.steps)} steps, cost {plan.cost}"
