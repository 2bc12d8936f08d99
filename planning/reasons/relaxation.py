"""The delete relaxation of a sketch: what can be had one at a time, and what is missing where it cannot.

In it nothing that was once true becomes false again; what cannot be reached there cannot be reached at all (Bonet and
Geffner, AIJ 2001).
"""

from __future__ import annotations

import math
from collections import defaultdict

from planning.reasons.effort import Effort
from planning.reasons.sketch import Sketch, bits
from semantics.atoms import Literal

__all__ = ["chain", "reached"]

MIRACLE = 1000.0
"""Price of what no action makes, in actions."""


def reached(sketch: Sketch, effort: Effort) -> int:
    """Return the facts that the relaxation makes true.

    Raises:
        SpentError: That takes more than `effort`.
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
    """Follow what is missing for an unreached `literal`, and for that in turn, to what no action makes true.

    Where there are several ways, the one that would need the fewest miracles is followed: what no action makes has a
    price, and an action one above the sum of what it needs (the additive heuristic of Bonet and Geffner, AIJ 2001).
    What needs itself has no price; it is followed as long as it leads to something new, and told where it closes.
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
        if best[0] in links[1:]:
            del links[links.index(best[0]) + 1 :]
        if best[0] in links:
            break
        links.append(best[0])
    return [sketch.facts[link] for link in links]


def _rank(literal: Literal, names: set[str]) -> tuple[int, int, Literal]:
    """Of equally cheap literals, those about few things and about those in question come first."""
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
