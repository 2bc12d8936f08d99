"""`with_room` and `make_room`: whether there is room for what a plan sets down, found before it is carried out.

A goal such as "the fork left of the plate" is planned as if there were a place (`domains.relations`). Here the sampler
of `semantics.places` is asked along the plan, with what earlier steps take away gone and what they set down in place.
Where it finds no place, the things that take the room become obstacles of that step, so that the next plan moves them
first. So planner and sampler take turns, as in PDDLStream (Garrett et al., ICAPS 2020).

The check only ever says that there is surely no place. A body looks again, with the thing as it hangs in the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice
from math import hypot
from typing import NamedTuple

from bt.recovery import Obstacle, domain_with, known_with, obstacles_of, place_of
from domains.grounding import with_values
from domains.model import Domain
from domains.planned_values import valued
from domains.relations import RESTING
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import Decision, FinalDecision, PlanDecision
from graftwork.record.episode import Outcome
from robots.primitives import no_place, wanted_place
from semantics.feedback import Code, Feedback
from semantics.places import WantedPlace, places
from semantics.points import MapPoint
from semantics.protocols import NoPlan
from semantics.relations import Arrangement, Placed
from semantics.solids import Solid
from semantics.state import Command, Operator, Plan, State

__all__ = ["Roomy", "make_room", "with_room"]

MOST_PLANS = 5
"""How often is planned anew for want of room."""
MOST_SPOTS = 20
"""How many new spots of a thing are tried for whether there is room beside it."""
MOST_TAKERS = 12
"""How many things near the place are tried for whether they take the room."""


class _Cramped(NamedTuple):
    """A step of a plan without room.

    Attributes:
        wanted: What it is to make true.
        target: What the thing is to be set down on.
        takers: The things without which there is room; empty if there is none in any case.
        obstacles: The step as impossible, while a taker is where it is.
        beside: The step as impossible until that beside which the place is was set down anew, where that makes room.
        spot: Where on the target it is set down anew; None where nothing is.
    """

    wanted: WantedPlace
    target: str
    takers: tuple[str, ...]
    obstacles: tuple[Obstacle, ...]
    beside: tuple[Obstacle, ...]
    spot: MapPoint | None

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
        return no_place(self.wanted, self.target)

    @property
    def feedback(self) -> Feedback:
        """Why the goal of such a plan is refused."""
        if self.takers:
            how = f"Take {_and(self.takers)} away from there, or choose another place."
        else:
            how = "Choose another place, or a larger one."
        what = f"{self.wanted.placed} on {self.target}"
        return Feedback(Code.NO_ROOM, what, f"{self.why}.", how, (*self.wanted.names, *self.takers))

    @property
    def note(self) -> str:
        """What is told of a plan that was made for it."""
        if not self.takers:
            return f"Not so at once: {self.why}."
        return f"Not so at once: {self.why} while {_and(self.takers)} {'is' if len(self.takers) == 1 else 'are'} there."


def _and(names: Sequence[str]) -> str:
    return " and ".join(names)


class Roomy(NamedTuple):
    """A plan with room for what it sets down, as far as can be seen, or why there is none.

    Attributes:
        plan: The plan, or the reason.
        met: What had no room in the plans before it, each with what takes the room.
    """

    plan: Plan | NoPlan
    met: tuple[_Cramped, ...]

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
    seen = context.arrangement() if context.arrangement is not None else None
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
        cancelled = plan.feedback.code is Code.CANCELLED
        outcome = Outcome.STOPPED if cancelled else Outcome.REFUSED
        return FinalDecision(outcome, str(plan.feedback), (plan.feedback,), checked)
    noted = replace(checked.goal, notes=tuple(dict.fromkeys((*checked.goal.notes, *roomy.notes))))
    goal = replace(checked, goal=noted)
    return replace(decision, goal=goal, plan=plan, recalled=None, obstacles=roomy.obstacles)


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
            again = reduce(lambda plan, each: each.set_anew(plan, context.domain), met.met, again)
        roomy = met._replace(plan=again)
    return roomy


def _cramped(plan: Plan, state: State, context: DecisionContext, seen: Arrangement, wide: str = "") -> _Cramped | None:
    """Return the first step of a plan that has no room; None if there is none for sure."""
    now, domain = seen, context.domain
    viewer = context.viewer() if context.viewer is not None else ""
    for step in plan.steps:
        moved = {name for each in _taken_up(step, domain) for name in (each, *_upon(each, state, domain))}
        wanted = wanted_place(step.command) if step.command is not None else None
        now = _without(now, moved)
        if wanted is not None and step.command is not None and wanted.placed in seen.things:
            target = step.command.roles["target"]
            there = _at_work(now, step.command, viewer)
            placed = seen.things[wanted.placed]
            there = replace(
                there, things={**there.things, wanted.placed: _round(placed) if wide == wanted.placed else placed}
            )
            if there.things.keys() >= {target, *wanted.names} and there.views.keys() >= {wanted.viewer} - {""}:
                place = next(places(wanted, there, [target]), None)
                if place is None:
                    takers = _takers(wanted, target, there, state, domain)
                    spot = _spot_anew(wanted, target, there, state, domain)
                    taken = _obstacles(step, takers, state, domain) if takers or spot is None else ()
                    rests = None if spot is None else place_of(wanted.names[1], (), state, domain)
                    anew = replace(Obstacle.of(Code.NO_ROOM, step, domain), place=rests, returns=False)
                    beside = () if spot is None else (anew,)
                    return _Cramped(wanted, target, takers, taken, beside, spot)
                put = there.solid(wanted.placed).moved(place.x, place.y, place.bottom, place.yaw)
                now = replace(now, things={**now.things, wanted.placed: Placed(put)})
        state = step.apply(state)
    return None


def _round(placed: Placed) -> Placed:
    """Return a thing as the circle in which it stands however it is turned in the hand."""
    solid, size = placed.solid, 2 * placed.solid.radius
    return Placed(Solid("cylinder", (size, size, solid.size[2]), solid.at))


def _at_work(seen: Arrangement, command: Command, viewer: str) -> Arrangement:
    """Return an arrangement as it is when a command is done: its agent looks at the place of work.

    Args:
        seen: The arrangement.
        command: The command.
        viewer: Who says directions for which no viewer is named.
    """
    heading = seen.views.get(command.roles.get("at", ""))
    if heading is None or command.agent not in seen.views:
        return seen
    views = {**seen.views, command.agent: heading}
    return replace(seen, views=views, heading=heading if viewer == command.agent else seen.heading)


def _taken_up(step: Operator, domain: Domain) -> set[str]:
    """Return the things that no longer rest after a step where they rested before, or rest anew."""
    return {atom.args[0] for atom in step.deleted | step.added if _is_rest(atom.predicate, domain)}


def _upon(name: str, state: State, domain: Domain) -> set[str]:
    """Return what rests on or in a thing, which moves along with it."""
    found: set[str] = set()
    below = {name}
    while below:
        below = {
            atom.args[0]
            for atom in state.atoms
            if len(atom.args) == 2 and atom.args[1] in below and _is_rest(atom.predicate, domain)
        } - found
        found |= below
    return found


def _is_rest(predicate: str, domain: Domain) -> bool:
    model = domain.predicates.get(predicate)
    return model is not None and model.sensed in RESTING


def _without(seen: Arrangement, names: set[str]) -> Arrangement:
    if not names & seen.things.keys():
        return seen
    return replace(seen, things={name: placed for name, placed in seen.things.items() if name not in names})


def _takers(wanted: WantedPlace, target: str, seen: Arrangement, state: State, domain: Domain) -> tuple[str, ...]:
    """Return a smallest set of movable things without which there is a place; empty if there is no such set."""
    x, y = seen.solid(wanted.names[1]).middle
    movable = sorted(
        (
            name
            for name in seen.things
            if name not in wanted.names and name != target and place_of(name, (), state, domain) is not None
        ),
        key=lambda name: (hypot(seen.solid(name).middle[0] - x, seen.solid(name).middle[1] - y), name),
    )[:MOST_TAKERS]

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


def _obstacles(step: Operator, blamed: Sequence[str], state: State, domain: Domain) -> tuple[Obstacle, ...]:
    """Return a step as impossible while what takes the room is there; in any case if no thing is to blame."""
    feedback = Feedback(Code.NO_ROOM, str(step), "", culprits=tuple(blamed))
    return obstacles_of(feedback, step, state, domain)
