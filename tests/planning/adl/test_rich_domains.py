"""Capabilities without an agent, numbers that are not planned with, and which search a domain admits."""

from dataclasses import replace

import pytest

from domains.capability import Capability, ConditionalEffect, NumericEffect, Parameter, Template
from domains.model import DerivedPredicate, Domain, NumericFluent, PredicateModel
from domains.problem import Problem
from domains.reader import load_domain
from planning import pddl_text, solve, validate_actions
from planning.adl import admits
from planning.adl.solver import RETRIES
from planning.part import best_part
from planning.problem.grounding import ground
from planning.replanning.replan import lower_bound
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.atoms import And, Atom, Compare, Exists, Literal, Or, Variable
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, Plan, State
from semantics.logic.vocabulary import Predicate, Thing
from tests.planning.relaxation import reachable


def facts(*texts) -> frozenset[Atom]:
    return frozenset(parse_formula(text) for text in texts)


def asked(*texts) -> CheckedGoal:
    return CheckedGoal(Goal(And(())), (frozenset(map(Literal, facts(*texts))),))


def verb(name, parameters, before, effect, **more) -> Capability:
    def templates(texts):
        words = [text.removeprefix("not ").split() for text in texts]
        return tuple(
            Template(one[0], tuple(one[1:]), not text.startswith("not "))
            for one, text in zip(words, texts, strict=True)
        )

    typed = tuple(Parameter(one.split("-")[0], (one.split("-")[1],)) for one in parameters)
    return Capability(name, typed, templates(before), templates(effect), agentless=True, **more)


def world(name, predicates, *verbs, **more) -> Domain:
    models = {one: PredicateModel(Predicate(one, kinds, one)) for one, kinds in predicates.items()}
    return Domain(name, {}, {}, {}, models, {one.name: one for one in verbs}, {}, **more)


BLOCKS = world(
    "blocks",
    {"on": ("object",) * 2, "ontable": ("object",), "clear": ("object",), "holding": ("object",), "handempty": ()},
    verb(
        "pick-up",
        ["x-object"],
        ["clear ?x", "ontable ?x", "handempty"],
        ["not ontable ?x", "not clear ?x", "not handempty", "holding ?x"],
    ),
    verb("put-down", ["x-object"], ["holding ?x"], ["not holding ?x", "clear ?x", "handempty", "ontable ?x"]),
    verb(
        "stack",
        ["x-object", "y-object"],
        ["holding ?x", "clear ?y"],
        ["not holding ?x", "not clear ?y", "clear ?x", "handempty", "on ?x ?y"],
    ),
    verb(
        "unstack",
        ["x-object", "y-object"],
        ["on ?x ?y", "clear ?x", "handempty"],
        ["holding ?x", "clear ?y", "not clear ?x", "not handempty", "not on ?x ?y"],
    ),
)
THREE = {name: Thing(name, "block", frozenset()) for name in "abc"}
SUSSMAN = State(facts("(ontable a)", "(ontable b)", "(on c a)", "(clear b)", "(clear c)", "(handempty)"))
TOWER = asked("(on a b)", "(on b c)")


def test_blocks_are_stacked_by_nobody_optimally(planner):
    plan = solve(Problem(BLOCKS, THREE, SUSSMAN, TOWER.conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert plan.optimal
    assert [str(step) for step in plan.steps] == [
        "(unstack c a)",
        "(put-down c)",
        "(pick-up b)",
        "(stack b c)",
        "(pick-up a)",
        "(stack a b)",
    ]
    assert 0 < lower_bound(Problem(BLOCKS, THREE, SUSSMAN, TOWER.conjuncts)) <= 6


def test_the_text_for_other_planners_has_an_action_without_an_agent(planner):
    written = pddl_text(Problem(BLOCKS, THREE, SUSSMAN, (TOWER.conjuncts[0],)))
    found = planner.solve(written.domain, written.problem, seconds=20)
    assert isinstance(found, FoundPlan)
    assert len(found.actions) == 6
    assert written.read(found.actions[0]) == Action("unstack", ("c", "a"))


def test_a_circle_of_blocks_is_impossible_and_the_best_part_leaves_one_out(planner):
    circle = asked("(on a b)", "(on b c)", "(on c a)")
    none = solve(Problem(BLOCKS, THREE, SUSSMAN, circle.conjuncts), planner=planner)
    assert isinstance(none, NoPlan)
    assert none.proven
    part = best_part(Problem(BLOCKS, THREE, SUSSMAN, (circle.conjuncts[0],)), planner=planner)
    assert len(part.left_out) == 1
    assert part.optimal


def test_everything_that_a_hand_could_ever_do_is_listed():
    assert len(ground(Problem(BLOCKS, THREE, State()))) == 3 + 3 + 9 + 9
    assert Literal(*facts("(holding a)")) in reachable(ground(Problem(BLOCKS, THREE, State())), SUSSMAN)


# A jug that holds too little for both cups unless it is filled in between; planning does not look at litres.
JUG, HALF = Atom("litres", ("?j",)), 0.5
FILL = verb("fill", ["j-jug"], [], ["filled ?j"], numeric=(NumericEffect("assign", JUG, 1.0),), cost=1)
SERVE = verb(
    "serve",
    ["j-jug", "c-cup"],
    ["filled ?j"],
    ["full ?c"],
    condition=Compare(">=", JUG, HALF),
    numeric=(NumericEffect("decrease", JUG, HALF),),
    cost=1,
)
BAR = world(
    "bar",
    {"filled": ("jug",), "full": ("cup",)},
    FILL,
    SERVE,
    fluents={"litres": NumericFluent("litres", ("jug",), planned=False)},
)
JUGS = {name: Thing(name, name[:-1], frozenset({name[:-1]})) for name in ("jug0", "jug1", "cup0", "cup1", "cup2")}


def litres(**jugs) -> State:
    return State(
        facts("(filled jug0)", "(filled jug1)"), {Atom("litres", (name,)): held for name, held in jugs.items()}
    )


def test_numbers_that_are_not_planned_are_validated(planner):
    plan = solve(Problem(BAR, JUGS, litres(jug0=1.0, jug1=1.0), asked("(full cup0)").conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert plan.optimal


def test_where_a_number_breaks_a_plan_another_one_is_looked_for_and_not_called_optimal(planner):
    plan = solve(Problem(BAR, JUGS, litres(jug0=0.25, jug1=1.0), asked("(full cup0)").conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert [str(step) for step in plan.steps] == ["(serve jug1 cup0)"]
    assert plan.optimal or plan.bound == 1


def test_where_no_other_plan_is_found_the_step_and_the_number_are_named(planner):
    none = solve(Problem(BAR, JUGS, litres(jug0=0.25, jug1=0.25), asked("(full cup0)").conjuncts), planner=planner)
    assert RETRIES > 1
    assert isinstance(none, NoPlan)
    assert not none.proven
    assert none.feedback.code is Code.INVALID_PLAN
    assert "step 1, (serve jug" in none.feedback.what
    assert "0.25" in none.feedback.why
    assert "litres" in none.feedback.why


def test_numbers_that_have_to_be_planned_with_are_left_to_a_planner_that_takes_them_or_named(planner):
    fluents = {"litres": NumericFluent("litres", ("jug",))}
    answer = solve(
        Problem(replace(BAR, fluents=fluents), JUGS, litres(jug0=1.0, jug1=1.0), asked("(full cup0)").conjuncts),
        planner=planner,
    )
    if isinstance(answer, Plan):
        assert not answer.optimal
        assert answer.planner == "kairos"
    else:
        assert answer.feedback.code is Code.UNSUPPORTED
        assert "litres" in answer.feedback.why


def test_the_validator_names_the_part_of_a_condition_that_fails():
    steps = [Action("serve", ("jug0", "cup0")), Action("serve", ("jug0", "cup1")), Action("serve", ("jug0", "cup2"))]
    broken = validate_actions(steps, Problem(BAR, JUGS, litres(jug0=1.0, jug1=0.0)))
    assert str(broken.feedback.what) == "step 3, (serve jug0 cup2)"
    assert broken.reason == "(>= (litres jug0) 0.5) does not hold there, (litres jug0) is 0"


def reaching(recursive: bool) -> Domain:
    step = Exists((Variable("y"),), And((Atom("on", ("?x", "?y")), Atom("high" if recursive else "clear", ("?y",)))))
    derived = DerivedPredicate("high", (Variable("x"),), (Or((Atom("clear", ("?x",)), step)),))
    high = PredicateModel(Predicate("high", ("object",), "high"))
    return replace(BLOCKS, derived={"high": derived}, predicates={**BLOCKS.predicates, "high": high})


def with_conditional() -> Domain:
    effect = ConditionalEffect((Template("clear", ("?x",)),), (), Atom("handempty"))
    changed = replace(BLOCKS.capabilities["put-down"], conditional=(effect,))
    return replace(BLOCKS, capabilities={**BLOCKS.capabilities, "put-down": changed})


@pytest.mark.parametrize(
    ("domain", "title", "excluded"),
    [
        (BLOCKS, "A* with LM-cut", []),
        (load_domain("kitchen"), "A* with LM-cut", []),
        (reaching(False), "A* with LM-cut", []),
        (with_conditional(), "A* with h^max", ["conditional-effects"]),
        (reaching(True), "A* without a heuristic", ["derived-predicates", "derived-predicates"]),
        (replace(BAR, fluents={}), "none", ["numeric"] * 3),
    ],
)
def test_a_domain_says_which_search_it_admits_and_what_excluded_the_others(domain, title, excluded):
    told = admits(domain)
    assert told.title == title
    assert [feature for _, feature in told.excluded] == excluded
    assert all(feature in told.sentence for feature in excluded)
