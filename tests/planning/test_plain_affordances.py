"""Classes of an author who knows six affordances only: what is asked of them is refused for no other affordance."""

from pathlib import Path
from random import Random

import yaml

from affordances.scene import completed
from domains.model import SHIPPED
from domains.problem import Problem
from domains.reader import load_domain
from domains.relations import for_goal
from planning import solve
from planning.reasons import explain
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Plan, State

CLASSES = yaml.safe_load((Path(__file__).parent / "household_classes.yaml").read_text(encoding="utf-8"))
KNOWN = {"support", "contain", "carry", "liquid", "open", "close"}
GOALS = 200
STEP = 20
"""The planner solves one goal of so many; the others are shown to have no reason against them."""


def household(folder):
    """Return the kitchen with these classes added."""
    text = (SHIPPED / "kitchen" / "domain.yaml").read_text(encoding="utf-8")
    own = (f"  my_{name}: {{affordances: [{', '.join(has)}], abstract: true}}\n" for name, has in CLASSES.items())
    path = folder / "domain.yaml"
    path.write_text(text.replace("\npredicates:\n", f"\n{''.join(own)}\npredicates:\n"), encoding="utf-8")
    return for_goal(load_domain(path), {}, ())[0]


def affording(affordance):
    return sorted(name for name, has in CLASSES.items() if affordance in has)


def drawn(domain, random):
    """Return a problem with one goal of placing on, placing in or bringing, in a random household."""
    relations = {"on": "support", "in": "contain"}
    kind = random.choice(["on", "in", "inhand"])
    thing = random.choice(affording("carry"))
    lies = random.choice([*relations])
    source = random.choice([name for name in affording(relations[lies]) if name != thing])
    target = "human"
    if kind != "inhand":
        target = random.choice([name for name in affording(relations[kind]) if name not in (thing, source)])
    own = {f"my_{name}" for name in (thing, source, target) if name != "human"}
    things = {f"{name}0": domain.thing(f"{name}0", name) for name in (*sorted(own), "floor", "robot", "human")}
    facts = {Atom("at", ("robot0", "floor0")), Atom("at", ("human0", "floor0"))}
    facts.add(Atom(lies, (f"my_{thing}0", f"my_{source}0")))
    for name in (source, target):
        has = CLASSES.get(name, ())
        facts |= {Atom("on", (f"my_{name}0", "floor0"))} if "carry" in has else set()
        facts |= {Atom("closed", (f"my_{name}0",))} if "open" in has and "carry" not in has else set()
    goal = Literal(Atom(kind, (f"my_{thing}0", "human0" if kind == "inhand" else f"my_{target}0")))
    problem = Problem(domain, things, State(frozenset(facts)), (frozenset({goal}),))
    return Problem(domain, things, completed(problem), problem.goal)


def problems(domain):
    random = Random(60)
    return [drawn(domain, random) for _ in range(GOALS)]


def test_no_goal_is_refused_for_an_affordance_that_its_author_did_not_know(tmp_path):
    assert len(CLASSES) == 60
    assert {name for has in CLASSES.values() for name in has} == {
        "support",
        "contain",
        "carry",
        "liquid",
        "open",
        "close",
    }
    drawn_problems = problems(household(tmp_path))
    assert len({problem.goal for problem in drawn_problems}) > 100
    reasons = [explain(problem) for problem in drawn_problems]
    assert [str(reason) for reason in reasons if reason.kind != "unexplained"] == []


def test_what_nothing_speaks_against_is_planned(planner, tmp_path):
    for problem in problems(household(tmp_path))[::STEP]:
        assert isinstance(solve(problem, planner=planner, seconds=20), Plan), problem.goal
