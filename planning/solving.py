"""From a checked goal to a plan, or to the reason why there is none."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from domains.model import Domain
from planning.answers import best
from planning.cheapest.reach import Cheapest, distinct, reach
from planning.costs import CostModel, Priced
from planning.errors import UnplannableError
from planning.planners.search import Search
from planning.problem.text import problem
from planning.reasons import ENOUGH, LITTLE, impossible, no_plan, whereabouts
from planning.relevance import relevant
from planning.rich import is_rich
from planning.rich.solving import solve_rich
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import Found, NoPlan, Planner
from semantics.state import Operator, Plan, State, first_failure
from semantics.vocabulary import Thing

__all__ = ["solve"]

LEAST = 0.2
"""What a search gets even when the budget is spent, seconds."""

PATIENCE = 1.0
"""How long the search tries before the goal itself is looked at, seconds."""

WRITING = 2e-5
"""How long the modelling library takes for each fact that can be stated, seconds; nothing can call it off."""
TOO_LARGE = NoPlan(
    Feedback(
        Code.PLANNER_TIMEOUT, "planning", "there is too much to be written down in time", "Ask for less at a time."
    )
)

NOT_TRIED = NoPlan(
    Feedback(Code.PLANNER_TIMEOUT, "planning", "no time was left for some alternatives", "Give it more time.")
)


def solve(
    goal: CheckedGoal,
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    *,
    planner: Planner,
    seconds: float = 20.0,
    costs: CostModel | None = None,
) -> Plan | NoPlan:
    """Plan each disjunct of `goal` from `state`, and take the cheapest plan.

    Args:
        goal: What to reach.
        state: What is believed, bookkeeping facts included.
        things: Everything that exists, by name.
        domain: The world's model.
        planner: Who plans.
        seconds: Wall-clock budget for all disjuncts together.
        costs: What actions cost; by default what `domain` says.

    Returns:
        A plan that has been run through the model; it is empty when `goal` holds already, and `optimal` only when every
        disjunct was answered with proof. Or the reason why there is none, `proven` only when it is for every disjunct.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: `goal` or `state` names what does not exist.
    """
    started = time.monotonic()
    domain = domain if costs is None else Priced.of(domain, costs, things)
    for conjunct in goal.conjuncts:
        if state.satisfies(conjunct):
            return Plan((), conjunct, True, planner.name, time.monotonic() - started)
    answers = _answers(list(goal.conjuncts), state, things, domain, planner, seconds)
    return best(answers, time.monotonic() - started)


def _answers(
    goals: list[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Planner,
    seconds: float,
) -> list[Plan | NoPlan]:
    started = time.monotonic()
    answers: list[Plan | NoPlan] = []
    if is_rich(domain):
        return _rich(goals, state, things, domain, planner, seconds)
    if isinstance(planner, Search):
        goals, answers = _quick(goals, state, things, domain, planner, seconds)
    for waiting, conjunct in zip(range(len(goals), 0, -1), goals, strict=True):
        left = seconds - (time.monotonic() - started)
        case = _Case(conjunct, state, things, domain, planner, left / waiting)
        answers.append(case.solve() if left > 0 else NOT_TRIED)
    return answers


def _rich(
    goals: list[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Planner,
    seconds: float,
) -> list[Plan | NoPlan]:
    """Refuse at once what a short look proves impossible: a search that tries everything takes a minute and more."""
    _check(goals, things, domain)
    goals, refused = _possible(goals, state, things, domain, effort=LITTLE)
    if not goals:
        return refused
    found = solve_rich(goals, state, things, domain, planner, seconds)
    return [*refused, *(_reasoned(one, goals, state, things, domain) for one in found)]


def _reasoned(
    answer: Plan | NoPlan, goals: list[Conjunct], state: State, things: Mapping[str, Thing], domain: Domain
) -> Plan | NoPlan:
    """Say why nobody knows a plan in a rich domain, where more than that is known."""
    if isinstance(answer, Plan) or answer.feedback.code is not Code.NO_PLAN:
        return answer
    lost = [whereabouts(goal, state, things, domain) for goal in goals]
    if all(lost) and lost[0] is not None:
        return NoPlan(lost[0], False, answer.seconds)
    return replace(answer, feedback=no_plan(goals[0], state, things, domain))


def _quick(
    conjuncts: list[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Planner,
    seconds: float,
) -> tuple[list[Conjunct], list[Plan | NoPlan]]:
    """Plan for all `conjuncts` at once; return those that this way is not open to, and the answers for the others."""
    _check(conjuncts, things, domain)
    lost: list[Feedback | None] = [None] * len(conjuncts)
    if whereabouts(frozenset[Literal]().union(*conjuncts), state, things, domain) is not None:
        lost = [whereabouts(conjunct, state, things, domain) for conjunct in conjuncts]
    answers: list[Plan | NoPlan] = [NoPlan(feedback) for feedback in lost if feedback is not None]
    known = [conjunct for conjunct, feedback in zip(conjuncts, lost, strict=True) if feedback is None]
    goals = [known[number] for number in distinct(known, state, things, domain)]
    if not goals:
        return [], answers
    assert isinstance(planner, Search)
    world = state, things, domain
    first = reach(goals, *world, planner, min(seconds, PATIENCE))
    if seconds <= PATIENCE or _settled(first):
        return _told(first, goals, answers, *world, planner.name)
    possible, refused = _possible(goals, *world)  # what excludes each other shows without trying everything
    second = reach(possible, *world, planner, seconds - PATIENCE) if possible else None
    if isinstance(first, Cheapest) and not isinstance(second, Cheapest):
        return _told(first, goals, answers, *world, planner.name)
    return _told(second, possible, [*answers, *refused], *world, planner.name)


def _told(
    found: Cheapest | NoPlan | None,
    goals: list[Conjunct],
    answers: list[Plan | NoPlan],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    name: str,
) -> tuple[list[Conjunct], list[Plan | NoPlan]]:
    if found is None:
        return goals, answers
    if isinstance(found, NoPlan):
        return [], [*answers, *_explained(found, goals, state, things, domain)]
    steps, goal = found.steps, goals[found.number]
    answer = _proved(steps, goal, state, optimal=found.optimal, planner=name, seconds=0.0)
    if isinstance(answer, Plan) and not found.optimal and found.bound:
        answer = replace(answer, bound=found.bound)
    return [], [*answers, answer]


def _settled(found: Cheapest | NoPlan | None) -> bool:
    return found is None or (found.optimal if isinstance(found, Cheapest) else found.proven)


def _possible(
    goals: list[Conjunct], state: State, things: Mapping[str, Thing], domain: Domain, *, effort: int = ENOUGH
) -> tuple[list[Conjunct], list[Plan | NoPlan]]:
    """Return the goals that nothing is known against, and the proofs against the others."""
    against = [impossible(goal, state, things, domain, effort=effort) for goal in goals]
    possible = [goal for goal, feedback in zip(goals, against, strict=True) if feedback is None]
    return possible, [NoPlan(feedback, True) for feedback in against if feedback is not None]


def _check(conjuncts: list[Conjunct], things: Mapping[str, Thing], domain: Domain) -> None:
    """Raise when a goal names what does not exist."""
    for literal in sorted({literal for conjunct in conjuncts for literal in conjunct}):
        for name in literal.atom.args:
            if name not in things:
                raise UnplannableError(name, "no such thing in the problem")
        if literal.atom.predicate not in domain.predicates:
            raise UnplannableError(literal.atom.predicate, "no such predicate in the domain")


def _explained(
    found: NoPlan, goals: list[Conjunct], state: State, things: Mapping[str, Thing], domain: Domain
) -> list[NoPlan]:
    if found.feedback.code is not Code.NO_PLAN:
        return [found]
    return [replace(found, feedback=no_plan(goals[0], state, things, domain))]


def _proved(
    steps: tuple[Operator, ...], goal: Conjunct, state: State, *, optimal: bool, planner: str, seconds: float
) -> Plan | NoPlan:
    """Run what a planner found through the model."""
    failure = first_failure(steps, state, goal)
    if failure is None:
        return Plan(steps, goal, optimal, planner, seconds)
    what = str(steps[failure[0]]) if failure[0] < len(steps) else "the goal"
    why = f"the planner's plan breaks there: {' '.join(map(str, failure[1]))} does not hold"
    return NoPlan(Feedback(Code.INVALID_PLAN, what, why, recoverable=False), False, seconds)


@dataclass(frozen=True)
class _Case:
    """One disjunct to plan for, with the time it may take."""

    conjunct: Conjunct
    state: State
    things: Mapping[str, Thing]
    domain: Domain
    planner: Planner
    seconds: float
    started: float = field(default_factory=time.monotonic)

    def solve(self) -> Plan | NoPlan:
        lost = whereabouts(self.conjunct, self.state, self.things, self.domain)
        if lost is not None:
            return NoPlan(lost)
        found = self._search()
        if isinstance(found, Found):
            return self._checked(found)
        if found.feedback.code is Code.PLANNER_TIMEOUT:
            proof = impossible(self.conjunct, self.state, self.things, self.domain)
            return NoPlan(proof, True, found.seconds) if proof else found
        if found.feedback.code is not Code.NO_PLAN:
            return found
        return replace(found, feedback=no_plan(self.conjunct, self.state, self.things, self.domain))

    def _left(self) -> float:
        return max(self.seconds - (time.monotonic() - self.started), LEAST)

    def _search(self) -> Found | NoPlan:
        """Plan with the things that matter; with all that might when those are not proved to be enough."""
        reduction = relevant((self.conjunct,), self.state, self.things, self.domain)
        found = self._ask(reduction.things)
        if not reduction.groups or (isinstance(found, Found) and not found.optimal):
            return found
        useful = {member for members in reduction.groups.values() for member in members}
        wider = self._ask(
            {name: one for name, one in self.things.items() if name in useful or name in reduction.things}
        )
        if isinstance(found, Found) and (isinstance(wider, NoPlan) or not wider.optimal):
            return replace(found, optimal=False)
        return wider

    def _ask(self, things: Mapping[str, Thing]) -> Found | NoPlan:
        facts = sum(len(things) ** len(model.predicate.parameters) for model in self.domain.predicates.values())
        if facts * WRITING > self._left():
            return TOO_LARGE
        written = problem(self.domain, things, self.state, self.conjunct)
        found = self.planner.solve(written.domain, written.problem, seconds=self._left())
        if isinstance(found, NoPlan):
            return found
        return replace(found, actions=tuple(written.read(action) for action in found.actions))

    def _checked(self, found: Found) -> Plan | NoPlan:
        steps = tuple(self.domain.ground(action, self.things) for action in found.actions)
        return _proved(
            steps, self.conjunct, self.state, optimal=found.optimal, planner=self.planner.name, seconds=found.seconds
        )
