"""`Problem`: a planning problem, the value that planning, its services, cases and the command line pass around.

As in PDDL and unified-planning, a problem is a domain, the existing objects, the initial state, the goal and the costs
of actions. Here the goal is in disjunctive normal form, as in the `CheckedGoal` of `semantics.logic.goal_check`. A
problem is an immutable value; another state, goal or domain makes another problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from domains.grounding import Expansions, ground_axioms, ground_operator, needs
from domains.model import Domain
from domains.relations import for_goal, homes
from semantics.body.protocols import Costs
from semantics.errors import UsageError
from semantics.logic.atoms import Conjunct
from semantics.logic.state import Action, Axioms, Operator, State
from semantics.logic.vocabulary import Thing

ANYTHING: tuple[Conjunct, ...] = (frozenset(),)  # the goal that holds everywhere


@dataclass(frozen=True)
class Problem:
    """A planning problem.

    Attributes:
        domain: The model of the world.
        objects: Everything that exists, by name.
        state: The believed initial state, bookkeeping facts included.
        goal: Alternatives, each a conjunction of literals, of which one must hold in the end. The default is the empty
            conjunction: such a problem is a scene to act in.
        costs: Prices of actions; None for the costs of `domain`.

    Raises:
        UsageError: The goal has no alternative.
    """

    domain: Domain
    objects: Mapping[str, Thing]
    state: State
    goal: tuple[Conjunct, ...] = ANYTHING
    costs: Costs | None = None

    def __post_init__(self) -> None:
        if not self.goal:
            raise UsageError("the goal of a problem has no alternative; one that asks for nothing is an empty conjunct")

    @property
    def conjunct(self) -> Conjunct:
        """The goal, when it has one alternative.

        Raises:
            UsageError: It has several.
        """
        if len(self.goal) > 1:
            raise UsageError(f"the goal has {len(self.goal)} alternatives; one is expected here")
        return self.goal[0]

    @property
    def reached(self) -> Conjunct | None:
        """The first alternative of the goal that holds at the start; None when none does."""
        return next((conjunct for conjunct in self.goal if self.closed.satisfies(conjunct)), None)

    @cached_property
    def closed(self) -> State:
        """The state with its derived atoms recomputed."""
        return self.axioms.close(self.state) if self.axioms else self.state

    @cached_property
    def axioms(self) -> Axioms | None:
        """The derived predicates over the objects, or None when there are none.

        Raises:
            UsageError: A predicate depends on its own negation.
        """
        return ground_axioms(self.domain, self.objects) if self.domain.derived else None

    @cached_property
    def _expansions(self) -> Expansions:
        return Expansions(self.objects)

    def with_state(self, state: State) -> Problem:
        """Return the problem of reaching the same goal from `state`."""
        return self._with_axioms(replace(self, state=state))

    def with_goal(self, *alternatives: Conjunct) -> Problem:
        """Return the problem of reaching one of `alternatives`.

        Raises:
            UsageError: There is no alternative.
        """
        return self._with_axioms(replace(self, goal=alternatives), "closed")

    def within(self, domain: Domain) -> Problem:
        """Return the same problem in another model of the world."""
        return self if domain is self.domain else replace(self, domain=domain)

    def with_closed_state(self) -> Problem:
        """Return the same problem with its derived atoms recomputed."""
        return self if self.closed is self.state else self.with_state(self.closed)

    def for_goal(self) -> Problem:
        """Return the problem in the model in which its goal is planned, see `domains.relations`.

        Its actions have the names and arguments of those of this problem.
        """
        domain, objects = for_goal(self.domain, self.objects, self.goal)
        if domain is self.domain:
            return self
        state = self.state.with_atoms(homes(self.domain, self.objects, self.goal, self.state.atoms))
        return replace(self, domain=domain, objects=objects, state=state)

    def _with_axioms(self, other: Problem, *more: str) -> Problem:
        """Keep the cached values that depend only on what both problems share: `more`, domain and objects."""
        for name in ("axioms", "_expansions", *more):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    def ground(self, action: Action) -> Operator:
        """Ground an action, at the costs of this problem.

        Raises:
            UnknownNameError: The capability or an argument is unknown.
            UsageError: See `Domain.ground`.
        """
        operator = ground_operator(self.domain, action, self.objects, self.state.numbers, self.axioms, self._expansions)
        if self.costs is None:
            return operator
        return replace(operator, cost=self.costs.price(operator, needs(self.domain, action)))
