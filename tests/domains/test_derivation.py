"""Derived facts by joining facts: the same as by ground rules."""

from random import Random

import pytest

from domains.declarations import DerivedPredicate
from domains.derivation import derivation
from domains.grounding import ground_axioms
from semantics.logic.atoms import And, Atom, Compare, Equal, Exists, ForAll, Not, Or, Variable
from semantics.logic.state import Axioms, State
from semantics.logic.vocabulary import Thing
from tests.planning.nested_household import nested_household
from tests.planning.pddl_problem import pddl_problem
from tests.planning.random_adl import random_adl


def by_rules(axioms, state):
    """Close a state with the ground rules."""
    return Axioms(axioms.predicates, axioms.strata).close(state)


def some_state(problem, random):
    """Return the state with some of its facts away and some made up."""
    names = sorted(problem.objects)
    facts = {atom for atom in problem.state.atoms if random.random() < 0.8}
    for name, model in problem.domain.predicates.items():
        if name not in problem.domain.derived:
            arity = len(model.predicate.parameters)
            made = (Atom(name, tuple(random.choices(names, k=arity))) for _ in range(random.randrange(3)))
            facts.update(made)
    return State(frozenset(facts), problem.state.numbers)


def test_random_definitions_derive_the_same(tmp_path):
    compared = 0
    for seed in range(200):
        made = random_adl(seed)
        if not made.layers:
            continue
        problem = pddl_problem(tmp_path, *made.texts())
        axioms = ground_axioms(problem.domain, problem.objects)
        random = Random(seed)
        for state in [problem.state, *(some_state(problem, random) for _ in range(5))]:
            assert axioms.close(state) == by_rules(axioms, state)
        compared += axioms.derivation is not None
    assert compared > 20


@pytest.mark.parametrize("size", [12, 40])
def test_a_household_derives_the_same(tmp_path, size):
    problem = pddl_problem(tmp_path, *nested_household(size, "(hand-free)"))
    axioms = ground_axioms(problem.domain, problem.objects)
    assert axioms.derivation is not None
    random = Random(size)
    for state in [problem.state, *(some_state(problem, random) for _ in range(20))]:
        assert axioms.close(state) == by_rules(axioms, state)


THINGS = {name: Thing(name, "thing", frozenset({"thing"} | ({"red"} if name in "ab" else set()))) for name in "abcd"}
X, Y = Variable("x", "thing"), Variable("y", "red")
LINK, SEEN = Atom("link", ("?x", "?y")), Atom("seen", ("?x",))


def derived(body, *more, variables=(X,)):
    """Return what is derived for ``p`` in a small state, and what its ground rules derive."""
    definitions = {"p": DerivedPredicate("p", variables, (body, *more))}
    things = derivation(definitions, {"p": 0}, THINGS)
    if things is None:
        return None
    atoms = {Atom("link", pair) for pair in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "d"), ("d", "x"))} | {
        Atom("seen", ("a",))
    }
    before = set(atoms)
    things.close(atoms)
    return sorted(atom.args for atom in atoms - before)


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ((Exists((Y,), LINK),), "ac"),
        ((Exists((Y,), And((LINK, Atom("p", ("?y",))))), SEEN), "ac"),
        ((Exists((Variable("y", "thing"),), And((LINK, Atom("p", ("?y",))))), SEEN), "abc"),
        ((Not(SEEN),), "bcd"),
        ((Not(ForAll((Y,), Not(LINK))),), "ac"),
        ((Exists((Y,), And((LINK, Not(Equal("?x", "?y"))))),), "ac"),
        ((Atom("link", ("?x", "?x")),), "d"),
        ((Atom("link", ("d", "?x")),), "d"),
        ((Exists((Variable("x", "red"),), Atom("link", ("c", "?x"))),), "abcd"),
        ((Or((SEEN, Equal("?x", "d"))),), "ad"),
        ((And(()),), "abcd"),
        ((Or(()),), ""),
    ],
)
def test_each_form_is_derived(bodies, expected):
    assert derived(*bodies) == [(name,) for name in expected]


@pytest.mark.parametrize("body", [ForAll((Y,), LINK), Not(Exists((Y,), LINK)), Compare("<", 1.0, 2.0)])
def test_what_cannot_be_joined_is_grounded(body):
    assert derived(body) is None


def test_a_definition_with_many_cases_is_grounded():
    either = Or((SEEN, Equal("?x", "d")))
    assert derived(And((either,) * 7)) is None
