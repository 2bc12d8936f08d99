"""The second rung: a known small mishap, mended by a rule of the domain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Sequence as InTurn

from bt.record import Journal
from bt.repairing.budget import Budget, LowRung
from bt.repairing.failing import Failing
from bt.repairing.obstacles import Obstacles
from bt.repairing.rules.mending import Applied, Mended, Mender
from bt.replanning import plan_fields
from domains.model import Domain
from semantics.atoms import Conjunct, Literal
from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs, Clock, NoPlan
from semantics.state import Operator, Plan, State

__all__ = ["Rule"]

MOST_STARTS = 40
"""From how many steps of a lost plan, the last ones first, mending is tried."""
NOTHING = NoPlan(Feedback(Code.INVALID_PLAN, "repair by rules", "no step is known that failed"))


class Repair(NamedTuple):
    """A mended plan, and whether it stands for the whole child or only for the step that failed."""

    mended: Mended
    goal: Conjunct
    whole: bool


class Rule(LowRung[Repair]):
    """Mends what failed by the rules of the domain, checked on the model before anything moves.

    `applied` are the rules that were used so far, `owed` is what the last repair has to restore in the end.

    A plan's tree is replaced by that of the mended plan, so that the repair resumes and is watched like any plan.
    Around a single step of a tree of one's own, the repair is done before it and what was disturbed is restored after.

    Args:
        child: What may fail: anything with a plan's tree in it, or one step.
        mender: The rules, and the model they are tried on.
        build: Makes a tree of a plan.
        beliefs: What is held true; `Obstacles` to mind what the body has met in its way.
        clock: The body's clock.
        codes: The failures it is for; by default those that a rule names.
        budget: What it may spend.
        settle: How long to wait before looking for a repair, in seconds of the clock.
        delay: How long that takes on a simulated clock, in its seconds; None to take it as soon as it is there.
        journal: Where failures, mended plans and uses are written.
    """

    def __init__(
        self,
        child: Behaviour,
        mender: Mender,
        build: Callable[[Plan], Behaviour],
        *,
        beliefs: Beliefs,
        clock: Clock,
        codes: frozenset[Code] | None = None,
        budget: Budget | None = None,
        settle: float = 0.5,
        delay: float | None = 0.0,
        journal: Journal | None = None,
    ) -> None:
        own = frozenset(Code(rule.code) for rule in mender.rules)
        super().__init__(
            "rule",
            child,
            own if codes is None else codes,
            beliefs=beliefs,
            clock=clock,
            budget=budget or Budget(),
            settle=settle,
            delay=delay,
            journal=journal,
        )
        self.what = f"{len(mender.rules)} rules"
        self.applied: tuple[Applied, ...] = ()
        self.owed: Conjunct = frozenset()
        self._mender = mender
        self._build = build
        self._own = child
        self._domain = mender.domain

    def update(self) -> Status:
        """Take the child's status; of a failure, keep the model with what was learned by then."""
        if self.decorated.status == Status.FAILURE:
            self._domain = self.beliefs.domain() if isinstance(self.beliefs, Obstacles) else self._mender.domain
        return super().update()

    def ask(self, state: State, feedback: Feedback) -> Repair | NoPlan:
        """Look for a repair of what is left to do."""
        failed, domain = self.failed, self._domain
        if failed is None or (failed.plan is None and failed.step is None):
            return NOTHING
        if failed.plan is None:
            assert failed.step is not None
            return self._single(failed.step, state, feedback, domain)
        steps = self._grounded(failed.plan.steps, state, domain)
        return self._planned(steps, failed, state, domain)

    def _planned(self, steps: Sequence[Operator], failed: Failing, state: State, domain: Domain) -> Repair | NoPlan:
        """Mend what is left of a plan: from the step that failed, or from the latest step from which that helps."""
        assert failed.plan is not None
        goal, first = failed.plan.goal, max(0, len(steps) - MOST_STARTS)
        starts = [failed.number] if failed.number is not None else list(range(len(steps) - 1, first - 1, -1))
        answer: Mended | NoPlan = NOTHING
        for start in starts:
            failure = failed.feedback if failed.number is not None else None
            answer = self._mender.mend(steps[start:], state, goal, failure, domain)
            if isinstance(answer, Mended):
                return Repair(answer, goal | answer.owed, True)
        assert isinstance(answer, NoPlan)
        return answer

    def _single(self, step: Operator, state: State, feedback: Feedback, domain: Domain) -> Repair | NoPlan:
        (again,) = self._grounded((step,), state, domain)
        answer = self._mender.mend((again,), state, frozenset(), feedback, domain)
        return Repair(answer, step.effects, False) if isinstance(answer, Mended) else answer

    def _grounded(self, steps: Sequence[Operator], state: State, domain: Domain) -> tuple[Operator, ...]:
        """Ground steps in the domain with what was learned; one that is not of the domain stays as it is."""
        found = []
        for step in steps:
            try:
                found.append(domain.ground(step.action, self._mender.things, state.numbers))
            except UsageError:
                found.append(step)
        return tuple(found)

    def mend(self, answer: Repair) -> None:
        """Put the tree of the mended plan in the place of the old one."""
        self.applied += answer.mended.applied
        self.owed = answer.mended.owed if answer.whole else frozenset()
        for one in answer.mended.applied:
            self.note("note", {"t": round(self.clock.now(), 3), "text": f"repair {one.rule.name}: {one.rule.say}"})
        child = self._whole(answer) if answer.whole else self._around(answer.mended.applied)
        self.decorated.parent = None
        child.parent = self
        self.children[0] = self.decorated = child

    def _whole(self, answer: Repair) -> Behaviour:
        plan = Plan(answer.mended.steps, answer.goal, planner="rules")
        self.note("plan", plan_fields(plan, "rule"))
        return self._build(plan)

    def _around(self, applied: Sequence[Applied]) -> Behaviour:
        """Return the child with what is done before it and restored after it; each part is a plan of its own."""
        self._own.parent = None
        before = [self._part(one.before, one.step.precondition) for one in reversed(applied) if one.before]
        after = [self._part(one.after, frozenset()) for one in applied if one.after]
        return InTurn("repaired", memory=True, children=[*before, self._own, *after])

    def _part(self, steps: tuple[Operator, ...], wanted: Conjunct) -> Behaviour:
        """Return the tree of a part of a repair, for what of `wanted` it brings about, or else for all its effects.

        What holds already is nothing to go for: the part would be over before it began.
        """
        goal: dict[Literal, None] = {}
        for step in steps:
            for effect in step.effects:
                goal.pop(effect.negated(), None)
                goal[effect] = None
        made = frozenset(goal)
        asked = made & wanted
        sought = made if self.beliefs.state.satisfies(asked) else asked
        return self._build(Plan(steps, sought, planner="rules"))
