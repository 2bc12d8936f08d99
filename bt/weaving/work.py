"""`Work`: a plan as it is worked on, with the node and the claim of each step.

Steps may be begun beside running ones because what is left is successor-closed and holds no running step: so no running
step comes after one that is begun. Those that come before it are waited for; all others are independent of it, and come
out as if they had ended before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bt.reactive.step import Step
from bt.weaving.claims import Claim
from bt.weaving.order import bits
from bt.weaving.reasons import fruitless
from bt.weaving.rest import Rest, outlook
from bt.weaving.trouble import undone
from semantics.protocols import Beliefs
from semantics.state import Plan, State

__all__ = ["Work"]


@dataclass(frozen=True, eq=False, slots=True)
class Work:
    """What a weave works on.

    Attributes:
        plan: What to do; its steps are in a linearisation of the order of `rest`.
        steps: A node for each of its steps.
        claims: What each step locks.
        rest: Answers what is left of it.
    """

    plan: Plan
    steps: tuple[Step, ...]
    claims: tuple[Claim, ...]
    rest: Rest

    @property
    def what(self) -> str:
        """The plan in words."""
        return f"{len(self.plan.steps)} steps, cost {self.plan.cost}"

    def after(self, running: Sequence[int], state: State) -> State:
        """Return what `state` will be when all the running steps have worked."""
        return outlook((self.steps[index] for index in running), state)

    def ahead(self, running: Sequence[int], state: State) -> int | None:
        """Return the steps to be begun yet, as bits, if `state` is so; None when without running ones none will do."""
        return self.rest.smallest(self.after(running, state), without=_mask(running))

    def troubles(self, running: Sequence[int], found: int | None, left: int, beliefs: Beliefs) -> dict[int, str]:
        """Return which running steps are in trouble, and why.

        Args:
            running: The running steps.
            found: What was found to be ahead.
            left: What was taken to be left before.
            beliefs: What is held true.
        """
        troubles = {index: why for index in running if (why := undone(self.steps[index], beliefs))}
        if found is None:
            after, taken = self.after(running, beliefs.state), _mask(running)
            for index in bits((self.rest.smallest(after) or taken) & taken):
                why = fruitless(self.plan.steps[index], self.rest.chosen(left), self.plan.goal, after)
                troubles.setdefault(index, why)
        return troubles

    def first(self, running: Sequence[int], left: int) -> int:
        """Return the first step that is running or left, or the number of steps."""
        return min((*running, *bits(left)), default=len(self.steps))

    def waits(self, index: int, running: Sequence[int], left: int) -> bool:
        """Return whether something has to be done or let go of before a step that is left can be begun."""
        claim = self.claims[index]
        return bool(self.rest.order.before[index] & (left | _mask(running))) or any(
            claim.clashes(self.claims[one]) for one in running
        )


def _mask(indices: Sequence[int]) -> int:
    return sum(1 << index for index in indices)
