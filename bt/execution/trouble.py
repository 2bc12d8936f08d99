"""Problems during the execution of a plan: how long they last, how often they come again, and the feedback.

A step may be begun only so often without progress. A person may undo what steps achieve, take a thing back each time or
shut a door: `LossCounter` counts how often the same is lost again although no step of the run undoes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from py_trees.common import Status

from bt.execution.step import Step, says_where
from bt.node import REST_SECONDS, Debounce
from planning.validation import Valid, validate
from semantics.body.protocols import Beliefs, Clock
from semantics.logic.atoms import Conjunct, Literal, objects_in
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Operator, Plan, State

MOST_LOSSES = 3  # how often the same may be lost in the same way; what is lost once or twice is achieved once more
ACHIEVED_AND_LOST = (Code.DROPPED, Code.EFFECT_MISSING)  # failures of a step whose motion had done its work before

Key = tuple[bool, str, tuple[str, ...]]
"""A literal without the agent and its hands, so that changing the hand does not begin a new count."""


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
    """Steps that were stopped and whose motions have not ended yet."""

    clock: Clock  # the body's clock
    since: dict[Step, float] = field(default_factory=dict, init=False)
    """When each step was stopped, in seconds of the clock; empty once all motions are at rest."""

    def stop(self, *steps: Step) -> None:
        """Stop the given steps."""
        for step in steps:
            step.stop(Status.INVALID)
        self.add(*steps)

    def add(self, *steps: Step) -> None:
        """Note that the given steps were stopped now."""
        if steps:
            self.since |= dict.fromkeys(steps, self.clock.now())

    def overdue(self) -> Step | None:
        """Remove the steps that are at rest; return one that has exceeded the time limit, if there is one."""
        self.since = {step: since for step, since in self.since.items() if not step.act.at_rest()}
        late = (step for step, since in self.since.items() if self.clock.now() - since > REST_SECONDS)
        return next(late, None)


@dataclass(eq=False)
class RetryCounter:
    """Counts how often each step was begun since the number of steps left last reached a new minimum."""

    most: int  # how often a step may begin
    furthest: int = field(default=-1, init=False)
    """The step at whose start that minimum was reached; -1 before the first."""
    _least: float = field(default=float("inf"), init=False)
    _begun: Counter[int] = field(default_factory=Counter, init=False)

    def allows(self, index: int, left: int) -> bool:
        """Count the start of a step with `left` steps still to begin; return whether it is allowed."""
        if left < self._least:
            self._least, self.furthest = left, index
            self._begun.clear()
        self._begun[index] += 1
        return self._begun[index] <= self.most


@dataclass(eq=False)
class LossCounter:
    """Counts the losses of what steps have achieved, those after a step apart from those that a step fails by.

    One counter serves all plans of a run, so that no new plan begins the count again. A failure that has nothing to do
    with what was lost does: where many things go wrong by chance, nobody undoes the same one each time.
    """

    _achieved: dict[Key, Code | None] = field(default_factory=dict, init=False)
    _lost: Counter[tuple[Key, Code | None]] = field(default_factory=Counter, init=False)
    _hopeless: set[Key] = field(default_factory=set, init=False)

    def begin(self, step: Step, state: State) -> Feedback | None:
        """Take that a step begins; return why it must not, if what it achieves was lost too often."""
        effects = dict(_effects(step))
        sought = {key for key, literal in effects.items() if not state.holds(literal)}
        self._lost.update((key, self._achieved[key]) for key in sought & self._achieved.keys())
        self._hopeless.update(key for (key, _), times in self._lost.items() if times >= MOST_LOSSES)
        self._forget(sought, effects)
        lost = [effects[key] for key in sorted(sought & self._hopeless, reverse=True)]
        if not lost:
            return None
        facts = " and ".join(str(literal) for literal in lost if literal.positive == lost[0].positive)
        is_missing = any(self._lost[key, Code.EFFECT_MISSING] >= MOST_LOSSES for key in sought)
        again = "missing after the step" if is_missing else "reached and lost again"
        why = f"{facts} was {again} {MOST_LOSSES} times, and no step of this run does that"
        moved = tuple(name for name in objects_in(lost) if name not in step.busy)
        return Feedback(Code.UNDONE, str(step.operator), why, "Somebody may do it; talk to them first.", moved)

    def end(self, step: Step, failure: Feedback | None = None) -> None:
        """Take that a step has ended; a step that failed has achieved nothing, unless that was lost at its end.

        A failure begins anew the count of all that it does not blame.
        """
        effects = dict(_effects(step))
        if failure is not None:
            blamed = set(failure.culprits)
            self._lost = Counter({loss: times for loss, times in self._lost.items() if blamed & set(loss[0][2])})
        self._forget((), effects)  # conditional effects are decided only now
        if failure is None or failure.code in ACHIEVED_AND_LOST:
            self._achieved.update(dict.fromkeys(effects, failure.code if failure else None))

    def _forget(self, sought: Iterable[Key], effects: Iterable[Key]) -> None:
        """Forget that what is sought was achieved, and the opposite of the effects."""
        for key in (*sought, *((not positive, name, args) for positive, name, args in effects)):
            self._achieved.pop(key, None)


def _effects(step: Step) -> Iterator[tuple[Key, Literal]]:
    """Yield the effects of a step on things; those on its agent alone, such as a free hand, are left out."""
    for literal in step.expected.effects:
        args = tuple(name for name in literal.atom.args if name not in step.busy)
        if args and not says_where(literal.atom, step.operator):
            yield (literal.positive, literal.atom.predicate, args), literal


class Lack(NamedTuple):
    """Why a plan cannot reach its goal."""

    why: str  # a clause that names the step, or the goal, and the missing literals
    missing: tuple[Literal, ...]  # the missing literals
    sought: Conjunct | None  # the effects of the step that is not applicable; None when the goal itself lacks literals


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
