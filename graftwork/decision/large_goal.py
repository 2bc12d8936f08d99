"""Goals with more alternatives than can be listed: the planner chooses the one that is pursued.

A goal is checked, told and pursued as a list of alternatives, which a formula of a few lines can make millions of. Such
a goal is planned for as it is written, with derived predicates in the place of its disjunctions
(`domains.pddl.goals`). The alternative that the plan reaches is the goal from then on: it is checked like any other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from graftwork.decision.context import DecisionContext
from semantics.body.protocols import NoPlan
from semantics.errors import FormulaError
from semantics.logic.atoms import MAX_CONJUNCTS, And, Atom, Conjunct, Formula, Literal, Not, Or, conjunction, dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.goal_check import without_unfit
from semantics.logic.state import Plan, State

MOST_LISTED = 64
"""The largest number of alternatives that a planner gets as a list, if the goal can be planned for as it is written."""


class Narrowed(NamedTuple):
    """The alternative of a large goal that is pursued."""

    goal: CheckedGoal  # the goal as said, with this alternative only, and a note about it
    plan: Plan  # the plan that reaches it


def is_too_large(goal: Goal, refused: Rejection) -> bool:
    """Return whether a goal was refused only because its alternatives are too many."""
    if [record.code for record in refused.feedback] != [Code.UNREADABLE]:
        return False
    try:
        dnf(goal.formula)
    except FormulaError:
        return True
    return False


def narrowed(context: DecisionContext, goal: Goal, state: State) -> Narrowed | NoPlan | Rejection:
    """Plan for a large goal, and return the alternative that the plan reaches.

    Raises:
        OutsideError: The planner cannot be started.
    """
    formula = without_unfit(goal, context.vocabulary, state)
    plan = _reaching(context, goal, formula, state)
    if isinstance(plan, NoPlan):
        return plan
    conjunct = alternative_in(formula, after(context, plan, state))
    assert conjunct is not None, f"the plan does not reach {formula}"
    return _checked(context, goal, replace(plan, goal=conjunct), state)


def as_written(context: DecisionContext, goal: CheckedGoal, state: State) -> Plan | NoPlan:
    """Plan for a checked goal with many alternatives as it is written, and not as a list of them.

    If the plan reaches none of the alternatives that passed the check, the list is planned for.

    Raises:
        OutsideError: The planner cannot be started.
    """
    formula = without_unfit(goal.goal, context.vocabulary, state)
    plan = _reaching(context, goal.goal, formula, state)
    if isinstance(plan, NoPlan):
        return plan
    wanted = map(context.plans.decided, goal.conjuncts)
    reached = min(filter(after(context, plan, state).satisfies, wanted), key=len, default=None)
    return replace(plan, goal=reached) if reached is not None else context.plans.found(goal, state)


def _reaching(context: DecisionContext, goal: Goal, formula: Formula, state: State) -> Plan | NoPlan:
    """Plan for a formula as it is written."""
    from domains.pddl.goals import reaching  # most goals are planned for as a list of alternatives

    problem = reaching(context.plans.problem(state), formula)
    plan = context.plans.within(problem.domain).found(CheckedGoal(goal, problem.goal), state)
    return plan if isinstance(plan, NoPlan) else context.plans.regrounded(plan, state)


def after(context: DecisionContext, plan: Plan, state: State) -> State:
    """Return the state after a plan."""
    after = context.plans.problem(state).closed
    for step in plan.steps:
        after = step.apply(after)
    return after


def _checked(context: DecisionContext, goal: Goal, plan: Plan, state: State) -> Narrowed | Rejection:
    parts = conjunction(plan.goal).parts
    alternative = parts[0] if len(parts) == 1 else And(parts)
    checked = context.check(Goal(alternative, goal.text), state)
    if isinstance(checked, Rejection):
        return checked
    note = f"of its more than {MAX_CONJUNCTS} alternatives, the one that the plan reaches is pursued: {alternative}"
    whole = replace(goal, notes=tuple(dict.fromkeys((*goal.notes, note))))
    return Narrowed(replace(checked, goal=whole), replace(plan, goal=checked.conjuncts[0]))


def alternative_in(formula: Formula, state: State, positive: bool = True) -> Conjunct | None:
    """Return an alternative of a ground formula that holds in `state`, with few literals; None when none does."""
    match formula:
        case Atom():
            literal = Literal(formula, positive)
            return frozenset({literal}) if state.holds(literal) else None
        case Not(part):
            return alternative_in(part, state, not positive)
        case And(parts) | Or(parts):
            ways = [alternative_in(part, state, positive) for part in parts]
            held = [way for way in ways if way is not None]
            if isinstance(formula, And) != positive:
                return min(held, key=len, default=None)
            return frozenset[Literal]().union(*held) if len(held) == len(ways) else None
    raise AssertionError(formula)
