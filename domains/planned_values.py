"""The values of a goal at the steps of its plan: each step that takes one gets it, and one that no step takes is told.

Planning does not branch on these values, so they are put to a plan that is made already.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from domains.grounding import numbers_said, with_values
from domains.model import Domain
from domains.relations import DISTANCE, made_by
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, taken_values, takers
from semantics.logic.quantity import Dimension, Quantity, QuantityError
from semantics.logic.state import Operator, Plan, State

MANNERS = frozenset({Dimension.SPEED, Dimension.TURN, Dimension.FORCE})
"""What changes how something is done and not what comes of it."""


def valued(domain: Domain, plan: Plan, goal: Goal) -> Plan:
    """Return a plan whose steps have the values of a goal, of a value out of their range the nearest one.

    This is for plans that are made on the way; at the begin, `valued_or_misfit` refuses what does not fit.
    """
    if not goal.values:
        return plan
    return replace(plan, steps=tuple(_step(domain, step, goal, nearest=True) for step in plan.steps))


def valued_or_misfit(domain: Domain, plan: Plan, goal: Goal) -> Plan | Feedback:
    """Return a plan whose steps have the values of a goal, or feedback about the first step that does not take one."""
    steps = []
    for step in plan.steps if goal.values else ():
        try:
            steps.append(_step(domain, step, goal))
        except UsageError as error:
            how = "Say a value that all steps take, or say the jobs one after the other, with 'then'."
            return Feedback(Code.NOT_UNDERSTOOD, str(step), f"{error}.", how, (step.action.name,))
    return replace(plan, steps=tuple(steps)) if goal.values else plan


def _step(domain: Domain, step: Operator, goal: Goal, *, nearest: bool = False) -> Operator:
    """Return a step with the values of a goal that it takes; its own values stay.

    Raises:
        UsageError: A value is out of the range that the capability of the step gives, and not the nearest is wanted.
    """
    capability = domain.capabilities.get(step.action.name)
    if capability is None:
        return step
    values = taken_values(goal, capability.name, capability.values)
    models = {model.name: model for model in capability.values}
    fit = {name: models[name].nearest(said) if nearest else said for name, said in values.items()}
    return with_values(domain, step, fit)


@dataclass(frozen=True, slots=True)
class IdleValues:
    """The values of a goal that no step of its plan takes."""

    refused: tuple[Feedback, ...] = ()  # why what was measured, such as an amount, cannot be had
    # a sentence about each manner that makes no difference, such as a speed where nothing drives
    notes: tuple[str, ...] = ()


def idle_values(domain: Domain, plan: Plan, goal: Goal) -> IdleValues:
    """Return the values of a goal that no step of its plan takes, without those by which its facts are judged."""
    models = {name: capability.values for name, capability in domain.capabilities.items()}
    said = [(name, quantity) for name, quantity in goal.values if name not in _judged(domain, goal)]
    able = {name: takers(name, models).keys() for name, _ in said}
    names = {step.action.name for step in plan.steps}
    used = {_own(name) for name, capabilities in able.items() if names & capabilities}
    idle = [(name, quantity) for name, quantity in said if _own(name) not in used]
    refused = tuple(
        Feedback(
            Code.NOT_UNDERSTOOD,
            f":{name} {quantity}",
            f"no step of the plan takes it; {' and '.join(able[name]) or 'nothing'} would.",
            "Leave it out, or ask for something that is done so.",
            (name,),
        )
        for name, quantity in idle
        if quantity.dimension not in MANNERS
    )
    manners = (f"{name} {quantity}" for name, quantity in idle if quantity.dimension in MANNERS)
    return IdleValues(refused, tuple(f"No step takes the {manner}, so it makes no difference." for manner in manners))


def distances_of(domain: Domain, goal: Goal) -> dict[Atom, float]:
    """Return the facts of a goal that hold only at a distance, with it in metres from edge to edge."""
    making = made_by(domain) if goal.values else {}
    found: dict[Atom, float] = {}
    for atom, positive in literals(goal.formula) if making else ():
        for name in making.get(atom.predicate, ()) if positive else ():
            distance = taken_values(goal, name, domain.capabilities[name].values).get(DISTANCE)
            if distance is not None:
                found[atom] = distance.base
    return found


def measures_left(domain: Domain, goal: Goal) -> list[tuple[str, Quantity]]:
    """Return the values of a goal that are measures, without those by which its facts are judged."""
    judged = _judged(domain, goal)
    return [(name, said) for name, said in goal.values if said.dimension not in MANNERS and name not in judged]


def _judged(domain: Domain, goal: Goal) -> set[str]:
    """Return the names of the values by which the facts of a goal are judged."""
    making = made_by(domain)
    made = {name for atom in distances_of(domain, goal) for name in making[atom.predicate]}
    return {DISTANCE, *(f"{name}.{DISTANCE}" for name in made)} if made else set()


def with_numbers_said(domain: Domain, state: State, goal: Goal) -> State:
    """Return a state with the numbers that the values of a goal stand for, so that plans are made for these amounts."""
    said: dict[Atom, float] = {}
    for capability in domain.capabilities.values():
        with suppress(QuantityError):  # it is refused at the step that does not take it
            said |= numbers_said(domain, capability, taken_values(goal, capability.name, capability.values))
    return replace(state, numbers={**state.numbers, **said}) if said else state


def _own(name: str) -> str:
    """Return the name of a value without the capability: ``speed`` for ``move.speed``."""
    return name.rpartition(".")[2]
