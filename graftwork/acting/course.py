"""From a decision to a tree that mends itself by the cheapest means, and takes a cheaper plan under way.

`Course` answers the questions of such a tree. Every plan goes through `Plans.admitted` before it is compiled; a plan
that a rule has mended was run through the same model by the rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bt import Improving, Tree
from bt.record import Journal
from bt.repairing import Mender, Obstacles, Rungs, Turn, known_to, pursue_mending
from bt.underway import plan_under_way, rest_under_way
from domains.model import Domain, RepairRule
from graftwork.acting.plans import Plans
from graftwork.deciding.decider import Ready
from graftwork.mending.budgets import Budgets
from graftwork.mending.parking import parking_of
from graftwork.mending.upper.changing import changed_goal
from graftwork.mending.upper.counsel import Counsel
from graftwork.mending.upper.ranging import ranged
from graftwork.staging.opening import Stage
from planning import Replanned
from planning.service import Improvement
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import NoPlan, Skill
from semantics.state import Plan, State

__all__ = ["build_tree"]

DELAY = 0.1
"""How long an answer of planning takes on a simulated clock, in its seconds."""


def build_tree(
    ready: Ready,
    plans: Plans,
    stage: Stage,
    skills: Mapping[str, Skill],
    journal: Journal | None,
    beliefs: Obstacles | None = None,
    budgets: Budgets | None = None,
    rules: Sequence[RepairRule] | None = None,
    counsel: Counsel | None = None,
) -> Tree | Feedback:
    """Compile the plan of a decision, under the repair ladder.

    Args:
        ready: The decision.
        plans: Who is asked for plans.
        stage: The world with a body in it.
        skills: By capability name, what gives the motion instead of the domain's primitive.
        journal: Where the tree writes what it decides.
        beliefs: What is held true, and what the body has met in its way; by default nothing yet.
        budgets: What each rung may spend; by default what the world says.
        rules: What mends small mishaps; by default the world's.
        counsel: Whom the run can ask; without it only looking around is left of the upper rungs.

    Returns: The tree; or where the plan breaks first, and what does not hold there.
    """
    plan = None if ready.looks_for else plans.admitted(ready.plan, ready.state)
    if isinstance(plan, Feedback):
        return plan
    course = Course(ready.goal, plans, _begun(plan, ready, stage), beliefs or _nothing_met(stage), counsel)
    course.root = pursue_mending(
        plan,
        _rungs(course, stage, budgets or Budgets.joined(stage.domain.ladder), rules, ready.state),
        obstacles=course.obstacles,
        robot=stage.robot,
        goals=ready.goal.conjuncts,
        skills=skills,
        journal=journal,
    )
    return course.root


def _begun(plan: Plan | None, ready: Ready, stage: Stage) -> list[Leg]:
    return [] if plan is None else [Leg(plan, ready.state, stage.domain)]


def _nothing_met(stage: Stage) -> Obstacles:
    return Obstacles(stage.watcher, stage.domain, stage.robot.clock)


def _rungs(course: Course, stage: Stage, budgets: Budgets, rules: Sequence[RepairRule] | None, start: State) -> Rungs:
    domain, plans = stage.domain, course.plans
    rules = domain.repairs if rules is None else rules
    return Rungs(
        mender=Mender(rules, domain, plans.things, parking_of(stage)) if rules else None,
        replanner=course.replan,
        again=budgets["again"],
        rule=budgets["rule"],
        replan=budgets["replan"],
        delay=DELAY,
        improver=course.improve if plans.patience < plans.seconds else None,
        together=plans.together,
        above=ranged(course, plans, stage, budgets, course.counsel, start, course.obstacles),
        turned=course.take,
    )


@dataclass(frozen=True, slots=True)
class Leg:
    """A plan, or a search for one, the state it starts from, and the model it was made with."""

    found: Plan | Improving
    start: State
    domain: Domain

    def rest(self, steps: int) -> tuple[Plan, State] | None:
        """Return the last `steps` steps and the state they start from; None when there is no such plan."""
        plan = self.found if isinstance(self.found, Plan) else self.found.best()
        if not isinstance(plan, Plan) or len(plan.steps) < steps:
            return None
        state = self.start
        first = len(plan.steps) - steps
        for step in plan.steps[:first]:
            state = step.apply(state)
        return Plan(plan.steps[first:], plan.goal, plan.optimal, plan.planner), state


@dataclass(slots=True)
class Course:
    """What is pursued, and the plans that were made for it.

    Attributes:
        goal: What to reach; a turn may change it.
        plans: Asks for plans.
        legs: Where each plan started, oldest first.
        obstacles: What the body has met in its way.
        counsel: Whom the run can ask; it is told of every turn.
        root: The tree.
    """

    goal: CheckedGoal
    plans: Plans
    legs: list[Leg]
    obstacles: Obstacles
    counsel: Counsel | None = None
    root: Tree | None = field(default=None)

    def take(self, turn: Turn) -> None:
        """Go on as a turn says; called on the ticking thread, before anything is planned after it."""
        self.goal = changed_goal(turn) or self.goal
        if self.counsel is not None and self.counsel.turned is not None:
            self.counsel.turned(turn)

    def replan(self, state: State, _: Feedback, domain: Domain) -> Replanned:
        """Plan again from `state`, with as much of the plan under way as is still good.

        Args:
            state: What is believed.
            domain: The world, with what the body has met in its way.
        """
        plans = self.plans if domain is self.plans.domain else self.plans.within(domain)
        old, expected = self._left(state)
        found = plans.readmitted(plans.again(plans.regrounded(old, state), expected, self.goal, state), state)
        if isinstance(found.answer, Plan):
            self.legs.append(Leg(found.answer, state, domain))
        return found

    def improve(self, state: State) -> Improving:
        """Look for a cheaper plan from where the step that runs will leave the world."""
        domain = self.obstacles.domain()  # what is in the way by now, whoever made the plan that is improved
        plans, state = self.plans if domain is self.plans.domain else self.plans.within(domain), known_to(domain, state)
        search = Admitting(plans.improving(self.goal, state), plans, state)
        self.legs.append(Leg(search, state, domain))
        return search

    def _left(self, state: State) -> tuple[Plan, State]:
        """Return what is left of the plan under way, and the state in which that was to be begun."""
        plan = self._under_way()
        if plan is None or self.root is None:
            return Plan((), self.goal.conjuncts[0]), state
        for leg in reversed(self.legs):
            rest = leg.rest(len(plan.steps))
            if rest is not None and [one.action for one in rest[0].steps] == [one.action for one in plan.steps]:
                left, start = rest_under_way(self.root, rest[0], rest[1], state)
                # What was cheapest among obstacles need not be so without them; the other way round it is.
                return replace(left, optimal=left.optimal and leg.domain is self.plans.domain), start
        return Plan(plan.steps, plan.goal), state  # nobody knows where it was to start, so nothing is claimed for it

    def _under_way(self) -> Plan | None:
        """Return the plan for the goal that the tree works on; an errand is none."""
        assert self.root is not None
        try:
            plan = plan_under_way(self.root)
        except ValueError:
            return None  # it has still to be planned for
        return plan if plan.goal in self.goal.conjuncts else None


class Admitting:
    """A search for better plans that shows only those that may be compiled."""

    def __init__(self, search: Improvement, plans: Plans, state: State) -> None:
        self._search = search
        self._plans = plans
        self._state = state

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        return self._search.done

    def best(self) -> Plan | NoPlan | None:
        """Return the best answer so far, or nothing yet; never waits."""
        return self._let_through(self._search.best())

    def wait(self) -> Plan | NoPlan | None:
        """Wait until it is done."""
        return self._let_through(self._search.wait())

    def cancel(self) -> None:
        """End it; returns at once."""
        self._search.cancel()

    def _let_through(self, found: Plan | NoPlan | None) -> Plan | NoPlan | None:
        if not isinstance(found, Plan):
            return found
        admitted = self._plans.admitted(found, self._state)
        return NoPlan(admitted) if isinstance(admitted, Feedback) else admitted
