from itertools import permutations

import pytest
from hypothesis import given, settings, strategies as st

from bt.errors import TreeError
from bt.execution.order import Order, ResourceClaim, partial_order
from bt.execution.remaining import Remaining
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Compare
from semantics.logic.state import Action, Axioms, Change, Operator, State, When, bits
from tests.bt.execution.team import carry
from tests.bt.toy import literal

NAMES = "abcdef"
ATOMS = [Atom(name) for name in NAMES]
NUMBERS = [Atom("level", ("x",)), Atom("level", ("y",))]
some_atoms = st.frozensets(st.sampled_from(ATOMS), max_size=2)
some_literals = st.frozensets(
    st.builds(lambda atom, so: literal(("" if so else "!") + atom.predicate), st.sampled_from(ATOMS), st.booleans()),
    max_size=2,
)
changes = st.builds(
    Change, st.sampled_from(["assign", "increase"]), st.sampled_from(NUMBERS), st.sampled_from([1.0, *NUMBERS])
)
whens = st.builds(When, st.sampled_from(ATOMS), some_atoms, some_atoms, st.lists(changes, max_size=1).map(tuple))
comparing = st.builds(Compare, st.just(">="), st.sampled_from(NUMBERS), st.just(1.0))
RULES = Axioms(frozenset({"f"}), (((Atom("f"), Atom("a")), (Atom("f"), Atom("b"))),))


@st.composite
def operators(draw, adl):
    return Operator(
        Action(draw(st.sampled_from("stuv"))),
        draw(some_literals),
        draw(some_atoms) - ({Atom("f")} if adl else set()),
        draw(some_atoms) - ({Atom("f")} if adl else set()),
        condition=draw(st.none() | comparing) if adl else None,
        conditional=tuple(draw(st.lists(whens, max_size=1))) if adl else (),
        changes=tuple(draw(st.lists(changes, max_size=1))) if adl else (),
        axioms=RULES if adl else None,
    )


@st.composite
def situations(draw, adl):
    steps = tuple(draw(st.lists(operators(adl), min_size=1, max_size=5)))
    state = State(draw(st.frozensets(st.sampled_from(ATOMS))), dict.fromkeys(NUMBERS, float(draw(st.integers(0, 2)))))
    claims = [
        ResourceClaim(frozenset(draw(st.frozensets(st.sampled_from("pq"), max_size=1))), frozenset()) for _ in steps
    ]
    return steps, RULES.close(state) if adl else state, draw(some_literals), claims


def outcome(steps, state, goal):
    """Return the state that steps lead to, or None when they break or miss the goal."""
    for step in steps:
        try:
            if not step.applicable(state):
                return None
        except UsageError:
            return None
        state = step.apply(state)
    return (state.atoms, dict(state.numbers)) if state.satisfies(goal) else None


def linearisations(order, chosen):
    for sequence in permutations(chosen):
        place = {index: number for number, index in enumerate(sequence)}
        if all(place[one] < place[then] for then in chosen for one in bits(order.before[then]) if one in place):
            yield sequence


def closed_sets(order):
    size = len(order.before)
    for mask in range(1 << size):
        if all(not order.after[index] & ~mask for index in bits(mask)):
            yield mask


@settings(max_examples=80, deadline=None)
@given(st.booleans().flatmap(situations))
def test_all_linearisations_of_a_successor_closed_set_come_out_alike_in_every_state(situation):
    steps, state, goal, claims = situation
    order = partial_order(steps, claims)
    for chosen in closed_sets(order):
        outcomes = [outcome([steps[i] for i in one], state, goal) for one in linearisations(order, tuple(bits(chosen)))]
        assert all(one == outcomes[0] for one in outcomes)


@settings(max_examples=150, deadline=None)
@given(st.booleans().flatmap(situations), st.sampled_from([2000, 3, 0]))
def test_the_smallest_set_is_the_smallest_that_simulation_finds(situation, most):
    steps, state, goal, claims = situation
    order = partial_order(steps, claims)
    working = [
        chosen for chosen in closed_sets(order) if outcome([steps[i] for i in bits(chosen)], state, goal) is not None
    ]
    rest = Remaining(steps, goal, order, most)
    for chosen in closed_sets(order) if most < 2000 else ():
        rest.learn(chosen)
    found = rest.smallest(state)
    assert (found is None) == (not working)
    assert found is None or found in working
    assert found is None or found.bit_count() == min(one.bit_count() for one in working)


def test_agents_that_carry_different_things_wait_only_for_themselves():
    steps = (*carry("robot0", "cup", "left", "middle"), *carry("robot1", "jug", "right", "middle"))
    claims = [ResourceClaim(frozenset({step.action.args[0]}), frozenset()) for step in steps]
    assert partial_order(steps, claims).pairs == ((0, 1), (2, 3))
    assert partial_order(steps, [ResourceClaim(frozenset({"one"}), frozenset())] * 4).total


def test_an_order_keeps_its_closure_and_tells_the_fewest_pairs():
    order = Order.of(4, [(0, 1), (1, 2), (0, 2), (0, 3)])
    assert order.pairs == ((0, 1), (0, 3), (1, 2))
    assert [tuple(bits(mask)) for mask in order.before] == [(), (0,), (0, 1), (0,)]
    assert list(order.unordered) == [(1, 3), (2, 3)]


@pytest.mark.parametrize("pair", [(1, 1), (2, 1), (-1, 0), (0, 3)])
def test_a_pair_that_no_sequence_can_keep_is_refused(pair):
    with pytest.raises(TreeError, match=f"step {pair[0]} cannot come before step {pair[1]}"):
        Order.of(3, [pair])
