"""`with_room`: whether there is room for what a plan sets down, found before anything moves.

A goal such as "the fork left of the plate" is planned as if there were a place (`domains.relations`). Here the sampler
of `semantics.places` is asked along the plan, with what earlier steps take away gone and what they set down in place.
Where it finds no place, the things that take the room become obstacles of that step, so that the next plan moves them
first. So planner and sampler take turns, as in PDDLStream (Garrett et al., ICAPS 2020).

The check only ever says that there is surely no place. A body looks again, with the thing as it hangs in the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import hypot
from typing import NamedTuple

from bt.recovery import Obstacle, domain_with, known_with, place_of
from domains.model import Domain
from domains.planned_values import valued
from domains.relations import RESTING, rest_of
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import Decision, FinalDecision, PlanDecision
from graftwork.record.episode import Outcome
from robots.primitives import no_place, wanted_place
from semantics.feedback import Code, Feedback
from semantics.places import PLACEABLE, WantedPlace, places, why_too_tight
from semantics.protocols import NoPlan
from semantics.relations import Arrangement, Placed
from semantics.solids import Solid
from semantics.state import Command, Operator, Plan, State

__all__ = ["with_room"]

MOST_PLANS = 5
"""How often is planned anew for want of room."""
SETTING_DOWN = frozenset({"insert", "put"})
"""The primitives that set a thing down at a place that is free."""
MOST_TAKERS = 12
"""How many things near the place are tried for whether they take the room."""


class _Cramped(NamedTuple):
    """A step of a plan without room.

    Attributes:
        wanted: What it is to make true.
        target: What the thing is to be set down on.
        takers: The things without which there is room; empty if there is none in any case.
        obstacles: The step as impossible, while a taker is where it is.
        tight: Why there is no room, with lengths; empty for a relation.
    """

    wanted: WantedPlace
    target: str
    takers: tuple[str, ...]
    obstacles: tuple[Obstacle, ...]
    tight: str = ""

    @property
    def why(self) -> str:
        return self.tight or no_place(self.wanted, self.target)

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
    met: list[_Cramped] = []
    while len(met) < MOST_PLANS:
        cramped = _cramped(decision.plan, state, context, seen)
        if cramped is None:
            return decision
        met.append(cramped)
        obstacles = tuple(obstacle for each in met for obstacle in each.obstacles)
        plans = context.plans.within(domain_with(context.domain, obstacles))
        plan = plans.found(decision.goal, known_with(obstacles, state))
        if isinstance(plan, NoPlan):
            cancelled = plan.feedback.code is Code.CANCELLED
            feedback = plan.feedback if cancelled else met[0].feedback
            outcome = Outcome.STOPPED if cancelled else Outcome.REFUSED
            return FinalDecision(outcome, str(feedback), (feedback,), decision.goal)
        goal = decision.goal.goal
        noted = replace(goal, notes=tuple(dict.fromkeys((*goal.notes, *(each.note for each in met)))))
        decision = replace(
            decision,
            goal=replace(decision.goal, goal=noted),
            plan=valued(context.domain, plan, goal),
            recalled=None,
            obstacles=obstacles,
        )
    return decision


def _cramped(plan: Plan, state: State, context: DecisionContext, seen: Arrangement) -> _Cramped | None:
    """Return the first step of a plan that has no room; None if there is none for sure."""
    now, domain = seen, context.domain
    viewer = context.viewer() if context.viewer is not None else ""
    for step in plan.steps:
        moved = {name for each in _taken_up(step, domain) for name in (each, *_upon(each, state, domain))}
        wanted = _wanted(step, domain)
        now = _without(now, moved)
        thing = None if wanted is None else _standing(wanted.placed, seen, context)
        if wanted is not None and step.command is not None and thing is not None:
            target = step.command.roles["target"]
            there = _at_work(now, step.command, viewer)
            around = _contained(target, seen, state, domain) if wanted.relation == "in" else there.things
            there = replace(there, things={**around, wanted.placed: thing})
            if there.things.keys() >= {target, *wanted.names} and there.views.keys() >= {wanted.viewer} - {""}:
                place = next(places(wanted, there, [target]), None)
                if place is None:
                    placed = seen.things.keys() - now.things.keys()  # by the plan itself
                    left = state.with_atoms(deleted=[atom for atom in state.atoms if placed & {*atom.args[:1]}])
                    takers = _takers(wanted, target, there, left, domain)
                    obstacles = tuple(_obstacles(step, takers, state, domain))
                    tight = why_too_tight(wanted, there)
                    if tight and not takers:
                        obstacles = tuple(_anywhere(obstacles[0], step, context))
                    return _Cramped(wanted, target, takers, obstacles, tight)
                put = there.solid(wanted.placed).moved(place.x, place.y, place.bottom, place.yaw)
                if wanted.relation not in RESTING:  # where else it comes to stand is open
                    now = replace(now, things={**now.things, wanted.placed: Placed(put)})
        state = step.apply(state)
    return None


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
    """Return a thing as it will stand; now it may be on its side, in a hand or out of view; None if that is unknown."""
    placed, shape = seen.things.get(name), context.domain.classes[context.vocabulary.things[name].class_name].shape
    if shape is None:
        return placed
    at, yaw = (placed.solid.at, placed.solid.yaw) if placed is not None else ((0.0, 0.0, 0.0), 0.0)
    return Placed(Solid(shape.form, shape.size, at, yaw))


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


def _obstacles(step: Operator, takers: Sequence[str], state: State, domain: Domain) -> Iterator[Obstacle]:
    """Yield a step as impossible while things are where they are; in any case if no thing is to blame."""
    blank = Obstacle.of(Code.NO_ROOM, step, domain)
    for name in takers:
        yield replace(blank, place=place_of(name, (), state, domain))
    if not takers:
        yield blank
