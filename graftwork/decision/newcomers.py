"""What has come into view since a goal was read, and which of it the goal means, because it asks for all of a sort.

A name that a goal has means the same thing until it ends: only words for all things of a sort take in what appears.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from domains.world import World
from graftwork.decision.substitute import replaced
from graftwork.language.formal_goal import formal_goal
from graftwork.language.offline.places import PlaceReader
from graftwork.language.offline.slots import Slots
from semantics.logic.atoms import And, Formula, Or, literals
from semantics.logic.goal import Every, Goal
from semantics.logic.state import State
from semantics.words.names import NameIndex


def newcomers(goal: Goal, world: World, state: State) -> tuple[str, ...]:
    """Return the things that a goal means now and did not mean when it was read."""
    return tuple(
        dict.fromkeys(name for stage in goal.stages for each in stage.every for name in _new(each, world, state))
    )


def with_newcomers(goal: Goal, world: World, state: State) -> Goal:
    """Return a goal that takes in what it means now; the goal itself if that is what it meant before.

    Goals before the first one that has changed are left out: they were reached.
    """
    grown = [_grown(stage, world, state) for stage in goal.stages]
    changed = [index for index, (old, new) in enumerate(zip(goal.stages, grown, strict=True)) if old != new]
    if not changed:
        return goal
    first, *later = grown[changed[0] :]
    return replace(first, text=goal.text, notes=goal.notes, later=tuple(later))


def _grown(goal: Goal, world: World, state: State) -> Goal:
    formula, every = goal.formula, []
    for each in goal.every:
        new = _new(each, world, state)
        if new and not each.affordance and each.words.lstrip().startswith("("):
            return formal_goal(each.words, world.domain, world.objects)
        formula = _with_more(formula, each.names[0], new) if new and each.names else formula
        every.append(replace(each, names=(*each.names, *new)))
    return replace(goal, formula=formula, every=tuple(every))


def _new(every: Every, world: World, state: State) -> tuple[str, ...]:
    """Return the things that the words mean now and did not mean before."""
    unknown = world.objects.keys() - set(every.names)
    if not unknown:
        return ()
    if every.words.lstrip().startswith("("):
        goal = formal_goal(every.words, world.domain, world.objects)
        return tuple(sorted(unknown & {name for literal in literals(goal.formula) for name in literal.atom.args}))
    slots = Slots(NameIndex(world.vocabulary, state=state), PlaceReader(world.vocabulary, state))
    referent = slots.referent(tuple(every.words.split()), every.affordance or None, ())
    return tuple(sorted(unknown & referent.names))


def _with_more(formula: Formula, member: str, more: Iterable[str]) -> Formula:
    """Return a formula in which what is asked for one member of a set is asked for others, too."""
    if isinstance(formula, Or):
        return Or(tuple(_with_more(branch, member, more) for branch in formula.parts))
    parts = formula.parts if isinstance(formula, And) else (formula,)
    about = [part for part in parts if any(member in literal.atom.args for literal in literals(part))]
    return And((*parts, *(replaced(part, member, name) for name in more for part in about)))
