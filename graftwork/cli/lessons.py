"""What was taught, as lines and data for the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semantics.errors import UsageError

if TYPE_CHECKING:
    from graftwork.memory.lessons import KeptLesson


def lesson_told(kept: KeptLesson) -> str:
    """Return a lesson as one line of a list."""
    return f"{f'L{kept.number}':>5}  {kept.at[:16].replace('T', ' ')}  {kept.domain:11}  {lesson_in_words(kept)}"


def lesson_in_words(kept: KeptLesson) -> str:
    """Return a lesson in the sentences of its world; in PDDL if that is gone."""
    from domains.reader import load_domain

    try:
        predicates = {name: each.predicate for name, each in load_domain(kept.domain).predicates.items()}
    except UsageError:
        predicates = {}
    return kept.lesson.told(predicates)


def lesson_document(kept: KeptLesson) -> dict[str, Any]:
    """Return a lesson as plain data."""
    return {"number": kept.number, "at": kept.at, "world": kept.domain, "lesson": kept.lesson.as_dict()}
