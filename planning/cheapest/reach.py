"""The quick way to a cheapest plan: ground the relevant part here, search in the planner, and know when it is proved.

The search works on kept objects and on groups (see `planning.relevance`), so its plan costs no more than any plan of
the whole problem. If the plan contains a group, the group is replaced by members that can do the same. If no member
can, the group is split and the search is repeated. If this does not succeed in time, a plan with kept objects only is
returned, with the best known lower bound of the cost.

Several conjuncts are planned at once, as one problem with several goals. Of conjuncts that differ only in
interchangeable objects (ten apples on one table), one is sufficient.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from domains.problem import Problem
from planning.casting import cast
from planning.costs import CostModel
from planning.planners import Search
from planning.problem.grounding import pricing
from planning.relevance import Reduction, relevant
from planning.relevance.needed import needed
from planning.task import SearchTask, TooManyError, ground_task, write_sas
from planning.task.sas import read_plan
from planning.task.schemas import schemas
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import Conjunct
from semantics.logic.state import Action, Operator, State

SHARE = 0.6  # the share of the remaining time for one proof; the rest is for another proof, or for any plan
ROUNDS = 6  # how often groups are split at most
TRIES = 300  # the largest number of steps that are tried to replace the groups of a plan
MANY = 3
"""The largest number of conjuncts without grouping; with more, objects in which they differ are grouped at first."""
PENALTY = 256
"""The largest number of search cost units in one of our units. Each group that an action names costs one unit more: of
plans with equal cost, the search first finds one that can be executed without replacing groups."""
MOST = (1 << 30) // 200  # the largest cost of one action: search costs add up in 32 bits


@dataclass(frozen=True, slots=True)
class Cheapest:
    """A plan for the conjunct at index `number`, and a lower bound of the cost of a plan for any of the conjuncts."""

    number: int
    steps: tuple[Operator, ...]
    bound: int

    @property
    def cost(self) -> int:
        """The sum of the costs of the steps."""
        return sum(step.cost for step in self.steps)

    @property
    def optimal(self) -> bool:
        """Whether no plan is cheaper."""
        return self.cost <= self.bound


def reach(problem: Problem, planner: Search, seconds: float, splits: Splits | None = None) -> Cheapest | NoPlan | None:
    """Find a cheapest plan; return None if the problem is too large for this way.

    How groups were split is stored in `splits`, so that another attempt can start with it.
    """
    end, splits = time.monotonic() + seconds, splits or Splits()
    alike = problem.costs is None or (isinstance(problem.costs, CostModel) and problem.costs.alike)
    problem = problem.within(needed(problem.domain, problem.goal, problem.objects, alike=alike))
    attempt = _Attempt(problem, planner, end, splits)
    try:
        return attempt.run()
    except TooManyError:
        return None


def grounded(problem: Problem, reduction: Reduction, *, groups: bool = True) -> SearchTask:
    """Return the task over what a reduction keeps, and over its groups if `groups`.

    Raises:
        TooManyError: As `planning.task.ground_task` does.
    """
    things, goals = problem.objects, _images(problem.goal, reduction)
    asked = {part.predicate for capability in problem.domain.capabilities.values() for part in capability.precondition}
    asked |= {literal.atom.predicate for goal in problem.goal for literal in goal}
    price = pricing(problem, {name: things[members[0]] for name, members in reduction.groups.items()})
    read = schemas(problem.domain, frozenset(asked))
    return ground_task(read, reduction.individuals(things, groups=groups), goals, price, reduction.single)


def distinct(problem: Problem) -> list[int]:
    """Return the indices of the alternatives, without those that equal an earlier one up to interchangeable objects.

    Two objects are interchangeable if they have the same affordances, the same costs and the same facts, and no such
    fact relates them to another object that can be carried. Swapping them then changes only names.
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
    """Return `goal` with each interchangeable object replaced by its kind and a number that distinguishes it."""
    seen: dict[str, int] = {}
    form = []
    for (predicate, args), positive in sorted(goal):
        images = [(kinds[arg], seen.setdefault(arg, len(seen))) if arg in kinds else arg for arg in args]
        form.append((predicate, tuple(images), positive))
    return frozenset(form)


@dataclass
class Splits:
    """The objects that are kept, and those that are not merged with objects elsewhere. Any value is correct."""

    also: frozenset[str] = frozenset()
    fine: Fine = field(default_factory=dict)


@dataclass
class _Attempt:
    problem: Problem
    planner: Search
    deadline: float
    splits: Splits
    bound: int = 0

    def run(self) -> Cheapest | NoPlan:
        also, fine = self.splits.also, self.splits.fine
        last: NoPlan | None = None
        varying = self._varying()
        for _ in range(ROUNDS):
            reduction = relevant(self.problem, also, fine=fine, varying=varying)
            result = self._prove(reduction)
            if isinstance(result, Cheapest) or (isinstance(result, NoPlan) and result.proven):
                return result
            if isinstance(result, NoPlan):  # out of time: the proof is lost, but any plan may still be found
                last = result
                break
            also, fine = apart(result, reduction, self.problem, also, fine)
            self.splits.also, self.splits.fine = also, fine
        return self._any(relevant(self.problem, also), last)

    def _varying(self) -> frozenset[str]:
        """Return the objects that can be carried and that some goals name and others do not."""
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
        """Search with groups. Return the steps if the plan contains a group that no member can replace."""
        task = grounded(self.problem, reduction)
        weight = self._weight(task)
        costs = [step.cost * weight + (step.grouped if weight > 1 else 0) for step in task.steps]
        answer = self.planner.search(
            write_sas(task, costs), seconds=self._left() * (SHARE if reduction.groups else 0.8)
        )
        if isinstance(answer, NoPlan):
            self.bound = max(self.bound, self._least(task, answer.bound, weight))
            return answer
        number, steps = read_plan(answer, task.steps, task.numbers)
        cost = sum(step.cost for step in steps)
        if answer.optimal and self._trusted(task, cost, weight):
            self.bound = max(self.bound, cost)
        actions = [step.action for step in steps]
        same = _images(self.problem.goal, reduction) is self.problem.goal
        if same and not any(step.grouped for step in steps):
            return Cheapest(number, self._operators(actions), self.bound)
        # The bound is valid for the whole problem, so a concrete plan at that cost is optimal whatever the groups did.
        played = cast(actions, reduction.groups, self.problem, self._grounded, TRIES)
        if played is not None and sum(step.cost for step in played[1]) <= self.bound:
            return Cheapest(*played, self.bound)
        return actions

    @staticmethod
    def _weight(task: SearchTask) -> int:
        dearest = max((step.cost for step in task.steps), default=1)
        free = any(step.cost == 0 for step in task.steps if step.grouped)
        return 1 if free else max(1, min(PENALTY, MOST // max(dearest, 1)))

    @staticmethod
    def _least(task: SearchTask, reached: int, weight: int) -> int:
        """Return a lower bound of the cost of any plan whose search cost, with penalties, is at least `reached`."""
        cheapest, most = _penalised(task)
        if weight == 1 or not cheapest:
            return reached // weight
        # A plan of cost c has at most c / cheapest penalised steps, each with a penalty of at most `most`.
        return -(-reached * cheapest // (weight * cheapest + most))

    @staticmethod
    def _trusted(task: SearchTask, cost: int, weight: int) -> bool:
        """Return whether the penalties cannot outweigh one unit of cost in any cheaper plan."""
        cheapest, most = _penalised(task)
        return weight == 1 or not cheapest or most * cost / cheapest < weight

    def _grounded(self, action: Action) -> Operator | None:
        try:
            return self.problem.ground(action)
        except UsageError:
            return None

    def _operators(self, actions: Sequence[Action]) -> tuple[Operator, ...]:
        return tuple(self.problem.ground(action) for action in actions)

    def _any(self, reduction: Reduction, last: NoPlan | None) -> Cheapest | NoPlan:
        """Plan with kept objects only, and with a proof if that is quick."""
        task = grounded(self.problem, reduction, groups=False)
        answer = self.planner.search(
            write_sas(task, [step.cost for step in task.steps]), seconds=max(self._left(), 0.2), prove=last is None
        )
        if isinstance(answer, NoPlan):
            return last or NoPlan(answer.feedback, False, answer.seconds, self.bound)
        number, steps = read_plan(answer, task.steps, task.numbers)
        return Cheapest(number, self._operators([step.action for step in steps]), self.bound)


def _penalised(task: SearchTask) -> tuple[int, int]:
    """Return the least cost of a step that names a group, and the largest number of groups that a step names."""
    cheapest = min((step.cost for step in task.steps if step.grouped), default=0)
    return cheapest, max((step.grouped for step in task.steps), default=0)


def _images(goals: Sequence[Conjunct], reduction: Reduction) -> Sequence[Conjunct]:
    """Return `goals` with groups in place of their members."""
    names = {member: group for group, members in reduction.groups.items() for member in members}
    if names.keys().isdisjoint(arg for goal in goals for literal in goal for arg in literal.atom.args):
        return goals
    images = (
        frozenset(
            literal.replaced(names)
            for literal in goal
            if literal.positive or names.keys().isdisjoint(literal.atom.args)
        )
        for goal in goals
    )
    return tuple(dict.fromkeys(images))


Fine = Mapping[str, frozenset[str]]
"""For each object that is not merged with objects elsewhere, the places that matter."""

FEW = 3  # all objects of a group of at most this size are kept at once


def apart(
    actions: Sequence[Action], reduction: Reduction, problem: Problem, also: frozenset[str], fine: Fine
) -> tuple[frozenset[str], Fine]:
    """Return the objects to keep and how to split groups, from the steps of a plan and the previous values of both.

    The plan is one that only a group can execute. Objects that could do what the group did are kept beside it: all of a
    small group, and of a large group those that are ready at the places where it was used. The rest is split by whether
    the objects are at those places. If that is not sufficient, one object of each part is kept. This choice affects
    only the time: the next plan is proved again.
    """
    groups, state = reduction.groups, problem.state
    used = dict.fromkeys(arg for action in actions for arg in action.args if arg in groups)
    ready = frozenset(name for group in used for name in _stand_ins(group, actions, groups[group], state, also))
    parts: dict[str, frozenset[str]] = {}
    for group in used:
        places = {arg for action in actions if group in action.args for arg in action.args if arg in reduction.things}
        for rival in _rivals(group, actions, reduction, problem):
            for name, part in _parts(groups[rival], places, reduction, state):
                parts[name] = parts.get(name, frozenset()) | part
    if ready <= also and all(fine.get(name, frozenset()) >= part for name, part in parts.items()):
        return also | {groups[group][0] for group in used}, fine
    return also | ready, {**fine, **{name: part | fine.get(name, frozenset()) for name, part in parts.items()}}


def _rivals(group: str, actions: Sequence[Action], reduction: Reduction, problem: Problem) -> list[str]:
    """Return the groups that might replace `group` in the next plan: they have an affordance that only it had to have.

    Otherwise, each of them would need its own search to be excluded.
    """
    affords = {name: problem.objects[members[0]].affordances for name, members in reduction.groups.items()}
    asked = {
        affordance
        for action in actions
        for part, arg in zip(problem.domain.capabilities[action.name].parameters, action.args, strict=True)
        if arg == group
        for affordance in part.affordances
    }
    special = asked - frozenset.intersection(*affords.values())
    return [name for name, affordances in affords.items() if name == group or special & affordances]


def _parts(
    members: Sequence[str], places: Collection[str], reduction: Reduction, state: State
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield, for each member of a group, at which of the `places` where the group is used it is."""
    if len(members) > FEW:
        light = {name for several in reduction.groups.values() for name in several}
        for name, where in _roots(members, state, light).items():
            yield name, where & frozenset(places)


def _stand_ins(
    group: str, actions: Sequence[Action], members: Sequence[str], state: State, also: Collection[str]
) -> Iterator[str]:
    """Yield the objects that could replace a group: at each place where it is used, the first one at hand."""
    if len(members) <= FEW:
        yield from members
        return
    about = _about(members, state)
    about_kept = _about(also, state)
    for place in dict.fromkeys(arg for action in actions if group in action.args for arg in action.args):
        present = [name for name in members if place in about[name]]
        if present and not any(place in facts for facts in about_kept.values()):
            yield min(present, key=lambda name: (len(about[name]), name))


def _about(names: Collection[str], state: State) -> Mapping[str, set[str]]:
    """Return the other objects that facts about each of `names` mention; there are few if it stands alone."""
    neighbours: dict[str, set[str]] = {name: set() for name in names}
    for atom in state.atoms:
        if len(atom.args) > 1:
            for arg in atom.args:
                if arg in neighbours:
                    neighbours[arg].update(atom.args)
    return neighbours


def _roots(names: Iterable[str], state: State, light: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the objects that are not `light` and that facts about each of `names` lead to.

    An object that shares facts only with light objects, such as a spoon in a bowl, is where those are.
    """
    neighbours: dict[str, set[str]] = {}
    for atom in state.atoms:
        if len(atom.args) > 1 and atom.args[0] in light:
            neighbours.setdefault(atom.args[0], set()).update(atom.args[1:])
    return {name: _root(name, neighbours) for name in names}


def _root(name: str, neighbours: dict[str, set[str]]) -> frozenset[str]:
    seen, frontier = {name}, {name}
    while frontier:
        about = set[str]().union(*(neighbours.get(thing, ()) for thing in frontier)) - seen
        heavy = frozenset(thing for thing in about if thing not in neighbours)
        if heavy:
            return heavy
        seen |= about
        frontier = about
    return frozenset()
