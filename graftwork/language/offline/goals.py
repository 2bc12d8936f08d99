"""From wishes to a goal: what should hold in the end.

A choice ("a cup") is made once for the whole sentence and stands outermost, so that "put a cup on the tray and bring
it to me" speaks of one cup; everything inside a choice is a conjunction. A wish about nothing but the robot's own hand
or place is a step on the way when a later wish speaks of the same things: "pick up the apple and put it on the table"
asks for an apple on the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from graftwork.language.offline.clauses import Wish
from graftwork.language.offline.patterns import filled
from graftwork.language.offline.referents import MOST_ALTERNATIVES, Referent
from graftwork.language.offline.tokens import said
from semantics.atoms import And, Atom, Formula, Or, literals
from semantics.feedback import Code, Feedback
from semantics.goal import Goal, Rejection

__all__ = ["goal_of"]


def goal_of(instruction: str, wishes: Sequence[Wish], robot: str) -> Goal | Rejection:
    """Join wishes without doubts into one goal."""
    steps = [wish for at, wish in enumerate(wishes) if _is_step(wish, wishes[at + 1 :], robot)]
    kept = [wish for wish in wishes if wish not in steps]
    referents = list(dict.fromkeys(referent for wish in kept for referent in wish.referents.values()))
    if prod(len(referent.alternatives) for referent in referents) > MOST_ALTERNATIVES:
        why = f"it leaves more than {MOST_ALTERNATIVES} choices open."
        return Rejection((Feedback(Code.AMBIGUOUS, "the instruction", why, "Name the things one by one."),))
    choices = product(*(referent.alternatives for referent in referents))
    bindings = [dict(zip(referents, choice, strict=True)) for choice in choices]
    sensible = [binding for binding in bindings if _distinct(kept, binding)] or bindings
    branches = tuple(dict.fromkeys(_conjunction(kept, binding) for binding in sensible))
    notes = dict.fromkeys((*(note for wish in wishes for note in wish.notes), *map(_step_note, steps)))
    return Goal(branches[0] if len(branches) == 1 else Or(branches), instruction, tuple(notes))


Binding = Mapping[Referent, tuple[str, ...]]


def _conjunction(wishes: Sequence[Wish], binding: Binding) -> Formula:
    parts = tuple(dict.fromkeys(atom for wish in wishes for atom in _grounded(wish, binding)))
    return parts[0] if len(parts) == 1 else And(parts)


def _grounded(wish: Wish, binding: Binding) -> Iterator[Formula]:
    """Yield the goal of a wish for every combination of the things that are all meant."""
    slots = list(wish.referents)
    for names in product(*(binding[wish.referents[slot]] for slot in slots)):
        bound = dict(zip(slots, names, strict=True))
        held = {slot: where[bound[by]] for slot, (by, where) in wish.held.items()}
        formula = filled(wish.pattern.template, bound | held)
        yield from formula.parts if isinstance(formula, And) else (formula,)


def _distinct(wishes: Sequence[Wish], binding: Binding) -> bool:
    """Return whether no wish relates a thing to itself, as "put a cup on a plate" never means to."""
    for wish in wishes:
        names = [name for referent in wish.referents.values() for name in binding[referent]]
        if len(set(names)) < len(names):
            return False
    return True


def _is_step(wish: Wish, later: Sequence[Wish], robot: str) -> bool:
    """Return whether a wish is about the robot alone, and all else in it comes up again."""
    own = [referent for referent in wish.referents.values() if referent.names != {robot}]
    if not later or len(own) == len(wish.referents):
        return False
    if not all(_speaks_of(atom, robot, wish) for atom, _ in literals(wish.pattern.template)):
        return False
    again = {name for other in later for referent in other.referents.values() for name in referent.names}
    return all(referent.names <= again for referent in own)


def _speaks_of(atom: Atom, name: str, wish: Wish) -> bool:
    args = filled(atom, {slot: name for slot, referent in wish.referents.items() if referent.names == {name}})
    return isinstance(args, Atom) and name in args.args


def _step_note(wish: Wish) -> str:
    return f"'{said(wish.words)}' was taken as a step on the way, not as something that holds in the end."
