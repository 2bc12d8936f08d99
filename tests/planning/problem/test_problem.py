import dataclasses
import subprocess
import sys

import pytest

from domains.problem import Problem
from planning import UnplannableError, pddl_text
from semantics.logic.atoms import Literal
from semantics.logic.state import Action
from tests.planning.kitchen import DOMAIN, conjunct, scene, shipped, things


def test_the_text_holds_what_an_optimal_planner_takes_and_no_more():
    found, state = shipped("full")
    text = pddl_text(Problem(DOMAIN, found, state, (conjunct("(inhand milk0 human0)"),)))
    for word in (":derived", "when", "forall", "exists", "(or "):
        assert word not in text.domain + text.problem
    assert ":action-costs" in text.domain


def test_each_class_is_one_type_and_each_affordance_in_use_a_static_predicate():
    found, state = shipped("small")
    text = pddl_text(Problem(DOMAIN, found, state, (conjunct("(opened fridge0)"),)))
    assert text.domain.count("milk - object") == 1
    assert text.problem.count("(affords-open fridge0)") == 1
    assert "affords-drinkable" not in text.domain


def test_only_agents_with_the_capability_act_and_at_their_cost():
    found, state = shipped("small")
    human = dataclasses.replace(DOMAIN.agents["human"], capabilities=frozenset({"open"}))
    cheap = {name: dataclasses.replace(one, cost=3) for name, one in DOMAIN.capabilities.items()}
    changed = dataclasses.replace(DOMAIN, agents={**DOMAIN.agents, "human": human}, capabilities=cheap)
    text = pddl_text(Problem(changed, found, state, (conjunct("(opened fridge0)"),)))
    assert text.domain.count("(increase (total-cost) 300)") == 1
    assert text.domain.count("(increase (total-cost) 3)") == len(DOMAIN.agents["robot"].capabilities)
    assert {ours for ours in text.names.values() if ours == "open"} == {"open"}


def test_names_that_pddl_cannot_tell_apart_come_back_as_ours():
    found, state = scene({"milk0": "fridge0"})
    odd = {
        **found,
        "Milk0": DOMAIN.thing("Milk0", "milk"),
        "at": DOMAIN.thing("at", "apple"),
        "and": DOMAIN.thing("and", "apple"),
    }
    text = pddl_text(Problem(DOMAIN, odd, state, (conjunct("(opened fridge0)"),)))
    assert sorted(set(odd) & set(text.names.values())) == sorted(odd)
    theirs = {ours: name for name, ours in text.names.items()}
    action = Action("move", tuple(theirs[name] for name in ("Milk0", "at", "and")))
    assert text.read(action) == Action("move", ("Milk0", "at", "and"))


def test_facts_of_things_left_out_are_left_out():
    found, state = scene({"milk0": "fridge0", "apple0": "table0"})
    text = pddl_text(Problem(DOMAIN, things("milk0"), state, (conjunct("(opened fridge0)"),)))
    assert "apple" not in text.problem + text.domain
    assert "apple0" in found


@pytest.mark.parametrize("goal", ["(opened nothing0)", "(melted milk0)"])
def test_an_unknown_name_in_the_goal_is_refused(goal):
    found, state = scene({"milk0": "fridge0"})
    with pytest.raises(UnplannableError):
        pddl_text(Problem(DOMAIN, found, state, (conjunct(goal),)))


def test_negative_goals_are_written():
    found, state = scene({"milk0": "fridge0"})
    (literal,) = conjunct("(not (in milk0 fridge0))")
    assert literal == Literal(literal.atom, False)
    assert "(not (in milk0 fridge0))" in pddl_text(Problem(DOMAIN, found, state, (frozenset({literal}),))).problem


def test_importing_the_room_imports_no_planning_library_and_modelling_no_engine():
    code = (
        "import sys, planning\n"
        "assert not {'unified_planning', 'up_fast_downward', 'fast_downward'} & set(sys.modules)\n"
        "from benchmarks.planning.unified import load; load()\n"
        "assert 'unified_planning.model' in sys.modules and 'unified_planning.engines' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
