"""The quick way to a cheapest plan: ground what matters here, search elsewhere, and know when the answer is proved.

The search works on the kept things and on groups (see `planning.relevance`), so that what it finds costs no more than
any plan of the whole problem. When a group takes part, its role is cast with things that can play it; if none can, the
group is taken apart and the search repeated. When that leads nowhere in time, a plan with kept things alone is given,
and what was learned about the least cost stays as its bound.

Several conjuncts are planned at once, as one problem with several goals. Of those that differ only in interchangeable
things (ten apples on one table) one is enough.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from domains.problem import Problem
from planning.cheapest.apart import Fine, apart
from planning.cheapest.concretisation import cast
from planning.planners.search import Search
from planning.problem.agents import pricing
from planning.relevance import Reduction, relevant
from planning.relevance.needed import needed
from planning.task import SearchTask, TooManyError, ground_task, write_sas
from planning.task.grounding import GroundAction
from planning.task.sas import DONE
from planning.task.schemas import schemas
from semantics.atoms import Atom, Conjunct, Literal
from semantics.protocols import FoundPlan, NoPlan
from semantics.state import Action, Operator

__all__ = ["Cheapest", "Search", "Splits", "distinct", "reach"]

SHARE = 0.6
"""Part of the time that is left for one proof; the rest is for another, or for any plan."""
ROUNDS = 6
"""How often groups are taken apart at most."""
MANY = 3
"""How many conjuncts are looked at one by one; of more, the things in which they differ are grouped at first."""
PENALTY = 256
"""Units of search cost in one of ours, at most. Each group that an action names costs one unit more: between plans of
equal cost the one that can be carried out as it stands is found first."""
MOST = (1 << 30) // 200
"""What one action may cost: search costs add up in 32 bits."""


@dataclass(frozen=True, slots=True)
class Cheapest:
    """A plan for the conjunct at index `number`, and what any plan for any of them costs at least."""

    number: int
    steps: tuple[Operator, ...]
    bound: int

    @property
    def cost(self) -> int:
        """Sum of the costs of the steps."""
        return sum(step.cost for step in self.steps)

    @property
    def optimal(self) -> bool:
        """Whether no plan is cheaper."""
        return self.cost <= self.bound


def reach(problem: Problem, planner: Search, seconds: float, splits: Splits | None = None) -> Cheapest | NoPlan | None:
    """Find a cheapest plan; None when this way is not open to the problem.

    How groups were taken apart is left in `splits`, for another try to begin with.
    """
    end, splits = time.monotonic() + seconds, splits or Splits()
    problem = problem.within(needed(problem.domain, problem.goal, problem.objects))
    attempt = _Attempt(problem, planner, end, splits)
    try:
        return attempt.run()
    except TooManyError:
        return None


def distinct(problem: Problem) -> list[int]:
    """Return the indices of the alternatives without those that equal an earlier one but for interchangeable things.

    Two things are interchangeable when they afford the same, cost the same, and the same is told of them, nothing of
    which is about another thing that can be carried: then swapping them changes nothing but their names.
    """
    goals = problem.goal
    if len(goals) < 2:
        return list(range(len(goals)))
    kinds = _kinds({arg for goal in goals for literal in goal for arg in literal.atom.args}, problem)
    forms: dict[object, int] = {}
    for number, goal in enumerate(goals):
        forms.setdefault(_form(goal, kinds), number)
    return list(forms.values())


def _kinds(names: set[str], problem: Problem) -> dict[str, object]:
    domain, things, costs = problem.domain, problem.objects, problem.costs
    constants = {
        arg
        for capability in domain.capabilities.values()
        for part in (*capability.precondition, *capability.effect)
        for arg in part.args
    }
    facts: dict[str, set[object]] = defaultdict(set)
    carry = domain.conventions.carry
    tied: set[str] = set(constants)
    for atom in problem.state.atoms:
        light = [arg for arg in atom.args if arg in things and carry in things[arg].affordances]
        if len(light) > 1:
            tied.update(light)
        for arg in light:
            facts[arg].add((atom.predicate, tuple([None if name == arg else name for name in atom.args])))
    return {
        name: (
            thing.affordances,
            thing.class_name,
            frozenset(facts[name]),
            costs.signature(name) if costs is not None else None,
        )
        for name, thing in things.items()
        if name in names and carry in thing.affordances and name not in tied and thing.class_name not in domain.agents
    }


def _form(goal: Conjunct, kinds: Mapping[str, object]) -> object:
    """Return `goal` with each thing that has a kind replaced by that, and a number that tells such things apart."""
    seen: dict[str, int] = {}
    form = []
    for (predicate, args), positive in sorted(goal):
        images = [(kinds[arg], seen.setdefault(arg, len(seen))) if arg in kinds else arg for arg in args]
        form.append((predicate, tuple(images), positive))
    return frozenset(form)


@dataclass
class Splits:
    """What is kept, and what is not merged with things elsewhere: a matter of time only, whatever is in it."""

    also: frozenset[str] = frozenset()
    fine: Fine = field(default_factory=dict)


@dataclass
class _Attempt:
    problem: Problem
    planner: Search
    deadline: float
    splits: Splits
    bound: int = 0
    prices: dict[Action, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        asked = {
            part.predicate
            for capability in self.problem.domain.capabilities.values()
            for part in capability.precondition
        }
        asked |= {literal.atom.predicate for goal in self.problem.goal for literal in goal}
        self.schemas = schemas(self.problem.domain, frozenset(asked))

    def run(self) -> Cheapest | NoPlan:
        also, fine = self.splits.also, self.splits.fine
        last: NoPlan | None = None
        varying = self._varying()
        for _ in range(ROUNDS):
            reduction = relevant(self.problem, also, fine=fine, varying=varying)
            result = self._prove(reduction)
            if isinstance(result, Cheapest) or (isinstance(result, NoPlan) and result.proven):
                return result
            if isinstance(result, NoPlan):
                last = result
                break
            also, fine = apart(result, reduction, self.problem, also, fine)
            self.splits.also, self.splits.fine = also, fine
        return self._any(relevant(self.problem, also), last)

    def _varying(self) -> frozenset[str]:
        """Return the light things that some goals name and others do not."""
        if len(self.problem.goal) <= MANY:
            return frozenset()
        things = self.problem.objects
        named = [{arg for literal in goal for arg in literal.atom.args} for goal in self.problem.goal]
        varying = frozenset[str]().union(*named) - frozenset.intersection(*map(frozenset, named))
        carry = self.problem.domain.conventions.carry
        return frozenset(name for name in varying if name in things and carry in things[name].affordances)

    def _left(self) -> float:
        return self.deadline - time.monotonic()

    def _prove(self, reduction: Reduction) -> Cheapest | NoPlan | list[Action]:
        """Search with groups; return the steps when one takes part and no thing can play its role."""
        task = self._task(reduction, groups=True)
        weight = self._weight(task)
        costs = [step.cost * weight + (step.grouped if weight > 1 else 0) for step in task.steps]
        answer = self.planner.search(
            write_sas(task, costs), seconds=self._left() * (SHARE if reduction.groups else 0.8)
        )
        if isinstance(answer, NoPlan):
            self.bound = max(self.bound, self._least(task, answer.bound, weight))
            return answer
        number, steps = _read(answer, task)
        cost = sum(step.cost for step in steps)
        if answer.optimal and self._trusted(task, cost, weight):
            self.bound = max(self.bound, cost)
        actions = [step.action for step in steps]
        same = _images(self.problem.goal, reduction) is self.problem.goal
        if same and not any(step.grouped for step in steps):
            return Cheapest(number, self._operators(actions), self.bound)
        played = cast(actions, reduction.groups, self.problem)
        if played is not None and sum(step.cost for step in played[1]) <= self.bound:
            return Cheapest(*played, self.bound)
        return actions

    def _task(self, reduction: Reduction, *, groups: bool) -> SearchTask:
        things = self.problem.objects
        individuals = reduction.individuals(things, groups=groups)
        price = pricing(self.problem, {name: things[members[0]] for name, members in reduction.groups.items()})
        return ground_task(self.schemas, individuals, _images(self.problem.goal, reduction), price, reduction.single)

    @staticmethod
    def _weight(task: SearchTask) -> int:
        dearest = max((step.cost for step in task.steps), default=1)
        free = any(step.cost == 0 for step in task.steps if step.grouped)
        return 1 if free else max(1, min(PENALTY, MOST // max(dearest, 1)))

    @staticmethod
    def _least(task: SearchTask, reached: int, weight: int) -> int:
        """Return what any plan costs at least when its search cost, penalties included, is at least `reached`."""
        cheapest, most = _penalised(task)
        if weight == 1 or not cheapest:
            return reached // weight
        return -(-reached * cheapest // (weight * cheapest + most))  # each penalised step costs at least the cheapest

    @staticmethod
    def _trusted(task: SearchTask, cost: int, weight: int) -> bool:
        """Return whether the penalties cannot have outweighed one unit of cost in any cheaper plan."""
        cheapest, most = _penalised(task)
        return weight == 1 or not cheapest or most * cost / cheapest < weight

    def _operators(self, actions: Sequence[Action]) -> tuple[Operator, ...]:
        return tuple(self.problem.ground(action) for action in actions)

    def _any(self, reduction: Reduction, last: NoPlan | None) -> Cheapest | NoPlan:
        """Plan with kept things alone, with proof if that is quick."""
        task = self._task(reduction, groups=False)
        answer = self.planner.search(
            write_sas(task, [step.cost for step in task.steps]), seconds=max(self._left(), 0.2), prove=last is None
        )
        if isinstance(answer, NoPlan):
            return last or NoPlan(answer.feedback, False, answer.seconds, self.bound)
        number, steps = _read(answer, task)
        return Cheapest(number, self._operators([step.action for step in steps]), self.bound)


def _penalised(task: SearchTask) -> tuple[int, int]:
    """Return the least cost of a step that names a group, and how many groups a step names at most."""
    cheapest = min((step.cost for step in task.steps if step.grouped), default=0)
    return cheapest, max((step.grouped for step in task.steps), default=0)


def _images(goals: Sequence[Conjunct], reduction: Reduction) -> Sequence[Conjunct]:
    """Tell `goals` of groups instead of the things in them."""
    names = {member: group for group, members in reduction.groups.items() for member in members}
    if names.keys().isdisjoint(arg for goal in goals for literal in goal for arg in literal.atom.args):
        return goals
    images = (
        frozenset(
            Literal(Atom(predicate, tuple(names.get(arg, arg) for arg in args)), positive)
            for (predicate, args), positive in goal
            if positive or names.keys().isdisjoint(args)
        )
        for goal in goals
    )
    return tuple(dict.fromkeys(images))


def _read(plan: FoundPlan, task: SearchTask) -> tuple[int, list[GroundAction]]:
    """Return which conjunct was reached, and the steps."""
    steps = [task.steps[int(action.name[1:])] for action in plan.actions if not action.name.startswith(DONE)]
    ends = [int(action.name.removeprefix(DONE)) for action in plan.actions if action.name.startswith(DONE)]
    return task.numbers[ends[0] if ends else 0], steps
