from hypothesis import given, strategies as st

from bt.execution.remaining import resume_point
from semantics.logic.atoms import And, Atom, Literal, Not, Or
from semantics.logic.state import Action, Axioms, Operator, State, When
from tests.bt.oracles.regression import Regression, simulated_point
from tests.bt.toy import GOAL, MILK, START, atom

ATOMS = [Atom("p", (name,)) for name in "abcdef"]
DERIVED = Atom("d")
AXIOMS = Axioms(frozenset({"d"}), (((DERIVED, And((ATOMS[0], Not(ATOMS[1])))),),))
atoms = st.frozensets(st.sampled_from(ATOMS), max_size=4)
conjuncts = st.frozensets(st.builds(Literal, st.sampled_from(ATOMS), st.booleans()), max_size=4)
operators = st.builds(
    lambda before, added, deleted: Operator(Action("o"), before, added, deleted), conjuncts, atoms, atoms
)


@given(st.lists(operators, max_size=6), conjuncts, st.frozensets(st.sampled_from(ATOMS)))
def test_the_resume_point_by_regression_is_the_one_by_simulation(steps, goal, held):
    state = State(held)
    assert resume_point(steps, goal, state) == simulated_point(steps, goal, state)
    assert Regression(steps, goal).latest(state) == simulated_point(steps, goal, state)


@given(st.data())
def test_a_state_that_some_step_leaves_has_a_resume_point_by_both(data):
    steps, state = data.draw(st.lists(operators, min_size=1, max_size=6)), State(data.draw(atoms))
    for step in steps:
        state = step.apply(state)
    goal = frozenset(Literal(one, one in state.atoms) for one in data.draw(atoms))
    assert resume_point(steps, goal, state) == len(steps) == simulated_point(steps, goal, state)


def test_every_state_along_a_plan_resumes_at_the_next_step():
    state, points = State(START), []
    for step in MILK.steps:
        points.append(resume_point(MILK.steps, GOAL, state))
        state = step.apply(state)
    assert points == [0, 1, 2, 3, 4]


def test_a_goal_that_holds_is_past_the_last_step():
    assert resume_point(MILK.steps, GOAL, State(frozenset({atom("inhand milk0 human0")}))) == len(MILK.steps)


def test_no_step_leads_on_when_the_milk_is_nowhere():
    assert resume_point(MILK.steps, GOAL, State(START - {atom("in milk0 fridge0")})) is None


def test_a_step_that_adds_what_it_deletes_is_taken_as_adding_it():
    step = Operator(Action("o"), frozenset(), frozenset(ATOMS[:1]), frozenset(ATOMS[:1]))
    assert resume_point([step], frozenset({Literal(ATOMS[0])}), State()) == 0


def test_an_empty_plan_is_at_its_goal_or_lost():
    assert resume_point((), GOAL, State(START)) is None
    assert resume_point((), GOAL, State(frozenset({atom("inhand milk0 human0")}))) == 0


rich_operators = st.builds(
    lambda before, added, deleted, whens, choice: Operator(
        Action("o"),
        before,
        added,
        deleted,
        condition=Or(choice) if choice else None,
        conditional=tuple(When(condition, some, others) for condition, some, others in whens),
        axioms=AXIOMS,
    ),
    conjuncts,
    atoms,
    atoms,
    st.lists(st.tuples(st.sampled_from(ATOMS), atoms, atoms), max_size=2),
    st.lists(st.sampled_from([*ATOMS, DERIVED]), max_size=2).map(tuple),
)


@given(st.lists(rich_operators, max_size=4), conjuncts, st.frozensets(st.sampled_from(ATOMS)))
def test_a_plan_with_conditional_effects_resumes_where_running_it_works(steps, goal, held):
    def works(rest):
        now = AXIOMS.close(State(held))
        for step in rest:
            if not step.applicable(now):
                return False
            now = step.apply(now)
        return now.satisfies(goal)

    working = [index for index in range(len(steps) + 1) if works(steps[index:])]
    assert resume_point(steps, goal, State(held)) == max(working, default=None)
