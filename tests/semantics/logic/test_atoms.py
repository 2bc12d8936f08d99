from itertools import product

import pytest
from hypothesis import given, strategies as st

from semantics.errors import FormulaError
from semantics.logic.atoms import And, Atom, Compare, Equal, Literal, Not, Or, dnf, literals
from semantics.logic.parsing import parse_formula

names = st.sampled_from(["a", "b0", "cup-1", "in", "x_y"])
atoms = st.builds(Atom, st.sampled_from(["on", "p", "q-r"]), st.lists(names, max_size=2).map(tuple))
formulas = st.recursive(
    atoms,
    lambda parts: st.one_of(
        parts.map(Not),
        st.lists(parts, max_size=3).map(tuple).map(And),
        st.lists(parts, max_size=3).map(tuple).map(Or),
    ),
    max_leaves=6,
)


def holds(formula, state):
    match formula:
        case Atom():
            return formula in state
        case Not(part):
            return not holds(part, state)
        case And(parts):
            return all(holds(part, state) for part in parts)
        case Or(parts):
            return any(holds(part, state) for part in parts)


@given(formulas)
def test_what_is_written_is_read_back(formula):
    assert parse_formula(str(formula)) == formula


@given(formulas)
def test_the_normal_form_means_the_same_in_every_state(formula):
    conjuncts = dnf(formula)
    told = sorted({literal.atom for literal in literals(formula)})
    for chosen in product((False, True), repeat=len(told)):
        state = {atom for atom, true in zip(told, chosen, strict=True) if true}
        some = any(all((atom in state) == positive for atom, positive in conjunct) for conjunct in conjuncts)
        assert some == holds(formula, state)


@given(formulas)
def test_the_normal_form_repeats_no_conjunct_and_stays_the_same(formula):
    conjuncts = dnf(formula)
    assert len(set(conjuncts)) == len(conjuncts)
    assert dnf(Or(tuple(And(tuple(part(each) for each in sorted(conjunct))) for conjunct in conjuncts))) == conjuncts


def part(literal):
    return literal.atom if literal.positive else Not(literal.atom)


@given(atoms, st.booleans())
def test_a_literal_negated_twice_is_itself(atom, positive):
    literal = Literal(atom, positive)
    assert literal.negated() != literal
    assert literal.negated().negated() == literal


def test_names_are_read_in_lower_case_and_comments_are_skipped():
    assert parse_formula("; a goal\n(ON Cup0 Table0) ; here") == Atom("on", ("cup0", "table0"))


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, 1, "empty"),
        ("on a b", 1, 1, "expected '('"),
        ("(on a", 1, 6, "')' is missing"),
        ("(and (on a b)\n  (not))", 2, 4, "'not' takes one part"),
        ("(on ?x b)", 1, 5, "'?x' is not a name"),
        ("(on a b) c", 1, 10, "after the end"),
        ("(and (on a b) (forall (?x - box) (on ?x b)))", 1, 15, "'forall' cannot stand here; expected and, or, not or"),
        ("(< (fuel t) 4)", 1, 1, "'<' cannot stand here"),
        ("()", 1, 2, "without a predicate"),
        ("(and (or", 1, 9, "')' is missing"),
        ("(", 1, 2, "')' is missing"),
    ],
)
def test_a_formula_that_cannot_be_read_says_where(text, line, column, reason):
    with pytest.raises(FormulaError) as caught:
        parse_formula(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert reason in str(caught.value)


@given(st.text(alphabet="()andot ?;\nx0", max_size=30))
def test_any_text_is_read_or_refused_with_a_place(text):
    try:
        formula = parse_formula(text)
    except FormulaError as error:
        lines = text.split("\n")
        found = 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1
    else:
        found = parse_formula(str(formula)) == formula
    assert found


def test_deep_nesting_is_refused():
    with pytest.raises(FormulaError, match="nested deeper"):
        parse_formula("(not " * 200 + "(p)" + ")" * 200)


def test_too_many_alternatives_are_refused_before_they_are_made():
    distinct = tuple(Or((Atom("p", (f"a{i}",)), Atom("q", (f"a{i}",)))) for i in range(13))
    with pytest.raises(FormulaError, match="8192 alternatives"):
        dnf(And(distinct))


def choices(count):
    return tuple(Or((Atom("p", (f"a{i}",)), Atom("q", (f"a{i}",)))) for i in range(count))


@pytest.mark.parametrize(
    "formula", [Or((And(choices(12)), Atom("r"))), Or(tuple(Atom("p", (f"a{i}",)) for i in range(4097)))]
)
def test_too_many_alternatives_side_by_side_are_refused_too(formula):
    with pytest.raises(FormulaError, match="4097 alternatives"):
        dnf(formula)
    with pytest.raises(FormulaError, match="4097 alternatives"):
        dnf(Not(formula), positive=False)


def test_as_many_alternatives_as_are_allowed_are_taken():
    assert len(dnf(And(choices(12)))) == 4096
    assert len(dnf(Or((And(choices(11)), And(choices(11)))))) == 2048


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_that_is_written_is_read_back_as_it_was(number):
    formula = Compare(">=", Atom("volume", ("glass0",)), number)
    assert parse_formula(str(formula), adl=True) == formula


@pytest.mark.parametrize("name", ["1", "42", "2nd", "0-a", "_x"])
def test_names_may_begin_with_a_digit_as_in_pddl_files_of_others(name):
    assert parse_formula(f"(and (on {name} table) (not (on a {name})))") == And(
        (Atom("on", (name, "table")), Not(Atom("on", ("a", name))))
    )
    assert parse_formula(f"(= a {name})", adl=True) == Equal("a", name)


def test_numbers_stay_numbers():
    assert parse_formula("(= 1 2)", adl=True) == Compare("=", 1.0, 2.0)
    assert parse_formula("(< (f a) 5)", adl=True) == Compare("<", Atom("f", ("a",)), 5.0)
