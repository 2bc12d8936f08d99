"""The offline interpreter: controlled English, driven by the phrases, predicates and synonyms of a domain.

A sentence is cut into segments, segments are joined into clauses, each clause is covered by a pattern, each slot of the
pattern is resolved to things, and the clauses together say what should hold in the end. It knows grammar, manners and
nothing of any world; where it is not sure it asks or refuses. It costs a few milliseconds and no model.
"""

from __future__ import annotations

from graftwork.language.offline.clauses import Clauses, Wish
from graftwork.language.offline.goals import goal_of
from graftwork.language.offline.patterns import compiled
from graftwork.language.offline.referents import Slots
from graftwork.language.offline.refusals import Refusals
from graftwork.language.offline.sentences import read_sentence
from graftwork.language.offline.tokens import segments
from semantics.embedding import Embedder
from semantics.feedback import Code
from semantics.goal import Goal, Question, Rejection
from semantics.naming import Names
from semantics.vocabulary import Vocabulary

__all__ = ["interpret"]


def interpret(
    instruction: str, vocabulary: Vocabulary, *, embedder: Embedder | None = None
) -> Goal | Question | Rejection:
    """Read an instruction.

    Args:
        instruction: One or a few English sentences.
        vocabulary: What may be named, and the phrases of the domain.
        embedder: Suggests names of like meaning for an unknown word; None leaves that out.

    Returns:
        An unchecked goal whose notes say what was assumed; a question whose feedback names the words in doubt, each
        option of which can stand in their place; or a rejection with every reason.

    Raises:
        UsageError: A phrase of the domain cannot be read.
    """
    answer = _read(instruction, vocabulary, None)
    unknown = isinstance(answer, Rejection) and any(record.code is Code.UNKNOWN_NAME for record in answer.feedback)
    # Loading the sentence model takes seconds, so a sentence is read without it first.
    return _read(instruction, vocabulary, embedder) if unknown and embedder is not None else answer


def _read(instruction: str, vocabulary: Vocabulary, embedder: Embedder | None) -> Goal | Question | Rejection:
    read = segments(instruction)
    if isinstance(read, Rejection):
        return read
    patterns = compiled(vocabulary)
    names = Names(vocabulary, embedder)
    reader = Clauses(patterns, Slots(names))
    clauses = read_sentence(read, reader)
    refusal = Refusals(reader, names).explain(clauses)
    if refusal is not None:
        return refusal
    return goal_of(instruction, [clause for clause in clauses if isinstance(clause, Wish)], vocabulary.robot)
