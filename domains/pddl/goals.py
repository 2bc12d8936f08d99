"""Goals that are any condition, such as those of PDDL problems.

A goal with few alternatives is written as them. Otherwise each disjunction in it becomes a derived predicate without
arguments in the domain. The goal is then a conjunction of literals and such predicates, so no goal is too large.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from domains.model import DerivedPredicate, Domain, PredicateModel
from domains.pddl.reader import ProblemFile
from domains.problem import Problem
from semantics.errors import FormulaError, UsageError
from semantics.logic.atoms import And, Atom, Conjunct, Formula, Literal, Not, Or, conjoined, dnf, numbers_in, rebuilt
from semantics.logic.conditions import bounded, expanded
from semantics.logic.sentences import in_words
from semantics.logic.state import State
from semantics.logic.vocabulary import Predicate

MOST = 64  # the largest number of alternatives of a goal without a derived predicate
MOST_WORDS = 120
"""The greatest length of the words for a part of a goal, characters; a longer part is told by its number."""
NAME = "goal"  # the prefix of the names of the derived predicates


def problem_of(domain: Domain, parsed: ProblemFile) -> Problem:
    """Return the problem of a PDDL file.

    Raises:
        UsageError: The goal compares numbers.
    """
    scene = parsed.scene
    return reaching(Problem(domain, scene.things, State(scene.facts, scene.numbers)), parsed.goal)


def reaching(problem: Problem, condition: Formula) -> Problem:
    """Return `problem` with the goal of making `condition` true, which may quantify over its objects.

    In a goal with many alternatives, facts that no action changes count as they are in the state.

    Raises:
        UsageError: The condition compares numbers.
    """
    ground = expanded(bounded(condition, problem.objects), problem.objects)
    if numbers := sorted(set(numbers_in(ground))):
        names = ", ".join(map(str, numbers))
        raise UsageError(f"the goal compares numbers ({names}), and plans are made for facts only; ask for facts")
    simpler = expanded(_without_constants(ground, problem), {})
    for formula in (ground, simpler):
        alternatives = _alternatives(formula)
        if 0 < len(alternatives) <= MOST:
            return problem.with_goal(*alternatives)
    naming = _Naming(problem.domain)
    goal = naming.conjunct(_without_negation(simpler))
    return replace(problem, domain=naming.extended(), goal=(goal,))


def _alternatives(formula: Formula) -> tuple[Conjunct, ...]:
    """Return the alternatives of a ground formula; none if they are too many."""
    try:
        return dnf(formula)
    except FormulaError:
        return ()


def _without_constants(formula: Formula, problem: Problem) -> Formula:
    """Replace facts that no action changes by their values."""
    domain = problem.domain
    changed = {
        literal.predicate
        for capability in domain.capabilities.values()
        for effect in capability.effects
        for literal in effect.literals
    }

    def replaced(part: Formula) -> Formula:
        if isinstance(part, Atom) and part.predicate not in changed and part.predicate not in domain.derived:
            return And(()) if part in problem.state.atoms else Or(())
        return rebuilt(part, replaced)

    return replaced(formula)


def _without_negation(formula: Formula, positive: bool = True) -> Formula:
    """Move negations to the atoms of a ground formula."""
    match formula:
        case Not(part):
            return _without_negation(part, not positive)
        case And(parts) | Or(parts):
            kind = And if isinstance(formula, And) == positive else Or
            return kind(tuple(_without_negation(part, positive) for part in parts))
    return formula if positive else Not(formula)


class _Naming:
    """Gives names to the disjunctions of a goal."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._derived: dict[str, DerivedPredicate] = {}

    def conjunct(self, formula: Formula) -> Conjunct:
        """Return a formula without negations of more than atoms as a conjunction."""
        return frozenset(map(self._literal, conjoined(formula)))

    def _literal(self, part: Formula) -> Literal:
        match part:
            case Atom():
                return Literal(part)
            case Not(Atom() as atom):
                return Literal(atom, False)
            case Or(parts):
                return Literal(self._named([self.conjunct(alternative) for alternative in parts]))
        raise AssertionError(part)

    def _named(self, alternatives: Iterable[Conjunct]) -> Atom:
        ways = [And(tuple(literal.formula for literal in sorted(conjunct))) for conjunct in alternatives]
        number = len(self._derived) + 1
        while (name := f"{NAME}-{number}") in self._domain.predicates or name in self._derived:
            number += 1
        self._derived[name] = DerivedPredicate(name, (), (Or(tuple(ways)),))
        return Atom(name)

    def extended(self) -> Domain:
        """Return the domain with the derived predicates."""
        predicates = dict(self._domain.predicates)
        plain = {name: model.predicate for name, model in predicates.items()}
        for number, (name, derived) in enumerate(self._derived.items(), 1):
            words = in_words(derived.bodies[0], plain)
            text = words if len(words) <= MOST_WORDS else f"part {number} of the goal is reached"
            plain[name] = Predicate(name, (), text)
            predicates[name] = PredicateModel(plain[name])
        return replace(self._domain, predicates=predicates, derived={**self._domain.derived, **self._derived})
