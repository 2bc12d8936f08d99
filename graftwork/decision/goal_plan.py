"""`GoalPlanning`: from a checked goal to a finished plan, or to what is done when there is none.

Of goals that are to be reached one after the other, each is planned for from the state that the plan before it leads
to, so that an order that cannot be kept is refused before anything moves.

`finish_plan` is the last that is done to a plan before it is carried out, whatever made it. In one pass, the values
that were said go to the steps that take them, what is set down gets room, equal hands share the steps, and the result
is validated in the model of the complete world.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bt import recovery
from domains.model import Domain
from domains.planned_values import MANNERS, idle_values, measures_left, valued, valued_or_misfit, with_numbers_said
from graftwork.decision.context import DecisionContext
from graftwork.decision.large_goal import MOST_LISTED, Narrowed, after, as_written
from graftwork.decision.model import Decision, FinalDecision, PlanDecision
from graftwork.decision.partial_goal import KNOWN, has_parts, offer, offer_of, offer_without, only_conjunct
from graftwork.record.episode import Outcome
from graftwork.setup.limits import Consent
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import And, dnf
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.sentences import in_words
from semantics.logic.state import Plan, State

if TYPE_CHECKING:
    from bt.recovery import Obstacle
    from graftwork.memory import Experience

MISSING = frozenset({Code.WHEREABOUTS_UNKNOWN, Code.NO_PLAN})
"""Refusals whose cause may be an object with an unknown place."""
UNPLANNED = frozenset({Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.NO_ROOM, Code.REFUSED_BY_BODY})
MOST_OFFERED = 20  # how many facts are told about what is to blame for that there is no plan
SETTING_DOWN = frozenset({"insert", "put"})  # the primitives that set a thing down


def finish_plan(decision: Decision, context: DecisionContext, state: State) -> Decision:
    """Return a decision whose plan can be carried out as it is, or a refusal.

    A value that does not fit its step refuses the goal, and so does a measure, such as an amount, that no step takes.
    A manner, such as a speed, that no step takes is told in the notes of the goal.

    Args:
        decision: A decision with a plan; one that looks for something first is returned as it is.
        context: Tells what is where, plans anew and validates.
        state: The state from which the plan was made.

    Raises:
        OutsideError: The planner cannot be started.
    """
    if isinstance(decision, FinalDecision):
        return _without_idle(context.domain, decision) if decision.outcome is Outcome.ALREADY else decision
    if decision.looks_for:
        return decision
    finished: Decision = _with_values(context.domain, decision) if decision.goal.goal.values else decision
    if isinstance(finished, PlanDecision) and finished.partly is None:
        done = {step.command.primitive for step in finished.plan.steps if step.command is not None}
        if context.senses is not None and done & SETTING_DOWN:
            from graftwork.decision.room import with_room  # the geometry of places, for a body that senses them

            finished = with_room(finished, context, state)
        if isinstance(finished, PlanDecision) and not context.foresees and context.plans.options.sharing is not None:
            plan = context.plans.shared(finished.plan, state)
            finished = replace(finished, plan=valued(context.domain, plan, finished.goal.goal))
    if isinstance(finished, FinalDecision):
        return finished
    plans = context.plans
    if finished.obstacles:
        from bt.recovery import domain_with, known_with  # trees, which nothing needs that only plans

        plans = plans.within(domain_with(context.domain, finished.obstacles))
        state = known_with(finished.obstacles, state)
    valid, goal = plans.admitted(finished.plan, state), finished.goal
    return replace(finished, plan=valid) if isinstance(valid, Plan) else FinalDecision.refused(valid, goal=goal)


def _with_values(domain: Domain, decision: PlanDecision) -> Decision:
    goal = decision.goal.goal
    idle = idle_values(domain, decision.plan, goal)
    plan = idle.refused[0] if idle.refused else valued_or_misfit(domain, decision.plan, goal)
    if isinstance(plan, Feedback):
        return FinalDecision.refused(plan, goal=decision.goal)
    noted = replace(goal, notes=tuple(dict.fromkeys((*goal.notes, *idle.notes))))
    return replace(decision, plan=plan, goal=replace(decision.goal, goal=noted))


def _without_idle(domain: Domain, decision: FinalDecision) -> FinalDecision:
    """Return the decision about a goal that holds already: a measure refuses it, and of a manner a note tells.

    A distance at which the goal holds is neither.
    """
    checked = decision.goal
    if not isinstance(checked, CheckedGoal) or not checked.goal.values:
        return decision
    goal = checked.goal
    measures = [f":{name} {quantity}" for name, quantity in measures_left(domain, goal)]
    if measures:
        why, how = "it holds already, so that no step would take this value.", "Ask for something that does not hold."
        return FinalDecision.refused(Feedback(Code.NOT_UNDERSTOOD, ", ".join(measures), why, how), goal=checked)
    manners = (f"{name} {quantity}" for name, quantity in goal.values if quantity.dimension in MANNERS)
    notes = tuple(f"Nothing is done, so {manner} makes no difference." for manner in manners)
    noted = replace(goal, notes=(*goal.notes, *notes))
    return replace(decision, goal=replace(checked, goal=noted), message=" ".join((decision.message, *notes)))


def offers_for(refused: Sequence[Feedback], context: DecisionContext, state: State) -> tuple[str, ...]:
    """Return what is known of the things that are to blame for that there is no plan."""
    blamed = {name for record in refused if record.code in UNPLANNED for name in record.culprits}
    predicates = context.vocabulary.predicates
    shown = {name for name, predicate in predicates.items() if predicate.goal}
    known = [atom for atom in sorted(state.atoms) if blamed & {*atom.args} and atom.predicate in shown]
    return tuple(in_words(atom, predicates) for atom in known[:MOST_OFFERED])


def whole_goal(goal: Goal) -> Goal:
    """Return a goal with wishes as one that wants all of them."""
    return replace(goal, formula=And((goal.formula, *(wish.formula for wish, _ in goal.weights))), weights=())


def best_part(
    context: DecisionContext,
    goal: Goal,
    whole: Goal,
    checked: CheckedGoal | Rejection,
    state: State,
    stage: Callable[[str], AbstractContextManager[None]],
) -> Decision | Rejection:
    """Plan for the best part of a goal with wishes; that they exclude each other is no reason to refuse it.

    Args:
        context: The services of the decision.
        goal: The goal.
        whole: The goal with all its wishes, see `whole_goal`.
        checked: What the check says of it.
        state: The believed state.
        stage: Measures the time of a stage, by its name.
    """
    if goal.later:
        why, how = "a part cannot be chosen of jobs that are to be done in an order", "Ask for one of them."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the goal", why, how),))
    if isinstance(checked, Rejection) and any(record.code is not Code.CONTRADICTION for record in checked.feedback):
        return checked
    conjuncts = dnf(whole.formula) if isinstance(checked, Rejection) else checked.conjuncts
    with stage("part"):
        hard = only_conjunct(dnf(goal.formula))
        part = context.plans.part(only_conjunct(conjuncts), state, dict(goal.weights), hard)
    if isinstance(part, NoPlan):
        return FinalDecision.refused(part.feedback, goal=CheckedGoal(whole, conjuncts))
    offered = offer_of(whole, part, state, context.vocabulary.predicates)
    decided = PlanDecision(offered.goal, part.plan, state, partly=offered)
    return finish_plan(decided, context, state)


@dataclass(frozen=True, slots=True)
class GoalPlanning:
    """Plans for a checked goal.

    Attributes:
        context: The services of the decision.
        state: The believed state.
        stage: Measures the time of a stage, by its name.
        decide: Decides about a later goal, in a context, from a state.
        narrowed: The alternative that is pursued of a goal with too many, with its plan.
    """

    context: DecisionContext
    state: State
    stage: Callable[[str], AbstractContextManager[None]]
    decide: Callable[[DecisionContext, Goal, State], Decision]
    narrowed: Narrowed | None = None

    def plan(self, goal: CheckedGoal, recalled: Experience | None = None) -> Decision:
        """Plan for a checked goal, and then for each `later` one, without what lessons forbid."""
        if self.context.lessons:
            from graftwork.decision.taught import Situation, forbidding  # nobody has taught most robots anything

            believed = Situation(self.context.vocabulary, self.state)
            if forbidden := forbidding(self.context.lessons, believed, self.context.domain):
                return self._plan_without(forbidden, goal, recalled)
        decided = finish_plan(self._planned(goal, recalled), self.context, self.state)
        return self._followed(goal, decided) if goal.goal.later else decided

    def _plan_without(
        self, forbidden: tuple[Obstacle, ...], goal: CheckedGoal, recalled: Experience | None
    ) -> Decision:
        """Plan without some actions; they are obstacles of the plan, so that none that replaces it has them either."""
        from bt.recovery import domain_with, known_with

        plans = self.context.plans.within(domain_with(self.context.domain, forbidden))
        context = replace(self.context, plans=plans, lessons=())
        planning = replace(self, context=context, state=known_with(forbidden, self.state))
        decided = planning.plan(goal, recalled)
        if isinstance(decided, PlanDecision):
            return replace(decided, obstacles=(*forbidden, *decided.obstacles), state=self.state)
        if decided.outcome is not Outcome.REFUSED or decided.feedback[0].code is not Code.NO_PLAN:
            return decided
        told = "; ".join(
            f"lesson {number}: {lesson.told(self.context.vocabulary.predicates)}"
            for number, lesson in self.context.lessons
            if lesson.never
        )
        how = f"You have taught me ({told}). Ask for something else, or let me forget it."
        return FinalDecision.refused(replace(decided.feedback[0], how=how), goal=decided.goal)

    def _followed(self, goal: CheckedGoal, decided: Decision) -> Decision:
        """Return a decision with plans for the `later` goals, each from where the plan before it leads."""
        later = goal.goal.later
        if isinstance(decided, FinalDecision):
            held = next(filter(self.state.satisfies, map(self.context.plans.decided, goal.conjuncts)), None)
            if decided.outcome is not Outcome.ALREADY or held is None:
                return self._without_stage(goal, decided, 0)
            told = decided.goal if isinstance(decided.goal, CheckedGoal) else goal
            decided = PlanDecision(told, Plan((), held), self.state)
        ahead: list[Plan] = []
        state = self._for_another_goal(after(self.context, decided.plan, self.state))
        context = self.context.foreseeing()
        for at, stage in enumerate(later if not decided.looks_for else (), 1):
            foreseen = self.decide(context, stage, state)
            if isinstance(foreseen, FinalDecision) and foreseen.outcome is not Outcome.ALREADY:
                return self._without_stage(goal, replace(foreseen, goal=goal), at)
            if isinstance(foreseen, PlanDecision) and foreseen.looks_for:
                break
            ahead.append(foreseen.plan if isinstance(foreseen, PlanDecision) else Plan((), frozenset(), True))
            state = self._for_another_goal(after(self.context, ahead[-1], state))
        if len(ahead) == len(later) and not any(plan.steps for plan in (decided.plan, *ahead)):
            return FinalDecision(Outcome.ALREADY, "That is already so.", (), goal)
        return replace(decided, ahead=tuple(ahead))

    def _without_stage(self, goal: CheckedGoal, refused: FinalDecision, at: int) -> FinalDecision:
        """Offer the other goals of an order, of which one cannot be reached; the refusal if they cannot, either."""
        if self.context.part is Consent.NEVER or refused.outcome is not Outcome.REFUSED:
            return refused
        first, *rest = (replace(each, later=()) for number, each in enumerate(goal.goal.stages) if number != at)
        left = self.context.check(
            replace(first, text=goal.goal.text, notes=goal.goal.notes, later=tuple(rest)), self.state
        )
        if refused.feedback[0].code not in KNOWN or not isinstance(left, CheckedGoal) or left.already:
            return refused
        if not isinstance(self.decide(self.context, left.goal, self.state), PlanDecision):
            return refused
        offered = offer_without(left, refused.feedback[0], self.context.vocabulary.predicates)
        question = offered.question
        return FinalDecision(Outcome.QUESTION, question.text, refused.feedback, goal, question, offered)

    def _for_another_goal(self, state: State) -> State:
        """Return a state in which another goal is begun, without the facts that hold for one goal only."""
        momentary = self.context.domain.momentary
        return state.with_atoms(deleted=[atom for atom in state.atoms if atom.predicate in momentary])

    def _planned(self, goal: CheckedGoal, recalled: Experience | None = None) -> Decision:
        """Plan for a checked goal; reuse a remembered plan if it is still valid."""
        if goal.already:
            return self._already(goal, recalled)
        tops = {name for name, model in self.context.domain.predicates.items() if model.sensed == "on"}
        asks_for_tops = any(atom.predicate in tops for conjunct in goal.conjuncts for atom, _ in conjunct)
        if asks_for_tops and self.context.senses is not None:
            from graftwork.decision.room import without_overfull  # see `_in_order`

            roomy = without_overfull(goal, self.context)
            if isinstance(roomy, FinalDecision):
                return roomy
            goal = roomy
        with self.stage("plan"):
            remembered = None if recalled is None else self._plan_again(goal, recalled)
            chosen = self.narrowed.plan if self.narrowed is not None and self.narrowed.goal is goal else None
            said = goal.goal.values
            state = with_numbers_said(self.context.domain, self.state, goal.goal) if said else self.state
            if len(goal.conjuncts) > MOST_LISTED:
                plan = remembered or chosen or as_written(self.context, goal, state)
            else:
                plan = remembered or chosen or self.context.plans.found(goal, state)
        if isinstance(plan, Plan):
            return PlanDecision(goal, plan, self.state, recalled)
        plan = self._in_view(plan)
        return (
            self._beyond_the_body(plan, goal)
            or (self._looking(plan.feedback, goal, recalled) if plan.feedback.code in MISSING else None)
            or self._without(plan, goal)
            or FinalDecision.refused(plan.feedback, goal=goal, recalled=recalled)
        )

    def _plan_again(self, goal: CheckedGoal, recalled: Experience) -> Plan | None:
        if not recalled.as_before:
            return None
        return self.context.plans.remembered(recalled.actions, goal, self.state, optimal=recalled.optimal)

    def _beyond_the_body(self, refused: NoPlan, goal: CheckedGoal) -> FinalDecision | None:
        """Refuse a goal that only a body with further motion primitives reaches; name the primitives."""
        unlimited = self.context.world.unlimited
        if unlimited is None or refused.feedback.code is not Code.NO_PLAN:
            return None
        with self.stage("plan"):
            plan = self.context.plans.within(unlimited).found(goal, self.state)
        if isinstance(plan, NoPlan):
            return None
        domain, things = self.context.domain, self.context.world.objects
        steps = [
            step
            for step in plan.steps
            if step.action.name not in domain.capabilities
            or (
                not domain.capabilities[step.action.name].agentless
                and step.action.name not in domain.agents[things[step.action.args[0]].class_name].capabilities
            )
        ]
        names = ", ".join(dict.fromkeys(step.command.primitive for step in steps if step.command))
        why = f"this body lacks the motion primitive {names}, which {goal.goal} needs"
        how = "Use another body, give a skill that does it (--skills), or ask for something else."
        feedback = Feedback(Code.REFUSED_BY_BODY, "the goal", why, how)
        return FinalDecision.refused(feedback, goal=goal)

    def _in_view(self, refused: NoPlan) -> NoPlan:
        """Return a refusal; if it is for want of the place of an object, it says where this was last seen."""
        environment, feedback = self.context.environment, refused.feedback
        if environment is None or feedback.code is not Code.WHEREABOUTS_UNKNOWN:
            return refused
        from graftwork.decision.exploration import last_seen, placeless

        stray = placeless(feedback.culprits, environment.watcher.scene) if self.context.looks else None
        known = filter(None, (last_seen(name, environment.watcher) for name in feedback.culprits))
        return replace(refused, feedback=stray or replace(feedback, why="; ".join((feedback.why, *known))))

    def _looking(self, feedback: Feedback, goal: CheckedGoal, recalled: Experience | None) -> PlanDecision | None:
        """Return the decision to look for a missing object; None when there is no useful place to look."""
        environment = self.context.environment
        if environment is None or not self.context.looks:
            return None
        from graftwork.decision.exploration import Exploring

        with self.stage("plan"):
            exploring = Exploring(environment, environment.watcher.scene.time)
            request = recovery.Request(feedback, self.state)
            place = exploring.next(goal, request, self.context.plans)
        if isinstance(place, NoPlan):
            return None
        return PlanDecision(goal, Plan((), goal.conjuncts[0]), self.state, recalled, looks_for=place.thing)

    def _without(self, refused: NoPlan, goal: CheckedGoal) -> Decision | None:
        """Offer a part of an unreachable goal, or take it if that is allowed; None if there is no useful part."""
        if self.context.part is Consent.NEVER or not has_parts(goal, refused):
            return None
        with self.stage("part"):
            (conjunct,) = goal.conjuncts
            part = self.context.plans.part(conjunct, self.state)
        predicates = self.context.vocabulary.predicates
        offered = None if isinstance(part, NoPlan) else offer(goal, part, self.state, predicates)
        if offered is None:
            return None
        if self.context.part is Consent.ALLOW:
            return PlanDecision(offered.goal, offered.part.plan, self.state, partly=offered)
        question = offered.question
        return FinalDecision(Outcome.QUESTION, question.text, (refused.feedback,), goal, question, offered)

    def _already(self, goal: CheckedGoal, recalled: Experience | None) -> Decision:
        """Return whether a goal that is believed to hold was also sensed; if not, refuse to call it reached.

        What was sensed too long ago is looked at again.
        """
        senses = self.context.senses
        so = filter(self.state.satisfies, map(self.context.plans.decided, goal.conjuncts))
        every = (
            [fact for fact in sorted(each) if senses is not None and senses.sensed(fact) is not True] for each in so
        )
        unseen = min(every, key=len)
        if not unseen:
            return FinalDecision(Outcome.ALREADY, "That is already so.", (), goal, recalled=recalled)
        facts = " and ".join(map(str, unseen))
        why = f"{facts} may be so, but nobody has sensed it, so it is not known whether there is anything to do"
        how = "Have it looked at first, for instance by opening what hides it."
        names = tuple(dict.fromkeys(name for fact in unseen for name in fact.atom.args))
        feedback = Feedback(Code.NOT_VISIBLE, "the goal", why, how, names)
        refused = FinalDecision.refused(feedback, goal=goal, recalled=recalled)
        has_faded = senses is not None and any(fact.atom in senses.scene.faded for fact in unseen)
        return (self._looking(feedback, goal, recalled) if has_faded else None) or refused
