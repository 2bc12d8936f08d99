"""What a world asks of things and no class of its packs affords."""

from __future__ import annotations

from collections.abc import Iterator

from domains.errors import Diagnostic, Severity
from domains.lint.survey.survey import PositionFinder
from domains.model import Domain
from domains.packed_classes import PackedClasses

__all__ = ["affordances_beyond_packs"]

CODE = "beyond-packs"


def affordances_beyond_packs(domain: Domain, places: PositionFinder, shown: str) -> Iterator[Diagnostic]:
    """Yield a note with the affordances that no class of the packs has: a rule in `means` or `implied` gives them.

    Args:
        domain: A domain that was read without errors.
        places: Positions in its file.
        shown: The path of its file, for messages.
    """
    if not isinstance(domain.classes, PackedClasses):
        return
    absent = sorted(domain.affordances.keys() - domain.classes.given - domain.conventions.structural)
    if absent:
        mark = places.of("classes", "use")
        message = (
            f"no class of its packs affords {', '.join(absent)}: no rule in 'means' of a pack or in 'implied' gives"
        )
        message += " it to them"
        yield Diagnostic(mark.shown or shown, mark.line, mark.column, message, CODE, Severity.NOTE, culprit=absent[0])
