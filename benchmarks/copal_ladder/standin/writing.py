"""What the model means to write: the whole rest of the work, from wherever the world is.

It is written as the logged texts are: bottle by bottle and bowl by bowl into the mixing container, which stands on the
shaker; shaken, poured into the first glass, and that put onto the tray. A text that is written anew first puts down
what the hands hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.copal_ladder.standin.line import Line
from semantics.logic.state import State

__all__ = ["CUP", "GLASS", "HANDS", "TRAY", "Wish", "wish", "written"]

CUP, GLASS, TRAY = "mixing_container", "first_glass", "tray"
HANDS = "hand_left", "hand_right"
SHAKER, FRIDGE, SHELF, TABLE = "electric_shaker", "fridge", "shelf", "table"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the model means to serve, and its manner of writing.

    Attributes:
        items: What goes into the drink, in its order.
        hand: The hand it begins with.
        capped: The bottles that it closes again after pouring.
    """

    items: tuple[str, ...]
    hand: str
    capped: frozenset[str]


def wish(items: Collection[str], random: Random) -> Wish:
    """Choose an order and a manner."""
    order = sorted(items)
    random.shuffle(order)
    return Wish(tuple(order), random.choice(HANDS), frozenset(one for one in order if random.random() < 0.5))


def written(aim: Wish, state: State) -> tuple[Line, ...]:
    """Return the commands that remain to be done."""
    return tuple(map(Line, _Writer(aim, state).lines()))


@dataclass(frozen=True)
class _Writer:
    aim: Wish
    state: State

    def lines(self) -> Iterator[str]:
        contained = {atom.args[1] for atom in self.state.atoms if atom.predicate == "contains"}
        wanted = [one for one in self.aim.items if one not in contained]
        yield from self._tidied(wanted)
        for item in wanted:
            if not self._holder(f"{item}1", item):
                yield from self._poured(f"{item}_bottle", item)
            elif not self._in_hand(f"{item}1"):
                yield f"get {item} from {self._holder(f'{item}1', item)} {self.aim.hand}"
                yield f"put {item} {CUP}"
        if wanted or self._fills(CUP):
            yield from self._served()
        if self._place(GLASS) != TRAY:
            yield f"get {GLASS} from {TABLE} {self.aim.hand}"
            yield f"put {GLASS} {TRAY}"

    def _tidied(self, wanted: Collection[str]) -> Iterator[str]:
        """Yield what puts down what the hands hold: a wanted piece into the drink, the rest out of the way."""
        for name in self._held():
            piece = name.rstrip("0123456789")
            if piece in wanted:
                yield f"put {piece} {CUP}"
            elif name == CUP:
                yield f"put {CUP} {SHAKER}"
            else:
                yield f"put {name} {SHELF if name.endswith('_bottle') else TABLE}"

    def _poured(self, bottle: str, item: str) -> Iterator[str]:
        place, hand = self._place(bottle) or SHELF, self.aim.hand
        inside = place == FRIDGE
        if inside and self._is("closed", FRIDGE):
            yield f"open {FRIDGE} {hand}"
        yield f"get {bottle} from {place} {hand}"
        if self._is("closed", bottle):
            yield f"open {bottle}"
        yield f"pour {bottle} {CUP} 50"
        if item in self.aim.capped:
            yield f"close {bottle}"
        yield f"put {bottle} {place}"
        if inside:
            yield f"close {FRIDGE} {hand}"

    def _served(self) -> Iterator[str]:
        place = SHAKER if self._in_hand(CUP) else self._place(CUP)
        if place == SHAKER:
            yield from (f"switch_on {SHAKER}", "wait 5", f"switch_off {SHAKER}")
        yield f"get {CUP} from {place} {self.aim.hand}"
        yield f"pour {CUP} {GLASS} 100"
        yield f"put {CUP} {TABLE}"

    def _is(self, predicate: str, *args: str) -> bool:
        return any(atom.predicate == predicate and atom.args == args for atom in self.state.atoms)

    def _held(self) -> list[str]:
        return sorted(atom.args[1] for atom in self.state.atoms if atom.predicate == "holding")

    def _in_hand(self, name: str) -> bool:
        return name in self._held()

    def _place(self, name: str) -> str:
        return next((atom.args[1] for atom in self.state.atoms if atom.predicate == "on" and atom.args[0] == name), "")

    def _holder(self, piece: str, item: str) -> str:
        """Return where a piece is taken from; empty for what is no piece."""
        if not any(atom.predicate == "made_of" and atom.args == (piece, item) for atom in self.state.atoms):
            return ""
        return self._place(piece) or f"{item}_bowl"

    def _fills(self, vessel: str) -> bool:
        return any(atom.predicate == "contains" and atom.args[0] == vessel for atom in self.state.atoms)
