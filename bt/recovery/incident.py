"""The state of a `Recover` node: the failure that the strategies work on, and the current detour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Pending
from bt.execution.execute import Execute
from bt.execution.goal import holds, in_the_making
from bt.execution.step import Step, says_where
from bt.execution.trouble import UNPLANNED
from bt.node import Accountable, failure_of, walk
from bt.record import Journal
from bt.recovery.inquiry import PendingQuestion
from bt.recovery.request import Answer
from semantics.body.protocols import Beliefs, Clock
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Operator, Plan, State, bits


class Failure(NamedTuple):
    """A failure and its place in the plan."""

    feedback: Feedback  # the reason
    step: Operator | None  # the step that failed; None when the plan could not go on before a step of it began
    plan: Plan | None = None
    """The plan of the step; of a partial order, the steps that are left. None for a hand-written tree."""
    number: int | None = None  # the number of the step in the plan; None without a step or a plan
    lacking: Operator | None = None  # if the plan could not go on, the step that was not applicable

    @property
    def culprit(self) -> Operator | None:
        """The step that failed, or that could not be begun."""
        return self.step or self.lacking

    def as_dict(self) -> dict[str, object]:
        """Return the failure for the record, as plain data for JSON."""
        step = str(self.culprit) if self.culprit else None
        plan = [str(operator) for operator in self.plan.steps] if self.plan else []
        return {"feedback": self.feedback.as_dict(), "step": step, "plan": plan}


def failure_below(root: Behaviour) -> Failure:
    """Return the failure of a failed tree."""
    feedback = failure_of(root)
    failed = [node for node in walk(root) if node.status == Status.FAILURE]
    step = next((node for node in failed if isinstance(node, Step) and failure_of(node) is feedback), None)
    execute = next((node for node in failed if isinstance(node, Execute)), None)
    if execute is None:
        return Failure(feedback, step.operator if step else None)
    number = execute.children.index(step) if step in execute.children else None
    lacking = next((op for op in execute.plan.steps if op.effects == execute.sought), None) if step is None else None
    operator = step.operator if step else None
    if execute.order.total:
        return Failure(feedback, operator, execute.plan, number, lacking)
    return Failure(feedback, operator, _left(execute, number), None if number is None else 0, lacking)


def _left(execute: Execute, failed: int | None) -> Plan:
    """Return the steps that are left of a partially ordered plan as a sequence, the failed step first."""
    first = () if failed is None else (failed,)
    others = (index for index in bits(execute.left) if index != failed)
    steps = tuple(execute.plan.steps[index] for index in (*first, *others))
    return replace(execute.plan, steps=steps, optimal=False)


class Unplanned(Accountable):
    """A placeholder where a plan has still to be made: it fails, so that a planning strategy answers."""

    kind = "unplanned"

    def __init__(self) -> None:
        super().__init__(name="unplanned")

    def update(self) -> Status:
        """Fail, to ask for a plan."""
        return self.fail(UNPLANNED)


@dataclass(slots=True)
class Incident:
    """A failure that is passed from strategy to strategy."""

    feedback: Feedback  # the reason; a strategy without an answer may add to it
    failure: Failure  # the failure of the child
    sought: Conjunct | None  # the effects that were not achieved
    since: float  # the time of the failure, in seconds of the clock
    index: int = 0  # the index of the current strategy
    reached_at: float | None = None  # when the current strategy accepted the failure; None before that
    pending: Pending[Answer] | PendingQuestion | None = None
    """The answer of the current strategy; None before it was asked."""
    asked_revision: int = 0  # the revision of the beliefs when the strategy was asked
    is_fresh: bool = True
    """Whether the tick of the failure has not ended: the strategy is asked in it and answers in a later one."""

    def explain(self, name: str, why: str) -> None:
        """Add the finding of a strategy to the reason."""
        cause = self.feedback
        if why not in cause.why:
            self.feedback = replace(cause, why=f"{cause.why.rstrip('.')}; {name}: {why}")

    def hand_on(self) -> None:
        """Pass the failure to the next strategy."""
        self.index += 1
        self.reached_at = self.pending = None


@dataclass(slots=True)
class OnDetour:
    """The current detour, and how the run goes on after it."""

    ahead: list[Plan]  # the plans of the detour that still have to begin
    then: Behaviour  # the child after the detour
    restores: bool = False
    """Whether that child has already succeeded, and the detour only restores what was disturbed for it."""
    until: Callable[[State], bool] | None = None  # returns whether the detour is no longer needed in a state
    owed: Conjunct = frozenset()  # the facts that had to be restored when the detour began
    asked: int | None = None  # the revision of the beliefs for which `until` was called last
    is_needless: bool = False  # the result of that call

    def may_end(self, root: Behaviour, beliefs: Beliefs) -> bool:
        """Return whether the detour is no longer needed and no hand is at work below `root`."""
        if self.until is not None and self.asked != beliefs.revision:
            self.asked = beliefs.revision
            self.is_needless = self.until(beliefs.state)
        return self.is_needless and all(_only_moves(node) for node in walk(root) if isinstance(node, Step))


def _only_moves(step: Step) -> bool:
    """Return whether a step is not running, or changes only the place of its agent."""
    changed = (literal.atom for literal in step.operator.effects)
    return step.status != Status.RUNNING or all(says_where(atom, step.operator) for atom in changed)


CONCLUSIONS = frozenset(
    {Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.NOT_VISIBLE, Code.PLANNER_TIMEOUT, Code.INVALID_PLAN}
)
"""Codes that say something about the goal, and not only that no further strategy is left."""


@dataclass(eq=False)
class RecoveryLog:
    """A journal that passes all events on and keeps the uses of strategies."""

    journal: Journal | None = None  # the journal that gets the events; None for no journal
    uses: list[dict[str, Any]] = field(default_factory=list, init=False)
    """Every use of a strategy whose outcome is known, with the fields of the record, oldest first."""

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Keep an event if it is the use of a strategy, and pass it on."""
        if event == "rung":
            self.uses.append(dict(fields))
        if self.journal is not None:
            self.journal.write(event, fields)

    def conclusion(self, last: Feedback, first: int = 0) -> Feedback:
        """Return the final reason, with a list of the uses, when no strategy can answer the last failure.

        Args:
            last: The last failure.
            first: The number of the first use that counts; earlier uses belong to an earlier start.
        """
        tried = Counter((use["rung"], use["code"], use["solved"]) for use in self.uses[first:])
        if not tried:
            return last
        uses = ", ".join(
            f"{name} for {code} ({f'{times} times, ' if times > 1 else ''}{'which helped' if solved else 'in vain'})"
            for (name, code, solved), times in tried.items()
        )
        code = last.code if not last.recoverable or last.code in CONCLUSIONS else Code.BUDGET_SPENT
        why = f"{last.why.rstrip('.')}; tried before: {uses}"
        return Feedback(code, last.what, why, last.how, last.culprits, recoverable=False)


class AnswerUse(NamedTuple):
    """An answer that was carried out, until it is known whether it has helped."""

    cause: Feedback  # the failure that it answers
    seconds: float  # the time from the failure to the answer, on the body's clock
    failed_at: float  # the time of the failure, on the body's clock
    sought: Conjunct | None
    """The effects that were not achieved; None when only success shows that the answer has helped."""
    goal: Conjunct | None  # the goal of the new plan; None when the answer was no plan for the goal


@dataclass(eq=False)
class Uses:
    """The answers whose outcome is not known yet; the outcome is written to the journal when it is known."""

    names: Sequence[str]  # the names of the strategies
    beliefs: Beliefs  # the beliefs about the world
    clock: Clock  # the body's clock
    journal: Journal  # the journal for the ``rung`` events
    _open: dict[int, AnswerUse] = field(default_factory=dict, init=False)

    def take(self, incident: Incident, goal: Conjunct | None) -> None:
        """Note an answer to a failure, with the goal of a new plan; a first plan repairs nothing and is not noted."""
        if incident.feedback is UNPLANNED:
            return
        now, sought = self.clock.now(), incident.sought
        assert incident.reached_at is not None
        if sought is not None and holds(sought, self.beliefs):
            sought = None  # it became true by itself, so it says nothing about the answer
        use = AnswerUse(incident.feedback, now - incident.reached_at, incident.reached_at, sought, goal)
        self._open[incident.index] = use

    def settle(self, index: int, solved: bool) -> None:
        """Record whether the last answer of a strategy has helped: the run made progress with it, or succeeded."""
        use = self._open.pop(index, None)
        if use is None:
            return
        outcome = {"rung": self.names[index], "code": str(use.cause.code), "solved": solved}
        times = {"t": round(self.clock.now(), 3), "failed": round(use.failed_at, 3)}
        self.journal.write("rung", {**times, **outcome, "seconds": round(use.seconds, 3)})

    def settle_brought_about(self, root: Behaviour, beyond: int) -> None:
        """Settle the answers of strategies after index `beyond` whose sought effects hold and need no running step."""
        for index in sorted(index for index in self._open if index > beyond):
            sought = self._open[index].sought
            if sought is not None and holds(sought, self.beliefs) and not in_the_making(sought, root):
                self.settle(index, solved=True)

    def end(self, *, succeeded: bool) -> None:
        """Settle all answers at the end; a new plan has also helped when its goal holds."""
        for index in sorted(self._open):
            goal = self._open[index].goal
            self.settle(index, succeeded or (goal is not None and holds(goal, self.beliefs)))
