"""What a prompt tells of a world and of a scene, by the names in their templates.

A class stands under its kind, a thing at its place, and those that differ in their number share a name: ``apple0,2-4``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from affordances.scene import Scene
from domains.world import World
from semantics.geometry.relations import SEEN_FROM
from semantics.logic.atoms import Atom
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

MOST_CLASSES, MOST_DETAILS, LONGEST_LISTING, STEPS = 200, 20, 1000, 20
"""In a world with more classes only those of its things are told; of how many things it is told what they are like; how
many characters tell where things are; and in how many steps things are left out of these that do not find room."""


def domain_parts(world: World) -> dict[str, Any]:
    """Return what is told of a world, whatever stands where."""
    domain, present = world.domain, {thing.class_name for thing in world.objects.values()}
    predicates = [model.predicate for model in domain.predicates.values() if not model.bookkeeping]
    names = domain.classes if len(domain.classes) <= MOST_CLASSES else sorted(present)
    kinds = {kind: members & {*names} for kind, members in domain.kinds.items() if members & {*names}}
    made = {f"{name}_{relation}" for name, verb in domain.capabilities.items() for relation in verb.relations}
    agents = {name: agent.capabilities - made for name, agent in domain.agents.items() if name in present}
    agents["anybody"] = frozenset(name for name, verb in domain.capabilities.items() if verb.agentless)
    verbs = [verb for name, verb in domain.capabilities.items() if any(name in each for each in agents.values())]

    def able(*affordances: str) -> set[str]:
        return {name for name in names if {*affordances} - {"object"} <= domain.classes[name].affordances}

    asked = {each for predicate in predicates if predicate.goal for each in predicate.parameters} - {"object"}
    return {
        "predicates": predicates,
        "twins": SEEN_FROM,
        "abilities": [(_with_kinds(able(each), kinds), each) for each in sorted(asked)],
        "kinds": {kind: _with_kinds(members, kinds, kind) for kind, members in kinds.items()},
        "attributes": domain.attributes,
        "agents": {agent: [verb for verb in verbs if verb.name in own] for agent, own in agents.items()},
        "able": able,
        "values": [(value.form, value.words, verb.name) for verb in verbs for value in verb.values],
        "recipes": _recipes(world),
    }


def _with_kinds(classes: Collection[str], kinds: Mapping[str, Collection[str]], itself: str = "") -> tuple[str, ...]:
    """Return the largest kinds, but not `itself`, all of whose classes are among some, and the other classes."""
    whole = {kind: {*names} for kind, names in kinds.items() if {*names} <= {*classes} and kind != itself}
    largest = [kind for kind, names in whole.items() if not any(names < others for others in whole.values())]
    return (*largest, *sorted({*classes}.difference(*(whole[kind] for kind in largest))))


def _recipes(world: World) -> Mapping[str, str]:
    """Return the goals of phrases that have more in them than they name, each with the words of the first of them."""
    recipes = dict[str, str]()
    for phrase in world.domain.phrases:
        if phrase.pattern.startswith("i am ") or not phrase.told:
            continue  # what a person says of themselves is no recipe
        named, wanted = (set(re.findall(r"\{(\w+)\}", text)) for text in (phrase.pattern, phrase.goal))
        if wanted - named - {"robot", "speaker"} and not phrase.goal.startswith("(not"):
            recipes.setdefault(phrase.goal, re.sub(r"\|[^\s\[\]]+|\[[^\]]*\] ?", "", phrase.pattern))
    return recipes


def scene_parts(world: World, state: State, believed: Scene | None, ranked: Sequence[str]) -> dict[str, Any]:
    """Return what is told of a scene; the first of the `ranked` things count most where not all can be told."""
    things, names, scene = world.objects, world.domain.conventions, believed or Scene(world)
    told = list(facts_told(world, state, ranked[:MOST_DETAILS]))
    unseen = {atom for atom in told if atom in scene.beliefs and scene.beliefs[atom].seen is None}
    movable = [name for name in ranked if {names.location, names.actor}.isdisjoint(things[name].affordances)]
    known = {name for atom in told if atom.predicate not in names.doors for name in atom.args[:1]}
    lost = {name for name in movable if names.carry in things[name].affordances} - known
    for count in range(len(movable), -1, -max(1, len(movable) // STEPS)):
        without, facts = known.intersection(movable[count:]), defaultdict[str, set[str]](set)
        kept = [atom for atom in told if without.isdisjoint(atom.args[:1])]
        for atom in kept:
            facts[" ".join((atom.predicate, *atom.args[1:])) + " (unseen)" * (atom in unseen)].update(atom.args[:1])
        facts |= {"elsewhere, to be looked up": without} if without else {}
        listing = {what: short_names(members, things) for what, members in facts.items()}
        if sum(map(len, (*listing, *listing.values()))) <= LONGEST_LISTING:
            break
    return {
        "facts": listing,
        "lost": short_names(lost, things),
        "others": short_names({*things}.difference(lost, without, *(atom.args for atom in kept)), things),
        "detailed": [things[name] for name in ranked[:MOST_DETAILS]],
        "placed": {atom.args[0]: atom for atom in told if atom.predicate in names.placing},
        "held": [
            atom.args[0] for atom in told if atom.predicate == names.inhand and atom.args[1] == world.vocabulary.robot
        ],
        "state": state,
        "scene": scene,
        "world": world,
    }


def facts_told(world: World, state: State, among: Collection[str]) -> Iterator[Atom]:
    """Yield the facts that do not follow from others, and of relations on demand those `among` some things."""
    domain, objects = world.domain, world.objects
    for atom in sorted(state.atoms):
        model = domain.predicates.get(atom.predicate)
        is_known = objects.keys() >= {*(atom.args[:1] if model is None else atom.args)}
        is_told = atom.predicate in domain.attributes if model is None else not model.bookkeeping
        if is_known and is_told and (atom.predicate not in domain.on_demand or {*atom.args} <= {*among}):
            yield atom


def short_names(names: Iterable[str], things: Mapping[str, Thing]) -> str:
    """Return names with those that differ in their number as one, and with the class where they do not tell it."""
    texts = list[str]()
    split = sorted((things[name].class_name, name.rstrip("0123456789"), name) for name in names)
    for (class_name, stem), group in groupby(split, key=lambda each: each[:2]):
        members, beside = [name for *_, name in group], "" if stem.endswith(class_name) else f"({class_name})"
        numbers = sorted(int(name[len(stem) :]) for name in members if name != stem)
        is_plain = {f"{stem}{number}" for number in numbers} == {*members}
        texts += [name + beside for name in ([f"{stem}{_ranges(numbers)}"] if is_plain else members)]
    return " ".join(texts)


def _ranges(numbers: Iterable[int]) -> str:
    runs = [list(run) for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0])]
    return ",".join(f"{run[0][1]}-{run[-1][1]}" if len(run) > 1 else str(run[0][1]) for run in runs)
