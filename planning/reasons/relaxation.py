"""The delete relaxation of a sketch: which literals are reachable one at a time, and what the others are missing.

In the relaxation, a fact that was true once stays true. What is unreachable there is unreachable in the problem (Bonet
and Geffner, AIJ 2001).
"""

from __future__ import annotations

import math
from collections import defaultdict

from planning.reasons.effort import Effort
from planning.reasons.sketch import Sketch
from semantics.logic.atoms import Literal
from semantics.logic.state import bits

MIRACLE = 1000.0
"""The price of a fact that no action makes, in actions."""


def reached(sketch: Sketch, effort: Effort) -> int:
    """Return the facts that the relaxation reaches.

    Raises:
        SpentError: The fixpoint takes more than `effort`.
    """
    have, pending = sketch.start, list(sketch.deeds)
    while True:
        effort.spend(len(pending))
        before, later = have, []
        for deed in pending:
            if deed.needs & ~have:
                later.append(deed)
            else:
                have |= deed.adds
        if have == before:
            return have
        pending = later


def chain(sketch: Sketch, have: int, literal: Literal) -> list[Literal]:
    """Follow what an unreached `literal` is missing, and what that is missing in turn, to a fact that no action makes.

    If there are several ways, the one with the fewest miracles is followed. A fact that no action makes has a fixed
    price. An action costs one more than the sum of its preconditions (the additive heuristic of Bonet and Geffner, AIJ
    2001). A fact that depends on itself has no price. It is followed as long as it leads to a new fact; the chain ends
    where the cycle closes.
    """
    ways: dict[int, set[int]] = defaultdict(set)
    for deed in sketch.deeds:
        if lack := deed.needs & ~have:
            for made in bits(deed.adds & ~have):
                ways[made].add(lack)
    prices = _prices(ways)
    links = [sketch.number(literal)]
    while ways[links[-1]]:
        names = {arg for link in (links[0], links[-1]) for arg in sketch.facts[link].atom.args}
        rank = {fact: _rank(sketch.facts[fact], names) for lack in ways[links[-1]] for fact in bits(lack)}
        lacks = (sorted(bits(lack), key=lambda fact: (prices[fact], rank[fact])) for lack in ways[links[-1]])
        best = min(
            lacks, key=lambda lack: (sum(prices[fact] for fact in lack), len(lack), [rank[fact] for fact in lack])
        )
        # On a cycle, go back to where it began; if the cycle contains the question itself, stop.
        if best[0] in links[1:]:
            del links[links.index(best[0]) + 1 :]
        if best[0] in links:
            break
        links.append(best[0])
    return [sketch.facts[link] for link in links]


def _rank(literal: Literal, names: set[str]) -> tuple[int, int, Literal]:
    """Return the order of equally cheap literals: few objects first, then those that share names with the question."""
    return len(set(literal.atom.args)), -len(names.intersection(literal.atom.args)), literal


def _prices(ways: dict[int, set[int]]) -> dict[int, float]:
    prices: dict[int, float] = defaultdict(lambda: MIRACLE)
    prices.update(dict.fromkeys(ways, math.inf))
    listed = {made: [tuple(bits(lack)) for lack in lacks] for made, lacks in ways.items()}
    changed = True
    while changed:
        changed = False
        for made, lacks in listed.items():
            price = 1 + min(sum(prices[fact] for fact in lack) for lack in lacks)
            changed = changed or price < prices[made]
            prices[made] = price
    return prices
