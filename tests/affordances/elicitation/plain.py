"""The plain questions of a question about an affordance."""

from collections.abc import Iterator

from affordances.elicitation.questions import Both, Either, Negated, PlainQuestion, Question


def plain_questions(question: Question) -> Iterator[str]:
    """Yield the plain questions of a question, in order."""
    match question:
        case PlainQuestion(text):
            yield text
        case Negated(part):
            yield from plain_questions(part)
        case Both(parts) | Either(parts):
            for part in parts:
                yield from plain_questions(part)
