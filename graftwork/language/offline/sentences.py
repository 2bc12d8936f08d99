"""Sentences: which segments make up one clause.

"Put the cup and the plate in the sink and open the fridge" has three segments and two clauses. Every way of joining
neighbours is weighed, keeping at each segment the few best beginnings of the sentence (a beam), so the cost is
quadratic in the number of segments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graftwork.language.offline.clauses import Clause, Clauses
from graftwork.language.offline.tokens import AND, Joint, Segment, said
from semantics.english import noun_phrase
from semantics.naming import Names, Resolved

__all__ = ["read_sentence", "without_address"]

BEAM = 4
UNREAD = 0.9
"""Weight of a segment without a reading: a little less than an unknown word, so that "bring me the milk and dance"
blames the verb."""
UNREAD_NOUN = 1.5
MORE_CLAUSES = 0.001


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A reading of the first segments, and how much trouble it has."""

    clauses: tuple[Clause, ...] = ()
    trouble: float = 0.0


def read_sentence(segments: Sequence[Segment], clauses: Clauses) -> tuple[Clause, ...]:
    """Return the clauses of the reading with the least trouble."""
    best: list[list[_Beginning]] = [[_Beginning()], *([] for _ in segments)]
    for start in range(len(segments)):
        best[start] = sorted(best[start], key=lambda each: each.trouble)[:BEAM]
        for end in _ends(segments, start):
            words = _words(segments[start:end])
            for beginning in best[start]:
                best[end] += _continued(beginning, words, end - start, clauses)
    return min(best[-1], key=lambda each: each.trouble).clauses


def without_address(segments: Sequence[Segment], names: Names) -> Sequence[Segment]:
    """Leave out a call to the robot: "robot, open the door" and "open the door, robot"."""
    if len(segments) > 1 and segments[1].joint is not Joint.AND and _is_robot(segments[0], names):
        segments = segments[1:]
    if len(segments) > 1 and segments[-1].joint is Joint.COMMA and _is_robot(segments[-1], names):
        return segments[:-1]
    return segments


def _is_robot(segment: Segment, names: Names) -> bool:
    found = names.resolve(said(segment.words))
    return isinstance(found, Resolved) and found.names == (names.vocabulary.robot,)


def _ends(segments: Sequence[Segment], start: int) -> Iterator[int]:
    """Yield where a clause that begins at `start` can end: never beyond a full stop."""
    for end in range(start + 1, len(segments) + 1):
        yield end
        if end < len(segments) and segments[end].joint is Joint.FULL:
            return


def _continued(beginning: _Beginning, words: tuple[str, ...], length: int, clauses: Clauses) -> Iterator[_Beginning]:
    wish = clauses.read(words, beginning.clauses)
    if wish is not None:
        trouble = beginning.trouble + wish.trouble + MORE_CLAUSES
        yield _Beginning((*beginning.clauses, wish), trouble)
    if length == 1 and (wish is None or (wish.doubts and wish.words != words)):
        weight = UNREAD if noun_phrase(words).head == words else UNREAD_NOUN
        yield _Beginning((*beginning.clauses, Clause(words)), beginning.trouble + weight)


def _words(segments: Sequence[Segment]) -> tuple[str, ...]:
    words = segments[0].words
    for segment in segments[1:]:
        words = (*words, AND, *segment.words)
    return words
