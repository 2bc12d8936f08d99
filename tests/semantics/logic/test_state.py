from hypothesis import given, strategies as st

from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, Command, Operator, Plan, State, first_failure

atoms = st.builds(Atom, st.sampled_from("pqr"), st.lists(st.sampled_from("ab"), max_size=1).map(tuple))
sets = st.frozensets(atoms, max_size=5)
conjuncts = st.frozensets(st.builds(Literal, atoms, st.booleans()), max_size=4)
operators = st.builds(
    Operator, st.just(Action("act", ("a",))), conjuncts, sets, sets, st.integers(0, 5), st.none(), sets
)


@given(sets, conjuncts)
def test_a_conjunct_holds_when_nothing_of_it_is_missing(held, conjunct):
    state = State(held)
    assert state.satisfies(conjunct) == (state.missing(conjunct) == ())
    assert all(not state.holds(literal) for literal in state.missing(conjunct))


@given(sets, atoms)
def test_an_atom_holds_or_its_negation_does(held, atom):
    assert State(held).holds(Literal(atom)) != State(held).holds(Literal(atom, False))


@given(sets, sets, sets)
def test_what_is_both_added_and_deleted_stays(held, added, deleted):
    after = State(held).with_atoms(added, deleted).atoms
    assert added <= after
    assert not (deleted - added) & after
    assert after - added == held - deleted - added


@given(sets, operators)
def test_an_operator_brings_about_its_effects(held, operator):
    after = operator.apply(State(held))
    assert after.satisfies(operator.effects)
    assert after.atoms == (held - operator.deleted) | operator.added


@given(operators)
def test_effects_leave_the_bookkeeping_out(operator):
    assert not {atom for atom, _ in operator.effects} & operator.bookkeeping


def test_numbers_are_kept_through_a_change():
    state = State(frozenset(), {"battery": 0.5})
    assert state.with_atoms([Atom("p")]).numbers == {"battery": 0.5}


def step(name, needs, makes, cost=1):
    return Operator(Action(name), frozenset({Literal(Atom(needs))}), frozenset({Atom(makes)}), frozenset(), cost)


GOAL = frozenset({Literal(Atom("c"))})
STEPS = (step("one", "a", "b", 2), step("two", "b", "c", 3))


def test_a_plan_that_runs_has_no_failure():
    assert first_failure(STEPS, State(frozenset({Atom("a")})), GOAL) is None


def test_the_first_step_that_cannot_be_taken_is_named_with_what_it_lacks():
    assert first_failure(STEPS, State(), GOAL) == (0, (Literal(Atom("a")),))
    assert first_failure(STEPS[1:], State(frozenset({Atom("a")})), GOAL) == (0, (Literal(Atom("b")),))


def test_a_plan_that_misses_the_goal_fails_after_its_last_step():
    assert first_failure(STEPS[:1], State(frozenset({Atom("a")})), GOAL) == (1, (Literal(Atom("c")),))


def test_a_plan_costs_what_its_steps_cost_and_is_written_a_step_a_line():
    plan = Plan(STEPS, GOAL)
    assert plan.cost == 5
    assert str(plan) == "(one)\n(two)"


def test_an_action_and_a_command_read_as_they_are_meant():
    assert str(Action("grasp", ("robot0", "cup0"))) == "(grasp robot0 cup0)"
    assert str(Command("pick", "robot0", {"object": "cup0", "at": "table0"})) == "pick(object=cup0, at=table0)"
