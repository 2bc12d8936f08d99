"""Finds the reachable actions of an ADL problem, by joining the facts of its delete relaxation.

In the relaxation, a fact that was true once stays true, and a fact that was made false once also counts as false
forever. A condition is tested in its weakest sense: a literal may hold when that sign was seen, and a comparison of
numbers that change always holds. So an action that is not found can never be applied. Actions are found by joining
their positive literals with the facts, one by one, as a Datalog program is evaluated (Helmert, AIJ 2009, section 6).
For parameters that no literal names, all objects are tried.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from domains.capability import Capability, Template
from domains.problem import Problem
from planning.problem.grounding import candidates
from semantics.logic.atoms import And, Atom, Compare, Formula, Literal, Not, Or, numbers_in
from semantics.logic.conditions import is_true
from semantics.logic.state import Action, Axioms, Operator, State, When

Binding = dict[str, str]


@dataclass(frozen=True, slots=True)
class Reached:
    """What may happen, according to the relaxation."""

    operators: tuple[Operator, ...]
    """The actions that may be applicable, with only those conditional effects that may happen."""
    start: State  # what holds at the start, including derived atoms
    true: frozenset[Atom]  # the atoms that may hold
    deleted: frozenset[Atom]  # the atoms that may become false
    derived: frozenset[str]  # the names of the derived predicates

    def verdict(self, atom: Atom) -> bool | None:
        """Return the constant value of `atom`; None when it changes."""
        if atom not in self.true:
            return False
        if atom.predicate in self.derived or atom in self.deleted:
            return None
        return True if atom in self.start.atoms else None


MOST_ACTIONS = 300_000  # the largest number of actions: they take about a gigabyte
SHOWN = 3


class GroundingLimitError(Exception):
    """Grounding takes too long, or too much memory.

    Attributes:
        actions: The number of actions found so far, by capability.
        facts: The number of facts found so far, by predicate.
        is_late: Whether the time is over; otherwise there are too many actions for the memory.
    """

    def __init__(self, actions: Mapping[str, int], facts: Mapping[str, int], is_late: bool = True) -> None:
        self.actions, self.facts, self.is_late = actions, facts, is_late
        verbs = [f"{name}: {count:,} possible actions" for name, count in Counter(actions).most_common(SHOWN)]
        many = ", ".join(f"{name} {count:,}" for name, count in Counter(facts).most_common(SHOWN))
        super().__init__("; ".join([*verbs, f"reachable: {sum(facts.values()):,} facts ({many})"]))


def reach_all(problem: Problem, until: float = math.inf) -> Reached:
    """Return what may happen, according to the relaxation.

    Args:
        problem: The problem.
        until: When to give up, on the clock of `time.monotonic`.

    Raises:
        GroundingLimitError: This takes too long, or there are more than `MOST_ACTIONS` actions.
    """
    return _RelaxedReachability(problem, until).run()


@dataclass(slots=True, eq=False)
class _Waiting:
    """A condition, and what happens once it may hold."""

    condition: Formula
    event: Callable[[], None]
    happened: bool = False


class _RelaxedReachability:
    def __init__(self, problem: Problem, until: float) -> None:
        self._problem = problem
        self._until = until
        self._axioms: Axioms | None = problem.axioms
        self._start = problem.closed
        self._derived = self._axioms.predicates if self._axioms else frozenset[str]()
        self._changing = problem.domain.changing_numbers
        self._true: set[Atom] = set()
        self._deleted: set[Atom] = set()
        self._by_place: dict[tuple[str, int, str], list[Atom]] = defaultdict(list)
        self._by_name: dict[str, list[Atom]] = defaultdict(list)
        self._queue: deque[Literal] = deque()
        self._seen: set[Action] = set()
        self._taken: dict[Action, Operator] = {}
        self._whens: dict[int, When] = {}
        self._happening: set[int] = set()
        self._watched: dict[Literal, list[_Waiting]] = defaultdict(list)
        self._joined = [_Joined(capability, problem) for capability in problem.domain.capabilities.values()]

    def run(self) -> Reached:
        for head, body in (rule for layer in (self._axioms.strata if self._axioms else ()) for rule in layer):
            self._await(_Waiting(body, partial(self._add, head)))
        for atom in sorted(self._start.atoms):
            self._add(atom)
        for joined in self._joined:
            if not joined.wanted:
                self._complete(joined, {})
        while self._queue:
            self._look(self._queue.popleft())
        operators = tuple(self._cut(operator) for _, operator in sorted(self._taken.items(), key=lambda pair: pair[0]))
        return Reached(operators, self._start, frozenset(self._true), frozenset(self._deleted), self._derived)

    def _add(self, atom: Atom) -> None:
        if atom not in self._true:
            self._true.add(atom)
            self._by_name[atom.predicate].append(atom)
            for place, name in enumerate(atom.args):
                self._by_place[atom.predicate, place, name].append(atom)
            self._queue.append(Literal(atom))

    def _look(self, literal: Literal) -> None:
        """Join a new fact, and test again what waits for this literal."""
        self._check_limits()
        if literal.positive:
            self._match(literal.atom)
        for waiting in self._watched.pop(literal, ()):
            self._await(waiting)

    def _match(self, atom: Atom) -> None:
        for joined in self._joined:
            for number, template in enumerate(joined.wanted):
                if template.predicate == atom.predicate:
                    binding = joined.unified(template, atom, {})
                    if binding is not None:
                        self._join(joined, binding, [index for index in range(len(joined.wanted)) if index != number])

    def _join(self, joined: _Joined, binding: Binding, rest: list[int]) -> None:
        if not rest:
            self._complete(joined, binding)
            return
        number = max(rest, key=lambda index: _known(joined.wanted[index], binding))
        template = joined.wanted[number]
        for atom in tuple(self._candidates(template, binding)):
            extended = joined.unified(template, atom, binding)
            if extended is not None:
                self._join(joined, extended, [index for index in rest if index != number])

    def _candidates(self, template: Template, binding: Binding) -> list[Atom]:
        candidates = self._by_name[template.predicate]
        for place, arg in enumerate(template.args):
            name = binding.get(arg[1:]) if arg.startswith("?") else arg
            if name is not None and len(atoms := self._by_place[template.predicate, place, name]) < len(candidates):
                candidates = atoms
        return candidates

    def _check_limits(self) -> None:
        is_late = time.monotonic() > self._until
        if is_late or len(self._seen) > MOST_ACTIONS:
            actions = Counter(action.name for action in self._seen)
            facts = {name: len(atoms) for name, atoms in self._by_name.items() if atoms}
            raise GroundingLimitError(actions, facts, is_late)

    def _complete(self, joined: _Joined, binding: Binding) -> None:
        self._check_limits()
        for args in joined.completed(binding):
            action = Action(joined.capability.name, args)
            if action not in self._seen:
                self._seen.add(action)
                self._check_limits()
                operator = self._problem.ground(action)
                denied = [Not(literal.atom) for literal in operator.precondition if not literal.positive]
                condition = And((*denied, *([] if operator.condition is None else [operator.condition])))
                self._await(_Waiting(condition, partial(self._take, operator)))

    def _await(self, waiting: _Waiting) -> None:
        """Let an event happen once its condition may hold; an event that never may is dropped."""
        lacking = () if waiting.happened else self._lacking(waiting.condition, True)
        if lacking is None:
            waiting.happened = True
            waiting.event()
            return
        for literal in lacking:
            self._watched[literal].append(waiting)

    def _take(self, operator: Operator) -> None:
        """Apply an operator that may be applicable."""
        self._taken[operator.action] = operator
        self._make(operator.added, operator.deleted)
        for when in operator.conditional:
            if id(when) not in self._whens:  # actions share conditional effects, see `domains.grounding.Expansions`
                self._whens[id(when)] = when
                self._await(_Waiting(when.condition, partial(self._happen, when)))

    def _happen(self, when: When) -> None:
        self._happening.add(id(when))
        self._make(when.added, when.deleted)

    def _cut(self, operator: Operator) -> Operator:
        """Leave out the conditional effects that never happen."""
        happening = tuple([when for when in operator.conditional if id(when) in self._happening])
        return operator if len(happening) == len(operator.conditional) else replace(operator, conditional=happening)

    def _make(self, added: frozenset[Atom], deleted: frozenset[Atom]) -> None:
        for atom in sorted(added):
            self._add(atom)
        for atom in sorted(deleted - self._deleted):
            self._deleted.add(atom)
            self._queue.append(Literal(atom, False))

    def _may_fail(self, atom: Atom) -> bool:
        return atom not in self._start.atoms or atom in self._deleted or atom.predicate in self._derived

    def _lacking(self, formula: Formula, positive: bool) -> Sequence[Literal] | None:
        """Return None if `formula` may hold, or be false if not `positive`.

        Otherwise return literals of which one must become possible before; none if it is never possible.
        """
        match formula:
            case Atom():
                possible = formula in self._true if positive else self._may_fail(formula)
                return None if possible else (Literal(formula, positive),)
            case Not(part):
                return self._lacking(part, not positive)
            case And(parts) | Or(parts):
                lacking = (self._lacking(part, positive) for part in parts)
                if isinstance(formula, And) == positive:
                    return next((literals for literals in lacking if literals is not None), None)
                return _unless_possible(lacking)
            case Compare():
                changes = not self._changing.isdisjoint(fluent.predicate for fluent in numbers_in(formula))
                return None if changes or is_true(formula, (), self._start.numbers) == positive else ()
        raise AssertionError(formula)


def _unless_possible(lacking: Iterable[Sequence[Literal] | None]) -> Sequence[Literal] | None:
    """Return what all alternatives lack; None if one of them lacks nothing."""
    joined: dict[Literal, None] = {}
    for literals in lacking:
        if literals is None:
            return None
        joined.update(dict.fromkeys(literals))
    return tuple(joined)


class _Joined:
    """A capability, prepared for joining."""

    def __init__(self, capability: Capability, problem: Problem) -> None:
        self.capability = capability
        self.wanted = [template for template in capability.precondition if template.positive]
        denied = [template for template in capability.precondition if not template.positive]
        self._opposed = [(one, other) for one in self.wanted for other in denied if one.predicate == other.predicate]
        names = (parameter.name for parameter in capability.parameters)
        self._options = dict(zip(names, candidates(problem.domain, capability, problem.objects), strict=True))
        self._fits = {name: frozenset(options) for name, options in self._options.items()}

    def unified(self, template: Template, atom: Atom, binding: Binding) -> Binding | None:
        extended = dict(binding)
        for arg, name in zip(template.args, atom.args, strict=True):
            if not arg.startswith("?"):
                if arg != name:
                    return None
            elif extended.setdefault(arg[1:], name) != name or name not in self._fits[arg[1:]]:
                return None
        return extended

    def completed(self, binding: Binding) -> Iterator[tuple[str, ...]]:
        """Yield the arguments for every choice of the parameters that are still unbound."""
        names = [parameter.name for parameter in self.capability.parameters]
        for args in product(*([binding[name]] if name in binding else self._options[name] for name in names)):
            bound = dict(zip(names, args, strict=True))
            if all(bound[left] != bound[right] for left, right in self.capability.distinct) and not any(
                asked.ground(bound).atom == denied.ground(bound).atom for asked, denied in self._opposed
            ):
                yield args


def _known(template: Template, binding: Binding) -> int:
    return sum(not arg.startswith("?") or arg[1:] in binding for arg in template.args)
