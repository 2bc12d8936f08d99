"""What recovery strategies use: `Pursuit`, the goal of the run with its planning, and services to check and to ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bt.execution import Improving
from bt.execution.improvement import Basis
from bt.record import Entries
from bt.recovery import Answer, NewGoal, NewPlan, Obstacles, Request, Scope, Strategy, UserPrompt, known_to, known_with
from bt.recovery.strategies import origin_fields
from domains.model import Domain
from domains.planned_values import valued, with_numbers_said
from domains.relations import homes
from domains.world import World
from graftwork.decision import DecisionContext
from graftwork.decision.room import make_room
from graftwork.recovery.consent import changed_goal
from graftwork.setup.plans import Plans
from planning import Replanned
from planning.anytime import Best
from semantics.body.exchange import ModelUse
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.state import Plan, State
from semantics.plain_text import shortened

CODES = frozenset(Code) - {Code.CANCELLED, Code.EXCEPTION, Code.DECLINED}
"""Failures after which a person or a model may help; not a cancelled run or a fault of this program."""


@dataclass(frozen=True, slots=True)
class RecoveryContext:
    """The services that recovery strategies share during a run.

    Other threads use it, so it does not use the stopwatch, which belongs to the ticking thread.
    """

    decide_in: Callable[[World], DecisionContext]  # returns the model, the vocabulary and the planner, in a world
    story: Entries  # all events of the run
    desk: UserPrompt  # puts questions to a person
    answer_seconds: float = 60.0  # time to wait for an answer, in seconds of the body's clock
    changed: Callable[[NewGoal], None] | None = None  # called with each changed goal, on the ticking thread
    # counts the requests to the model, and what they cost in the unit of a budget's ``money``
    use: ModelUse = field(default_factory=ModelUse)

    def decider(self, request: Request) -> DecisionContext:
        """Return the model, the vocabulary and the planner, in the world of a request."""
        assert request.world is not None
        return self.decide_in(request.world)

    def checked(self, goal: Goal, request: Request) -> CheckedGoal | Rejection:
        """Check a goal like that of an instruction."""
        request.must_be_wanted()
        if goal.later:
            why, how = "it asks for one thing after another, while something is under way", "Say what is to hold next."
            return Rejection((Feedback(Code.NOT_UNDERSTOOD, f"'{shortened(goal.text or str(goal))}'", why, how),))
        return self.decider(request).check(goal, request.state)

    def planned(self, goal: CheckedGoal, request: Request) -> Plan | NoPlan:
        """Plan for a goal around the obstacles that the body has met, and validate the plan."""
        return self.decider(request).plans.around_obstacles(goal, request)

    def events(self) -> list[Mapping[str, Any]]:
        """Return all events of the run so far."""
        return list(self.story.events)


@dataclass(slots=True)
class Pursuit:
    """The goal of a run, and the planning for it."""

    goal: CheckedGoal  # the goal; a strategy may change it
    obstacles: Obstacles  # the beliefs, with the obstacles that the body has met
    context: RecoveryContext  # the services of the strategies; it is informed of each changed goal
    start: State  # what was believed when the goal was begun

    def take(self, _: Strategy, answer: Answer) -> None:
        """Adopt the goal of a strategy's answer; called on the ticking thread, before any planning for that goal."""
        self.goal = changed_goal(answer) or self.goal
        if isinstance(answer, NewGoal) and self.context.changed is not None:
            self.context.changed(answer)

    def replan(self, request: Request) -> Replanned | NewPlan:
        """Plan again from the current state, and keep as much of the current plan as is still valid.

        What takes the room of a placement of the new plan is moved away first.
        """
        plans, state = self.context.decider(request).plans, request.state
        domain = plans.domain if request.learned is None else request.learned.domain
        first = self._planned_again(request, plans.within(domain), state)
        if request.seen is None:
            return first
        made = [(first, domain)]

        def plan_again(domain: Domain, state: State) -> Plan | NoPlan:
            made.append((self._planned_again(request, plans.within(domain), state), domain))
            return self._valued(made[-1][0].answer, domain)

        failed = request.step.command if request.step and request.feedback.code is Code.NO_ROOM else None
        wide = failed.roles.get("object", "") if failed else ""
        decider = self.context.decider(request)
        made_first = self._valued(first.answer, domain)
        plan, met = room = make_room(made_first, state, request.seen, decider, domain, plan_again, wide)
        replanned, domain = made[-1]
        if isinstance(plan, NoPlan) or not met:
            return replace(replanned, answer=plan)
        basis = Basis(known_with(room.obstacles, state), plans.world.revision if domain is plans.domain else None)
        return NewPlan(plan, basis, fields=origin_fields(replanned), notes=room.notes, obstacles=room.obstacles)

    def _valued(self, answer: Plan | NoPlan, domain: Domain) -> Plan | NoPlan:
        return answer if isinstance(answer, NoPlan) else valued(domain, answer, self.goal.goal)

    def _planned_again(self, request: Request, plans: Plans, state: State) -> Replanned:
        state = with_numbers_said(plans.domain, state, self.goal.goal)
        old, expected = self._rest(request, plans)
        kept = homes(plans.domain, plans.things, self.goal.conjuncts, state.atoms, self.start.atoms)
        again = plans.again(plans.regrounded(old, state), expected, self.goal, state.with_atoms(kept))
        return plans.readmitted(again, state)

    def improve(self, state: State) -> Improving:
        """Search for a cheaper plan from the state after the running step."""
        world = self.obstacles.model()  # with the current obstacles, even if the plan was made without them
        plans = self.context.decide_in(self.obstacles.world).plans.within(world.domain)
        state = known_to(world.domain, state)
        return Admitting(plans.improving(self.goal, state), plans, state)

    def _rest(self, request: Request, plans: Plans) -> tuple[Plan, State]:
        """Return the rest of the current plan, and the state in which it was expected to start."""
        rest, basis = request.rest, request.basis
        # Without a rest of this goal, it has still to be planned for, or the tree did something else.
        goals = tuple(map(plans.decided, self.goal.conjuncts))
        if rest is None or plans.decided(rest.goal) not in goals:
            return Plan((), goals[0]), request.state
        if basis is None:  # without its expected start state, the rest cannot be called optimal
            return Plan(rest.steps, rest.goal), request.state
        # A plan that is optimal among obstacles need not be optimal without them. In the other direction a plan stays
        # optimal, because obstacles only remove plans.
        return replace(rest, optimal=rest.optimal and basis.revision == plans.world.revision), basis.state


class Admitting:
    """A search for better plans that returns only validated plans."""

    def __init__(self, search: Best, plans: Plans, state: State) -> None:
        self._search = search
        self._plans = plans
        self._state = state

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        return self._search.done

    def best(self) -> Plan | NoPlan | None:
        """Return the best answer so far, or None; never wait."""
        return self._let_through(self._search.best())

    def wait(self) -> Plan | NoPlan | None:
        """Wait until it is done."""
        return self._let_through(self._search.wait())

    def cancel(self) -> None:
        """Cancel the search; return at once."""
        self._search.cancel()

    def _let_through(self, answer: Plan | NoPlan | None) -> Plan | NoPlan | None:
        return None if answer is None else self._plans.validated(answer, self._state)


@dataclass(eq=False)
class GoalStrategy(Strategy):
    """A strategy of a whole run, which changes its goal or its plan after failures with one of the `codes`."""

    scope = Scope.RUN
    needs_goal = makes_plans = True
    codes: ClassVar[frozenset[Code]] = CODES

    pursued: Pursuit  # the goal of the run
    context: RecoveryContext  # checks goals, plans, interprets answers, and holds the consents

    def applies(self, request: Request) -> bool:
        """Return whether it may help after such a failure."""
        return request.feedback.code in self.codes
