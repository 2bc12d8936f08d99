"""What a profile cannot say is refused by name, and what is written has names that every reader takes."""

from dataclasses import replace
from pathlib import Path

import pytest

from domains.files import write_pddl
from domains.model import AgentModel, NumericFluent
from domains.pddl import PddlWriter, ProfileError, write_problem
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from semantics.errors import UnknownNameError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, State
from semantics.logic.vocabulary import Thing
from tests.domains.pddl.worlds import WORLDS, read


def refusals(name: str, profile: str, tmp_path: Path) -> list[str]:
    domain, problem = read(WORLDS[name].domain, WORLDS[name].problem, tmp_path / name)
    with pytest.raises(ProfileError) as caught:
        write_pddl(domain, problem.scene, problem.goal, profile)
    return [f"{one.where}: {one.feature}" for one in caught.value.refusals]


def test_strips_refuses_each_feature_by_name(tmp_path: Path):
    assert refusals("lights", "strips", tmp_path) == [
        "capability press: conditional effects",
        "capability press: choices",
        "capability press: quantifiers",
        "capability press: effects of everything of a sort",
        "capability repair: choices",
        "capability repair: quantifiers",
    ]
    assert refusals("towers", "strips", tmp_path) == ["predicate above: derived predicates", "predicate clear: derived predicates"]  # fmt: skip  # noqa: E501


def test_numbers_are_refused_but_for_the_numeric_profile(tmp_path: Path):
    told = refusals("jugs", "adl-costs", tmp_path)
    assert told == [
        f"capability {name}: numbers that are planned" for name in ("fill", "empty", "pour-all", "pour-some")
    ]


def test_a_refusal_says_what_would_do(tmp_path: Path):
    domain, problem = read(WORLDS["jugs"].domain, WORLDS["jugs"].problem, tmp_path / "own")
    with pytest.raises(ProfileError, match="use the profile numeric"):
        write_pddl(domain, problem.scene, problem.goal, "adl-costs")


def test_unequal_costs_are_refused_by_strips_unless_they_are_dropped():
    kitchen = load_domain("kitchen")
    robot = kitchen.agents["robot"]
    dear = replace(kitchen, agents={"robot": robot, "human": AgentModel("human", robot.capabilities, 100)})
    things = load_scene(kitchen, "small").things
    with pytest.raises(ProfileError, match="from 1 to 100"):
        PddlWriter(dear, things, "strips")
    written = PddlWriter(dear, things, "strips", drop_costs=True).write(State(), frozenset())
    assert "total-cost" not in written.domain + written.problem


def test_numbers_that_are_not_planned_are_left_out_with_a_note(tmp_path: Path):
    domain, problem = read(WORLDS["jugs"].domain, WORLDS["jugs"].problem, tmp_path / "own")
    loose = {name: replace(one, planned=False) for name, one in domain.fluents.items()}
    text, _, _ = write_pddl(replace(domain, fluents=loose), problem.scene, parse_formula("(done)"), "adl-costs")
    assert "; left out: the number level" in text
    assert "assign" not in text
    assert isinstance(loose["level"], NumericFluent)


def test_names_that_differ_only_in_case_are_kept_apart():
    domain = load_domain("blocks")
    things = {name: Thing(name, "block", frozenset({"stack"})) for name in ("Cup", "cup", "and", "on")}
    state = State(frozenset({Atom("clear", (name,)) for name in things} | {Atom("handempty")}))
    written = write_problem(Problem(domain, things, state, (frozenset({Literal(Atom("on", ("Cup", "cup")))}),)))
    assert {written.names[name] for name in ("cup", "cup-2")} == {"Cup", "cup"}
    assert "; renamed: cup-2 is cup" in written.domain
    assert written.read(Action("STACK", ("cup", "cup-2"))) == Action("stack", ("Cup", "cup"))
    assert sorted(written.names[name] for name in written.names if name.startswith("and")) == ["and"]


def test_an_unknown_profile_or_goal_is_told():
    domain = load_domain("blocks")
    with pytest.raises(UnknownNameError, match="strips"):
        PddlWriter(domain, {}, "stirps")
    with pytest.raises(UnknownNameError, match="thing 'x'"):
        PddlWriter(domain, {}).write(State(), frozenset({Literal(Atom("clear", ("x",)))}))


def test_a_goal_may_quantify_over_an_affordance_that_nothing_else_asks_for():
    kitchen = load_domain("kitchen")
    scene = load_scene(kitchen, "small")
    goal = parse_formula("(forall (?x - rotate) (not (opened ?x)))", variables=True, adl=True)
    _, problem, _ = write_pddl(kitchen, scene, goal)
    assert "(forall (?x - object) (or (not (affords-rotate ?x)) (not (opened ?x))))" in problem


@pytest.mark.parametrize("value", [0.1, 1e-12, 123456789.5, -3.0, 1e20])
def test_numbers_are_written_exactly(value: float, tmp_path: Path):
    domain, problem = read(WORLDS["jugs"].domain, WORLDS["jugs"].problem, tmp_path / "own")
    scene = replace(problem.scene, numbers={**problem.scene.numbers, Atom("level", ("big",)): value})
    texts = write_pddl(domain, scene, problem.goal, "numeric")
    _, again = read(texts[0], texts[1], tmp_path / "again")
    assert again.scene.numbers[Atom("level", ("big",))] == value
