"""``achieve``, ``say`` and ``fail``."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Pending
from bt.compiler import pursue
from bt.execution.goal import holds
from bt.execution.improvement import Basis
from bt.programs.evaluation import Trouble, spoken, trouble
from bt.programs.nodes.statement import Flow
from bt.record import plan_fields
from bt.recovery.strategies import Replan
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal, Rejection
from semantics.protocols import NoPlan
from semantics.state import Plan, State

__all__ = ["Achieve", "Fail", "Say"]


class Achieve(Flow):
    """``achieve(condition)``: checks the condition like any goal, plans for it off the tick, and pursues the plan.

    The objects of the condition are evaluated when the node begins. When the plan no longer fits, a new plan is made,
    as in the tree of a sentence.
    """

    _pending: Pending[Plan | NoPlan] | None = None

    def begin(self) -> None:
        """Turn the condition into a goal, and ask for a plan."""
        setting, state = self.setting, self.setting.state
        if setting.planner is None:
            raise trouble(self.place, self.what, "there is nobody here who plans", Code.UNAVAILABLE)
        for old in self.children:
            old.parent = None
        self.children = []
        checked = setting.check(Goal(self.evaluation().formula(self.call.args[0]), self.what), state)
        if isinstance(checked, Rejection):
            raise Trouble(checked.feedback[0])
        self._goal, self._state, planner = checked, state, setting.planner
        now = setting.robot.clock.now()
        self._pending = Pending(
            lambda: planner(checked, state),
            name="achieve",
            now=now,
            delay=setting.delay,
            cancellation=setting.cancellation,
        )

    def upcoming(self) -> Behaviour | Status:
        """Wait for the plan, then return its tree."""
        if self._pending is not None:
            if not self._pending.arrived(self.setting.robot.clock.now()):
                return Status.RUNNING
            plan, self._pending = self._pending.result(), None
            if isinstance(plan, NoPlan):
                raise Trouble(plan.feedback)
            self._pursue(plan)
        return self.children[0]

    def _pursue(self, plan: Plan) -> None:
        self.setting.record("plan", plan_fields(plan, "achieve"))
        made = (self.setting.pursuer or self._pursuit)(self._goal, plan, self._state)
        if isinstance(made, Feedback):
            raise Trouble(made)
        self.adopt(made)

    def _pursuit(self, goal: CheckedGoal, plan: Plan, state: State) -> Behaviour:
        setting, planner = self.setting, self.setting.planner
        assert planner is not None
        return pursue(
            plan,
            [Replan(lambda request: planner(goal, request.state), seconds=setting.delay or 0.0)],
            beliefs=setting.beliefs,
            robot=setting.robot,
            goals=goal.conjuncts,
            skills=setting.skills,
            journal=setting.journal,
            effect_patience=setting.patience,
            delay=setting.delay,
            basis=Basis(state),
            cancellation=setting.cancellation,
        )

    def took(self, child: Behaviour) -> Status | None:
        """End with the status of the pursuit, which succeeds only when the goal was sensed."""
        if child.status == Status.SUCCESS and any(
            holds(conjunct, self.setting.beliefs) for conjunct in self._goal.conjuncts
        ):
            self.setting.achieved.append(self._goal)  # else a rung has settled for something else, and has told so
        return super().took(child)


class Say(Flow):
    """``say(text)``: tells the person."""

    def begin(self) -> None:
        """Say the text; without a person it is only recorded."""
        text = spoken(self.evaluation().value(self.call.args[0]))
        self.setting.record("note", {"text": text})
        if self.setting.voice is not None:
            self.setting.voice.say(text)


class Fail(Flow):
    """``fail(reason)``: ends with a failure that the program itself decides."""

    def begin(self) -> None:
        """Fail."""
        reason = spoken(self.evaluation().value(self.call.args[0]))
        raise trouble(self.place, "the program", reason or "it gave no reason", Code.PRECONDITION)
