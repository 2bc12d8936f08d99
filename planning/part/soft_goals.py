"""The best part of a goal with weights: by trying parts, or compiled into a problem without weights.

Soft goals are compiled away as by Keyder and Geffner (JAIR 2009, "Soft goals can be compiled away"). After an action
that ends the work, each soft goal is *settled* in turn: it is collected if it holds, or forgone at a price. This needs
no axiom and no conditional effect, so A* with LM-cut still proves optimality. There are two additions. Unreachable soft
goals are removed beforehand. Soft goals that exclude each other (see `planning.reasons`) are settled together, by
collecting one of them, so that the heuristic sees at once that the others are lost.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from domains.model import AgentModel, Capability, Domain, Parameter, PredicateModel, Template
from domains.problem import Problem
from planning.reasons import LITTLE, UNPROVED, Explainer, Kind, Reason, explain, no_plan, plain_conflicts, whereabouts
from planning.reasons.reason import said
from planning.solver import solve_optimally
from semantics.body.protocols import NoPlan, Planner
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Conjunct, Literal, objects_in
from semantics.logic.feedback import Feedback
from semantics.logic.state import Plan
from semantics.logic.vocabulary import Predicate, Thing

LEAST_LONGEST, LONGEST = 60, 500
"""No soft goal is worth a plan with more of the most expensive actions than this. The first value applies where weights
are many or fine."""
SMALL = 8000
"""Up to this total cost, the search can also prefer some plans of equal cost (see `planning.cheapest.reach`)."""
MOST = 2**30  # the largest cost: costs are 32-bit integers in the planner

JUDGE = "judge-of-wishes"  # The name and class of the agent that settles. In PDDL it is an ordinary object.


@dataclass(frozen=True)
class SoftGoals:
    """A goal with weights, as a problem without soft goals.

    Attributes:
        problem: The problem; its goal consists of all literals, including the hard ones.
        worth: The integer value of each soft goal.
        hopeless: Why a soft goal is unreachable even if all other soft goals are given up.
        pairs: Pairs of literals that exclude each other.
    """

    problem: Problem
    worth: Mapping[Literal, int]
    hard: Conjunct
    hopeless: dict[Literal, Feedback] = field(init=False)
    pairs: frozenset[frozenset[Literal]] = field(init=False)

    def __post_init__(self) -> None:
        explainer = Explainer(self.problem)
        pairs = frozenset(frozenset(pair) for pair in explainer.pairs())
        hopeless = {wish: why for wish in sorted(self.worth) if (why := self._hopeless(wish, explainer, pairs))}
        object.__setattr__(self, "pairs", pairs)
        object.__setattr__(self, "hopeless", hopeless)

    def _hopeless(self, wish: Literal, explainer: Explainer, pairs: frozenset[frozenset[Literal]]) -> Feedback | None:
        lost = whereabouts(self.problem.with_goal(frozenset({wish})))
        if lost is not None:
            return lost
        reason = explainer.alone(wish)
        if reason is not None:
            return reason.feedback
        against = next((literal for literal in sorted(self.hard) if frozenset({literal, wish}) in pairs), None)
        return instead(wish, [against], self.problem.domain) if against is not None else None

    def compiled(self) -> Problem:
        """Return the problem in which the soft goals are compiled away."""
        groups = list(self._groups())
        marks = [self._fresh(f"settled-{index}") for index in range(len(groups) + 1)]
        working = self._fresh("working")
        conjunct = self.hard | {Literal(Atom(marks[-1]))}
        state = self.problem.state.with_atoms([Atom(working)])
        things = {**self.problem.objects, JUDGE: Thing(JUDGE, JUDGE, frozenset())}
        domain = self._extended(groups, marks, working)
        return Problem(domain, things, state, (conjunct,), self.problem.costs)

    def _fresh(self, name: str) -> str:
        domain = self.problem.domain
        while name in domain.predicates or name in domain.capabilities:
            name += "-"
        return name

    def _groups(self) -> Iterator[list[Literal]]:
        """Yield the soft goals worth planning for, grouped so that any two in a group exclude each other."""
        groups: list[list[Literal]] = []
        for wish in sorted(
            self.worth.keys() - self.hopeless.keys(), key=lambda literal: (-self.worth[literal], literal)
        ):
            fits = (group for group in groups if all(frozenset({wish, member}) in self.pairs for member in group))
            if (group := next(fits, None)) is None:
                groups.append(group := [])
            group.append(wish)
        yield from groups

    def _extended(self, groups: list[list[Literal]], marks: list[str], working: str) -> Domain:
        """Add the judge, who ends the work and settles; all other actions are possible only before."""
        domain, at_work = self.problem.domain, Template(working, ())
        capabilities = {
            name: replace(capability, precondition=(*capability.precondition, at_work))
            for name, capability in domain.capabilities.items()
        }
        judging = [_verb(self._fresh("finish"), [at_work], [replace(at_work, positive=False), Template(marks[0], ())])]
        unit = self._unit()
        for index, group in enumerate(groups):
            before, after = Template(marks[index], ()), Template(marks[index + 1], ())
            # At most one goal of the group can hold, so collecting it costs the value of all the others.
            total = sum(self.worth[literal] for literal in group)
            for number, (wish, price) in enumerate(
                [*((literal, total - self.worth[literal]) for literal in group), (None, total)]
            ):
                needs = [before] if wish is None else [before, Template(*wish.atom, wish.positive)]
                name = self._fresh(f"settle-{index}-{number}")
                judging.append(_verb(name, needs, [after, replace(before, positive=False)], price * unit))
        verbs = {verb.name: verb for verb in judging}
        judge = AgentModel(JUDGE, frozenset(verbs), 1)
        facts = {name: PredicateModel(Predicate(name, (), name)) for name in (*marks, working)}
        return replace(
            domain,
            capabilities={**capabilities, **verbs},
            agents={**domain.agents, JUDGE: judge},
            predicates={**domain.predicates, **facts},
        )

    def _unit(self) -> int:
        """Return the cost of a unit of value.

        Raises:
            UsageError: The weights are too different, or the actions too expensive.
        """
        agents, verbs = self.problem.domain.agents.values(), self.problem.domain.capabilities
        costs = [agent.cost * verbs[name].cost for agent in agents for name in agent.capabilities]
        costs += [capability.cost for capability in verbs.values() if capability.agentless]
        dearest, scale = max(costs, default=1), 1
        if self.problem.costs is not None:
            dearest, scale = self.problem.costs.dearest(dearest), self.problem.costs.scale
        total = scale * max(sum(self.worth.values()), 1)
        # One unit of value must cost more than any reasonable plan, but the sum must not exceed 32 bits.
        unit = max(LEAST_LONGEST * dearest, min(LONGEST * dearest, SMALL // total))
        if unit * total > MOST:
            raise UsageError("the weights are too fine, or the actions too dear, to weigh them against each other")
        return unit


def instead(wish: Literal, others: Sequence[Literal], domain: Domain) -> Feedback:
    """Return that `wish` is given up for `others`."""
    predicates = {name: model.predicate for name, model in domain.predicates.items()}
    text = " and ".join(said(literal, predicates) for literal in others)
    why = f"it cannot be had together with this: {text}" if others else "it costs more than it is worth"
    literals = (wish, *others)
    return Reason(Kind.EXCLUSION, literals, said(wish, predicates), why, "", objects_in(literals)).feedback


def _verb(name: str, needs: Sequence[Template], effect: Sequence[Template], price: int = 0) -> Capability:
    """Make an action of the judge. It costs one more than `price`, because a cost model allows no cost of zero."""
    return Capability(name, (Parameter("judge", ()),), tuple(needs), tuple(effect), cost=1 + price)


MOST_AT_ONCE = 16
"""The largest number of parts of equal value to plan for; with more, the planner weighs them in one problem."""
MOST_ROUNDS = 12  # the largest number of values that are tried
MOST_PARTS = 4000  # the largest number of parts that are generated


@dataclass
class Subsets:
    """Tries the parts of the goal of a `problem`, the most valuable first.

    `worth` contains the integer value of each soft goal. A part is skipped if it contains a *conflict*: literals that
    are known to be unreachable together. A conflict comes from a reason that shows at once (`planning.reasons.plain`),
    from a proved reason, or from a search that tried everything. All parts of equal value are planned for as one
    problem with several goals. So the first plan belongs to the best part, and it is the cheapest plan of that value.
    Usually this is the only search: a goal that is unreachable as a whole usually fails on one or two literals with a
    plain reason.

    Attributes:
        conflicts: Literals that are unreachable together, with the reason if one was reported.
    """

    problem: Problem
    worth: Mapping[Literal, int]
    hard: Conjunct
    planner: Planner
    end: float
    conflicts: dict[Conjunct, Feedback | None] = field(default_factory=dict)
    _looked: int = 0

    def best(self) -> Plan | NoPlan | None:
        """Return a plan for the most valuable part, or why even the hard literals are unreachable; fill `conflicts`.

        Return None if it remains open which part is best.
        """
        self._look_around()
        for rounds, (_, group) in enumerate(groupby(self._parts(), key=lambda pair: pair[0])):
            parts = [part for _, part in group if not self._against(part)]
            if not parts:
                continue
            left = self.end - time.monotonic()
            if rounds >= MOST_ROUNDS or len(parts) > MOST_AT_ONCE or left <= 0:
                return None
            answer = solve_optimally(self.problem.with_goal(*parts), planner=self.planner, seconds=left)
            if isinstance(answer, Plan):
                return answer
            if not answer.proven:
                return None
            self._learn(parts, answer)
        return NoPlan(no_plan(self.problem.with_goal(self.hard)), True) if self._against(self.hard) else None

    def _look_around(self) -> None:
        """Collect the soft goals about objects without a location, and the plain conflicts."""
        for wish in self.worth:
            lost = whereabouts(self.problem.with_goal(frozenset({wish})))
            if lost is not None:
                self.conflicts[frozenset({wish})] = lost
        for conflict in plain_conflicts(self.problem.with_goal(self.hard | self.worth.keys())):
            self.conflicts.setdefault(conflict, None)

    def _learn(self, parts: Sequence[Conjunct], answer: NoPlan) -> None:
        """Store the conflict in each of `parts`; the whole part if the cause is unknown."""
        for part in parts:
            if not self._against(part) and not self._blame(part, answer.feedback, LITTLE):
                self.conflicts[part] = answer.feedback

    def _blame(self, part: Conjunct, feedback: Feedback | None, effort: int) -> bool:
        reason = explain(self.problem.with_goal(part), effort=effort)
        if reason.kind in UNPROVED:
            return False
        self.conflicts[frozenset(reason.literals)] = feedback or reason.feedback
        return True

    def _parts(self) -> Iterator[tuple[int, Conjunct]]:
        """Yield the parts without a known conflict, the most valuable first, by removing soft goals one by one."""
        wishes = sorted(self.worth)
        queue: list[tuple[int, int, tuple[int, ...]]] = [(-sum(self.worth.values()), 0, ())]
        while queue and self._looked < MOST_PARTS:
            self._looked += 1
            value, first, without = heapq.heappop(queue)
            part = self.hard | {wish for number, wish in enumerate(wishes) if number not in without}
            # Only later wishes are removed next, so that each subset enters the queue once.
            for number in range(first, len(wishes)):
                heapq.heappush(queue, (value + self.worth[wishes[number]], number + 1, (*without, number)))
            if not self._against(part):
                yield -value, part

    def _against(self, part: Conjunct) -> bool:
        return any(conflict <= part for conflict in self.conflicts)
