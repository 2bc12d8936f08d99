"""CoPAL's mid-level repairs: for each failure it knows, the commands that stand for the one that failed.

Recovered from its 467 logged repairs (Joublin et al. 2024, section III-C, and its logs). They are done one failure at a
time, without looking at what comes after: what was taken up stays in the hand; what is in the way goes on the table.
Our own rules of the world `barman` are others; see `bt.recovery`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from benchmarks.copal_ladder.records import Cause
from benchmarks.copal_ladder.running.checking import held_by
from semantics.logic.state import State

__all__ = ["repaired"]

HANDS = "hand_left", "hand_right"


def repaired(text: str, cause: Cause, state: State) -> list[str] | None:
    """Return the commands instead of one that failed, or None where there is no repair."""
    words = text.split()
    heuristic = HEURISTICS.get((words[0] if words else "", cause))
    return heuristic(words, state) if heuristic is not None else None


def _free(state: State) -> list[str]:
    return sorted(atom.args[0] for atom in state.atoms if atom.predicate == "free")


def _holds(hand: str, state: State) -> str:
    return next(atom.args[1] for atom in state.atoms if atom.predicate == "holding" and atom.args[0] == hand)


def _place(name: str, state: State) -> str:
    return next(
        (atom.args[1] for atom in state.atoms if atom.predicate == "on" and atom.args[0] in (name, f"{name}1")), ""
    )


def _with_other_hand(words: Sequence[str], state: State) -> list[str] | None:
    free = _free(state)
    return [" ".join([*(word for word in words if word not in HANDS), free[0]])] if free else None


def _taken_first(words: Sequence[str], state: State) -> list[str] | None:
    free = _free(state)
    return [f"get {words[1]} from {_place(words[1], state)} {free[0]}", " ".join(words)] if free else None


def _taken_or_swapped(words: Sequence[str], state: State) -> list[str] | None:
    simple = _taken_first(words, state)
    if simple is not None:
        return simple
    other = _holds(HANDS[1], state)
    taken = f"get {words[1]} from {_place(words[1], state)} {HANDS[1]}"
    return [f"put {other} table", taken, " ".join(words), f"get {other} from table {HANDS[1]}"]


def _hand_freed(words: Sequence[str], state: State) -> list[str] | None:
    own = held_by(words[1], state)
    hand = next(one for one in HANDS if one != own)
    other = _holds(hand, state)
    return [f"put {other} table", " ".join(words[:2]), f"get {other} from table {hand}"]


def _door_opened(words: Sequence[str], state: State) -> list[str] | None:
    if not _free(state):
        return None
    place = _place(words[1], state) if words[0] == "get" else words[2]
    return [f"open {place}", " ".join(words), f"close {place}"]


def _both_freed(words: Sequence[str], state: State) -> list[str] | None:
    held = {hand: _holds(hand, state) for hand in HANDS if hand not in _free(state)}
    place = _place(words[1], state)
    down = [f"put {name} table" for name in held.values()]
    up = [f"get {name} from table {hand}" for hand, name in held.items()]
    return [*down, f"get {words[1]} from {place} {HANDS[0]}", " ".join(words), f"put {words[1]} {place}", *up]


HEURISTICS: Mapping[tuple[str, Cause], Callable[[Sequence[str], State], list[str] | None]] = {
    ("pour", Cause.NOT_IN_HAND): _taken_first,
    ("get", Cause.HAND_FULL): _with_other_hand,
    ("put", Cause.NOT_IN_HAND): _taken_or_swapped,
    ("open", Cause.HANDS_USED): _hand_freed,
    ("close", Cause.HANDS_USED): _hand_freed,
    ("put", Cause.CLOSED): _door_opened,
    ("get", Cause.CLOSED): _door_opened,
    ("open", Cause.NOT_IN_HAND): _both_freed,
    ("close", Cause.NOT_IN_HAND): _both_freed,
}
