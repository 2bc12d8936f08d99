import pytest

from domains.problem import Problem
from planning import UnplannableError, pddl_text
from planning.portfolio import Feature, choose, features
from planning.portfolio.choice import AXIOMS, TABLE
from tests.planning.kitchen import DOMAIN, conjunct, shipped
from tests.planning.portfolio import problems

BOTH = ("fast-downward", "kairos")
LMCUT, HMAX, BLIND = "astar(lmcut())", "astar(hmax())", "astar(blind())"
TRAITS = {
    "PLAIN": (set(), LMCUT),
    "NEGATIVE": ({Feature.NEGATIVE_CONDITIONS}, LMCUT),
    "COSTS": ({Feature.COSTS}, LMCUT),
    "CONDITIONAL": ({Feature.CONDITIONAL_EFFECTS}, HMAX),
    "ALTERNATIVES": ({Feature.DISJUNCTIVE_GOAL}, BLIND),
    "DERIVED": ({Feature.DERIVED}, BLIND),
    "NUMERIC": ({Feature.NUMERIC}, "first"),
    "LASTING": ({Feature.DURATIVE}, "first"),
}


@pytest.mark.parametrize("name", TRAITS)
def test_traits_decide_the_search(name):
    traits, search = TRAITS[name]
    found = features(*getattr(problems, name))
    assert found.present == traits
    choice = choose(found, present=BOTH)
    assert choice.search == search
    assert choice.proves == (search != "first")


def test_conditions_on_all_things_need_a_search_without_heuristic():
    found = features(*problems.EVERYWHERE)
    assert found.present & AXIOMS
    assert choose(found).search == BLIND


@pytest.mark.parametrize(
    ("goal", "traits"),
    [
        ("(not (and (at x) (at y)))", {Feature.DISJUNCTIVE_GOAL, Feature.NEGATIVE_CONDITIONS}),
        ("(not (or (at x) (at y)))", {Feature.NEGATIVE_CONDITIONS}),
        ("(imply (at x) (at y))", {Feature.DISJUNCTIVE_GOAL, Feature.NEGATIVE_CONDITIONS}),
        ("(exists (?p - place) (at ?p))", {Feature.DISJUNCTIVE_GOAL}),
        ("(not (exists (?p - place) (at ?p)))", {Feature.UNIVERSAL_CONDITIONS, Feature.NEGATIVE_CONDITIONS}),
    ],
)
def test_negation_is_followed_inwards(goal, traits):
    assert features(problems.PLAIN[0], problems.task(goal)).present == traits


def test_every_planner_that_is_not_taken_has_its_reason():
    choice = choose(features(*problems.CONDITIONAL), present=BOTH)
    assert len(choice.excluded) == len(TABLE) - 1
    (lmcut,) = [one for one in choice.excluded if one.entry.search == LMCUT]
    assert lmcut.feature is Feature.CONDITIONAL_EFFECTS
    assert lmcut.why == "Not A* with LM-cut: it does not take conditional effects."
    (blind,) = [one for one in choice.excluded if one.entry.search == BLIND]
    assert blind.feature is None
    assert "A* with h^max is the better one" in blind.why
    assert str(choice).startswith("A* with h^max to prove the plan cheapest: the problem has conditional effects.")


def test_a_lower_bound_that_is_none_is_said_so():
    choice = choose(features(*problems.DERIVED))
    (hmax,) = [one for one in choice.excluded if one.entry.search == HMAX]
    assert hmax.why == "Not A* with h^max: it is no lower bound with derived predicates."


def test_where_nothing_proves_the_choice_says_so():
    choice = choose(features(*problems.NUMERIC), present=BOTH)
    assert (choice.planner, choice.proves) == ("kairos", False)
    assert "nothing that is installed proves such a plan cheapest" in choice.why


def test_a_first_plan_is_kairos_s_and_without_it_the_greedy_search_s():
    found = features(*problems.PLAIN)
    assert choose(found, proof=False, present=BOTH).planner == "kairos"
    without = choose(found, proof=False)
    assert without.search.startswith("let(h")
    assert "Not Kairos, its first plan: kairos is not installed (extra: kairos)." in str(without)


@pytest.mark.parametrize("name", ["NUMERIC", "LASTING", "BROKEN"])
def test_a_problem_that_nobody_takes_is_told_with_every_reason(name):
    with pytest.raises(UnplannableError, match=r"Not A\* with LM-cut: it does not take .*kairos is not installed"):
        choose(features(*getattr(problems, name)))


def test_the_kitchen_is_for_lm_cut():
    found, state = shipped("full")
    text = pddl_text(Problem(DOMAIN, found, state, (conjunct("(and (on apple0 shelf0) (not (opened fridge0)))"),)))
    traits = features(text.domain, text.problem)
    assert traits.present == {Feature.NEGATIVE_CONDITIONS, Feature.COSTS}
    assert (traits.objects, traits.actions) == (len(found), len(DOMAIN.capabilities))
    assert choose(traits).search == LMCUT
