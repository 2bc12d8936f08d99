"""Problems during the execution of a plan: how long they last, how often a step was begun, and the feedback."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from py_trees.common import Status

from bt.execution.step import Step
from bt.node import REST_SECONDS, Debounce
from planning.validation import Valid, validate
from semantics.body.protocols import Beliefs, Clock
from semantics.logic.atoms import Conjunct, Literal, objects_in
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Operator, Plan, State


def conflict(step: Step, beliefs: Beliefs) -> str:
    """Return why a running step cannot go on: a condition that has to stay true was sensed false. Empty if it can."""
    denied = [literal for literal in sorted(step.kept) if beliefs.sensed(literal, step.act.began) is False]
    return f"{step.operator} cannot go on: {opposites(denied)}" if denied else ""


@dataclass(eq=False)
class Debounces:
    """A debounce for each step, see `bt.node.Debounce`."""

    clock: Clock
    seconds: float
    _by_step: dict[int, Debounce] = field(default_factory=dict, init=False)

    def lasting(self, reasons: Mapping[int, str]) -> Mapping[int, str]:
        """Take the current reasons for doubt by step, and return those that have lasted long enough."""
        if not reasons:
            self._by_step.clear()
            return reasons
        self._by_step = {index: debounce for index, debounce in self._by_step.items() if index in reasons}
        for index in reasons:
            self._by_step.setdefault(index, Debounce(self.clock, self.seconds))
        return {index: why for index, why in reasons.items() if self._by_step[index].lasts(True)}


@dataclass(eq=False)
class Stopping:
    """Steps that were stopped and whose motions have not ended yet.

    Attributes:
        clock: The body's clock.
        since: When each step was stopped, in seconds of the clock; empty once all motions are at rest.
    """

    clock: Clock
    since: dict[Step, float] = field(default_factory=dict, init=False)

    def stop(self, *steps: Step) -> None:
        """Stop the given steps."""
        for step in steps:
            step.stop(Status.INVALID)
        self.add(*steps)

    def add(self, *steps: Step) -> None:
        """Note that the given steps were stopped now."""
        if steps:
            self.since |= dict.fromkeys(steps, self.clock.now())

    def restart(self) -> None:
        """Start the time limit of each step again."""
        self.since = dict.fromkeys(self.since, self.clock.now())

    def overdue(self) -> Step | None:
        """Remove the steps that are at rest; return one that has exceeded the time limit, if there is one."""
        if not self.since:
            return None
        self.since = {step: since for step, since in self.since.items() if not step.act.at_rest()}
        late = (step for step, since in self.since.items() if self.clock.now() - since > REST_SECONDS)
        return next(late, None)


@dataclass(eq=False)
class RetryCounter:
    """Counts how often each step was begun since the number of steps left last reached a new minimum.

    Attributes:
        most: How often a step may begin.
        furthest: The step at whose start that minimum was reached; -1 before the first.
    """

    most: int
    furthest: int = field(default=-1, init=False)
    _least: float = field(default=float("inf"), init=False)
    _begun: Counter[int] = field(default_factory=Counter, init=False)

    def allows(self, index: int, left: int) -> bool:
        """Count the start of a step with `left` steps still to begin; return whether it is allowed."""
        if left < self._least:
            self._least, self.furthest = left, index
            self._begun.clear()
        self._begun[index] += 1
        return self._begun[index] <= self.most


class Lack(NamedTuple):
    """Why a plan cannot reach its goal.

    Attributes:
        why: A clause that names the step, or the goal, and the missing literals.
        missing: The missing literals.
        sought: The effects of the step that is not applicable; None when the goal itself lacks literals.
    """

    why: str
    missing: tuple[Literal, ...]
    sought: Conjunct | None


def lack(plan: Plan, start: int, state: State) -> Lack | None:
    """Return what the steps from `start` on lack when they begin in `state`; None when they reach the goal."""
    axioms = next((step.axioms for step in plan.steps if step.axioms), None)
    outcome = validate(plan.steps[start:], axioms.close(state) if axioms else state, plan.goal)
    if isinstance(outcome, Valid):
        return None
    rest = plan.steps[start + outcome.step :]
    reason = (
        "would lack " + " ".join(map(str, outcome.missing)) if outcome.missing else f"cannot be taken: {outcome.reason}"
    )
    return Lack(f"{rest[0] if rest else 'the goal'} {reason}", outcome.missing, rest[0].effects if rest else None)


UNPLANNED = Feedback(Code.PRECONDITION, "the goal", "it has still to be planned for from here")
"""The failure where a plan is still to be made, or was made for another state; no budget counts it."""


def lost(lacking: Lack | None) -> Feedback:
    """Return the feedback that no set of steps leads to the goal."""
    why, missing = (lacking.why, lacking.missing) if lacking else ("nothing that is left fits", ())
    text = f"no step leads to the goal from here: {why}"
    return Feedback(Code.PRECONDITION, "the plan", text, culprits=objects_in(missing))


def given_up(step: Operator, furthest: Operator, times: int, setback: str) -> Feedback:
    """Return the feedback that a step was begun too often, with the furthest step and the last setback, if known."""
    why = f"it was begun {times} times, and the plan got no further than {furthest}"
    return Feedback(Code.STUCK, str(step), why + (f"; at last, {setback}" if setback else ""))


def late(step: Operator, seconds: float) -> Feedback:
    """Return the feedback that a cancelled motion has not ended."""
    return Feedback(Code.STUCK, str(step), f"the cancelled motion has not ended after {seconds:g} s")


def opposites(literals: Iterable[Literal]) -> str:
    """Return the clause that each of `literals` was sensed to be otherwise."""
    return " and ".join(
        f"{literal.atom} was sensed {'not to hold' if literal.positive else 'to hold'}" for literal in sorted(literals)
    )
