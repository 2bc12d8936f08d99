"""What goes wrong while a plan is carried out: for how long, how often, and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from py_trees.common import Status

from bt.execution.step import Step, culprits
from bt.node import REST_SECONDS, Debounce
from planning.validation import Valid, validate
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs, Clock
from semantics.state import Operator, Plan, State

__all__ = [
    "Debounces",
    "Lack",
    "RetryCounter",
    "Stopping",
    "conflict",
    "given_up",
    "lack",
    "late",
    "lost",
    "opposites",
]


def conflict(step: Step, beliefs: Beliefs) -> str:
    """Return why a running step cannot go on, since what it leaves alone was sensed otherwise; or nothing."""
    denied = [literal for literal in sorted(step.kept) if beliefs.sensed(literal, step.act.began) is False]
    return f"{step.operator} cannot go on: {opposites(denied)}" if denied else ""


@dataclass(eq=False)
class Debounces:
    """One doubt for each step, see `bt.node.Debounce`."""

    clock: Clock
    seconds: float
    _by_step: dict[int, Debounce] = field(default_factory=dict, init=False)

    def lasting(self, reasons: Mapping[int, str]) -> Mapping[int, str]:
        """Take in the reasons for doubt that there are now, by step; return those that were there for long enough."""
        if not reasons:
            self._by_step.clear()
            return reasons
        self._by_step = {index: doubt for index, doubt in self._by_step.items() if index in reasons}
        for index in reasons:
            self._by_step.setdefault(index, Debounce(self.clock, self.seconds))
        return {index: why for index, why in reasons.items() if self._by_step[index].lasts(True)}


@dataclass(eq=False)
class Stopping:
    """Steps that were stopped and whose motions have still to come to rest.

    Attributes:
        clock: The body's clock.
        since: When each was stopped, in seconds of the clock; empty once all motions are at rest.
    """

    clock: Clock
    since: dict[Step, float] = field(default_factory=dict, init=False)

    def stop(self, *steps: Step) -> None:
        """Stop these."""
        for step in steps:
            step.stop(Status.INVALID)
        self.add(*steps)

    def add(self, *steps: Step) -> None:
        """Take in that these were stopped now."""
        if steps:
            self.since |= dict.fromkeys(steps, self.clock.now())

    def restart(self) -> None:
        """Give each its whole time again."""
        self.since = dict.fromkeys(self.since, self.clock.now())

    def overdue(self) -> Step | None:
        """Let go of what has come to rest; return one that should have, if there is one."""
        if not self.since:
            return None
        self.since = {step: since for step, since in self.since.items() if not step.act.at_rest()}
        late = (step for step, since in self.since.items() if self.clock.now() - since > REST_SECONDS)
        return next(late, None)


@dataclass(eq=False)
class RetryCounter:
    """Counts how often each step was begun since there was less left to do than ever before.

    Attributes:
        most: How often that is allowed.
        furthest: The step with whose beginning there was; -1 before the first.
    """

    most: int
    furthest: int = field(default=-1, init=False)
    _least: float = field(default=float("inf"), init=False)
    _begun: Counter[int] = field(default_factory=Counter, init=False)

    def allows(self, index: int, left: int) -> bool:
        """Take in that a step is to begin with so many `left`; return whether that is not once too often."""
        if left < self._least:
            self._least, self.furthest = left, index
            self._begun.clear()
        self._begun[index] += 1
        return self._begun[index] <= self.most


class Lack(NamedTuple):
    """What keeps a plan from its goal.

    Attributes:
        why: A clause that names the step, or the goal, and the literals.
        missing: Those literals.
        sought: The effects of the step that cannot be taken; None when it is the goal that lacks something.
    """

    why: str
    missing: tuple[Literal, ...]
    sought: Conjunct | None


def lack(plan: Plan, start: int, state: State) -> Lack | None:
    """Return what the steps from `start` on lack, taken from `state`; None when they reach the goal."""
    axioms = next((step.axioms for step in plan.steps if step.axioms), None)
    broken = validate(plan.steps[start:], axioms.close(state) if axioms else state, plan.goal)
    if isinstance(broken, Valid):
        return None
    rest = plan.steps[start + broken.step :]
    told = "would lack " + " ".join(map(str, broken.missing)) if broken.missing else f"cannot be taken: {broken.reason}"
    return Lack(f"{rest[0] if rest else 'the goal'} {told}", broken.missing, rest[0].effects if rest else None)


def lost(lacking: Lack | None) -> Feedback:
    """Say that no set of steps leads to the goal."""
    why, missing = (lacking.why, lacking.missing) if lacking else ("nothing that is left fits", ())
    told = f"no step leads to the goal from here: {why}"
    return Feedback(Code.PRECONDITION, "the plan", told, culprits=culprits(missing))


def given_up(step: Operator, furthest: Operator, times: int, setback: str) -> Feedback:
    """Say that a step was begun too often, how far the plan has come, and what went wrong last, if that is known."""
    why = f"it was begun {times} times, and the plan got no further than {furthest}"
    return Feedback(Code.STUCK, str(step), why + (f"; at last, {setback}" if setback else ""))


def late(step: Operator, seconds: float) -> Feedback:
    """Say that a cancelled motion goes on."""
    return Feedback(Code.STUCK, str(step), f"the cancelled motion has not ended after {seconds:g} s")


def opposites(literals: Iterable[Literal]) -> str:
    """Say that each of `literals` was sensed to be otherwise."""
    return " and ".join(
        f"{literal.atom} was sensed {'not to hold' if literal.positive else 'to hold'}" for literal in sorted(literals)
    )
