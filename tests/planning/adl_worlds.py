"""Small rich worlds at random, the same for the same seed: every feature of the domain language, few things."""

import heapq
from collections.abc import Sequence
from itertools import count
from random import Random

from domains.capability import Capability, ConditionalEffect, Parameter, Template
from domains.model import DerivedPredicate, Domain, NumericFluent, PredicateModel
from planning.problem.grounding import actions
from semantics.logic.atoms import (
    And,
    Atom,
    Compare,
    Conjunct,
    Equal,
    Exists,
    ForAll,
    Formula,
    Literal,
    Not,
    Or,
    Variable,
)
from semantics.logic.state import Operator, State
from semantics.logic.vocabulary import Predicate, Thing

__all__ = ["MOST_STATES", "TooLargeError", "adl_problem", "every_operator", "least_cost"]

MOST_STATES = 4000
AFFORDANCES = ("cup", "box")
PREDICATES = {"full": ("cup",), "in": ("cup", "box"), "lit": (), "open": ("box",), "near": ("object", "object")}
DERIVED = {"ready": ("cup",), "linked": ("box",)}

Scope = list[tuple[str, str]]
"""Variables in sight, with the affordance of each."""


class TooLargeError(Exception):
    """More states than are looked at."""


class _Worlds:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.derived: dict[str, DerivedPredicate] = {}

    def problem(self) -> tuple[Domain, dict[str, Thing], State, Conjunct]:
        things = self.things()
        for name, parameters in DERIVED.items():
            if self.random.random() < 0.6:
                variables = tuple(Variable(f"d{place}", one) for place, one in enumerate(parameters))
                scope = [(f"?{one.name}", one.affordance) for one in variables]
                bodies = tuple(self.body(scope, name) for _ in range(self.random.choice([1, 1, 2])))
                self.derived[name] = DerivedPredicate(name, variables, bodies)
        verbs = {f"do-{number}": self.capability(f"do-{number}") for number in range(self.random.choice([2, 3, 4]))}
        names = {**PREDICATES, **{name: DERIVED[name] for name in self.derived}}
        models = {name: PredicateModel(Predicate(name, kinds, name)) for name, kinds in names.items()}
        domain = Domain(
            "random",
            {},
            {},
            {},
            models,
            verbs,
            {},
            derived=self.derived,
            fluents={"price": NumericFluent("price", ("cup",))},
        )
        numbers = {Atom("price", (name,)): float(self.random.randrange(4)) for name in things}
        state = State(frozenset(one for one in self.atoms(things, PREDICATES) if self.random.random() < 0.25), numbers)
        axioms = domain.axioms(things)
        state = axioms.close(state) if axioms else state
        walked = self.walked(state, every_operator(domain, things, state)) if self.random.random() < 0.8 else state
        return domain, things, state, self.goal(things, names, state, walked)

    def things(self) -> dict[str, Thing]:
        found = {}
        for number in range(self.random.choice([2, 3])):
            afforded = frozenset(one for one in AFFORDANCES if self.random.random() < 0.6)
            found[f"t{number}"] = Thing(f"t{number}", "thing", afforded)
        return found

    def atoms(self, things, predicates) -> list[Atom]:
        found = []
        for name, kinds in predicates.items():
            choices = [()]
            for kind in kinds:
                fit = [one for one, thing in things.items() if kind == "object" or kind in thing.affordances]
                choices = [(*some, one) for some in choices for one in fit]
            found += [Atom(name, args) for args in choices]
        return found

    def walked(self, state: State, operators: list[Operator]) -> State:
        for _ in range(8):
            ready = [one for one in operators if one.applicable(state)]
            state = self.random.choice(ready).apply(state) if ready else state
        return state

    def goal(self, things, names, state: State, walked: State) -> Conjunct:
        """Return literals that a walk made true, or if it made none such as may be out of reach."""
        changed = sorted(state.atoms ^ walked.atoms)
        if changed:
            some = self.random.sample(changed, min(len(changed), self.random.choice([1, 2, 3, 4])))
            return frozenset(Literal(atom, atom in walked.atoms) for atom in some)
        literals: dict[Atom, bool] = {}
        for atom in self.random.choices(self.atoms(things, names), k=self.random.choice([1, 2, 3])):
            literals.setdefault(atom, self.random.random() < 0.7)
        return frozenset(Literal(atom, positive) for atom, positive in literals.items())

    def capability(self, name: str) -> Capability:
        kinds = self.random.choices([*AFFORDANCES, "object"], k=self.random.choice([0, 1, 1, 2]))
        scope = [(f"?p{place}", kind) for place, kind in enumerate(kinds)]
        parameters = tuple(Parameter(name[1:], (kind,)) for name, kind in scope)
        cost_by = Atom("price", ("?p0",)) if scope and self.random.random() < 0.3 else None
        return Capability(
            name,
            parameters,
            tuple(self.template(scope) for _ in range(self.random.choice([0, 1, 1]))),
            tuple(self.template(scope, changed=True) for _ in range(self.random.choice([0, 1, 2]))),
            distinct=(("p0", "p1"),) if len(scope) == 2 and self.random.random() < 0.5 else (),
            cost=self.random.choice([0, 1, 1, 2, 3]),
            cost_by=cost_by,
            condition=self.formula(scope, 2) if self.random.random() < 0.4 else None,
            conditional=tuple(self.effect(scope) for _ in range(self.random.choice([0, 1, 1, 2]))),
            agentless=True,
        )

    def effect(self, scope: Scope) -> ConditionalEffect:
        variables: tuple[Variable, ...] = ()
        if self.random.random() < 0.5:
            variables = (Variable("e", self.random.choice(AFFORDANCES)),)
            scope = [*scope, ("?e", variables[0].affordance)]
        literals = tuple(self.template(scope, changed=True) for _ in range(self.random.choice([1, 1, 2])))
        condition = self.formula(scope, 1) if self.random.random() < 0.8 else None
        return ConditionalEffect(literals, (), condition, variables)

    def template(self, scope: Scope, *, changed: bool = False) -> Template:
        atom = self.atom(scope, {**PREDICATES, **({} if changed else {name: DERIVED[name] for name in self.derived})})
        return Template(atom.predicate, atom.args, self.random.random() < 0.65)

    def atom(self, scope: Scope, predicates) -> Atom:
        while True:
            name = self.random.choice(sorted(predicates))
            options = [[one for one, kind in scope if need in ("object", kind)] for need in predicates[name]]
            if all(options):
                return Atom(name, tuple(map(self.random.choice, options)))

    def formula(self, scope: Scope, depth: int, *, names=None, positive: bool = False) -> Formula:
        names = names if names is not None else {**PREDICATES, **{name: DERIVED[name] for name in self.derived}}
        shape = self.random.choice(["atom", "not", "and", "or", "forall", "exists", "equal", "compare"])
        if depth == 0 or shape == "atom":
            return self.atom(scope, names)
        if shape == "not":
            return self.atom(scope, names) if positive else Not(self.formula(scope, depth - 1, names=names))
        if shape in ("and", "or"):
            parts = tuple(self.formula(scope, depth - 1, names=names, positive=positive) for _ in range(2))
            return And(parts) if shape == "and" else Or(parts)
        if shape in ("forall", "exists"):
            variable = Variable(f"v{depth}", self.random.choice(AFFORDANCES))
            part = self.formula(
                [*scope, (f"?v{depth}", variable.affordance)], depth - 1, names=names, positive=positive
            )
            return (ForAll if shape == "forall" else Exists)((variable,), part)
        if len(scope) > 1 and shape == "equal":
            return Equal(*(name for name, _ in self.random.sample(scope, 2)))
        if scope and shape == "compare":
            return Compare(self.random.choice("<>="), Atom("price", (scope[0][0],)), float(self.random.randrange(4)))
        return self.atom(scope, names)

    def body(self, scope: Scope, name: str) -> Formula:
        """A body that may use its own predicate, or an earlier one, only undenied; others it may deny."""
        base = self.formula(scope, 1, names=PREDICATES)
        if self.random.random() < 0.5:
            return base
        other = self.random.choice([*self.derived, name])
        kind = DERIVED[other][0]
        step = Exists((Variable("w", kind),), And((Atom("near", (scope[0][0], "?w")), Atom(other, ("?w",)))))
        return Or((base, step)) if self.random.random() < 0.7 else step


def every_operator(domain: Domain, things: dict[str, Thing], state: State) -> list[Operator]:
    """Return every operator there is, enumerated."""
    axioms = domain.axioms(things)
    return [
        domain.ground(action, things, state.numbers, axioms)
        for capability in domain.capabilities.values()
        for action in actions(domain, capability, things)
    ]


def adl_problem(seed: int) -> tuple[Domain, dict[str, Thing], State, Conjunct]:
    """Return a domain, things, a state whose derived atoms are computed, and a goal that may be reachable or not."""
    return _Worlds(seed).problem()


def least_cost(operators: Sequence[Operator], state: State, goal: Conjunct) -> int | None:
    """Return the cost of a cheapest plan by uniform-cost search on `Operator.apply`; None when there is none.

    Raises:
        TooLargeError: See `MOST_STATES`.
    """
    order, done, queue = count(), set(), [(0, 0, state)]
    while queue:
        cost, _, now = heapq.heappop(queue)
        if now.atoms in done:
            continue
        done.add(now.atoms)
        if now.satisfies(goal):
            return cost
        if len(done) > MOST_STATES:
            raise TooLargeError
        for one in operators:
            if one.applicable(now):
                after = one.apply(now)
                if after.atoms not in done:
                    heapq.heappush(queue, (cost + one.cost, next(order), after))
    return None
