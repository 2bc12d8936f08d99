"""Kitchen scenes as things and a state, without a body."""

from collections.abc import Mapping
from functools import cache

from affordances.bookkeeping import derive
from domains.model import Domain
from domains.reader import load_domain, load_scene
from domains.relations import for_goal
from semantics.logic.atoms import Atom, Conjunct, dnf
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

DOMAIN, _ = for_goal(load_domain("kitchen"), {}, ())
"""The kitchen without relations of places, as a goal without one is planned; see `domains.relations`."""
PLACES = ("floor", "counter", "table", "sink", "shelf", "fridge", "trash")
FIXED = ("robot0", "human0", *(f"{name}0" for name in PLACES))

Scene = tuple[dict[str, Thing], State]


def complete(found: Mapping[str, Thing], facts: set[Atom] | frozenset[Atom]) -> State:
    """Add what follows from `facts`."""
    follows = [name for name, model in DOMAIN.predicates.items() if model.bookkeeping]
    return State(frozenset(facts) | derive(facts, found, follows))


@cache
def shipped(name: str) -> Scene:
    """Return the shipped scene called `name`, as it is written and believed."""
    scene = load_scene(DOMAIN, name)
    return dict(scene.things), complete(scene.things, scene.facts | frozenset(scene.beliefs))


def things(*names: str) -> dict[str, Thing]:
    """Make things named after their class (``milk0`` is a milk), with robot, human and furniture."""
    return {name: DOMAIN.thing(name, name.rstrip("0123456789")) for name in (*FIXED, *names)}


def scene(where: Mapping[str, str], at: str = "floor0", opened: bool = False) -> Scene:
    """Return a scene in which each thing is on, in or in the hand of what `where` says."""
    found = things(*where)
    facts = {Atom("at", ("robot0", at)), Atom("at", ("human0", "floor0"))}
    facts.add(Atom("opened" if opened else "closed", ("fridge0",)))
    facts |= {Atom(_relation(found[holder]), (name, holder)) for name, holder in where.items()}
    return found, complete(found, facts)


def _relation(holder: Thing) -> str:
    if "actor" in holder.affordances:
        return "inhand"
    return "on" if "support" in holder.affordances else "in"


def checked(text: str) -> CheckedGoal:
    """Read a goal without checking it."""
    return CheckedGoal(Goal(parse_formula(text)), dnf(parse_formula(text)))


def conjunct(text: str) -> Conjunct:
    """Read a goal without alternatives."""
    (found,) = dnf(parse_formula(text))
    return found


__all__ = ["DOMAIN", "Domain", "Scene", "checked", "complete", "conjunct", "scene", "shipped", "things"]
