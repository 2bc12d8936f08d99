"""A corrected plan for steps that are done at once: the order is made anew, and what runs keeps its node.

Each running step that the new plan has, too, goes on there, at the places after which the least is left to be done.
What is left then holds no running step and nothing that one of them waits for, so that nothing is done beside a step
that it would get in the way of (see `bt.weaving.weave`). The others are stopped; until their motions are at rest the
weave begins nothing at all, of whatever hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from bt.editing.standing import running_in
from bt.reactive.step import Step, placed
from bt.weaving import Weave, claim_of, occupancy, woven
from bt.weaving.rest import Rest, outlook
from bt.weaving.work import Work
from semantics.protocols import Beliefs
from semantics.state import Plan, State

__all__ = ["rewoven"]


def rewoven(weave: Weave, plan: Plan, beliefs: Beliefs, why: str) -> bool:
    """Let another plan be done, with as much of it at once as its steps allow; return whether it leads to its goal.

    Args:
        weave: What works on the old plan, between two ticks.
        plan: What to do from now on.
        beliefs: What is held true.
        why: What for, in words.

    Raises:
        TreeError: Nothing can carry out a step.
    """
    template = weave.children[0]
    assert isinstance(template, Step)
    claims = [claim_of(step, occupancy(template.robot)) for step in plan.steps]
    rest = Rest(plan.steps, plan.goal, woven(plan.steps, claims))
    found = _placed(running_in(weave), plan, rest, beliefs.state)
    if found is None:
        return False
    places, left = found
    steps = tuple(places.get(index) or template.another(step) for index, step in enumerate(plan.steps))
    weave.take_over(Work(plan, steps, tuple(claims), rest), left, why)
    return True


def _placed(running: Sequence[Step], plan: Plan, rest: Rest, state: State) -> tuple[Mapping[int, Step], int] | None:
    """Return where running steps go on, and what is then left as bits; None when that does not lead to the goal."""
    kept = [step for step in running if step.operator in plan.steps]
    found = []
    for after in _states(running, kept, state):
        for places in _places(kept, plan):
            left = rest.smallest(after, without=sum(1 << index for index in places))
            if left is not None:
                found.append((dict(zip(places, kept, strict=True)), left))
        if found:
            return min(found, key=lambda one: one[1].bit_count())
    return None


def _states(running: Sequence[Step], kept: Sequence[Step], state: State) -> Iterator[State]:
    """Yield what may be so when the steps that go on have worked; one that is stopped may have left its place."""
    yield outlook(kept, state)
    for step in running:
        if step not in kept:
            state = placed(step.expected, state)
    yield outlook(kept, state)


def _places(kept: Sequence[Step], plan: Plan) -> Iterator[tuple[int, ...]]:
    """Yield numbers of steps of the plan, one for each that goes on."""
    each = [[index for index, step in enumerate(plan.steps) if step == one.operator] for one in kept]
    yield from (places for places in product(*each) if len(set(places)) == len(places))
