"""What does not work in a world because it has no name for a convention (see `domains.conventions`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domains.conventions import CONVENTIONS
from domains.errors import Diagnostic, Severity
from domains.lint.survey.places import PositionFinder
from domains.model import Domain

__all__ = ["ABILITIES", "Ability", "absent_conventions"]

CODE = "absent-convention"


class Ability(NamedTuple):
    """Something that is done in every world with the names for it.

    Attributes:
        without: What happens in a world that lacks a name.
        needs: Keys of the conventions, each with others that do as well.
    """

    without: str
    needs: tuple[tuple[str, ...], ...]


ABILITIES = (
    Ability("planning leaves out no thing as irrelevant, and no thing counts as lost", (("carry",),)),
    Ability("nobody goes and looks for a thing that is lost", (("carry",), ("at",), ("in", "on"))),
    Ability("a repair does not choose the nearest place to set something down", (("at",),)),
    Ability("persons are not told apart from the body, and robots share no work", (("robot",),)),
    Ability("nobody can be the speaker of a scene", (("actor",),)),
)
"""What each world can do by its conventions."""


def absent_conventions(domain: Domain, places: PositionFinder, shown: str) -> Iterator[Diagnostic]:
    """Yield a note for each thing that does not work in a world; it can be used all the same.

    Args:
        domain: Read without an error.
        places: Of its file.
        shown: The path of its file, for messages.
    """
    names = domain.conventions
    for ability in ABILITIES:
        absent = [keys for keys in ability.needs if not any(names[key] for key in keys)]
        if absent:
            mark = places.of("conventions", absent[0][0])
            message = f"{ability.without}: {_lacking(absent)}"
            yield Diagnostic(shown, mark.line, mark.column, message, CODE, Severity.NOTE, culprit=absent[0][0])


def _lacking(absent: list[tuple[str, ...]]) -> str:
    """Say for which conventions there is no name: ``there is no affordance for the convention 'carry'``."""
    listed = [f"no {CONVENTIONS[keys[0]]} for the convention {' or '.join(map(repr, keys))}" for keys in absent]
    return f"there is {' and '.join(listed)}"
