"""Goals in PDDL: `formal_goal` reads what a person or a program gives, `goal_of_problem` takes that of a problem."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from domains.model import Domain
from graftwork.decision.model import HOW_TO_ASK
from semantics.errors import UsageError, known_name
from semantics.logic.atoms import Exists, ForAll, Formula, literals, numbers_in, walked
from semantics.logic.attribute_goals import over_values
from semantics.logic.conditions import bounded, expanded
from semantics.logic.goal import Every, Goal, split_values
from semantics.logic.parsing import parse_formula
from semantics.logic.vocabulary import Thing
from semantics.plain_text import text_of_person


def formal_goal(text: str, domain: Domain, things: Mapping[str, Thing]) -> Goal:
    """Read a goal in PDDL.

    Args:
        text: A condition over the facts of the world. It may quantify over a class, a kind, or what affords something:
            ``(forall (?x - fruit) (on ?x shelf0))``. A name that is a class or a kind means no affordance. It may
            quantify over the values of an attribute too: ``(exists (?c - colour) …)``. Values of actions may stand
            behind it: ``(at robot0 table0) :speed 20cm/s``.
        domain: The world.
        things: The objects of the scene; quantifiers range over them.

    Raises:
        UsageError: It is no condition, quantifies over what the world does not know, or compares numbers; or a value
            is no quantity.
    """
    condition, values = split_values(text_of_person(text, "a goal"))
    formula, ranged = quantified(parse_formula(condition, variables=True, adl=True), domain, things)
    ranges = any(isinstance(part, ForAll | Exists) for part, _ in walked(formula))
    every = (Every(text, tuple(things)),) if ranges else ()
    return replace(_ground(formula, ranged, text, domain.attributes), values=values, every=every)


def quantified(formula: Formula, domain: Domain, things: Mapping[str, Thing]) -> tuple[Formula, dict[str, Thing]]:
    """Return a condition without quantifiers over values, and the things with the sets that its others range over.

    Raises:
        UnknownNameError: It quantifies over what the world does not know.
    """
    formula = over_values(formula, domain.attributes)
    names = {"object", *domain.affordances, *domain.classes, *domain.kinds, *domain.attributes}
    for part, _ in walked(formula):
        for variable in part.variables if isinstance(part, ForAll | Exists) else ():
            known_name("class, kind or affordance", variable.affordance, names)
    return formula, {name: replace(thing, affordances=_ranges(thing, domain)) for name, thing in things.items()}


def _ranges(thing: Thing, domain: Domain) -> frozenset[str]:
    """Return the names of the sets that an object belongs to."""
    other = {*domain.classes, *domain.kinds} - thing.kinds - {thing.class_name}
    return (thing.affordances - other) | thing.kinds | {thing.class_name}


def goal_of_problem(domain: Domain, scene: str) -> Goal:
    """Return the goal of a scene that is a PDDL problem.

    Raises:
        UsageError: The scene is no problem and has no goal, or its goal compares numbers.
    """
    from domains.files import problem_in

    problem = problem_in(domain, scene)
    if problem is None:
        raise UsageError(f"{HOW_TO_ASK}; nothing was said")
    return _ground(problem.goal, problem.scene.things, str(problem.goal), domain.attributes)


def _ground(formula: Formula, things: Mapping[str, Thing], text: str, attributes: Collection[str]) -> Goal:
    ground = expanded(bounded(formula, things), things)
    if free := sorted({name for literal in literals(ground) for name in literal.atom.args if name.startswith("?")}):
        raise UsageError(f"{free[0]} stands in the goal without a forall or exists around it; name an object")
    if numbers := sorted({number for number in numbers_in(ground) if number.predicate not in attributes}):
        names = ", ".join(map(str, numbers))
        raise UsageError(f"the goal compares numbers ({names}), and plans are made for facts only; ask for facts")
    return Goal(ground, " ".join(text.split()))
