"""Exclusions derived from a world: they hold in everything that can come about, and say so in words."""

from hypothesis import HealthCheck, assume, given, settings, strategies as st

from domains.reader import load_domain, load_scene
from planning.mutexes import exclusions
from planning.portfolio import Portfolio
from semantics.logic.atoms import Literal
from semantics.logic.exclusions import clashes, crowds
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.goal_check import check_goal
from semantics.logic.parsing import parse_formula
from semantics.logic.rules import RuleBook
from semantics.logic.state import State
from tests.planning.adl_worlds import MOST_STATES, adl_problem, every_operator

KITCHEN = load_domain("kitchen")
SCENE = load_scene(KITCHEN, "small")
STATE = State(frozenset(SCENE.facts))


def checked(planner, text, *, rules=(), state=STATE):
    found = exclusions(KITCHEN, SCENE.things, planner)
    vocabulary = KITCHEN.vocabulary(SCENE.things)
    return check_goal(
        Goal(parse_formula(text)), vocabulary, rules=RuleBook(rules), state=state, exclusions=lambda: found
    )


def test_a_thing_in_two_places_is_refused_in_the_words_of_the_predicates(planner):
    answer = checked(planner, "(and (on milk0 table0) (in milk0 fridge0))")
    assert isinstance(answer, Rejection)
    (told,) = answer.feedback
    assert told.why == '"milk0 is in fridge0" and "milk0 is on table0" cannot both hold.'
    assert set(told.culprits) == {"milk0", "fridge0", "table0"}


def test_a_rule_written_for_it_has_the_word(planner):
    answer = checked(planner, "(and (on milk0 table0) (in milk0 fridge0))", rules=KITCHEN.rules)
    assert isinstance(answer, Rejection)
    assert len(answer.feedback) == 1
    assert "cannot both hold" not in answer.feedback[0].why


def test_only_the_alternative_that_cannot_be_is_dropped(planner):
    answer = checked(planner, "(or (and (on milk0 table0) (in milk0 fridge0)) (on milk0 table0))")
    assert isinstance(answer, CheckedGoal)
    assert len(answer.conjuncts) == 1
    assert len(answer.dropped) == 1


def test_what_is_more_than_one_already_excludes_nothing(planner):
    milk = [atom for atom in STATE.atoms if atom.predicate in ("on", "in") and atom.args[0] == "milk0"]
    there = parse_formula("(on milk0 counter0)")
    assert len(milk) == 1
    assert isinstance(checked(planner, "(and (on milk0 table0) (in milk0 fridge0))"), Rejection)
    twice = checked(planner, "(and (on milk0 table0) (in milk0 fridge0))", state=STATE.with_atoms([there, *milk]))
    assert isinstance(twice, CheckedGoal)


def test_a_planner_that_cannot_tell_excludes_nothing():
    other = Portfolio()
    assert exclusions(KITCHEN, SCENE.things, other) == ()
    other.close()


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
def test_nothing_that_comes_about_is_excluded(planner, seed):
    domain, things, state, _ = adl_problem(seed)
    found = exclusions(domain, things, planner)
    operators = every_operator(domain, things, state)
    seen, waiting = {state.atoms}, [state]
    assume(len(found) > 0)
    while waiting and len(seen) < MOST_STATES // 8:
        now = waiting.pop()
        crowded = crowds(found, now.atoms, state)
        assert not list(clashes(crowded, frozenset(map(Literal, now.atoms))))
        after = [one.apply(now) for one in operators if one.applicable(now)]
        fresh = {one.atoms: one for one in after if one.atoms not in seen}
        seen.update(fresh)
        waiting.extend(fresh.values())
