"""What is said in a form of its own, without a reader of words: a goal in PDDL, wishes, a reply in a file."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from domains.model import Domain
from graftwork.errors import ReplyFileError
from semantics.errors import UsageError, known_name
from semantics.logic.atoms import And, Exists, ForAll, Formula, Literal, literals, numbers_in, walked
from semantics.logic.attribute_goals import over_values
from semantics.logic.conditions import bounded, expanded
from semantics.logic.goal import Every, Goal, Rejection, split_values
from semantics.logic.parsing import parse_formula
from semantics.logic.reply import Content
from semantics.logic.vocabulary import Thing
from semantics.plain_text import text_of_person
from semantics.process.reading import read_bounded

LONGEST_REPLY = 2_000_000  # how many bytes of a file with a reply are read
HOW_TO_ASK = 'say what is wanted in words, or as a goal (--goal, goal=) such as "(in apple0 fridge0)"'


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
    goal = Goal(parse_formula(condition, variables=True, adl=True), " ".join(text.split()), values=values)
    return ground_goal(goal, domain, things)


def ground_goal(goal: Goal, domain: Domain, things: Mapping[str, Thing]) -> Goal:
    """Return a goal whose quantifiers are expanded over the objects, and those of the goals after it.

    Raises:
        UsageError: As `formal_goal`.
    """
    formula, ranged = quantified(goal.formula, domain, things)
    ranges = any(isinstance(part, ForAll | Exists) for part, _ in walked(formula))
    every = (Every(goal.text or str(goal.formula), tuple(things)),) if ranges else ()
    later = tuple(ground_goal(stage, domain, things) for stage in goal.later)
    return replace(goal, formula=_ground(formula, ranged, domain.attributes), every=every, later=later)


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
    formula = _ground(problem.goal, problem.scene.things, domain.attributes)
    return Goal(formula, " ".join(str(problem.goal).split()))


def with_wishes(goal: str | None, wishes: Iterable[str], domain: Domain, things: Mapping[str, Thing]) -> Goal:
    """Return a goal in PDDL with wishes, each as ``FACT=VALUE``; without a goal, nothing but the wishes is wanted.

    Raises:
        UsageError: As `formal_goal`; or a wish is no fact with a value above 0.
    """
    weights: list[tuple[Literal, float]] = []
    from semantics.logic.reply_form import MOST_WEIGHT

    for wish in wishes:
        fact, _, value = wish.rpartition("=")
        told = list(literals(formal_goal(fact, domain, things).formula)) if fact else []
        try:
            weight = float(value)
        except ValueError:
            weight = 0.0
        if len(told) != 1 or not 0 < weight < MOST_WEIGHT:
            raise UsageError(f"the wish '{wish}' is no fact with its value, such as (clean table0)=2")
        weights.append((told[0], weight))
    whole = Goal(And(())) if goal is None else formal_goal(goal, domain, things)
    return replace(whole, weights=tuple(weights))


def read_reply_file(path: Path) -> Content:
    """Return what a reply in a file says: a goal, a program, a plan, a query, in JSON; ``-`` is standard input.

    Raises:
        ReplyFileError: The file cannot be read, or it is no reply.
    """
    from semantics.logic.reply_form import read_document  # for a file alone

    try:
        reply = read_document(json.loads(read_bounded(path, LONGEST_REPLY, standard_input=True)))
    except (OSError, ValueError) as error:
        raise ReplyFileError(path, getattr(error, "strerror", None) or str(error)) from error
    if isinstance(reply, Rejection):
        raise ReplyFileError(path, " ".join(map(str, reply.feedback)))
    return reply.content


def _ground(formula: Formula, things: Mapping[str, Thing], attributes: Collection[str]) -> Formula:
    ground = expanded(bounded(formula, things), things)
    if free := sorted({name for literal in literals(ground) for name in literal.atom.args if name.startswith("?")}):
        raise UsageError(f"{free[0]} stands in the goal without a forall or exists around it; name an object")
    if numbers := sorted({number for number in numbers_in(ground) if number.predicate not in attributes}):
        names = ", ".join(map(str, numbers))
        raise UsageError(f"the goal compares numbers ({names}), and plans are made for facts only; ask for facts")
    return ground
