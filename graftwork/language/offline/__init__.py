"""The offline interpreter: controlled English, driven by the phrases, predicates and synonyms of a domain.

It cuts a sentence into segments, joins segments into clauses, matches each clause with a pattern, and resolves each
slot of the pattern to objects. The clauses together make the goal, or one goal after the other if the words say an
order. The interpreter knows grammar and polite words, but
no word of any world. Where it is not sure it asks or refuses. It takes a few milliseconds and needs no model.
"""

from __future__ import annotations

from collections.abc import Sequence

from graftwork.language.offline.clauses import Clauses, MeaningfulClause, goal_of, read_sentence, valued
from graftwork.language.offline.patterns import compiled, said, verbs
from graftwork.language.offline.places import PlaceReader
from graftwork.language.offline.referents import Slots
from graftwork.language.offline.refusals import Refusals
from graftwork.language.offline.said_values import without_values
from graftwork.language.offline.segments import Boundary, Segment, segments, unordered
from graftwork.language.offline.stages import apart, stages
from graftwork.language.offline.viewpoints import viewed, without_views
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
        read = without_values(read, vocabulary.values, names.knows)
    if isinstance(read, Rejection):
        return read
    reader = Clauses(patterns, Slots(names, PlaceReader(vocabulary, state)))
    read = without_views(read, vocabulary, names.knows)
    placed = viewed(read_sentence(_without_address(read, names) if len(read) > 1 else read, reader), reader.slots)
    if isinstance(placed, Rejection):
        return placed
    placed = tuple((valued(clause, parts, vocabulary.values), parts) for clause, parts in placed)
    clauses = tuple(clause for clause, _ in placed)
    wishes = [clause for clause in clauses if isinstance(clause, MeaningfulClause)]
    if len(wishes) < len(clauses) or any(wish.doubts or unordered(wish.words) for wish in wishes):
        # Loading the sentence model takes seconds, so it is used only to explain a doubt, never to read a sentence.
        refusal = Refusals(reader, names, NameIndex(vocabulary, embedder, state)).explain(clauses)
        if refusal is not None:
            return refusal
    order = stages(placed)
    if isinstance(order, Rejection):
        return order
    return goal_of(instruction, apart(order, vocabulary.momentary), vocabulary.robot)


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
