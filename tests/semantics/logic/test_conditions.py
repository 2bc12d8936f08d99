"""Rich conditions: writing quantifiers out keeps the meaning, and numbers compare with a tolerance."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from semantics.errors import UsageError
from semantics.logic.atoms import And, Arithmetic, Atom, Compare, Equal, Exists, ForAll, Not, Or, Variable, literals
from semantics.logic.conditions import TRUE, bindings, bounded, expanded, expanded_expression, is_true, value
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

THINGS = {
    "mug": Thing("mug", "mug", frozenset({"cup"})),
    "jar": Thing("jar", "jar", frozenset({"cup", "box"})),
    "bin": Thing("bin", "bin", frozenset({"box"})),
}
KINDS = ("cup", "box", "object")
VARIABLES = ("?x", "?y")
FULL = Atom("volume", ("mug",))

names = st.sampled_from((*THINGS, *VARIABLES))
plain = st.builds(Atom, st.just("p"), st.tuples(names)) | st.builds(Atom, st.just("q"), st.tuples(names, names))
formulas = st.recursive(
    plain | st.builds(Equal, names, names),
    lambda parts: (
        st.builds(Not, parts)
        | st.builds(lambda some: And(tuple(some)), st.lists(parts, max_size=3))
        | st.builds(lambda some: Or(tuple(some)), st.lists(parts, max_size=3))
        | st.builds(
            lambda kind, name, part, some: kind((Variable(name[1:], some),), part),
            st.sampled_from((ForAll, Exists)),
            st.sampled_from(VARIABLES),
            parts,
            st.sampled_from(KINDS),
        )
    ),
    max_leaves=6,
)
every_atom = [Atom("p", (one,)) for one in THINGS] + [Atom("q", pair) for pair in product(THINGS, repeat=2)]


def meant(formula, held, bound) -> bool:
    """The meaning by definition, quantifiers tried one thing after the other."""
    match formula:
        case Atom(predicate, args):
            return Atom(predicate, tuple(bound.get(arg, arg) for arg in args)) in held
        case Equal(one, other):
            return bound.get(one, one) == bound.get(other, other)
        case Not(part):
            return not meant(part, held, bound)
        case And(parts):
            return all(meant(part, held, bound) for part in parts)
        case Or(parts):
            return any(meant(part, held, bound) for part in parts)
    (variable,) = formula.variables
    fit = [one for one, thing in THINGS.items() if variable.affordance in ("object", *thing.affordances)]
    tried = (meant(formula.part, held, {**bound, f"?{variable.name}": one}) for one in fit)
    return all(tried) if isinstance(formula, ForAll) else any(tried)


@given(
    formulas, st.frozensets(st.sampled_from(every_atom)), st.sampled_from(list(THINGS)), st.sampled_from(list(THINGS))
)
def test_a_formula_written_out_says_the_same(formula, held, one, other):
    bound = {"?x": one, "?y": other}
    assert is_true(expanded(formula, THINGS, bound), held, {}) == meant(formula, held, bound)


def test_variables_range_over_what_affords_it():
    assert [bound["?b"] for bound in bindings((Variable("b", "box"),), THINGS)] == ["jar", "bin"]
    assert len(list(bindings((Variable("a"), Variable("b", "cup")), THINGS))) == 6
    assert list(bindings((Variable("a", "door"),), THINGS)) == []
    assert list(bindings((), THINGS)) == [{}]


def test_of_nothing_everything_holds_and_nothing_exists():
    none = (Variable("d", "door"),)
    assert expanded(ForAll(none, Atom("p", ("?d",))), THINGS) == And(())
    assert expanded(Exists(none, Atom("p", ("?d",))), THINGS) == Or(())


def test_numbers_compare_with_a_tolerance():
    numbers = {FULL: 0.1 + 0.2}
    truths = {sign: is_true(Compare(sign, FULL, 0.3), (), numbers) for sign in ("<", "<=", "=", ">=", ">")}
    assert truths == {"<": False, "<=": True, "=": True, ">=": True, ">": False}
    assert is_true(Compare("<", FULL, 0.4), (), numbers)
    assert is_true(Compare(">", 0.4, FULL), (), numbers)


@pytest.mark.parametrize(
    ("operator", "parts", "result"),
    [
        ("+", (1.0, 2.0, FULL), 5.0),
        ("-", (FULL,), -2.0),
        ("-", (FULL, 0.5), 1.5),
        ("*", (3.0, FULL), 6.0),
        ("/", (FULL, 4.0), 0.5),
    ],
)
def test_arithmetic_comes_to_what_it_says(operator, parts, result):
    assert value(Arithmetic(operator, parts), {FULL: 2.0}) == pytest.approx(result)


def test_an_expression_takes_names_for_its_variables():
    wanted = Arithmetic("-", (Atom("volume", ("mug",)), 1.0))
    assert expanded_expression(Arithmetic("-", (Atom("volume", ("?x",)), 1.0)), {"?x": "mug"}) == wanted


def test_what_is_not_known_or_not_ground_is_said():
    with pytest.raises(UsageError, match="volume mug"):
        State().judge(Compare(">", FULL, 0.0))
    with pytest.raises(UsageError, match="divides by zero"):
        value(Arithmetic("/", (1.0, FULL)), {FULL: 0.0})
    with pytest.raises(UsageError, match="not ground"):
        State().judge(ForAll((Variable("x"),), Atom("p", ("?x",))))


def test_a_variable_that_nothing_uses_is_not_enumerated():
    formula = parse_formula("(forall (?a ?b ?c ?d ?e ?f ?g - object) (on ?a ?b))", variables=True, adl=True)
    things = {f"cup{number}": Thing(f"cup{number}", "cup", frozenset()) for number in range(30)}
    assert len(list(literals(expanded(bounded(formula, things), things)))) == 900
    assert bounded(formula, {}) == TRUE


def test_a_goal_of_too_many_facts_is_refused_with_their_number():
    formula = parse_formula("(exists (?a ?b ?c - object) (and (on ?a ?b) (on ?b ?c)))", variables=True, adl=True)
    things = {f"cup{number}": Thing(f"cup{number}", "cup", frozenset()) for number in range(30)}
    with pytest.raises(UsageError, match="is 54,000 facts, and 20,000 are the most"):
        bounded(formula, things)
