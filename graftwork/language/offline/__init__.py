"""The offline interpreter: controlled English, driven by the phrases, predicates and synonyms of a domain.

A sentence is cut into segments, segments are joined into clauses, each clause is covered by a pattern, each slot of the
pattern is resolved to things, and the clauses together say what should hold in the end. It knows grammar, manners and
nothing of any world; where it is not sure it asks or refuses. It costs a few milliseconds and no model.
"""

from __future__ import annotations

from graftwork.language.offline.clauses import Clauses, MeaningfulClause, goal_of, read_sentence, without_address
from graftwork.language.offline.patterns import compiled, segments
from graftwork.language.offline.referents import PlaceReader, Slots
from graftwork.language.offline.refusals import Refusals
from semantics.embedding import Embedder
from semantics.goal import Goal, Question, Rejection
from semantics.names import NameIndex
from semantics.state import State
from semantics.vocabulary import Vocabulary

__all__ = ["interpret"]

NOWHERE = State()


def interpret(
    instruction: str, vocabulary: Vocabulary, state: State = NOWHERE, *, embedder: Embedder | None = None
) -> Goal | Question | Rejection:
    """Read an instruction.

    Args:
        instruction: One or a few English sentences.
        vocabulary: What may be named, and the phrases of the domain.
        state: What is believed, for words that say where a thing is.
        embedder: Suggests names of like meaning for an unknown word; None leaves that out.

    Returns:
        An unchecked goal whose notes say what was assumed; a question whose feedback names the words in doubt, each
        option of which can stand in their place; or a rejection with every reason.

    Raises:
        UsageError: A phrase of the domain cannot be read.
    """
    read = segments(instruction)
    if isinstance(read, Rejection):
        return read
    names = NameIndex(vocabulary)
    reader = Clauses(compiled(vocabulary), Slots(names, PlaceReader(vocabulary, state)))
    clauses = read_sentence(without_address(read, names) if len(read) > 1 else read, reader)
    wishes = [clause for clause in clauses if isinstance(clause, MeaningfulClause)]
    if len(wishes) < len(clauses) or any(wish.doubts for wish in wishes):
        # Loading the sentence model takes seconds, so a sentence is read without it, and only a doubt asks for it.
        refusal = Refusals(reader, names, NameIndex(vocabulary, embedder)).explain(clauses)
        if refusal is not None:
            return refusal
    return goal_of(instruction, wishes, vocabulary.robot)
