"""Things that are meant by where they stand: "the second can from the left", "the cup closest to the sink".

The words are data of English (`TABLES`); the places are those of the last sensing. What stands apart, or is not seen,
has no order: then a question follows, and so it does where two things are as far to one side, or as near.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, cos, dist, hypot, pi, sin

from semantics.geometry.geometry import Vector
from semantics.geometry.relations import DIRECTIONS, LEVEL, Arrangement
from semantics.geometry.solids import gap, turn_between
from semantics.logic.vocabulary import Vocabulary
from semantics.words.english import TABLES, NounPhrase, Quantifier, listed
from semantics.words.lexicon import Ambiguous, MatchKind, Resolution, Resolved, Unknown, only

LEAST_APART = 0.02  # things whose places differ by less along a direction have no order along it, in metres
FACING = pi / 4  # a viewer who looks so far aside of things, in radians, is taken as one who faces them
TOGETHER = 1.0  # how far a thing may be from the next one of those that are counted together, in metres
MOST_TOLD = 6
SIDES = {word: side for side, words in TABLES["sides"].items() for word in listed(words)}
_WORDS = "|".join(sorted(map(re.escape, SIDES), key=len, reverse=True))
_END = r"(?: (?:hand )?(?:side|end))?(?: (?:of|in) the (?:row|line))?"
_AT = rf"(?:from|on|at|to|in) (?:the |(?P<whose>my|your) )(?:very |far )?(?P<side>{_WORDS}){_END}"
_AT_SIDE = re.compile(_AT)
_BEHIND = re.compile(rf"(?P<core>.+?) (?:that is |which is )?{_AT}")
_LONGEST_SIDE = 7
_BEFORE = re.compile(rf"(?P<side>{_WORDS}) (?P<core>.+)")
_DISTANCES = {word: distance for distance, words in TABLES["distances"].items() for word in listed(words)}


@dataclass(frozen=True, slots=True)
class Positions:
    """Where things and agents are, and as whom left and right are meant.

    Attributes:
        arrangement: The things, with the headings of viewers.
        agents: The place of each agent.
        viewer: As whom sides are meant that name no viewer; empty if nobody is known.
    """

    arrangement: Arrangement
    agents: Mapping[str, Vector] = field(default_factory=dict)
    viewer: str = ""

    def along(self, side: str, viewer: str, names: Collection[str]) -> list[tuple[float, str]]:
        """Return how far each thing is towards a side for a viewer who faces them, the farthest one first."""
        spots = {name: self.arrangement.solid(name).at for name in names}
        heading = self.arrangement.views.get(viewer, self.arrangement.heading)
        if viewer in self.agents:
            x, y = (sum(at[axis] for at in spots.values()) / len(spots) - self.agents[viewer][axis] for axis in (0, 1))
            if turn_between(atan2(y, x), heading) > FACING:  # it looks elsewhere now
                heading = atan2(y, x)
        heights = [at[2] for at in spots.values()]
        if side in ("top", "bottom") and max(heights) - min(heights) >= LEAST_APART:
            return sorted(((at[2] if side == "top" else -at[2], name) for name, at in spots.items()), reverse=True)
        on_map = {"top": "behind", "bottom": "front"}.get(side, side)  # of what stands level, as on a map
        east, north = (turn(heading + DIRECTIONS.get(on_map, 0.0)) for turn in (cos, sin))
        return sorted(((at[0] * east + at[1] * north, name) for name, at in spots.items()), reverse=True)

    def seen(self, names: Collection[str]) -> tuple[str, ...]:
        """Return those of `names` whose place is known."""
        return tuple(name for name in names if name in self.arrangement.things)

    def knows(self, name: str) -> bool:
        """Return whether the place of a thing or an agent is known."""
        return name in self.agents or name in self.arrangement.things

    def are_together(self, names: Sequence[str]) -> bool:
        """Return whether things stand in one group."""
        group, rest = set(names[:1]), set(names[1:])
        while near := {name for name in rest if any(self.distance(name, other) <= TOGETHER for other in group)}:
            group |= near
            rest -= near
        return not rest

    def distance(self, name: str, other: str, *, of_middles: bool = False) -> float:
        """Return the distance of a thing from another thing or an agent on the map, from edge to edge, in metres."""
        solid = self.arrangement.solid(name)
        if other in self.agents:
            return dist(solid.at[:2], self.agents[other][:2])
        base = self.arrangement.solid(other)
        return dist(solid.at[:2], base.at[:2]) if of_middles else gap(solid, base)

    def nearest_beside(self, words: str, names: Collection[str], other: str, direction: str) -> Resolution | None:
        """Resolve "the block to the left of the bowl": the nearest there; None if none is there.

        A thing is there that is farther to this side than the other one. Where another one is less aslant than the
        nearest, either could be meant.
        """
        solid, (x, y) = self.arrangement.solid, self.arrangement.along(DIRECTIONS[direction])
        ways = {name: [a - b for a, b in zip(solid(name).middle, solid(other).middle, strict=True)] for name in names}
        there = [
            name
            for name, (a, b) in ways.items()
            if a * x + b * y >= LEAST_APART
            and hypot(a, b) <= TOGETHER
            and abs(solid(name).bottom - solid(other).bottom) <= LEVEL
        ]
        order = sorted(there, key=lambda name: self.distance(name, other, of_middles=True))
        straight = [
            name
            for name in order
            if abs(ways[name][0] * y - ways[name][1] * x) <= ways[name][0] * x + ways[name][1] * y
        ]
        far = [self.distance(name, other, of_middles=True) for name in order]
        options = tuple(dict.fromkeys((*order[:1], *straight[:1], *order[1:2])))
        if not order:
            return None
        if (straight and straight[0] != order[0]) or (len(far) > 1 and far[1] - far[0] < LEAST_APART):
            return Ambiguous(words, options, "either is there, one nearer and one less aslant", MatchKind.PLACE)
        return Resolved(words, (order[0],), MatchKind.PLACE, 1, f"'{words}' was read as {order[0]}, the nearest there.")


@dataclass(frozen=True, slots=True)
class SaidSide:
    """Words that say on which side a thing stands: the other words, the side, and whose side it is."""

    core: str
    side: str
    whose: str = ""


def side_in(head: str) -> SaidSide | None:
    """Return the side that a noun phrase without its determiner says; None if it says none."""
    match = _BEHIND.fullmatch(head) or _BEFORE.fullmatch(head)
    if match is None:
        return None
    return SaidSide(match["core"], SIDES[match["side"]], match.groupdict().get("whose") or "")


def side_end(words: Sequence[str], at: int) -> int:
    """Return where words such as "from the left" end that begin at a position, or the position if there are none."""
    for end in range(min(len(words), at + _LONGEST_SIDE), at + 2, -1):
        if _AT_SIDE.fullmatch(" ".join(words[at:end])) and tuple(words[end : end + 1]) != ("of",):
            return end
    return at


def distance_in(words: tuple[str, ...]) -> tuple[tuple[str, ...], bool, tuple[str, ...]] | None:
    """Return the thing, whether the least distance is meant, and the words for what it is measured from.

    For example, "the cup closest to the sink" and "the closest cup to the sink" are "the cup", true and "the sink".
    """
    for at, length in ((at, length) for at in range(len(words)) for length in (2, 1)):
        meant = _DISTANCES.get(" ".join(words[at : at + length]))
        if meant is None:
            continue
        before, behind = words[:at], words[at + length :]
        if before[-2:] in (("that", "is"), ("which", "is")):
            before = before[:-2]
        to = next((end for end, word in enumerate(behind) if word in ("to", "from")), len(behind))
        return (*before, *behind[:to]), meant == "near", behind[to + 1 :]
    return None


def chosen_by_side(
    words: str,
    phrase: NounPhrase,
    said: SaidSide,
    names: tuple[str, ...],
    positions: Positions | None,
    vocabulary: Vocabulary,
    *,
    plural: bool,
) -> Resolution:
    """Resolve a noun with a side, such as "the two leftmost cups".

    Args:
        words: The words.
        phrase: The noun phrase without the words for the side.
        said: The side.
        names: What the noun can mean.
        positions: Where things are; None if that is not known.
        vocabulary: Who speaks, and who is spoken to.
        plural: Whether the noun is a plural.
    """
    seen = () if positions is None else positions.seen(names)
    is_first = len(names) == 1 and phrase.ordinal > 0  # of one alone, somebody may well say that it is the first
    if positions is None or not seen or (len(seen) < 2 and not is_first):
        why = "where these are is not known" if len(names) > 1 else "there is only one here"
        return Ambiguous(words, names[:MOST_TOLD], why, MatchKind.CLASS)
    if not positions.are_together(seen):
        why = f"{', '.join(seen)} do not stand together"
        return Ambiguous(words, seen[:MOST_TOLD], why, MatchKind.CLASS)
    whose = {"my": vocabulary.speaker, "your": vocabulary.robot}.get(said.whose)
    both = [
        name for name in (positions.viewer, vocabulary.speaker, vocabulary.robot) if name and name in positions.agents
    ]
    if said.side == "middle":
        wide, deep = (positions.along(side, positions.viewer, seen) for side in ("left", "front"))
        order = max(wide, deep, key=lambda row: row[0][0] - row[-1][0])
        if len(order) % 2 == 0 or phrase.count > 1 or phrase.ordinal:
            return Ambiguous(words, seen[:MOST_TOLD], f"none of {len(seen)} stands in the middle", MatchKind.CLASS)
        return chosen(words, replace(phrase, ordinal=len(order) // 2 + 1), order, "in their order", plural=plural)
    read: dict[str, Resolution] = {}
    for viewer in dict.fromkeys([whose] if whose else both or [positions.viewer]):
        sees = "I see" if viewer == vocabulary.robot else f"{viewer} sees"
        how = f"from the {said.side}" + f" as {sees} them" * bool(viewer and said.side not in ("top", "bottom"))
        read[sees] = chosen(words, phrase, positions.along(said.side, viewer, seen), how, plural=plural)
    clear = {sees: found for sees, found in read.items() if isinstance(found, Resolved)}
    if len({found.names for found in clear.values()}) > 1:
        why = " and ".join(f"as {sees} it, it is {' and '.join(found.names)}" for sees, found in clear.items())
        return Ambiguous(words, tuple(" and ".join(found.names) for found in clear.values()), why, MatchKind.CLASS)
    return next(iter((*clear.values(), *read.values())))


def chosen_by_distance(
    words: str,
    phrase: NounPhrase,
    names: tuple[tuple[str, ...], tuple[str, ...] | None],
    positions: Positions | None,
    vocabulary: Vocabulary,
    *,
    near: bool,
    plural: bool,
) -> Resolution:
    """Resolve a noun with a distance, such as "the cup closest to the sink".

    Args:
        words: The words.
        phrase: The noun phrase without the words for the distance.
        names: What the noun can mean, and what the distance is measured from; None for both who talk.
        positions: Where things are; None if that is not known.
        vocabulary: Who speaks, and who is spoken to.
        near: Whether the least distance is meant.
        plural: Whether the noun is a plural.
    """
    meant, origin = names
    talking = tuple(name for name in (vocabulary.speaker, vocabulary.robot) if name is not None)
    starts = [each for each in origin or talking if positions is not None and positions.knows(each)]
    seen = [] if positions is None else [name for name in positions.seen(meant) if name not in starts]
    if positions is None or not starts or not seen or (origin is not None and len(origin) > 1):
        return Ambiguous(words, meant[:MOST_TOLD], "how far away these are is not known", MatchKind.CLASS)
    sign, alike = 1 if near else -1, len({positions.arrangement.solid(name).size for name in seen}) == 1
    read: dict[tuple[str, ...], Resolution] = {}
    for start in starts:
        found = []
        for of_middles in (False, True) if alike else (False,):  # of things of one size, people look at their middles
            row = sorted((sign * positions.distance(name, start, of_middles=of_middles), name) for name in seen)
            found.append(chosen(words, phrase, row, f"by how far they are from {start}", plural=plural))
        if not any(isinstance(each, Resolved) for each in found):
            return found[0]
        read |= {each.names: each for each in found if isinstance(each, Resolved)}
    if len(read) > 1:
        return Ambiguous(words, tuple(map(" and ".join, read)), "it does not say from where", MatchKind.CLASS)
    return next(iter(read.values()))


def chosen(words: str, phrase: NounPhrase, order: Sequence[tuple[float, str]], how: str, *, plural: bool) -> Resolution:
    """Resolve a noun phrase that means the first ones of an order, or those from its ordinal on.

    Args:
        words: The words.
        phrase: The noun phrase without the words for the order.
        order: The number of each thing, in the order.
        how: What the order is, for the note.
        plural: Whether the noun is a plural.
    """
    if (plural and phrase.count == 1 and not phrase.ordinal) or phrase.quantifier in (Quantifier.ALL, Quantifier.ANY):
        named = ", ".join(name for _, name in order)
        return Unknown(words, (), "it does not say how many", f"Say how many, or name them: {named}.")
    first, count = max(phrase.ordinal, 1) - 1, phrase.count
    names = tuple(name for _, name in order)
    if first + count > len(order):
        return Unknown(words, (), only(names))
    for at in (first, first + count):
        if 0 < at < len(order) and abs(order[at - 1][0] - order[at][0]) < LEAST_APART:
            why = f"{order[at - 1][1]} and {order[at][1]} stand alike, counted {how}"
            return Ambiguous(words, names[at - 1 : at + 1], why, MatchKind.CLASS)
    meant = names[first : first + count]
    note = f"'{words}' was read as {', '.join(meant)}, counting {', '.join(names)} {how}."
    return Resolved(words, tuple(sorted(meant)), MatchKind.CLASS, count, note)
