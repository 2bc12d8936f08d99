"""A smaller scene in which a cheapest plan costs the same: what a recipe has no use for is left out, with an argument.

The goal is that one vessel *g* contains what it must and not what it must not, and stands somewhere. Each plan of the
whole scene becomes one of the small scene, step by step, at no more cost:

- Equal glasses may change names, so *g* is the first of them.
- Bottles and pieces of what is not wanted, bowls without a wanted piece, and vessels other than *g*: every step on
  them is dropped. Such steps make nothing that is asked for but a free hand, and a hand is free exactly when it holds
  nothing; what they alone had put into it is not in it now.
- What is poured or added into another vessel and from there into *g* goes into *g* at once; nothing is asked of its
  being mixed.
- Of the pieces of one kind, the one whose way into *g* ends first is enough: *g* never loses what it contains, and the
  steps on the others are dropped like those on unwanted ones. Equal pieces may change names, so it is the first.
- What is put down anywhere is put on one surface instead, unless the goal names the place; that surface is never shut.

A plan that is found is run and validated in the whole scene.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from domains.model import SceneFile
from semantics.atoms import Atom
from semantics.errors import UsageError
from semantics.state import State
from semantics.vocabulary import Thing

__all__ = ["Small", "reduced", "vessel_of"]


@dataclass(frozen=True, slots=True)
class Small:
    """A reduced scene: what is in it, what holds, and the vessel that everything goes into."""

    things: Mapping[str, Thing]
    state: State
    vessel: str


def vessel_of(scene: SceneFile) -> str:
    """Return the first vessel that nothing is done with but filling it: a glass, or the dough.

    Raises:
        UsageError: The scene has none, or one of several is different from the others.
    """
    found = [name for name, thing in scene.things.items() if thing.class_name in ("glass", "dough")]
    if not found or len({_about(name, scene) for name in found}) > 1:
        raise UsageError(f"scene '{scene.name}' has no glass or dough, or they are not equal")
    return found[0]


def _about(name: str, scene: SceneFile) -> tuple[frozenset[Atom], frozenset[tuple[Atom, float]]]:
    """Return what is true of a thing, with a mark in the place of its name."""
    facts = (_marked(atom, name) for atom in scene.facts if name in atom.args)
    numbers = ((_marked(atom, name), value) for atom, value in scene.numbers.items() if name in atom.args)
    return frozenset(facts), frozenset(numbers)


def _marked(atom: Atom, name: str) -> Atom:
    return Atom(atom.predicate, tuple("?" if arg == name else arg for arg in atom.args))


def reduced(scene: SceneFile, wanted: Collection[str], places: Collection[str]) -> Small:
    """Return what is left for a recipe.

    Args:
        scene: The whole scene, with empty hands.
        wanted: What the vessel must contain.
        places: What the goal names besides the vessel.

    Raises:
        UsageError: There is no vessel, or the scene is not as the argument needs it.
    """
    vessel = vessel_of(scene)
    busy = [str(atom) for atom in scene.facts if atom.predicate in ("holding", "contains", "in")]
    if busy:
        raise UsageError(
            f"scene '{scene.name}': {busy[0]} holds at the start; the argument needs empty hands and glasses"
        )
    _check_pieces(scene)
    source = {atom.args[0]: atom.args[1] for atom in scene.facts if atom.predicate in ("made_of", "filled")}
    first = {substance: name for name, substance in sorted(source.items(), reverse=True) if _is_piece(name, scene)}
    bowls = {atom.args[1] for atom in scene.facts if atom.predicate == "on" and atom.args[0] in first.values()}
    useful = {name for name, substance in source.items() if substance in wanted and first.get(substance, name) == name}
    useful |= {vessel, *places, *(name for name in bowls if _holds(name, useful, scene))}
    useful |= {atom.args[1] for atom in scene.facts if atom.predicate == "on" and atom.args[0] in useful}
    surface = next(name for name, thing in scene.things.items() if {"support", "keep"} <= thing.affordances
                   and "carry" not in thing.affordances and name not in places)  # fmt: skip
    things = {
        name: _place(thing, thing.name in {surface, *places})
        for name, thing in scene.things.items()
        if name in useful or "carry" not in thing.affordances
    }
    facts = frozenset(atom for atom in scene.facts if all(arg in things for arg in atom.args))
    numbers = {atom: value for atom, value in scene.numbers.items() if all(arg in things for arg in atom.args)}
    return Small(things, State(facts, numbers), vessel)


def _check_pieces(scene: SceneFile) -> None:
    for atom in scene.facts:
        if atom.predicate == "made_of":
            alike = [one.args[0] for one in scene.facts if one.predicate == "made_of" and one.args[1] == atom.args[1]]
            if len({_about(name, scene) for name in alike}) > 1:
                raise UsageError(f"scene '{scene.name}': the pieces of {atom.args[1]} are not equal")


def _is_piece(name: str, scene: SceneFile) -> bool:
    return "piece" in scene.things[name].affordances


def _holds(bowl: str, useful: Collection[str], scene: SceneFile) -> bool:
    return any(atom.args == (name, bowl) for atom in scene.facts if atom.predicate == "on" for name in useful)


def _place(thing: Thing, kept: bool) -> Thing:
    if kept or "support" not in thing.affordances:
        return thing
    return replace(thing, affordances=thing.affordances - {"support"})
