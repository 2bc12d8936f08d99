"""Small random PDDL problems as text, and an exhaustive search that reads them in its own way.

The generator builds s-expressions as nested tuples and writes them as PDDL. The oracle interprets the same tuples
naively: it evaluates quantifiers in each state, derives predicates layer by layer, and applies effects as PDDL 2.1
defines them (all conditions are tested before, deletions come first). It shares no code with the project.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from random import Random
from typing import NamedTuple

__all__ = ["Oracle", "RandomAdl", "TooLargeError", "random_adl"]

Tree = tuple  # an s-expression: a tuple of words and trees
Fact = tuple[str, ...]
Facts = frozenset[Fact]
Kind = tuple[str, ...]
"""Types, one of which an object must have."""
ANY: Kind = ("object",)
MOST_FACTS = 11
"""The largest number of facts that actions may change, with three objects."""
MOST_STATES = 3000
HIERARCHIES: tuple[dict[str, str], ...] = (
    {},
    {"ta": "object", "tb": "object"},
    {"ta": "object", "tb": "ta", "tc": "object"},
    {"ta": "object", "tb": "ta", "tc": "tb"},
    {"carry": "object", "location": "object"},
    {"carry": "object", "robot": "object", "location": "object"},
)
"""Types and those above them; some have the names of conventions of our own worlds."""
ARITIES = {"p": (0, 1), "q": (1,), "r": (1, 2), "on": (2,), "at": (2,), "free": (1,), "s1": (1,), "s2": (2,)}


class TooLargeError(Exception):
    """More states than are looked at."""


class Typed(NamedTuple):
    """A name with its kind."""

    name: str
    kind: Kind


class Verb(NamedTuple):
    """An action; the cost is a number, a fluent, or None for no effect on the cost."""

    name: str
    parameters: tuple[Typed, ...]
    condition: Tree | None
    effect: Tree
    cost: int | Tree | None


class Rule(NamedTuple):
    """A definition of a derived predicate."""

    head: str
    variables: tuple[Typed, ...]
    body: Tree


@dataclass
class RandomAdl:
    """A random problem.

    Attributes:
        supertypes: The type above each type.
        objects: The type of each object and constant.
        constants: The names of the objects that the domain declares.
        predicates: The kinds of the arguments of each predicate, derived ones included.
        layers: The derived predicates in layers; each layer negates only earlier ones.
        prices: The values of the function ``price``.
        costs: Whether actions have costs.
    """

    seed: int
    supertypes: dict[str, str] = field(default_factory=dict)
    objects: dict[str, str] = field(default_factory=dict)
    constants: list[str] = field(default_factory=list)
    predicates: dict[str, tuple[Kind, ...]] = field(default_factory=dict)
    verbs: list[Verb] = field(default_factory=list)
    layers: list[list[Rule]] = field(default_factory=list)
    start: Facts = frozenset()
    prices: dict[str, int] = field(default_factory=dict)
    costs: bool = False
    goal: Tree = ("and",)

    def of_kind(self, kind: Kind) -> list[str]:
        """Return the objects that have one of the types."""
        return [name for name in self.objects if self.fits((self.objects[name],), kind)]

    def fits(self, given: Kind, asked: Kind) -> bool:
        """Return whether each of the types is, or is below, one of those asked for."""
        return "object" in asked or all(not set(asked).isdisjoint(self._above(kind)) for kind in given)

    def _above(self, kind: str) -> Iterator[str]:
        while kind != "object":
            yield kind
            kind = self.supertypes[kind]

    def texts(self) -> tuple[str, str]:
        """Return the problem as PDDL: the domain, and the problem."""
        return _domain(self), _problem(self)


def random_adl(seed: int, *, rich: bool | None = None, most: int = 3) -> RandomAdl:
    """Return a random problem.

    Args:
        seed: The seed.
        rich: Whether conditions and effects are more than literals, so that they need ADL; None to draw it.
        most: The largest number of objects.
    """
    return _Drawing(seed, rich, most).problem()


class _Drawing:
    def __init__(self, seed: int, rich: bool | None, most: int) -> None:
        self.random = Random(f"adl {seed}")
        self.rich = self.random.random() < 0.65 if rich is None else rich
        self.most = most
        self.made = RandomAdl(seed)
        self.static: set[str] = set()
        self.number = count()

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, options):
        return self.random.choice(list(options))

    def problem(self) -> RandomAdl:
        made = self.made
        while True:
            self.things()
            self.signatures()
            if sum(1 for fact in self.facts() if fact[0] not in self.static) <= MOST_FACTS * self.most // 3:
                break
        made.costs = self.chance(0.5)
        made.prices = {name: self.pick((0, 1, 2, 5)) for name in made.objects}
        if self.rich and self.chance(0.5):
            self.derive()
        made.verbs = [self.verb(f"do-{number}") for number in range(self.pick((1, 2, 3, 4)))]
        made.start = frozenset(fact for fact in self.facts() if self.chance(0.3))
        oracle = Oracle(made)
        for _ in range(4):  # a goal that holds at the start says little
            made.goal = self.wish(oracle)
            if not oracle.holds(made.goal, {}, oracle.start):
                break
        return made

    def things(self) -> None:
        made = self.made
        made.supertypes = dict(self.pick(HIERARCHIES))
        made.objects, made.constants = {}, []
        for number in range(self.pick((1, 2, 2, *(3 * [self.most])))):
            name = f"o{number}"
            made.objects[name] = self.pick((*made.supertypes, "object"))
            if self.chance(0.25):
                made.constants.append(name)

    def kind(self) -> Kind:
        """Draw a kind, mostly one that some object has."""
        types = [*self.made.supertypes]
        if len(types) > 1 and self.chance(0.15):
            return tuple(self.random.sample(types, 2))
        common = [kind for kind in (*types, "object") if self.made.of_kind((kind,))]
        return (self.pick(common if self.chance(0.93) else (*types, "object")),)

    def signatures(self) -> None:
        made, self.static = self.made, {"s1", "s2", "unused"}
        made.predicates = {"unused": (self.kind(),)}
        for name, arities in ARITIES.items():
            if self.chance(0.6):
                made.predicates[name] = tuple(self.kind() for _ in range(self.pick(arities)))
        if made.predicates.keys() <= self.static:
            made.predicates["q"] = (self.kind(),)

    def facts(self) -> list[Fact]:
        return [
            (name, *args)
            for name, kinds in self.made.predicates.items()
            if not name.startswith("d")
            for args in product(*map(self.made.of_kind, kinds))
        ]

    def derive(self) -> None:
        known = [name for name in self.made.predicates if name != "unused"]
        negated = list(known)
        for layer in range(self.pick((1, 1, 2, 2, 3))):
            heads = [f"d{layer}{letter}" for letter in "xy"[: self.pick((1, 1, 2))]]
            for head in heads:
                self.made.predicates[head] = tuple(self.kind() for _ in range(self.pick((0, 1, 1, 2))))
            rules = [self.rule(head, [*known, *heads], negated) for head in heads for _ in range(self.pick((1, 1, 2)))]
            self.made.layers.append(rules)
            known += heads
            negated += heads

    def rule(self, head: str, names: list[str], negated: list[str]) -> Rule:
        variables = tuple(Typed(f"?h{number}", kind) for number, kind in enumerate(self.made.predicates[head]))
        if self.chance(0.25):  # an argument of a narrower type than declared
            variables = tuple(Typed(name, self.narrow(kind)) for name, kind in variables)
        return Rule(head, variables, self.formula(variables, 2, names, negated))

    def narrow(self, kind: Kind) -> Kind:
        below = [(name,) for name in self.made.supertypes if self.made.fits((name,), kind)]
        return self.pick([kind, *below])

    def scope(self) -> tuple[Typed, ...]:
        return tuple(Typed(f"?v{next(self.number)}", self.kind()) for _ in range(self.pick((1, 1, 1, 2))))

    def atom(self, scope, names) -> Tree | None:
        """Return a well-typed atom over the variables in scope and the constants."""
        terms = [*scope, *(Typed(name, (self.made.objects[name],)) for name in self.made.constants)]
        for _ in range(6):
            name = self.pick(names)
            options = [
                [term.name for term in terms if self.made.fits(term.kind, asked)]
                for asked in self.made.predicates[name]
            ]
            if all(options):
                return (name, *map(self.pick, options))
        return None

    def literal(self, scope, names, negated) -> Tree:
        atom = self.atom(scope, names)
        if atom is None or (len(scope) > 1 and self.chance(0.12)):
            return self.equation(scope)
        if atom[0] in negated and self.chance(0.4):
            return ("not", atom)
        return atom

    def equation(self, scope) -> Tree:
        terms = [*(term.name for term in scope), *self.made.constants]
        if not self.rich and len(scope) > 1:
            return ("not", ("=", *self.random.sample([term.name for term in scope], 2)))
        if not terms or not self.rich:
            return ("and",)
        same = ("=", self.pick(terms), self.pick(terms))
        return same if self.chance(0.3) else ("not", same)

    def formula(self, scope, depth: int, names=None, negated=None) -> Tree:
        """Return a condition; those of `names` that are not in `negated` occur only positively."""
        names = names or [name for name in self.made.predicates if name != "unused"]
        negated = names if negated is None else negated
        if depth == 0 or self.chance(0.2):
            return self.literal(scope, names, negated)
        shape = self.pick(("and", "and", "or", "or", "not", "imply", "forall", "exists", "and"))
        if shape in ("and", "or"):
            parts = [self.formula(scope, depth - 1, names, negated) for _ in range(self.pick((1, 2, 2, 3)))]
            return (shape, *parts) if shape == "or" or self.chance(0.97) else (shape,)
        if shape == "not":
            return ("not", self.formula(scope, depth - 1, negated, negated))
        if shape == "imply":
            left = self.formula(scope, depth - 1, negated, negated)
            return ("imply", left, self.formula(scope, depth - 1, names, negated))
        new = self.scope()
        return (shape, new, self.formula((*scope, *new), depth - 1, names, negated))

    def verb(self, name: str) -> Verb:
        if self.chance(0.35) and (moved := self.moving(name)):
            return moved
        count_ = self.pick((0, 1, 1, 2, 2, 3))
        parameters = tuple(Typed(f"?a{number}", self.kind()) for number in range(count_))
        condition: Tree | None = None
        if self.chance(0.85):
            condition = self.formula(parameters, 3) if self.rich and self.chance(0.6) else self.literals(parameters)
        cost: int | Tree | None = None
        if self.made.costs and self.chance(0.85):
            cost = self.pick((0, 1, 1, 2, 3))
            if parameters and self.rich and self.chance(0.3):
                cost = ("price", parameters[0].name)
        return Verb(name, parameters, condition, self.effect(parameters, 3 if self.rich else 0), cost)

    def moving(self, name: str) -> Verb | None:
        """Return an action that ends a fact and makes one that differs in an argument, which may be the same object."""
        names = [one for one, kinds in self.made.predicates.items() if kinds and one not in self.static]
        names = [one for one in names if not one.startswith("d")]
        if not names:
            return None
        moved = self.pick(names)
        kinds = self.made.predicates[moved]
        parameters = tuple(Typed(f"?a{number}", kind) for number, kind in enumerate((*kinds, kinds[-1])))
        fixed = [parameter.name for parameter in parameters[: len(kinds) - 1]]
        before, after = (moved, *fixed, parameters[-2].name), (moved, *fixed, parameters[-1].name)
        asked = [before, *self.random.sample([("not", after), self.literals(parameters)], self.pick((0, 1, 1, 2)))]
        made = self.random.sample([("not", before), after, self.changed(parameters)], self.pick((2, 3, 3)))
        cost = self.pick((0, 1, 2)) if self.made.costs else None
        return Verb(name, parameters, ("and", *asked), ("and", *made), cost)

    def literals(self, scope) -> Tree:
        names = [name for name in self.made.predicates if name != "unused"]
        return ("and", *(self.literal(scope, names, names) for _ in range(self.pick((0, 1, 2, 3)))))

    def changed(self, scope) -> Tree:
        names = [name for name in self.made.predicates if name not in self.static and not name.startswith("d")]
        atom = self.atom(scope, names)
        if atom is None:
            return ("and",)
        return ("not", atom) if self.chance(0.4) else atom

    def effect(self, scope, depth: int) -> Tree:
        if depth == 0:
            return ("and", *(self.changed(scope) for _ in range(self.pick((1, 1, 2, 2, 3)))))
        return ("and", *(self.part(scope, depth - 1) for _ in range(self.pick((1, 2, 2, 3)))))

    def part(self, scope, depth: int, *, under: bool = False) -> Tree:
        shape = self.pick(("literal", "literal", "when", "forall")) if depth else "literal"
        if shape == "forall":
            new = self.scope()
            inside = self.part((*scope, *new), depth - 1, under=under)
            return ("forall", new, inside if self.chance(0.7) else ("and", inside, self.changed((*scope, *new))))
        if shape == "when" and not under:
            condition = self.formula(scope, self.pick((0, 1, 2)))
            inside = self.part(scope, depth - 1, under=True)
            return ("when", condition, inside if self.chance(0.7) else ("and", inside, self.changed(scope)))
        return self.changed(scope)

    def wish(self, oracle: "Oracle") -> Tree:
        """Return a random goal, or one that a random walk reaches."""
        if self.rich and self.chance(0.35):
            objects = tuple(Typed(name, (kind,)) for name, kind in self.made.objects.items())
            return self.formula(objects, 3)
        state = oracle.start
        for _ in range(8 if self.chance(0.85) else 0):
            after = [state for _, _, state in oracle.successors(state)]
            state = self.pick(after) if after else state
        facts = [*self.facts(), *(fact for fact in state if fact[0].startswith("d"))]
        changed = [fact for fact in facts if (fact in state) != (fact in oracle.start)] or facts
        some = self.random.sample(changed, min(len(changed), self.pick((1, 2, 3))))
        flipped = set(some) if self.chance(0.2) else set()
        parts = [fact if (fact in state) != (fact in flipped and self.chance(0.5)) else ("not", fact) for fact in some]
        if self.rich and self.chance(0.2):
            parts.append(self.formula((), 2))
        return parts[0] if len(parts) == 1 and self.chance(0.3) else ("and", *parts)


class Oracle:
    """Interprets a problem and finds the cost of a cheapest plan by a search through all states."""

    def __init__(self, made: RandomAdl) -> None:
        self.made = made
        self.start = self.closed(made.start)

    def least_cost(self) -> int | None:
        """Return the cost of a cheapest plan; None if there is none.

        Raises:
            TooLargeError: There are more than `MOST_STATES` states.
        """
        order, done = count(), set()
        queue: list[tuple[int, int, Facts]] = [(0, 0, self.start)]
        while queue:
            cost, _, state = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            if self.holds(self.made.goal, {}, state):
                return cost
            if len(done) > MOST_STATES:
                raise TooLargeError
            for _, price, after in self.successors(state):
                if after not in done:
                    heapq.heappush(queue, (cost + price, next(order), after))
        return None

    def replayed(self, steps) -> int | None:
        """Return the cost of a plan, as pairs of a name and arguments; None if it breaks or misses the goal."""
        state, total = self.start, 0
        for name, args, *_ in steps:
            verb = next(verb for verb in self.made.verbs if verb.name == name)
            if (after := self.applied(verb, tuple(args), state)) is None:
                return None
            total, state = total + after[0], after[1]
        return total if self.holds(self.made.goal, {}, state) else None

    def successors(self, state: Facts) -> Iterator[tuple[Fact, int, Facts]]:
        """Yield each action that is applicable, its cost, and the state after it."""
        for verb in self.made.verbs:
            for args in product(*(self.made.of_kind(kind) for _, kind in verb.parameters)):
                after = self.applied(verb, args, state)
                if after is not None:
                    yield (verb.name, *args), *after

    def applied(self, verb: Verb, args: tuple[str, ...], state: Facts) -> tuple[int, Facts] | None:
        """Return the cost of an action and the state after it; None if it is not applicable."""
        binding = {parameter.name: arg for parameter, arg in zip(verb.parameters, args, strict=True)}
        if any(arg not in self.made.of_kind(kind) for arg, (_, kind) in zip(args, verb.parameters, strict=True)):
            return None
        if verb.condition is not None and not self.holds(verb.condition, binding, state):
            return None
        changes = list(self.changes(verb.effect, binding, state))
        kept = state - {fact for fact, positive in changes if not positive}
        return self.price(verb, binding), self.closed(kept | {fact for fact, positive in changes if positive})

    def price(self, verb: Verb, binding: Mapping[str, str]) -> int:
        if not self.made.costs or (verb.cost is None and all(other.cost is None for other in self.made.verbs)):
            return 1
        if isinstance(verb.cost, tuple):
            return self.made.prices[binding[verb.cost[1]]]
        return verb.cost or 0

    def changes(self, effect: Tree, binding: Mapping[str, str], state: Facts) -> Iterator[tuple[Fact, bool]]:
        head = effect[0]
        if head == "and":
            for part in effect[1:]:
                yield from self.changes(part, binding, state)
        elif head == "when":
            if self.holds(effect[1], binding, state):
                yield from self.changes(effect[2], binding, state)
        elif head == "forall":
            for bound in self.bound(effect[1], binding):
                yield from self.changes(effect[2], bound, state)
        else:
            yield self.ground(effect[1] if head == "not" else effect, binding), head != "not"

    def bound(self, variables: tuple[Typed, ...], binding: Mapping[str, str]) -> Iterator[dict[str, str]]:
        for names in product(*(self.made.of_kind(kind) for _, kind in variables)):
            yield {**binding, **{variable.name: name for variable, name in zip(variables, names, strict=True)}}

    def ground(self, atom: Tree, binding: Mapping[str, str]) -> Fact:
        return (atom[0], *(binding.get(term, term) for term in atom[1:]))

    def holds(self, formula: Tree, binding: Mapping[str, str], state: Facts) -> bool:
        """Return whether a condition holds."""
        head, *parts = formula
        match head:
            case "and":
                return all(self.holds(part, binding, state) for part in parts)
            case "or":
                return any(self.holds(part, binding, state) for part in parts)
            case "not":
                return not self.holds(parts[0], binding, state)
            case "imply":
                return not self.holds(parts[0], binding, state) or self.holds(parts[1], binding, state)
            case "forall":
                return all(self.holds(parts[1], bound, state) for bound in self.bound(parts[0], binding))
            case "exists":
                return any(self.holds(parts[1], bound, state) for bound in self.bound(parts[0], binding))
            case "=":
                return binding.get(parts[0], parts[0]) == binding.get(parts[1], parts[1])
        return self.ground(formula, binding) in state

    def closed(self, state: Facts) -> Facts:
        """Return the state with its derived facts, from the lowest layer up."""
        known = {fact for fact in state if not fact[0].startswith("d")}
        for layer in self.made.layers:
            size = -1
            while size != len(known):
                size = len(known)
                for rule in layer:
                    for bound in self.bound(rule.variables, {}):
                        if self.holds(rule.body, bound, frozenset(known)):
                            known.add((rule.head, *(bound[variable.name] for variable in rule.variables)))
        return frozenset(known)


def _domain(made: RandomAdl) -> str:
    lines = [f"(define (domain adl-{made.seed})"]
    needs = (":adl", *([":derived-predicates"] if made.layers else []), *([":action-costs"] if made.costs else []))
    lines.append(f"  (:requirements {' '.join(needs)})")
    if made.supertypes:
        lines.append(f"  (:types {' '.join(f'{name} - {above}' for name, above in made.supertypes.items())})")
    if made.constants:
        lines.append(f"  (:constants {_objects(made, made.constants)})")
    lines.append("  (:predicates")
    for name, kinds in made.predicates.items():
        lines.append(f"    ({' '.join((name, *(_typed(f'?x{place}', kind) for place, kind in enumerate(kinds))))})")
    lines.append("  )")
    if made.costs:
        lines.append("  (:functions (total-cost) - number (price ?x - object) - number)")
    for rule in (rule for layer in made.layers for rule in layer):
        head = " ".join((rule.head, *(_typed(*variable) for variable in rule.variables)))
        lines.append(f"  (:derived ({head}) {_text(rule.body)})")
    lines += [_verb(verb) for verb in made.verbs]
    return "\n".join([*lines, ")", ""])


def _verb(verb: Verb) -> str:
    lines = [f"  (:action {verb.name}", f"    :parameters ({' '.join(_typed(*one) for one in verb.parameters)})"]
    if verb.condition is not None:
        lines.append(f"    :precondition {_text(verb.condition)}")
    effect = verb.effect
    if verb.cost is not None:
        cost = _text(verb.cost) if isinstance(verb.cost, tuple) else str(verb.cost)
        effect = ("and", ("increase", ("total-cost",), cost), *effect[1:])
    return "\n".join([*lines, f"    :effect {_text(effect)})"])


def _problem(made: RandomAdl) -> str:
    own = [name for name in made.objects if name not in made.constants]
    facts = " ".join(_text(fact) for fact in sorted(made.start))
    prices = " ".join(f"(= (price {name}) {price})" for name, price in made.prices.items())
    lines = [f"(define (problem adl-{made.seed})", f"  (:domain adl-{made.seed})"]
    lines.append(f"  (:objects {_objects(made, own)})")
    lines.append(f"  (:init {facts}{f' (= (total-cost) 0) {prices}' if made.costs else ''})")
    lines.append(f"  (:goal {_text(made.goal)})")
    return "\n".join([*lines, *(["  (:metric minimize (total-cost))"] if made.costs else []), ")", ""])


def _objects(made: RandomAdl, names: list[str]) -> str:
    """Write objects; those without a type come last and are written without one."""
    typed = [f"{name} - {made.objects[name]}" for name in names if made.objects[name] != "object"]
    return " ".join([*typed, *(name for name in names if made.objects[name] == "object")])


def _typed(name: str, kind: Kind) -> str:
    if len(kind) > 1:
        return f"{name} - (either {' '.join(kind)})"
    return f"{name} - {kind[0]}"


def _text(tree: Tree) -> str:
    head, *parts = tree
    if head in ("forall", "exists"):
        return f"({head} ({' '.join(_typed(*variable) for variable in parts[0])}) {_text(parts[1])})"
    return f"({' '.join((head, *(part if isinstance(part, str) else _text(part) for part in parts)))})"
