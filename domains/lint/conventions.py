"""What does not work in a world: it has no name for a convention (see `domains.conventions`), or its packs no class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domains.conventions import CONVENTIONS
from domains.declarations import PackedClasses
from domains.errors import Diagnostic, Severity
from domains.lint.survey.survey import PositionFinder
from domains.model import Domain

CODE = "absent-convention"


class Ability(NamedTuple):
    """An ability that every world with the required names has."""

    without: str  # the consequence in a world that lacks a name
    needs: tuple[tuple[str, ...], ...]  # keys of the required conventions, each with its alternatives


ABILITIES = (
    Ability("planning leaves out no thing as irrelevant, and no thing counts as lost", (("carry",),)),
    Ability("nobody goes and looks for a thing that is lost", (("carry",), ("at",), ("in", "on"))),
    Ability("a repair does not choose the nearest place to set something down", (("at",),)),
    Ability("persons are not told apart from the body, and robots share no work", (("robot",),)),
    Ability("nobody can be the speaker of a scene", (("actor",),)),
)
"""The abilities that depend on conventions."""


def absent_conventions(domain: Domain, places: PositionFinder, shown: str) -> Iterator[Diagnostic]:
    """Yield a note for each ability that a world lacks, and one for what no class of its packs affords.

    The world is usable without it.

    Args:
        domain: A domain that was read without errors.
        places: Positions in its file.
        shown: The path of its file, for messages.
    """
    names = domain.conventions
    for ability in ABILITIES:
        absent = [keys for keys in ability.needs if not any(names[key] for key in keys)]
        if absent:
            mark = places.of("conventions", absent[0][0])
            message = f"{ability.without}: {_lacking(absent)}"
            yield Diagnostic(shown, mark.line, mark.column, message, CODE, Severity.NOTE, culprit=absent[0][0])
    if isinstance(domain.classes, PackedClasses):
        beyond = sorted(domain.affordances.keys() - domain.classes.given - names.structural)
        mark = places.of("classes", "use")
        message = f"no class of its packs affords {', '.join(beyond)}: no 'means' of a pack and no 'implied' gives it"
        if beyond:
            place = (mark.shown or shown, mark.line, mark.column)
            yield Diagnostic(*place, message, "beyond-packs", Severity.NOTE, culprit=beyond[0])


def _lacking(absent: list[tuple[str, ...]]) -> str:
    """Write for which conventions there is no name: ``there is no affordance for the convention 'carry'``."""
    listed = [f"no {CONVENTIONS[keys[0]]} for the convention {' or '.join(map(repr, keys))}" for keys in absent]
    return f"there is {' and '.join(listed)}"
