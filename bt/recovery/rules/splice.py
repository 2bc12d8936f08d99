"""A repair inserted into a plan, and the check whether it causes a later failure."""

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
    """A repair at its position in the plan.

    Attributes:
        rule: The rule.
        step: The step that is repaired.
        binding: The objects for the variables of the rule.
        before: The steps that are inserted before.
        instead: The step itself, or the steps that replace it.
        after: The steps that restore what was disturbed.
        done: The steps of the plan before the repair.
        rest: The steps of the plan after the repair.
        late: The number of steps of `rest` before the restoring steps.
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
        """Return the same repair with the restoring steps `after`, placed after `late` steps of the rest."""
        return replace(self, late=late, after=after)

    def reached(self, state: State) -> State:
        """Return the state before the restoring steps, assuming that all steps before them work."""
        return _run((*self.done, *self.before, *self.instead, *self.rest[: self.late]), state)

    @property
    def end(self) -> int:
        """The number of steps up to the repaired step, including restoring steps that follow at once."""
        restored = len(self.after) if not self.late else 0
        return len(self.done) + len(self.before) + len(self.instead) + restored

    @property
    def steps(self) -> tuple[Operator, ...]:
        """The whole plan."""
        behind = (*self.rest[: self.late], *self.after, *self.rest[self.late :])
        return (*self.done, *self.before, *self.instead, *behind)

    def causes(self, broken: Invalid, state: State) -> bool:
        """Return whether the repair causes a failure: had the step simply worked, the literals would not be missing.

        A failure of a restoring step is always caused by the repair.
        """
        at = broken.step - (len(self.done) + len(self.before) + len(self.instead))
        if self.late <= at < self.late + len(self.after):
            return True
        index = at if at < self.late else at - len(self.after)
        worked = _run((*self.done, self.step, *self.rest[:index]), state)
        return not set(broken.missing) <= set(worked.missing(broken.missing))


def _run(steps: Iterable[Operator], state: State) -> State:
    """Apply `steps` without checking their preconditions."""
    for step in steps:
        with contextlib.suppress(UsageError):  # the value of a number is unknown
            state = step.apply(state)
    return state


def renamed(
    rest: Iterable[Operator],
    rule: RepairRule,
    binding: Binding,
    failed: Operator,
    problem: Problem,
) -> tuple[Operator, ...]:
    """Return the steps after a repair, with the renaming of the rule in those that handle the same object."""
    if not rule.rename:
        return tuple(rest)
    names = {binding[f"?{old}"]: binding[f"?{new}"] for old, new in rule.rename}
    thing = _handled(failed, problem.domain.capabilities[failed.action.name])

    def other(step: Operator) -> Operator:
        args = tuple(names.get(arg, arg) for arg in step.action.args)
        if thing not in step.action.args or args == step.action.args:
            return step
        try:
            return problem.ground(Action(step.action.name, args))
        except UsageError:  # the names do not fit this step: keep it, and let the model judge
            return step

    return tuple(map(other, rest))


def _handled(step: Operator, capability: Capability) -> str:
    """Return the first argument of a step that is acted upon: no agent and no resource."""
    acting = {*capability.resources, *(() if capability.agentless else (capability.parameters[0].name,))}
    pairs = zip(capability.parameters, step.action.args, strict=True)
    return next((arg for parameter, arg in pairs if parameter.name not in acting), "")
