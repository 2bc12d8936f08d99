"""Finds mutexes: facts that are reachable one by one, but not together.

Pairs are found by the fixpoint of reachable pairs (*h²* of Haslum and Geffner, AIPS 2000): a pair that it never reaches
holds in no reachable state. Larger sets are found by regression. A set of facts is impossible if it does not hold at
the start, and each action that could complete it requires something that is also impossible. This is regression pruned
with pairs, similar to Alcázar and Torralba (ICAPS 2015), within a bound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planning.reasons.effort import Effort
from planning.reasons.sketch import RelaxedAction, Sketch
from semantics.logic.state import bits

MOST_FACTS = 1500
"""With more facts, pairs are not computed (they would take a second or more)."""
MOST_SETS = 300
"""The number of sets that are regressed before the search gives up."""
CHEAPER = 8
"""Regressing through this many actions costs as much as entering the pairs of one action."""


@dataclass(frozen=True, slots=True)
class FactMutexes:
    """For each fact of a sketch, the facts that may hold together with it."""

    sketch: Sketch
    mates: Sequence[int]
    effort: Effort

    def excluded(self, facts: int) -> tuple[int, int] | None:
        """Return a pair of `facts` (or one fact twice) that cannot hold together; None when each pair can."""
        for fact in bits(facts):
            if clash := facts & ~self.mates[fact]:
                return fact, fact if clash >> fact & 1 else next(bits(clash))
        return None

    def impossible(self, facts: int) -> bool:
        """Return whether regression proves that `facts` never hold together; False also when the bound is reached.

        Raises:
            SpentError: The proof takes more than the effort that is left.
        """
        if self.excluded(facts):
            return True
        seen, queue = [facts], deque([facts])
        while queue:
            wanted = queue.popleft()
            if not wanted & ~self.sketch.start or len(seen) > MOST_SETS:
                return False
            for before in self._regressed(wanted):
                # A superset of a set that was seen is skipped: the smaller set is at least as easy to reach.
                if not any(smaller & before == smaller for smaller in seen):
                    seen.append(before)
                    queue.append(before)
        return True

    def _regressed(self, wanted: int) -> Iterable[int]:
        self.effort.spend(len(self.sketch.deeds) // CHEAPER)
        for deed in self.sketch.deeds:
            if deed.adds & wanted and not deed.loses & wanted:
                before = wanted & ~deed.adds | deed.needs
                if not self.excluded(before):
                    yield before


def exclusions(sketch: Sketch, have: int, effort: Effort) -> FactMutexes | None:
    """Compute the fixpoint over the facts that the relaxation reaches; return None when there are too many facts.

    Raises:
        SpentError: The fixpoint takes more than `effort`.
    """
    if have.bit_count() > MOST_FACTS:
        return None
    mates = [0] * len(sketch.facts)
    for fact in bits(sketch.start):
        mates[fact] = sketch.start
    deeds = [deed for deed in sketch.deeds if not deed.needs & ~have]
    single, changed, fresh = sketch.start, (1 << len(sketch.facts)) - 1, True
    while changed:
        effort.spend(len(deeds))
        before, changed = changed, 0
        for deed in deeds:
            if fresh or deed.needs & (before | changed) or not deed.needs:
                changed |= _apply(deed, mates, single)
        single |= changed
        fresh = False
    return FactMutexes(sketch, mates, effort)


def _apply(deed: RelaxedAction, mates: list[int], single: int) -> int:
    """Enter the pairs that `deed` makes; return the facts that got new mates."""
    # A fact stays beside the effects if it may hold together with every precondition, and is not deleted.
    common = single | deed.needs if not deed.pre else -1
    for fact in deed.pre:
        common &= mates[fact]
    if deed.needs & ~common:
        return 0
    after, changed = common & ~deed.loses | deed.adds, 0
    for made in deed.made:
        if new := after & ~mates[made]:
            mates[made] |= new
            changed |= new | 1 << made
            for mate in bits(new):
                mates[mate] |= 1 << made
    return changed
