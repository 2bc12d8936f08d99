"""`with_room` and `make_room`: whether there is room for what a plan sets down, found before it is carried out.

A goal such as "the fork left of the plate" is planned as if there were a place (`domains.relations`). Here the sampler
of `semantics.geometry.places` is asked along the plan, with what earlier steps take away gone and what they set down in
place. Where it finds no place, the things that take the room become obstacles of that step, so that the next plan moves
them first. So planner and sampler take turns, as in PDDLStream (Garrett et al., ICAPS 2020).

The check only ever says that there is surely no place. A body looks again, with the thing as it hangs in the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set as AbstractSet
from dataclasses import replace
from itertools import islice, product
from math import dist
from typing import NamedTuple

from bt.recovery import Obstacle, domain_with, known_with, obstacles_of, place_of
from domains.grounding import with_values
from domains.model import Domain
from domains.planned_values import valued
from domains.relations import RESTING, rest_of
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import Decision, FinalDecision, PlanDecision
from graftwork.decision.partial_goal import GoalProposal
from graftwork.record.episode import Outcome
from graftwork.setup.limits import Consent
from robots.primitives import no_place, wanted_place
from semantics.body.protocols import NoPlan
from semantics.geometry.places import PLACEABLE, WantedPlace, least_covered, places, why_too_tight
from semantics.geometry.points import MapPoint
from semantics.geometry.relations import Arrangement, Placed
from semantics.geometry.solids import Solid
from semantics.logic.atoms import And, Atom, Conjunct
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Question
from semantics.logic.state import Command, Operator, Plan, State
from semantics.plain_text import together

MOST_PLANS = 5  # how often is planned anew for want of room
SETTING_DOWN = frozenset({"insert", "put"})  # the primitives that set a thing down at a place that is free
MOST_SPOTS = 20  # how many new spots of a thing are tried for whether there is room beside it
MOST_TAKERS = 12  # how many things near the place are tried for whether they take the room


class _Cramped(NamedTuple):
    """A step of a plan without room.

    Attributes:
        wanted: What it is to make true.
        target: What the thing is to be set down on.
        takers: The things without which there is room; empty if there is none in any case.
        obstacles: The step as impossible, while a taker is where it is.
        beside: The step as impossible until that beside which the place is was set down anew, where that makes room.
        spot: Where on the target it is set down anew; None where nothing is.
        tight: Why there is no room, with lengths; empty for a relation.
    """

    wanted: WantedPlace
    target: str
    takers: tuple[str, ...]
    obstacles: tuple[Obstacle, ...]
    beside: tuple[Obstacle, ...]
    spot: MapPoint | None
    tight: str = ""

    def set_anew(self, plan: Plan, domain: Domain) -> Plan:
        """Return a plan in which that beside which the place is gets its new spot."""
        if self.spot is None:
            return plan
        steps = list(plan.steps)
        for number, step in enumerate(steps):
            roles = step.command.roles if step.command is not None else {}
            takes = {place.name for place in domain.capabilities[step.action.name].places}
            if (roles.get("object"), roles.get("target")) == (self.wanted.names[1], self.target) and "where" in takes:
                steps[number] = with_values(domain, step, {"where": self.spot})
        return replace(plan, steps=tuple(steps))

    @property
    def why(self) -> str:
        return self.tight or no_place(self.wanted, self.target)

    @property
    def feedback(self) -> Feedback:
        """Why the goal of such a plan is refused."""
        other = f"Take {' and '.join(self.takers)} away from there, or choose another place."
        how = other if self.takers else "Choose another place, or a larger one."
        what = f"{self.wanted.placed} on {self.target}"
        return Feedback(Code.NO_ROOM, what, f"{self.why}.", how, (*self.wanted.names, *self.takers))

    @property
    def note(self) -> str:
        """What is told of a plan that was made for it."""
        those = f" while {' and '.join(self.takers)} {'is' if len(self.takers) == 1 else 'are'} there"
        return f"Not so at once: {self.why}{those if self.takers else ''}."


class Roomy(NamedTuple):
    """A plan with room for what it sets down, as far as can be seen, or why there is none."""

    plan: Plan | NoPlan  # the plan, or the reason
    met: tuple[_Cramped, ...]  # what had no room in the plans before it, each with what takes the room

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """The steps for which there is no room while something is where it is; the plan minds them."""
        return tuple(obstacle for each in self.met for obstacle in each.obstacles)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is told of the plan."""
        return tuple(dict.fromkeys(each.note for each in self.met))


def with_room(decision: Decision, context: DecisionContext, state: State) -> Decision:
    """Return a decision whose plan has room for what it sets down, as far as can be seen.

    Args:
        decision: The decision; one that is no plan is returned as it is.
        context: Tells what is where, and plans anew.
        state: The state from which it was made.

    Returns: The decision; with another plan and its obstacles, if the first plan has no room; or a refusal.

    Raises:
        OutsideError: The planner cannot be started.
    """
    seen = context.senses.arrangement if context.senses is not None else None
    if seen is None or not isinstance(decision, PlanDecision) or decision.looks_for:
        return decision
    checked = decision.goal

    def plan_again(domain: Domain, state: State) -> Plan | NoPlan:
        plan = context.plans.within(domain).found(checked, state)
        return plan if isinstance(plan, NoPlan) else valued(context.domain, plan, checked.goal)

    plan, met = roomy = make_room(decision.plan, state, seen, context, context.domain, plan_again)
    if not met:
        return decision
    if isinstance(plan, NoPlan):
        if plan.feedback.code is not Code.CANCELLED:
            elsewhere = _elsewhere(decision, met[0], plan.feedback, context, state)
            if elsewhere is not None:
                return elsewhere
        return FinalDecision.refused(plan.feedback, goal=checked)
    noted = replace(checked.goal, notes=tuple(dict.fromkeys((*checked.goal.notes, *roomy.notes))))
    goal = replace(checked, goal=noted)
    return replace(decision, goal=goal, plan=plan, recalled=None, obstacles=(*decision.obstacles, *roomy.obstacles))


def without_overfull(goal: CheckedGoal, context: DecisionContext) -> CheckedGoal | FinalDecision:
    """Return a goal without the alternatives that want more on one top than it can carry, or a refusal if all do."""
    seen = context.senses.arrangement if context.senses is not None else None
    if seen is None:
        return goal
    reasons = {conjunct: _overfull(conjunct, seen, context) for conjunct in goal.conjuncts}
    refused = tuple(reason for reason in reasons.values() if reason is not None)
    if not refused:
        return goal
    if len(refused) == len(reasons):
        return FinalDecision.refused(refused[0], goal=goal)
    kept = tuple(conjunct for conjunct, reason in reasons.items() if reason is None)
    return replace(goal, conjuncts=kept, dropped=(*goal.dropped, *refused))


def _overfull(conjunct: Conjunct, seen: Arrangement, context: DecisionContext) -> Feedback | None:
    """Return why what is wanted on one top cannot all stand on it, by the areas; None if it may have room."""
    on = {name for name, model in context.domain.predicates.items() if model.sensed == "on"}
    asked = [atom.args for atom, positive in conjunct if positive and atom.predicate in on]
    for below in sorted({target for _, target in asked} & seen.things.keys()):
        tops = seen.things[below].solids
        standing = {name: _standing(name, seen, context) for name, target in asked if target == below}
        covered = {name: least_covered(each.solid, tops) for name, each in standing.items() if each is not None}
        if (needed := sum(covered.values())) > (room := sum(top.area for top in tops)):
            all_of_it = f"{together(sorted(covered))} would cover {1e4 * needed:.0f} cm² at least"
            why = f"{all_of_it}, and it has {1e4 * room:.0f} cm²."
            return Feedback(Code.NO_ROOM, below, why, "Ask for fewer there, or for a larger place.", (below, *covered))
    return None


def _elsewhere(
    refused: PlanDecision, cramped: _Cramped, why: Feedback, context: DecisionContext, state: State
) -> Decision | None:
    """Return the nearest surface with room for a thing and for what it is to be beside, offered or taken by consent."""
    goal, beside = refused.goal.goal, cramped.wanted.names[-1]
    seen = context.senses.arrangement if context.senses is not None else None
    rests = place_of(beside, (), state, context.domain)
    is_said = len(cramped.wanted.names) == 2 and rests is not None and rests.args == (beside, cramped.target)
    if context.consent is Consent.NEVER or goal.later or seen is None or rests is None or not is_said:
        return None
    fixed = [name for name in seen.things if name != cramped.target and not place_of(name, (), state, context.domain)]
    x, y = seen.solid(beside).middle
    unasked = replace(context, consent=Consent.NEVER)
    for surface in sorted(fixed, key=lambda name: (dist(seen.solid(name).middle, (x, y)), name)):
        formula = And((goal.formula, Atom(rests.predicate, (beside, surface))))
        note = f"{cramped.why[:1].upper()}{cramped.why[1:]}."
        checked = context.check(replace(goal, formula=formula, notes=(*goal.notes, note)), state)
        plan = context.plans.found(checked, state) if isinstance(checked, CheckedGoal) else None
        if not isinstance(checked, CheckedGoal) or not isinstance(plan, Plan):
            continue
        decided = with_room(replace(refused, goal=checked, plan=valued(context.domain, plan, goal)), unasked, state)
        if isinstance(decided, PlanDecision):
            text = f"{note} Shall I put both on {surface}?"
            proposal = GoalProposal(checked, Question(text, ("yes", "no"), replace(why, code=Code.QUESTION)))
            if context.consent is Consent.ALLOW:
                return replace(decided, recalled=None, instead=proposal)
            return FinalDecision(Outcome.QUESTION, text, (why,), refused.goal, proposal.question, proposal)
    return None


def make_room(
    plan: Plan | NoPlan,
    state: State,
    seen: Arrangement,
    context: DecisionContext,
    domain: Domain,
    plan_again: Callable[[Domain, State], Plan | NoPlan],
    wide: str = "",
) -> Roomy:
    """Return a plan that first moves away what takes the room of its placements, before a run and in the midst of it.

    Args:
        plan: The plan, with its values.
        state: The state from which it was made.
        seen: What is where.
        context: Tells from whose view directions are said.
        domain: The model in which it was made.
        plan_again: Plans in a model with further obstacles.
        wide: A thing for which a body has found no room as it hangs in the hand; it needs a circle around it.
    """
    roomy = Roomy(plan, ())
    while isinstance(roomy.plan, Plan) and len(roomy.met) < MOST_PLANS:
        cramped = _cramped(roomy.plan, state, context, seen, wide)
        if cramped is None:
            break
        for obstacles in filter(None, (cramped.obstacles, cramped.beside)):
            met = Roomy(roomy.plan, (*roomy.met, cramped._replace(obstacles=obstacles)))
            again = plan_again(domain_with(domain, met.obstacles), known_with(met.obstacles, state))
            if isinstance(again, Plan) or again.feedback.code is Code.CANCELLED:
                break
            again = NoPlan(met.met[0].feedback)
        if isinstance(again, Plan):
            for each in met.met:
                again = each.set_anew(again, context.domain)
        roomy = met._replace(plan=again)
    return roomy


def _cramped(plan: Plan, state: State, context: DecisionContext, seen: Arrangement, wide: str = "") -> _Cramped | None:
    """Return the first step of a plan that has no room; None if there is none for sure."""
    now, domain = seen, context.domain
    resting = {name for name, model in domain.predicates.items() if model.sensed in RESTING}
    viewer = context.environment.watcher.viewer if context.environment is not None else ""
    for step in plan.steps:
        changed = {atom.args[0] for atom in step.deleted | step.added if atom.predicate in resting}
        moved = changed | _upon(changed, [atom.args for atom in state.atoms if atom.predicate in resting])
        wanted = _wanted(step, domain)
        now = _without(now, moved)
        thing = None if wanted is None else _standing(wanted.placed, seen, context)
        if wanted is not None and step.command is not None and thing is not None:
            target = step.command.roles["target"]
            there = _at_work(now, step.command, viewer)
            around = _contained(target, seen, state, domain) if wanted.relation == "in" else there.things
            there = replace(there, things={**around, wanted.placed: _round(thing) if wide == wanted.placed else thing})
            if there.things.keys() >= {target, *wanted.names} and there.views.keys() >= {wanted.viewer} - {""}:
                place = next(places(wanted, there, [target]), None)
                if place is None:
                    by_plan = seen.things.keys() - now.things.keys()
                    return _blame(wanted, step, there, state, by_plan, context)
                put = there.solid(wanted.placed).moved(place.x, place.y, place.bottom, place.yaw)
                if wanted.relation not in RESTING:  # where else it comes to stand is open
                    now = replace(now, things={**now.things, wanted.placed: Placed(put)})
        state = step.apply(state)
    return None


def _blame(
    wanted: WantedPlace,
    step: Operator,
    there: Arrangement,
    state: State,
    by_plan: AbstractSet[str],
    context: DecisionContext,
) -> _Cramped:
    """Return why a step has no room: what takes it, beside what it could be made, or how much too tight it is.

    What the plan itself has moved there (`by_plan`) is not to blame.
    """
    assert step.command is not None  # only what a body does sets something down
    domain, target = context.domain, step.command.roles["target"]
    left = state.with_atoms(deleted=[atom for atom in state.atoms if by_plan & {*atom.args[:1]}])
    takers = _takers(wanted, target, there, left, domain)
    spot = _spot_anew(wanted, target, there, state, domain) if wanted.relation not in RESTING else None
    feedback = Feedback(Code.NO_ROOM, str(step), "", culprits=takers)  # impossible in any case where there is none
    obstacles = obstacles_of(feedback, step, state, domain) if takers or spot is None else ()
    tight = why_too_tight(wanted, there)
    if tight and not takers:
        obstacles = tuple(_anywhere(obstacles[0], step, context))
    rests = None if spot is None else place_of(wanted.names[1], (), state, domain)
    anew = replace(Obstacle.of(Code.NO_ROOM, step, domain), place=rests, returns=False)
    return _Cramped(wanted, target, takers, obstacles, () if spot is None else (anew,), spot, tight)


def _round(placed: Placed) -> Placed:
    """Return a thing as the circle in which it stands however it is turned in the hand."""
    solid, size = placed.solid, 2 * placed.solid.radius
    return Placed(Solid("cylinder", (size, size, solid.size[2]), solid.at))


def _wanted(step: Operator, domain: Domain) -> WantedPlace | None:
    """Return what a step that sets a thing down is to make true; None for other steps and where a point was said."""
    command, capability = step.command, domain.capabilities[step.action.name]
    wanted = wanted_place(command) if command is not None else None
    if command is None or command.primitive not in SETTING_DOWN or command.places or wanted is not None:
        return wanted
    rest = rest_of(capability, domain.predicates)
    relation = (domain.predicates[rest.predicate].sensed if rest is not None else None) or ""
    return WantedPlace(relation, (command.roles["object"], command.roles["target"])) if relation in PLACEABLE else None


def _standing(name: str, seen: Arrangement, context: DecisionContext) -> Placed | None:
    """Return a thing as it will stand, whether it lies now, is in a hand or out of view; None if that is unknown."""
    thing, placed = context.world.objects[name], seen.things.get(name)
    known = context.domain.classes.get(thing.class_name)
    shape = None if known is None else known.shape
    if shape is None:
        return placed
    at, yaw = (placed.solid.at, placed.solid.yaw) if placed is not None else ((0.0, 0.0, 0.0), 0.0)
    return Placed(Solid(shape.form, thing.size or shape.size, at, yaw))


def _contained(container: str, seen: Arrangement, state: State, domain: Domain) -> dict[str, Placed]:
    """Return a container with all that is in it in a state, wherever that was seen; nothing if its space is unknown."""
    inside = seen.things[container].inside if container in seen.things else None
    if inside is None:
        return {}
    within = {name for name, model in domain.predicates.items() if model.sensed == "in"}
    contents = {atom.args[0] for atom in state.atoms if atom.predicate in within and atom.args[1] == container}
    moved = {name: Placed(seen.solid(name).moved(*inside.at)) for name in contents & seen.things.keys()}
    return {container: seen.things[container], **moved}


def _anywhere(obstacle: Obstacle, step: Operator, context: DecisionContext) -> Iterator[Obstacle]:
    """Yield an obstacle for a thing and what it does not fit, wherever that stands and whoever does it."""
    parameters = context.domain.capabilities[obstacle.capability].parameters
    fixed = {step.command.roles[role] for role in ("object", "target")} if step.command is not None else set()
    things = context.vocabulary.things.values()
    choices = [
        [name] if name in fixed else [each.name for each in things if each.affords(parameters[number].affordances)]
        for number, name in obstacle.pattern
    ]
    for names in product(*choices):
        pattern = zip((number for number, _ in obstacle.pattern), names, strict=True)
        yield replace(obstacle, pattern=tuple(pattern))


def _at_work(seen: Arrangement, command: Command, viewer: str) -> Arrangement:
    """Return an arrangement as it is when a command is done: its agent looks at the place of work."""
    heading = seen.views.get(command.roles.get("at", ""))
    if heading is None or command.agent not in seen.views:
        return seen
    views = {**seen.views, command.agent: heading}
    return replace(seen, views=views, heading=heading if viewer == command.agent else seen.heading)


def _upon(below: AbstractSet[str], rests: Sequence[tuple[str, ...]]) -> set[str]:
    """Return what rests on or in things, which moves along with them; `rests` are things with what they rest on."""
    found: set[str] = set()
    while below:
        below = {args[0] for args in rests if len(args) == 2 and args[1] in below} - found
        found |= below
    return found


def _without(seen: Arrangement, names: set[str]) -> Arrangement:
    if not names & seen.things.keys():
        return seen
    return replace(seen, things={name: placed for name, placed in seen.things.items() if name not in names})


def _takers(wanted: WantedPlace, target: str, seen: Arrangement, state: State, domain: Domain) -> tuple[str, ...]:
    """Return a smallest set of movable things without which there is a place; empty if there is no such set."""
    x, y = seen.solid(wanted.names[1]).middle
    others = seen.things.keys() - {*wanted.names, target}
    movable = [name for name in others if place_of(name, (), state, domain) is not None]
    movable = sorted(movable, key=lambda name: (dist(seen.solid(name).middle, (x, y)), name))[:MOST_TAKERS]

    def is_enough(names: Sequence[str]) -> bool:
        return next(places(wanted, _without(seen, set(names)), [target]), None) is not None

    single = next((name for name in movable if is_enough((name,))), None)
    if single is not None:
        return (single,)
    if not is_enough(movable):
        return ()
    needed = movable
    for name in reversed(movable):
        fewer = [other for other in needed if other != name]
        if is_enough(fewer):
            needed = fewer
    return tuple(needed)


def _spot_anew(wanted: WantedPlace, target: str, seen: Arrangement, state: State, domain: Domain) -> MapPoint | None:
    """Return where on its surface the thing could stand beside which there is no room, with room beside it."""
    beside = wanted.names[1] if len(wanted.names) == 2 else target
    rests = place_of(beside, (), state, domain)
    if rests is None or rests.args != (beside, target):
        return None
    for spot in islice(places(WantedPlace("on", (beside, target)), seen, [target]), MOST_SPOTS):
        put = seen.solid(beside).moved(spot.x, spot.y, spot.bottom, spot.yaw)
        moved = replace(seen, things={**seen.things, beside: Placed(put)})
        if next(places(wanted, moved, [target]), None) is not None:
            return MapPoint(spot.x, spot.y)
    return None
