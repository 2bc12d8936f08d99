"""The basic strategies: begin the child again, repair the plan by a rule of the domain, and make a new plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bt.errors import TreeError
from bt.execution.improvement import Basis
from bt.execution.remaining import resume_point
from bt.recovery.obstacles import known_to
from bt.recovery.repair_search import Mended, RepairSearch, Splice
from bt.recovery.request import Answer, Detour, NewPlan, Nothing, Repeat, Request, Scope, Strategy
from domains.world import World
from planning.replanning.replan import Replanned
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import Conjunct, Literal
from semantics.logic.feedback import Code, Feedback, Level
from semantics.logic.state import Operator, Plan, State

MENDED_BY_CHANCE = frozenset({Code.NOT_GRASPED, Code.DROPPED, Code.STUCK, Code.NO_ROOM, Code.EFFECT_MISSING})
"""Failures that may not occur again in a second try: fingers slipped, a way was blocked for a moment.

An obstructed or unreachable object stays so; such failures are for the next strategies."""


@dataclass(eq=False)
class Retry(Strategy):
    """Begins the child again, after the world has come to rest and was sensed.

    A plan goes on at its resume point, which is usually the step that failed. A leaf starts its motion again, and the
    body chooses again among its candidates. For a plan, the strategy also answers any failure after which the resume
    point is at another step: then the plan itself can deal with the new state. A step that was refused twice is not
    tried again while nothing is elsewhere, also after other steps.

    Attributes:
        codes: The failures that a second try may solve.
    """

    name = "again"

    codes: frozenset[Code] = MENDED_BY_CHANCE

    def propose(self, request: Request) -> Answer:
        """Begin again if a second try may help, or if the plan goes on at another step."""
        feedback, point = request.feedback, _resumed_at(request)
        is_refused = feedback.code is Code.REFUSED_BY_BODY and not feedback.culprits
        by_chance = is_refused or feedback.code in self.codes
        again = request.number is None or point is None or point <= request.number
        if (by_chance or point not in (None, request.number)) and not (again and _is_in_vain(request)):
            return Repeat()
        return Nothing(Feedback(feedback.code, "once more", "nothing has changed that would let it work"))


def _resumed_at(request: Request) -> int | None:
    """Return the step at which the plan goes on, another one than before if a door is shut, for example; or None."""
    if request.plan is None or request.feedback.code is Code.UNDONE:
        return None
    return resume_point(request.plan.steps, request.plan.goal, request.state)


def _is_in_vain(request: Request) -> bool:
    """Return whether the step that failed is known to be impossible while everything is where it is."""
    step = request.step
    capability = request.proven.domain.capabilities.get(step.action.name) if step and request.proven else None
    if step is None or capability is None:
        return False
    binding = dict(zip((parameter.name for parameter in capability.parameters), step.action.args, strict=True))
    asked = {template.ground(binding) for template in capability.precondition} - step.precondition
    return any(not request.state.holds(literal) for literal in asked)


Replanner = Callable[[Request], Plan | NoPlan | Replanned | NewPlan]
"""Returns a plan to the goal from the state of a request, in the model that the request has as `learned`; or the reason
why there is none. A `Replanned` also says how the plan was made, a `NewPlan` what it minds besides. It is called off
the tick, so it may take long."""


@dataclass(eq=False)
class Replan(Strategy):
    """Makes a new plan from the believed state; planning costs no money.

    Obstacles are facts of the learned model, so the planner clears them away or finds another way to the goal. Where it
    finds none, the strategy plans without those obstacles that were met only once, since a second try is better than
    none. What was met twice stays, and then the failure is the reason why there is no plan.

    Attributes:
        replanner: Returns a plan, or why there is none.
        seconds: The duration of planning on a simulated clock, in its seconds.
    """

    name = "replan"
    scope = Scope.PLAN
    needs_goal = makes_plans = True

    replanner: Replanner
    seconds: float = 0.1

    def propose(self, request: Request) -> Answer:
        """Plan from the state of the request."""
        world, learned = request.world, request.learned or request.world
        answer = self._planned(request if learned is None else _within(request, learned))
        if isinstance(answer, NewPlan) or _is_called_off(answer) or world is None or learned is world:
            return answer
        least = request.proven or world
        answer = answer if least == learned else self._planned(_within(request, least))
        return answer if isinstance(answer, NewPlan) or least is world else _because_of(request.feedback, answer)

    def _planned(self, request: Request) -> NewPlan | Nothing:
        answer = self.replanner(request)
        if isinstance(answer, NewPlan):
            return answer
        plan = answer.answer if isinstance(answer, Replanned) else answer
        if isinstance(plan, NoPlan):
            return Nothing.of(plan)
        fields = origin_fields(answer) if isinstance(answer, Replanned) else ()
        return NewPlan(plan, Basis(request.state, _plain_revision(request)), fields=fields)


def _within(request: Request, world: World) -> Request:
    return replace(request, state=known_to(world.domain, request.state), learned=world)


def _plain_revision(request: Request) -> int | None:
    """Return the revision of the world of a request; None if it has learned facts, or is unknown."""
    world = request.world
    return None if world is None or request.learned is not world else world.revision


def _because_of(failure: Feedback, answer: Nothing) -> Nothing:
    """Return why there is no plan around what was refused twice: for the reason of the failure."""
    if failure.level is not Level.PHYSICAL or answer.reason is None or answer.reason.code is not Code.NO_PLAN:
        return answer
    why = f"{failure.why.rstrip('.')}; there is no other way to the goal while everything is where it is"
    return replace(answer, reason=replace(failure, code=Code.NO_PLAN, why=why))


def _is_called_off(answer: Nothing) -> bool:
    return answer.reason is not None and answer.reason.code is Code.CANCELLED


def origin_fields(replanned: Replanned) -> tuple[tuple[str, object], ...]:
    """Return the fields that say how a new plan was made, and the bound of its cost."""
    bound = replanned.bound if math.isfinite(replanned.bound) else None
    return ("how", str(replanned.how)), ("bound", bound), ("reason", replanned.why)


MOST_STARTS = 40  # from how many steps of a plan that cannot go on a repair is tried, last ones first
NOTHING = NoPlan(Feedback(Code.INVALID_PLAN, "repair by rules", "no step is known that failed"))


@dataclass(eq=False)
class Rule(Strategy):
    """Repairs a failure by the rules of the domain; the repair is simulated on the model before the robot moves.

    A plan is replaced by the repaired plan, so that the repair is monitored and resumed like any plan. For a step of a
    hand-written tree, the repair is a detour: steps before it, and steps that restore the disturbed facts after it.

    Attributes:
        mender: The rules, and the model on which they are tried.
        codes: The failures to answer; None for those that a rule names.
        seconds: The duration of the search on a simulated clock, in its seconds.
    """

    name = "rule"
    makes_plans = True

    mender: RepairSearch
    codes: frozenset[Code] | None = None
    seconds: float = 0.0

    def applies(self, request: Request) -> bool:
        """Return whether a rule answers such a failure."""
        codes = {Code(rule.code) for rule in self.mender.rules} if self.codes is None else self.codes
        return request.feedback.recoverable and request.feedback.code in codes

    def propose(self, request: Request) -> Answer:
        """Search for a repair of the steps that are left."""
        world = request.learned or request.world
        if world is None:
            raise TreeError("repair rules are tried on a world; the beliefs of the tree have none")
        if request.plan is None:
            return Nothing.of(NOTHING) if request.step is None else self._around(request.step, request, world)
        steps = tuple(_grounded(step, request.state, world) for step in request.plan.steps)
        mended = self._mended(steps, request.plan.goal, request, world)
        if isinstance(mended, NoPlan):
            return Nothing.of(mended)
        plan = Plan(mended.steps, request.plan.goal | mended.owed, planner="rules")
        return NewPlan(plan, owed=mended.owed, notes=_notes(mended.applied))

    def _mended(self, steps: Sequence[Operator], goal: Conjunct, request: Request, world: World) -> Mended | NoPlan:
        """Repair the rest of a plan: from the failed step, or from the latest step from which a repair works."""
        number, first = request.number, max(0, len(steps) - MOST_STARTS)
        starts = [number] if number is not None else range(len(steps) - 1, first - 1, -1)
        answer: Mended | NoPlan = NOTHING
        for start in starts:
            failure = request.feedback if number is not None else None
            answer = self.mender.mend(steps[start:], world.problem(request.state, goal), failure)
            if isinstance(answer, Mended):
                return answer
        return answer

    def _around(self, step: Operator, request: Request, world: World) -> Answer:
        """Repair a single step by plans before it and restoring plans after it."""
        grounded = _grounded(step, request.state, world)
        mended = self.mender.mend((grounded,), world.problem(request.state), request.feedback)
        if isinstance(mended, NoPlan):
            return Nothing.of(mended)
        applied, state = mended.applied, request.state
        before = (_part(use.before, use.step.precondition, state) for use in reversed(applied) if use.before)
        after = (_part(use.after, frozenset(), state) for use in applied if use.after)
        return Detour(tuple(before), tuple(after), notes=_notes(applied))


def _grounded(step: Operator, state: State, world: World) -> Operator:
    """Ground a step in a world; a step that is unknown there stays as it is."""
    try:
        return world.domain.ground(step.action, world.objects, state.numbers)
    except UsageError:
        return step


def _notes(applied: Sequence[Splice]) -> tuple[str, ...]:
    return tuple(f"repair {use.rule.name}: {use.rule.say}" for use in applied)


def _part(steps: tuple[Operator, ...], wanted: Conjunct, state: State) -> Plan:
    """Return a part of a repair as a plan, with the effects in `wanted` as its goal, or else all its effects.

    All effects are used when the goal already holds, since the plan would end before it began.
    """
    goal: dict[Literal, None] = {}
    for step in steps:
        for effect in step.effects:
            goal.pop(effect.negated(), None)
            goal[effect] = None
    made = frozenset(goal)
    asked = made & wanted
    return Plan(steps, made if state.satisfies(asked) else asked, planner="rules")
