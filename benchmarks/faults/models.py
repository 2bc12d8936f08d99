"""Mishaps in worlds without geometry: what each world's facts say of carrying, as data, and hands that use it.

The model of a world is not asked for its capabilities: hands behind the robot's back obey none of them. They only leave
a state that could be: what is lifted is nowhere else, what it stood on is clear, one hand holds one thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from benchmarks.mishaps import MishapKind
from robots.symbolic import SymbolicRobot
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Thing

__all__ = ["CARRYING", "Carrying", "ModelHands"]

HAND = "hand"


class Carrying(NamedTuple):
    """How a world says where things are; in a pattern ``?x`` is the thing, ``?p`` its place, ``?h`` the hand.

    Attributes:
        held: That a hand holds a thing.
        free: That a hand is free.
        hand: What a class or affordance every hand has; empty in a world that does not name its only hand.
        carried: An affordance of all that can be carried.
        lies: Each pattern of a thing's place, with an affordance of such places; of a pattern without a place, none.
        clear: That nothing is on a thing; None in a world that does not say it.
        clear_in_hand: Whether that is said of what a hand holds, too.
        besides: Patterns that are true of a thing only where it is, and go when it is lifted.
        door: An affordance of what has a door, and with it `shut`, that it is closed.
        shut: That a place is closed.
    """

    held: str
    free: str
    hand: str
    carried: str
    lies: Mapping[str, str]
    clear: str | None = None
    clear_in_hand: bool = True
    besides: tuple[str, ...] = ()
    door: str = ""
    shut: str = ""


_BAR = Carrying(
    "holding ?h ?x", "free ?h", "hold", "carry", {"on ?x ?p": "support"}, besides=("inside ?x",), door="door",
    shut="closed ?p",
)  # fmt: skip

CARRYING: Mapping[str, Carrying] = {
    "blocks": Carrying(
        "holding ?x", "handempty", "", "stack", {"ontable ?x": "", "on ?x ?p": "stack"}, "clear ?x", clear_in_hand=False
    ),
    "tabletop": Carrying(
        "inhand ?x ?h", "hand_free ?h", "robot", "carry",
        {"lies ?x ?p": "area", "in ?x ?p": "contain", "on ?x ?p": "stack"}, "clear ?x",
    ),
    "barman": _BAR,
    "pizza": _BAR,
}  # fmt: skip
"""How each of the shipped worlds says it."""


def _atom(pattern: str, **names: str) -> Atom:
    predicate, *args = pattern.split()
    return Atom(predicate, tuple(names[arg[1:]] for arg in args))


class ModelHands:
    """Changes the state of a body that lives in a model; see `benchmarks.mishaps.Hands`.

    Args:
        robot: The body.
        things: What exists.
        carrying: How its world says where things are.
    """

    def __init__(self, robot: SymbolicRobot, things: Mapping[str, Thing], carrying: Carrying) -> None:
        self._robot = robot
        self._things = things
        self._carrying = carrying
        hands = self._such(carrying.hand) if carrying.hand else [""]
        self._hands = [name for name in hands if _atom(carrying.free, h=name) in self._facts or self._in(name)]

    @property
    def _facts(self) -> frozenset[Atom]:
        return self._robot.state.atoms

    def _such(self, kind: str) -> list[str]:
        """Return the things of a class or with an affordance, sorted."""
        return sorted(
            name for name, thing in self._things.items() if kind == thing.class_name or kind in thing.affordances
        )

    def _in(self, hand: str) -> list[str]:
        return [name for name in self._carried() if _atom(self._carrying.held, h=hand, x=name) in self._facts]

    def _carried(self) -> list[str]:
        return self._such(self._carrying.carried)

    def do(self, kind: MishapKind, about: frozenset[str], random: Random) -> str | None:
        """Make a mishap happen, if it can happen now."""
        match kind:
            case MishapKind.DROPPED:
                return self._drop(random)
            case MishapKind.MOVED:
                return self._move(about, random)
            case MishapKind.SHUT:
                return self._shut(random)
            case MishapKind.OCCUPIED:
                return self._occupy(random)
            case _:
                return None

    def _drop(self, random: Random) -> str | None:
        full = [(hand, name) for hand in self._hands for name in self._in(hand)]
        if not full:
            return None
        hand, name = random.choice(full)
        gone = {_atom(self._carrying.held, h=hand, x=name)}
        lain = self._lain(name, random, tuple(self._carrying.lies)[:1])
        self._robot.change(lain | {_atom(self._carrying.free, h=hand)} | self._clear(name), gone - lain)
        return f"{name} falls"

    def _move(self, about: frozenset[str], random: Random) -> str | None:
        movable = sorted(about.intersection(self._loose()))
        if not movable:
            return None
        name = random.choice(movable)
        gone, bared = self._lifted(name)
        lain = self._lain(name, random, tuple(self._carrying.lies)) - gone
        if not lain:
            return None
        taken = {one for one in bared if not self._covers(one, lain)}
        self._robot.change(lain | taken, gone | self._covered(lain))
        return f"{name} is put elsewhere: {', '.join(map(str, sorted(lain)))}"

    def _occupy(self, random: Random) -> str | None:
        empty, loose = [hand for hand in self._hands if not self._in(hand)], self._loose()
        if not empty or not loose:
            return None
        hand, name = random.choice(empty), random.choice(loose)
        gone, bared = self._lifted(name)
        if not self._carrying.clear_in_hand:
            gone |= self._clear(name)
        self._robot.change(
            bared | {_atom(self._carrying.held, h=hand, x=name)}, gone | {_atom(self._carrying.free, h=hand)}
        )
        return f"{name} is put into the hand {hand}".strip()

    def _shut(self, random: Random) -> str | None:
        doors = self._such(self._carrying.door) if self._carrying.door else []
        opened = [name for name in doors if _atom(self._carrying.shut, p=name) not in self._facts]
        if not opened:
            return None
        name = random.choice(opened)
        self._robot.change({_atom(self._carrying.shut, p=name)})
        return f"{name} is shut"

    def _loose(self) -> list[str]:
        """Return what lies somewhere within reach with nothing on it, sorted."""
        return [name for name in self._carried() if self._where(name) and self._is_bare(name)]

    def _where(self, name: str) -> list[tuple[str, str]]:
        """Return the patterns and places of a thing, unless it is behind a shut door."""
        found = []
        for pattern in self._carrying.lies:
            predicate = pattern.split()[0]
            for atom in self._facts:
                if atom.predicate == predicate and atom.args[0] == name:
                    found.append((pattern, atom.args[1] if len(atom.args) > 1 else ""))
        shut = self._carrying.shut
        return [] if shut and any(_atom(shut, p=place) in self._facts for _, place in found) else sorted(found)

    def _is_bare(self, name: str) -> bool:
        clear = self._carrying.clear
        return clear is None or _atom(clear, x=name) in self._facts

    def _clear(self, name: str) -> set[Atom]:
        return {_atom(self._carrying.clear, x=name)} if self._carrying.clear else set()

    def _lifted(self, name: str) -> tuple[set[Atom], set[Atom]]:
        """Return what is no longer so when a thing is lifted, and what then is."""
        where = self._where(name)
        gone = {_atom(pattern, x=name, p=place) for pattern, place in where}
        gone |= {_atom(pattern, x=name) for pattern in self._carrying.besides}
        below = {place for _, place in where if "stack" in self._affordances(place)}
        return gone, set().union(*map(self._clear, below))

    def _affordances(self, name: str) -> frozenset[str]:
        return frozenset(self._things[name].affordances) if name in self._things else frozenset()

    def _lain(self, name: str, random: Random, patterns: tuple[str, ...]) -> set[Atom]:
        """Draw where a thing is put: what it says of it, empty when there is no place."""
        choices = []
        for pattern in patterns:
            kind = self._carrying.lies[pattern]
            places = self._such(kind) if kind else [""]
            choices += [(pattern, place) for place in places if self._takes(place, name, pattern)]
        if not choices:
            return set()
        pattern, place = random.choice(choices)
        return {_atom(pattern, x=name, p=place)}

    def _takes(self, place: str, name: str, pattern: str) -> bool:
        """Return whether a place has room for a thing that is not there; nothing is put on what a hand holds."""
        there = _atom(pattern, x=name, p=place) in self._facts
        room = "stack" not in self._affordances(place) or (self._is_bare(place) and bool(self._where(place)))
        has_door = bool(self._carrying.door) and self._carrying.door in self._affordances(place)
        return not there and place != name and not has_door and room

    def _covers(self, clear: Atom, lain: set[Atom]) -> bool:
        return any(clear.args[0] in atom.args[1:] for atom in lain)

    def _covered(self, lain: set[Atom]) -> set[Atom]:
        """Return what is no longer clear under what was put somewhere."""
        under = {place for atom in lain for place in atom.args[1:] if "stack" in self._affordances(place)}
        return set().union(*map(self._clear, under))
