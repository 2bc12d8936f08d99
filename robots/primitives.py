"""The motion primitives that a body may offer, with the roles each one needs.

A capability of a domain names a primitive and says which of its parameters fills which role, so that a body knows no
domain and a domain knows no body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from semantics.feedback import Code, Feedback
from semantics.state import Command

__all__ = ["PRIMITIVES", "Primitive", "unfit"]


@dataclass(frozen=True, slots=True)
class Primitive:
    """A motion primitive: its sentence, and what each role stands for."""

    doc: str
    roles: Mapping[str, str]


_AT = "the place where the robot stands and works"

PRIMITIVES: dict[str, Primitive] = {
    "close": Primitive("Push the door of a thing shut.", {"object": "what has the door", "at": _AT}),
    "drive": Primitive("Drive to a place or a person.", {"to": "the place or person"}),
    "give": Primitive("Lay what is held into a person's hand.", {"object": "what is held", "to": "the person"}),
    "insert": Primitive(
        "Put what is held into a container.", {"object": "what is held", "target": "the container", "at": _AT}
    ),
    "open": Primitive("Pull a door open by its handle.", {"object": "what has the door", "at": _AT}),
    "pick": Primitive(
        "Grasp a thing and lift it off or out.",
        {"object": "what to grasp", "source": "what it is on or in", "at": _AT},
    ),
    "put": Primitive(
        "Set what is held down on a surface.", {"object": "what is held", "target": "the surface", "at": _AT}
    ),
}
"""Every primitive by name."""


def unfit(command: Command) -> Feedback | None:
    """Return why no body can do a command: an unknown primitive or a missing role; None when it is well formed."""
    if command.primitive not in PRIMITIVES:
        valid = ", ".join(PRIMITIVES)
        return Feedback(Code.REFUSED_BY_BODY, command.primitive, f"no such primitive; there are {valid}.")
    missing = [role for role in PRIMITIVES[command.primitive].roles if role not in command.roles]
    if missing:
        why = f"the role {', '.join(missing)} is missing."
        return Feedback(Code.REFUSED_BY_BODY, command.primitive, why)
    return None
