"""`decide_plan`: from a plan that somebody says to a plan that works, with as many of its steps as can be kept.

Each line is read in the state that the lines before it lead to. What cannot be done there is mended by the repair rules
of the world, else by the cheapest steps to where it can be done; what is so already, and what can never be done there,
is left out (Joublin et al. 2024, section III-C, mend one failure at a time on the robot). What the goal still lacks at
the end is planned. A line after which the goal can be reached no more is left out as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bt.recovery import Mended, RepairSearch
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import FinalDecision, PlanDecision
from graftwork.decision.plan_line import read_line
from graftwork.language.formal_goal import formal_goal
from graftwork.record.episode import Outcome
from graftwork.setup.plans import Plans
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import And, Literal, conjunction, literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.parsing import Group, parse_sexprs, text_of
from semantics.logic.reply import PlanText
from semantics.logic.state import Operator, Plan, State
from semantics.plain_text import together
from semantics.words.lexicon import Lexicon

CALL = re.compile(r"(?<![\w(-])([a-z][\w-]*)\(([^()]*)\)", re.IGNORECASE)
AFTER_GOAL = re.compile(r"\b(?:objects?|things) needed|\bstate\b|\bremaining\b", re.IGNORECASE)


class _Part(NamedTuple):
    """What becomes of a line: the step it says, the steps that are done for it, and the state after them."""

    number: int
    said: Operator
    steps: tuple[Operator, ...]
    state: State

    @property
    def told(self) -> str:
        if not self.steps:
            done = self.said.effects and self.state.satisfies(self.said.effects)
            return (
                f"Line {self.number} is left out: {self.said} {'is done already' if done else 'cannot be done there'}."
            )
        return f"Line {self.number} is done by {together(map(str, self.steps))}." if len(self.steps) > 1 else ""


def decide_plan(
    context: DecisionContext, plan_text: PlanText, state: State, goal: Goal | None = None
) -> PlanDecision | FinalDecision:
    """Return the plan that a text says, mended where it has to be, or why there is none.

    The goal is the one given, else the one that the brief has in PDDL or as facts. Without either it is inferred: what
    the steps as said make true, what holds at the end, did not at the start, and no later step needs. Then each line
    has to be read; with a goal, lines that cannot be read are left out.

    Args:
        context: The services that the decision uses.
        plan_text: The plan.
        state: The believed state.
        goal: What the plan is for.

    Raises:
        OutsideError: The planner or Prolog is not available.
    """
    lines = [(at, line) for at, line in enumerate("\n".join(plan_text.lines).splitlines(), 1) if line.strip("` ")]
    state = context.plans.problem(state).closed
    goal = goal or _goal_in(plan_text.brief, context)
    parts, unread = _followed(lines, context, state)
    if not parts or (unread and goal is None):
        unread = unread or [Feedback(Code.UNREADABLE, "the plan", "it has no step")]
        return _refused(*unread)
    notes = [f"Left out: {feedback}" for feedback in unread]
    if goal is None:
        goal = Goal(conjunction(_purpose(parts, state, context.plans)), notes=("The goal is what the steps are for.",))
    checked = context.check(goal, state)
    if isinstance(checked, Rejection) or not any(literals(goal.formula)):
        return _refused(*(checked.feedback if isinstance(checked, Rejection) else ()), goal=goal)
    if checked.already:
        return FinalDecision(Outcome.ALREADY, "That is already so.", (), checked)
    reached = _reached(lines, checked, context, state)
    if isinstance(reached, NoPlan):
        return _refused(reached.feedback, *unread, goal=checked)
    parts, rest = reached
    steps = tuple(step for part in parts for step in part.steps) + rest.steps
    plan = context.plans.admitted(Plan(steps, rest.goal, planner="as said"), state)
    if isinstance(plan, Feedback):
        return _refused(plan, goal=checked)
    kept = sum(part.said.action in {step.action for step in part.steps} for part in parts)
    notes += filter(None, (part.told for part in parts))
    notes += [f"At the end, {together(map(str, rest.steps))} is added."] if rest.steps else []
    notes += [f"{kept} of {len(parts)} steps are kept as said."]
    return PlanDecision(replace(checked, goal=replace(goal, notes=(*goal.notes, *notes))), plan, state)


def _refused(*feedback: Feedback, goal: CheckedGoal | Goal | None = None) -> FinalDecision:
    why = feedback or (Feedback(Code.INVALID_PLAN, "the plan", "nothing is otherwise at its end"),)
    return FinalDecision(Outcome.REFUSED, "\n".join(map(str, why)), why, goal)


def _goal_in(brief: str, context: DecisionContext) -> Goal | None:
    """Return the goal that a brief has in PDDL or as facts; None when it says none, or in words only."""
    said = CALL.sub(lambda call: f"({call[1]} {call[2].replace(',', ' ')})", AFTER_GOAL.split(brief)[0])
    known = {"and", "or", "not", "forall", "exists", *context.domain.predicates}
    try:
        groups = [text_of(node) for node in parse_sexprs(said) if isinstance(node, Group) and node.head in known]
        text = groups[0] if len(groups) == 1 else f"(and {' '.join(groups)})"
        return formal_goal(text, context.domain, context.world.objects) if groups else None
    except UsageError:
        return None


def _followed(
    lines: Sequence[tuple[int, str]], context: DecisionContext, state: State
) -> tuple[list[_Part], list[Feedback]]:
    """Return what becomes of each line, and which lines cannot be read."""
    parts: list[_Part] = []
    unread: list[Feedback] = []
    for number, text in lines:
        step = read_line(text, context.plans.problem(state), Lexicon.of(context.vocabulary))
        if isinstance(step, Feedback):
            unread.append(replace(step, what=f"line {number}, {step.what}"))
        elif step is not None:
            steps = _mended(step, state, context.plans)
            state = _after(steps, state)
            parts.append(_Part(number, step, steps, state))
    return parts, unread


def _mended(step: Operator, state: State, plans: Plans) -> tuple[Operator, ...]:
    """Return the steps that do a step in a state; none when it is done already, or cannot be done."""
    if step.applicable(state):
        return (step,)
    if step.effects and state.satisfies(step.effects):
        return ()
    problem = plans.problem(state, frozenset())
    by_rules = RepairSearch(plans.domain.repairs).mend((step,), problem)
    if isinstance(by_rules, Mended):
        return tuple(problem.ground(each.action) for each in by_rules.steps)
    found = plans.found(CheckedGoal(Goal(And(())), (step.precondition,)), state)
    steps = () if isinstance(found, NoPlan) else (*found.steps, step)
    return steps if steps and step.applicable(_after(steps[:-1], state)) else ()


def _after(steps: Sequence[Operator], state: State) -> State:
    for step in steps:
        state = step.apply(state)
    return state


def _purpose(parts: Sequence[_Part], start: State, plans: Plans) -> frozenset[Literal]:
    """Return what the steps are for, see `decide_plan`; of a step that makes something true, only that."""
    domain, end, before = plans.domain, parts[-1].state, start
    needed = {literal for part in parts for step in part.steps for literal in step.precondition}
    needed |= {literal for part in parts for step in part.steps for literal in literals(step.condition or And(()))}
    meant: set[Literal] = set()
    for part in parts:
        for step in part.steps:
            after = step.apply(before)
            made = {Literal(atom) for atom in after.atoms - before.atoms}
            made = made or {Literal(atom, False) for atom in before.atoms - after.atoms}
            meant |= made if step.action == part.said.action else set()
            before = after
    names = {name for name, model in domain.predicates.items() if model.predicate.goal} - domain.derived.keys()
    return frozenset(
        literal
        for literal in meant - needed
        if literal.atom.predicate in names and end.holds(literal) and not start.holds(literal)
    )


def _reached(
    lines: Sequence[tuple[int, str]], goal: CheckedGoal, context: DecisionContext, state: State
) -> tuple[list[_Part], Plan] | NoPlan:
    """Return what becomes of each line, and the plan from there to the goal; or why it cannot be reached at all."""
    parts, _ = _followed(lines, context, state)
    ends = [state, *(part.state for part in parts)]
    for at in range(len(parts), -1, -1):
        rest = _rest(goal, ends[at], context.plans)
        if isinstance(rest, Plan):
            wrong = parts[at].number if at < len(parts) else 0
            return (
                _reached([line for line in lines if line[0] != wrong], goal, context, state) if wrong else (parts, rest)
            )
    return rest


def _rest(goal: CheckedGoal, state: State, plans: Plans) -> Plan | NoPlan:
    held = next(filter(state.satisfies, map(plans.decided, goal.conjuncts)), None)
    return plans.found(goal, state) if held is None else Plan((), held)
