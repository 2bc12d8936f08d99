"""The plain questions of a question about an affordance."""

from collections.abc import Iterator

from semantics.logic.atoms import And, Atom, Formula, Not, Or


def plain_questions(question: Formula) -> Iterator[str]:
    """Yield the plain questions of a question, in order."""
    match question:
        case Atom(text):
            yield text
        case Not(part):
            yield from plain_questions(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from plain_questions(part)
