"""A repair put into a plan, and whether it does harm there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bt.recovery.rules.instances import Binding
from domains.capability import Capability
from domains.model import RepairRule
from domains.problem import Problem
from planning.validation import Invalid
from semantics.errors import UsageError
from semantics.state import Action, Operator, State

__all__ = ["Splice", "renamed"]


@dataclass(frozen=True, slots=True)
class Splice:
    """A repair in its place.

    Attributes:
        rule: Which.
        step: The step that it is for.
        binding: What its variables stand for.
        before: What it does first.
        instead: The step itself, or what is done in its place.
        after: What it restores.
        done: The steps in front of it.
        rest: The steps behind it.
        late: After how many of those it restores.
    """

    rule: RepairRule
    step: Operator
    binding: Binding
    before: tuple[Operator, ...]
    instead: tuple[Operator, ...]
    after: tuple[Operator, ...]
    done: tuple[Operator, ...]
    rest: tuple[Operator, ...]
    late: int = 0

    def restoring(self, late: int, after: tuple[Operator, ...]) -> Splice:
        """Return the same repair, restoring by `after` behind `late` of the steps behind it."""
        return replace(self, late=late, after=after)

    def reached(self, state: State) -> State:
        """Return what holds at the moment of restoring if all works until then, which others have still to see to."""
        return _run((*self.done, *self.before, *self.instead, *self.rest[: self.late]), state)

    @property
    def end(self) -> int:
        """The number of steps up to the repaired one, and what is restored at once."""
        restored = len(self.after) if not self.late else 0
        return len(self.done) + len(self.before) + len(self.instead) + restored

    @property
    def steps(self) -> tuple[Operator, ...]:
        """The whole plan."""
        behind = (*self.rest[: self.late], *self.after, *self.rest[self.late :])
        return (*self.done, *self.before, *self.instead, *behind)

    def causes(self, broken: Invalid, state: State) -> bool:
        """Return whether what breaks behind the repair would not have broken had the step just worked.

        What is restored may not break at all.
        """
        at = broken.step - (len(self.done) + len(self.before) + len(self.instead))
        if self.late <= at < self.late + len(self.after):
            return True
        index = at if at < self.late else at - len(self.after)
        worked = _run((*self.done, self.step, *self.rest[:index]), state)
        return not set(broken.missing) <= set(worked.missing(broken.missing))


def _run(steps: Iterable[Operator], state: State) -> State:
    """Apply `steps` whether they can be taken or not."""
    for step in steps:
        with contextlib.suppress(UsageError):  # a number that nobody knows
            state = step.apply(state)
    return state


def renamed(
    rest: Iterable[Operator],
    rule: RepairRule,
    binding: Binding,
    failed: Operator,
    problem: Problem,
) -> tuple[Operator, ...]:
    """Return the steps behind a repair with what the rule renames in those that handle the same thing."""
    if not rule.rename:
        return tuple(rest)
    names = {binding[f"?{one}"]: binding[f"?{other}"] for one, other in rule.rename}
    thing = _handled(failed, problem.domain.capabilities[failed.action.name])

    def other(step: Operator) -> Operator:
        args = tuple(names.get(arg, arg) for arg in step.action.args)
        if thing not in step.action.args or args == step.action.args:
            return step
        try:
            return problem.ground(Action(step.action.name, args))
        except UsageError:  # the two do not fit together there: left as it was, and judged by the model
            return step

    return tuple(map(other, rest))


def _handled(step: Operator, capability: Capability) -> str:
    """Return the first thing that a step acts upon rather than with."""
    acting = {*capability.resources, *(() if capability.agentless else (capability.parameters[0].name,))}
    pairs = zip(capability.parameters, step.action.args, strict=True)
    return next((arg for one, arg in pairs if one.name not in acting), "")
