"""Viewpoints in a sentence: from where left, right, in front and behind are meant.

"Put the fork left of the plate seen from the robot", "from my side", "from your point of view", "as the robot sees it".
The words are taken out of the segments before clauses are read. Afterwards the relations of a clause name their viewer.
A viewpoint that is said once holds for every direction of the sentence that has none of its own.

The words for values are taken out of the segments in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from graftwork.language.offline.clause import MeaningfulClause
from graftwork.language.offline.clauses import Placed
from graftwork.language.offline.frames import tables
from graftwork.language.offline.patterns import VIEWER, Pattern, with_viewer
from graftwork.language.offline.referents import Referent
from graftwork.language.offline.segments import SaidView, Segment
from graftwork.language.offline.slots import Slots
from semantics.geometry.relations import SEEN_FROM
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.logic.vocabulary import Vocabulary

_SEEN = frozenset({"seen", "viewed", "looking", "looked"})
_BEFORE_SEEN = frozenset({"as", "when", "if"})
_VIEWS = tuple(
    tuple(words.split())
    for words in (
        "point of view", "field of view", "vantage point", "line of sight", "side", "view", "viewpoint", "perspective",
        "position", "angle", "end", "standpoint",
    )
)  # fmt: skip
_OWNERS: Mapping[str, tuple[str, ...]] = {"my": ("me",), "your": ("you",), "our": ("me",)}
_SUBJECTS: Mapping[str, tuple[str, ...]] = {"i": ("me",), "you": ("you",), "we": ("me",), "i'm": ("me",)}
_BEING = frozenset({"am", "are", "is", "stand", "stands", "sit", "sits", "standing", "sitting", "now"})
_SEE = frozenset({"see", "sees"})
_WHAT_IS_SEEN = frozenset({"it", "them", "this", "that", "things"})
_DIRECTIONS = frozenset(tables()["directions"].split())
"""Words without which "from my side" says where a thing is taken from."""
TWINS: Mapping[str, str] = {relation: name for name, relation in SEEN_FROM.items()}
"""The twin of each relation that names its viewer."""


def without_views(
    segments: Sequence[Segment], vocabulary: Vocabulary, is_name: Callable[[str], bool]
) -> tuple[Segment, ...]:
    """Return segments whose words for a viewpoint are in `Segment.views`.

    A segment that says nothing else, as in "from my side, put …", belongs to the one before it, or to the next.

    Args:
        segments: The segments of a sentence.
        vocabulary: The names; without relations that name a viewer, nothing is taken out.
        is_name: Returns whether words name a thing, so that "my side table" is no side.
    """
    if not SEEN_FROM.keys() & vocabulary.predicates.keys():
        return tuple(segments)
    read: list[Segment] = []
    ahead: tuple[SaidView, ...] = ()
    for segment in segments:
        rest, view = _taken_out(segment.words, is_name)
        views = () if view is None else (view,)
        if rest:
            boundary = segment.boundary if read or not ahead else segments[0].boundary
            read.append(replace(segment, words=rest, boundary=boundary, views=(*ahead, *views)))
            ahead = ()
        elif read:
            read[-1] = replace(read[-1], views=(*read[-1].views, *views))
        else:
            ahead = (*ahead, *views)
    return tuple(read) or tuple(segments)


def _taken_out(words: tuple[str, ...], is_name: Callable[[str], bool]) -> tuple[tuple[str, ...], SaidView | None]:
    """Return words without those for a viewpoint, and the viewpoint; None if there is none."""
    for start in range(len(words)):
        # In the middle of a segment they could be anything: "from my side table to the counter".
        for end, viewer, is_plain in _views_at(words, start):
            rest = (*words[:start], *words[end:])
            is_meant = is_plain or not rest or not _DIRECTIONS.isdisjoint(rest)
            stands_apart = start == 0 or end == len(words)
            if viewer and is_meant and stands_apart and not _runs_into_name(words, end, is_name):
                return rest, SaidView(" ".join(words[start:end]), viewer)
    return words, None


def _runs_into_name(words: tuple[str, ...], end: int, is_name: Callable[[str], bool]) -> bool:
    """Return whether the words before and after a position make one name, such as "side table"."""
    return end < len(words) and any(is_name(" ".join(words[at : end + 1])) for at in (end - 1, end - 2))


def _views_at(words: tuple[str, ...], start: int) -> Iterator[tuple[int, tuple[str, ...], bool]]:
    """Yield viewpoints that begin at a position: the end, the words for the viewer, and whether it can be no other."""
    at = start + (words[start] in _BEFORE_SEEN)
    if words[at : at + 1] and words[at] in _SEEN:
        at += 1 + (words[at + 1 : at + 2] == ("at",))
        if words[at : at + 1] == ("from",):
            end, viewer = _owned(words, at + 1) or (len(words), words[at + 1 :])
            yield end, viewer, True
    elif words[start] == "from":
        if (owned := _owned(words, start + 1)) is not None:
            yield *owned, False
    elif words[start] == "as":
        sees = next((at for at in range(start + 2, len(words)) if words[at] in _SEE), len(words))
        if sees < len(words):
            end = sees + 1 + (words[sees + 1 : sees + 2] != () and words[sees + 1] in _WHAT_IS_SEEN)
            subject = words[start + 1 : sees]
            yield end, _SUBJECTS.get(" ".join(subject), subject), True


def _owned(words: tuple[str, ...], at: int) -> tuple[int, tuple[str, ...]] | None:
    """Return the end and the viewer of words such as "my side", "the robot's point of view", "where I stand"."""
    if words[at : at + 1] == ("here",):
        return at + 1, ("me",)
    if words[at : at + 1] == ("where",):
        return _standing(words, at + 1)
    for owner in range(at, min(at + 4, len(words))):
        view = next((view for view in _VIEWS if words[owner + 1 : owner + 1 + len(view)] == view), None)
        if view is not None and (words[owner] in _OWNERS or words[owner].endswith(("'s", "s'"))):
            end = owner + 1 + len(view)
            end = len(words) if words[end : end + 1] == ("of",) else end  # "my side of the table"
            name = words[owner].removesuffix("'s").removesuffix("'")
            return end, _OWNERS.get(words[owner], (*words[at:owner], name))
    return _view_of(words, at)


def _view_of(words: tuple[str, ...], at: int) -> tuple[int, tuple[str, ...]] | None:
    """Return the end and the viewer of words such as "the point of view of the robot" and "the front of the fridge"."""
    start = at + (words[at : at + 1] == ("the",))
    for view in (("front",), *_VIEWS):
        end = start + len(view)
        if words[start:end] == view and words[end : end + 1] == ("of",) and view != ("side",):
            return len(words), words[end + 1 :]
    return None


def _standing(words: tuple[str, ...], at: int) -> tuple[int, tuple[str, ...]] | None:
    """Return the end and the viewer of what comes after "where": "I stand", "the robot is"."""
    verb = next((end for end in range(at, len(words)) if words[end] in _BEING or words[end] == "i'm"), len(words))
    if verb == len(words):
        return None
    end = verb + 1
    while end < len(words) and words[end] in _BEING:
        end += 1
    subject = words[at : verb + 1] if words[verb] == "i'm" else words[at:verb]
    return end, _SUBJECTS.get(" ".join(subject), subject)


def viewed(placed: Sequence[Placed], slots: Slots) -> tuple[Placed, ...] | Rejection:
    """Return clauses whose relations name the viewer that was said; a rejection where nothing is seen from there.

    Args:
        placed: The clauses, with their segments.
        slots: Resolves the words for the viewer.
    """
    views = [tuple(dict.fromkeys(view for part in parts for view in part.views)) for _, parts in placed]
    said = [view for each in views for view in each]
    if not said:
        return tuple(placed)
    patterns = [_seen(clause, slots.names.vocabulary) for clause, _ in placed]
    chosen = [_nearest(views, at) if pattern is not None else None for at, pattern in enumerate(patterns)]
    for own in views:
        if len({view.viewer for view in own}) > 1:
            why = f"'{own[0].words}' and '{own[1].words}' are two viewpoints for one thing."
            return _refused(own[1], why, "Say one of them.")
    unused = next((view for view in said if view not in chosen), None)
    if unused is not None and any(isinstance(clause, MeaningfulClause) for clause, _ in placed):
        why = "nothing there depends on from where it is seen."
        return _refused(unused, why, "Say it with a direction, such as left of, behind or at the left edge of.")
    return tuple(_with_views(placed, patterns, chosen, slots))


def _refused(view: SaidView, why: str, how: str) -> Rejection:
    return Rejection((Feedback(Code.NOT_UNDERSTOOD, f"'{view.words}'", why, how, (view.words,)),))


def _seen(clause: object, vocabulary: Vocabulary) -> Pattern | None:
    """Return the pattern of a clause with a viewer; None if nothing in it is said from a viewer."""
    if not isinstance(clause, MeaningfulClause):
        return None
    return with_viewer(clause.pattern, TWINS, vocabulary) if clause.made & TWINS.keys() else None


def _nearest(views: Sequence[Collection[SaidView]], at: int) -> SaidView | None:
    """Return the viewpoint of a clause: its own, or the next one that is said, or the last one before it."""
    return next((view for each in (*views[at:], *reversed(views[:at])) for view in each), None)


def _with_views(
    placed: Sequence[Placed], patterns: Sequence[Pattern | None], chosen: Sequence[SaidView | None], slots: Slots
) -> Iterator[Placed]:
    known: dict[SaidView, Referent] = {}  # two clauses that are seen from "a table" mean the same one
    before: list[Referent] = []
    for (clause, parts), pattern, view in zip(placed, patterns, chosen, strict=True):
        before += clause.mentioned if isinstance(clause, MeaningfulClause) else ()
        if not isinstance(clause, MeaningfulClause) or pattern is None or view is None:
            yield clause, parts
            continue
        known.setdefault(view, slots.referent(view.viewer, pattern.phrase.slots[VIEWER], before))
        yield replace(clause, pattern=pattern, referents={**clause.referents, VIEWER: known[view]}), parts
