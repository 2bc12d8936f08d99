"""The motion primitives of robots, with the roles that each one needs: ``primitives.yaml``.

A capability of a domain names a primitive and assigns its parameters to the roles of the primitive. So robots do not
depend on a domain, and domains do not depend on a robot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import radians
from typing import Any

from robots.hand import HAND_VALUES, unfit_hand
from robots.placement import SaidPlace
from semantics.body.primitive import Primitive as Primitive
from semantics.errors import UsageError, known_name
from semantics.geometry.places import WantedPlace
from semantics.geometry.relations import DIRECTED, RELATIONS, SAID_PARTS, SEEN_FROM
from semantics.hints import hint
from semantics.logic.feedback import Code, Feedback
from semantics.logic.place_value import PlaceKind, PlaceModel
from semantics.logic.quantity import Quantity, ValueModel, base_unit
from semantics.logic.state import Command
from semantics.process.reading import read_table

PERSONAL = frozenset({"screw", "unscrew"})
"""Primitives that only a person can do: the person is the agent of the command, and the robot asks them."""
STATES = frozenset(
    {"chopped", "clean", "closed", "filled", "liquid_in", "liquid_warm", "opened", "soaked", "stuff_in", "warm", "wet"}
)
"""Predicates without geometry that primitives change; robots report these facts in `Observation.told`."""

WAIT = "wait"  # the primitive of a capability whose work somebody else does, or nobody: a timer, a machine, a person
WAIT_SECONDS = 1.0  # duration of `WAIT` on a body that does not know a capability's own duration
OF_THREE = ("between", "in_row")  # the relations that are to two things; the second one has the role `and`
VIEWED = tuple(SEEN_FROM.values())  # the relations that are said from a viewer, whom the role `seen_from` may name
_TABLE = read_table(__file__)


def _primitive(
    name: str, doc: str, *, values: Sequence[str] = (), places: Sequence[str] = (), **roles: Any
) -> Primitive:
    taken = tuple(ValueModel(each, unit, low, high) for each in values for unit, low, high in [_TABLE["values"][each]])
    models = tuple(PlaceModel(each, PlaceKind(_TABLE["places"][each])) for each in places)
    return Primitive(doc, values=HAND_VALUES.get(name, taken), places=models, **roles)


PRIMITIVES: dict[str, Primitive] = {name: _primitive(name, **entry) for name, entry in _TABLE["primitives"].items()}
"""All primitives, by name."""


def with_values(
    primitives: Mapping[str, Primitive], values: Mapping[str, tuple[ValueModel, ...]]
) -> dict[str, Primitive]:
    """Return primitives that take values besides their own: those that stand for a number of the world."""
    return {
        name: replace(primitive, values=(*primitive.values, *values.get(name, ())))
        for name, primitive in primitives.items()
    }


def unfit(command: Command, told: Mapping[str, Primitive] | None = None) -> Feedback | None:
    """Return why a command is malformed (an unknown primitive, a missing role, a value), or None if it is well-formed.

    Args:
        command: The command.
        told: The primitives of a body, whose ranges of values may be smaller than those of `PRIMITIVES`.
    """
    if command.primitive not in PRIMITIVES:
        valid = ", ".join(PRIMITIVES)
        return Feedback(Code.REFUSED_BY_BODY, command.primitive, f"no such primitive; there are {valid}.")
    missing = [role for role in PRIMITIVES[command.primitive].roles if role not in command.roles]
    if missing:
        why = f"the role {', '.join(missing)} is missing."
        return Feedback(Code.REFUSED_BY_BODY, command.primitive, why)
    known = (told or {}).get(command.primitive, PRIMITIVES[command.primitive])
    models = {model.name: model for model in known.values}
    for name, number in command.values.items():
        try:
            known_name(f"value of {command.primitive}", name, models)
            models[name].fitting(Quantity(number, base_unit(models[name].unit)))
        except UsageError as error:
            return Feedback(Code.REFUSED_BY_BODY, str(command), f"{error}.", culprits=(name,))
    return _unfit_place(command) or unfit_hand(command)


def _unfit_place(command: Command) -> Feedback | None:
    """Return why the points and regions of a command do not fit its primitive, or None if they do."""
    models = {model.name: model for model in PRIMITIVES[command.primitive].places}
    for name, place in command.places.items():
        try:
            known_name(f"value of {command.primitive}", name, models)
            models[name].fitting(place)
        except UsageError as error:
            return Feedback(Code.REFUSED_BY_BODY, str(command), f"{error}.", culprits=(name,))
    is_put_beside = any(role in command.roles for role in DIRECTED)
    if command.primitive == "put" and "distance" in command.values and not is_put_beside:
        why = "a distance is from a thing, and no role says from which."
        return Feedback(Code.REFUSED_BY_BODY, str(command), why, f"Give it {' or '.join(DIRECTED)}.", ("distance",))
    if command.primitive == "put" and "seen_from" in command.roles and not any(map(command.roles.__contains__, VIEWED)):
        why = "nothing in it is said from a viewer."
        how = f"Give it {' or '.join(DIRECTED)}, or a certain corner or edge; or leave out seen_from."
        return Feedback(Code.REFUSED_BY_BODY, str(command), why, how, ("seen_from",))
    if said_place(command) is not None and wanted_place(command) is not None:
        why, how = "it says where or how turned a thing is put, and a relation too.", "Say one of them."
        return Feedback(Code.REFUSED_BY_BODY, str(command), why, how, tuple(command.places) or ("turn",))
    return None


def said_place(command: Command) -> SaidPlace | None:
    """Return where and how turned a thing is to be put; None if neither was said, or the command puts nothing."""
    known = PRIMITIVES.get(command.primitive)
    if known is None or all(model.name != "where" for model in known.places):
        return None
    where, turn = command.places.get("where"), command.values.get("turn")
    return None if where is None and turn is None else SaidPlace(where, None if turn is None else radians(turn))


def wanted_place(command: Command) -> WantedPlace | None:
    """Return the relation that a placement is to make true; None if any free place will do.

    A role that has the name of a relation says what the relation is to: ``left_of: plate0``. The name may say which
    corner or edge: ``in_top_left_corner_of: table0``. The value ``distance`` is that from edge to edge, in metres. The
    role ``seen_from`` names the viewer of a direction.
    """
    roles, known = command.roles, PRIMITIVES.get(command.primitive)
    for role in known.optional if known else ():
        if role in roles and role in (*RELATIONS, *SAID_PARTS):
            relation, word = SAID_PARTS.get(role, (role, ""))
            others = (roles[role], roles["and"]) if role in OF_THREE and "and" in roles else (roles[role],)
            distance, viewer = command.values.get("distance"), roles.get("seen_from", "")
            return WantedPlace(relation, (roles["object"], *others), word, distance, viewer)
    return None


def unfit_viewer(command: Command, viewers: Collection[str]) -> Feedback | None:
    """Return why nothing can be said from the viewer of a command, or None if it names none or one of `viewers`."""
    wanted = wanted_place(command)
    if wanted is None or not wanted.viewer or wanted.viewer in viewers:
        return None
    why = f"{wanted.viewer} is no agent, and no furniture with a front."
    how = hint(wanted.viewer, viewers, "viewer", "Say it as seen from")
    return Feedback(Code.REFUSED_BY_BODY, str(command), why, how, (wanted.viewer,))


def no_place(wanted: WantedPlace, target: str) -> str:
    """Return the words for a relation that no free place makes true."""
    relation = wanted.relation.replace("_", " ")
    where = f"{relation} {' and '.join(wanted.names[1:])}"
    where = where if wanted.distance is None else f"{round(100 * wanted.distance, 1):g} cm {where}"
    where = f"{where}, seen from {wanted.viewer}" if wanted.viewer else where
    return f"there is no free place on {target} for {wanted.placed} that is {where}"
