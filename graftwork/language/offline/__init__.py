"""The offline interpreter: controlled English, driven by the phrases, predicates and synonyms of a domain.

It cuts a sentence into segments, joins segments into clauses, matches each clause with a pattern, and resolves each
slot of the pattern to objects. The clauses together make the goal, or one goal after the other if the words say an
order. The interpreter knows grammar and polite words, but
no word of any world. Where it is not sure it asks or refuses. It takes a few milliseconds and needs no model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from itertools import groupby

from graftwork.language.offline.clauses import (
    Clause,
    Clauses,
    MeaningfulClause,
    Placed,
    Stage,
    goal_of,
    read_sentence,
)
from graftwork.language.offline.patterns import compiled, said, verbs
from graftwork.language.offline.places import PlaceReader
from graftwork.language.offline.referents import Slots
from graftwork.language.offline.refusals import Refusals
from graftwork.language.offline.said_values import Models, SaidValue, of_relation, values_taken_out
from graftwork.language.offline.segments import Boundary, Segment, segments, unordered
from graftwork.language.offline.viewpoints import VIEW_WORDS, viewed, without_views
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.embedding import Embedder
from semantics.words.names import NameIndex, Resolved

__all__ = ["interpret"]

NOWHERE = State()


def interpret(
    instruction: str, vocabulary: Vocabulary, state: State = NOWHERE, *, embedder: Embedder | None = None
) -> Goal | Question | Rejection:
    """Read an instruction.

    Args:
        instruction: One or a few English sentences.
        vocabulary: The names that a goal may use, and the phrases of the domain.
        state: The believed state, for words that describe the place of an object.
        embedder: Suggests names with a similar meaning for an unknown word; None disables that.

    Returns:
        An unchecked goal whose notes list the assumptions; a question whose feedback names the unclear words, which
        each option can replace; or a rejection with all reasons.

    Raises:
        UsageError: A phrase of the domain cannot be read.
    """
    patterns = compiled(vocabulary)
    read = segments(instruction, verbs(patterns))
    names = NameIndex(vocabulary, state=state)
    if not isinstance(read, Rejection) and vocabulary.values:
        read = _without_values(read, vocabulary.values, names.knows)
    if isinstance(read, Rejection):
        return read
    reader = Clauses(patterns, Slots(names, PlaceReader(vocabulary, state)))
    if any(not VIEW_WORDS.isdisjoint(segment.words) for segment in read):
        read = without_views(read, vocabulary, names.knows)
    placed = read_sentence(_without_address(read, names) if len(read) > 1 else read, reader)
    if any(segment.views for segment in read):
        seen = viewed(placed, reader.slots)
        if isinstance(seen, Rejection):
            return seen
        placed = seen
    placed = tuple(
        (_valued(clause, parts, vocabulary.values) if any(part.values for part in parts) else clause, parts)
        for clause, parts in placed
    )
    clauses = tuple(clause for clause, _ in placed)
    wishes = [clause for clause in clauses if isinstance(clause, MeaningfulClause)]
    if len(wishes) < len(clauses) or any(wish.doubts or unordered(wish.words) for wish in wishes):
        # Loading the sentence model takes seconds, so it is used only to explain a doubt, never to read a sentence.
        refusal = Refusals(reader, names, NameIndex(vocabulary, embedder, state)).explain(clauses)
        if refusal is not None:
            return refusal
    order = stages(placed, vocabulary.momentary)
    return order if isinstance(order, Rejection) else goal_of(instruction, order, vocabulary.robot)


def _without_values(
    segments: Sequence[Segment], models: Models, is_name: Callable[[str], bool]
) -> tuple[Segment, ...] | Rejection:
    """Return segments whose words for values are in `Segment.values`; a rejection if it is unclear what they mean.

    A segment that says nothing else, as in "bring me the milk, slowly", belongs to the one before it, or to the next.

    Args:
        segments: The segments of a sentence.
        models: What capabilities take beside things.
        is_name: Returns whether words name a thing, so that "fast food" is not food that is to be brought fast.
    """
    read: list[Segment] = []
    ahead: tuple[SaidValue, ...] = ()
    for segment in segments:
        words, said, unclear = values_taken_out(segment.words, models, is_name)
        if unclear is not None:
            return Rejection((unclear,))
        if words:
            boundary = segment.boundary if read or not ahead else segments[0].boundary
            read.append(replace(segment, words=words, boundary=boundary, values=(*ahead, *said)))
            ahead = ()
        elif read and read[-1].stage == segment.stage:
            read[-1] = replace(read[-1], values=(*read[-1].values, *said))
        else:
            ahead = (*ahead, *said)
    if ahead and read:
        read[-1] = replace(read[-1], values=(*read[-1].values, *ahead))
    return tuple(read) or tuple(segments)


def _valued(clause: Clause, parts: Sequence[Segment], takers: Models) -> Clause:
    """Return a clause with the values of its segments; clauses are shared, so that it becomes another one."""
    if not isinstance(clause, MeaningfulClause):
        return clause
    values = [value for part in parts for value in part.values]
    return replace(clause, values=tuple(of_relation(value, clause.made, takers) for value in values))


def _without_address(read: Sequence[Segment], names: NameIndex) -> Sequence[Segment]:
    """Remove an address to the robot from two or more segments: "robot, open the door" and "open the door, robot"."""
    if read[1].boundary is not Boundary.AND and _is_robot(read[0], names):
        read = read[1:]
    if len(read) > 1 and read[-1].boundary is Boundary.COMMA and _is_robot(read[-1], names):
        return read[:-1]
    return read


def _is_robot(segment: Segment, names: NameIndex) -> bool:
    resolved = names.resolve(said(segment.words))
    return isinstance(resolved, Resolved) and resolved.names == (names.vocabulary.robot,)


def stages(placed: Sequence[Placed], momentary: Set[str]) -> tuple[Stage, ...] | Rejection:
    """Return the clauses in the order in which they are to be done; a rejection if that is unclear.

    A clause about momentary facts alone, such as "wait", is a stage of its own: what it asks for is over when something
    else is done, so that it is done where it is said.
    """
    last = max((parts[0].stage for _, parts in placed), default=0)
    found: list[Stage] = []
    for rank in range(last + 1):
        here = [(clause, parts) for clause, parts in placed if parts[0].stage == rank]
        every = [clause for clause, _ in here if isinstance(clause, MeaningfulClause)]
        ends = [clause for clause, parts in here if any(part.last for part in parts)]
        if ends and ends != every[-1:]:
            why = f"what comes before '{said(ends[0].words)}' is not clear."
            how = "Name the jobs in their order, with 'then' between them."
            return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, (said(ends[0].words),)),))
        begins = [clause for clause, parts in here if any(part.first for part in parts)]
        if begins == every[:1] and rank < last and len(here) > 1 and here[1][1][0].boundary is Boundary.AND:
            begins = []  # "first open the fridge and the door, then …"
        between = [clause for clause in every if clause not in begins and clause not in ends]
        ordered = ([clause for clause in every if clause in begins], between)
        found += [*filter(None, ordered), *([[every[-1]]] if ends and every[-1] not in begins else [])]
    divided: list[Stage] = []
    for stage in found:
        for is_momentary, clauses in groupby(stage, lambda wish: wish.made <= momentary):
            group = list(clauses)
            divided += [[wish] for wish in group] if is_momentary else [group]
    return tuple(divided)
