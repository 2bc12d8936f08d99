"""The motion primitives of robots, with the roles that each one needs.

A capability of a domain names a primitive and assigns its parameters to the roles of the primitive. So robots do not
depend on a domain, and domains do not depend on a robot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import radians

from robots.hand import HAND_VALUES, unfit_hand
from robots.placement import SaidPlace
from semantics.body.primitive import Primitive
from semantics.errors import UsageError, known_name
from semantics.geometry.places import WantedPlace
from semantics.geometry.relations import DIRECTED, SAID_PARTS, SEEN_FROM
from semantics.hints import hint
from semantics.logic.feedback import Code, Feedback
from semantics.logic.place_value import PlaceKind, PlaceModel
from semantics.logic.quantity import Quantity, ValueModel, base_unit
from semantics.logic.state import Command

__all__ = [
    "PERSONAL",
    "PRIMITIVES",
    "STATES",
    "WAIT",
    "WAIT_SECONDS",
    "Primitive",
    "no_place",
    "said_place",
    "unfit",
    "unfit_viewer",
    "wanted_place",
    "with_values",
]


_AT = "the place where the robot stands and works"
_HELD = "what is held"

PERSONAL = frozenset({"screw", "unscrew"})
"""Primitives that only a person can do: the person is the agent of the command, and the robot asks them."""
STATES = frozenset(
    {"chopped", "clean", "closed", "filled", "liquid_in", "liquid_warm", "opened", "soaked", "stuff_in", "warm", "wet"}
)
"""Predicates without geometry that primitives change; robots report these facts in `Observation.told`."""

WAIT = "wait"
"""The primitive of a capability whose work somebody else does, or nobody: a timer, a machine, a person."""
WAIT_SECONDS = 1.0
"""Duration of `WAIT` on a body that does not know a capability's own duration."""
_BESIDE = {
    "left_of": "the thing to whose left",
    "right_of": "the thing to whose right",
    "in_front_of": "the thing in front of which",
    "behind": "the thing behind which",
    "next_to": "the thing next to which",
    "between": "one of the things between which",
    "in_row": "one of the things with which it is in a row",
    "and": "the other one",
    "aligned": "the thing with which it is aligned",
    "in_middle_of": "the surface in whose middle",
    "in_corner_of": "the surface in a corner of which",
    "at_edge_of": "the surface at an edge of which",
}
_WHERE = PlaceModel("where")
"""Where a thing is put: its middle comes to the point, or the thing into the region."""
_TO = PlaceModel("to", PlaceKind.POINT)
"""Where the hand goes, or a thing is pushed."""
_SPEED = ValueModel("speed", "m/s", 0.05, 0.75)
"""The most speed of the base."""
_TURN = ValueModel("turn", "deg", -360.0, 360.0)
"""How a thing that is put is turned about the vertical, in the frame of the scene."""
OF_THREE = ("between", "in_row")
"""The relations that are to two things; the second one has the role `and`."""
VIEWED = tuple(SEEN_FROM.values())
"""The relations that are said from a viewer, whom the role `seen_from` may name."""
FARTHEST = 0.5
"""The largest distance that can be said of them, in metres."""
LONGEST_WAIT = 86_400.0
"""The longest duration of `WAIT`, seconds."""

PRIMITIVES: dict[str, Primitive] = {
    "cap": Primitive("Put a cap or lid on a thing that stands.", {"object": "what has the cap", "at": _AT}),
    "chop": Primitive(
        "Bring a tool down on a thing, several times.", {"object": _HELD, "target": "what is chopped", "at": _AT}
    ),
    "close": Primitive("Push the door of a thing shut.", {"object": "what has the door", "at": _AT}),
    "drive": Primitive("Drive to a place or a person.", {"to": "the place or person"}, values=(_SPEED,)),
    "drain": Primitive(
        "Tip a liquid out of what is held into a sink.", {"contents": "the liquid", "source": _HELD, "at": "the sink"}
    ),
    "draw": Primitive(
        "Hold a vessel under the tap.", {"object": "the vessel, held", "contents": "the liquid", "at": "the sink"}
    ),
    "fill": Primitive(
        "Tip a liquid out of what is held into a vessel.",
        {"contents": "the liquid", "source": _HELD, "target": "the vessel", "at": _AT},
    ),
    "give": Primitive("Lay what is held into a person's hand.", {"object": "what is held", "to": "the person"}),
    "grip": Primitive(
        "Close the fingers where they are; what is between them is held then.", values=HAND_VALUES["grip"]
    ),
    "heat": Primitive(
        "Switch a heater on and wait.",
        {"object": "the vessel", "contents": "what gets warm", "heater": "the heater, or the vessel itself", "at": _AT},
    ),
    "insert": Primitive(
        "Put what is held into a container.",
        {"object": "what is held", "target": "the container", "at": _AT},
        values=(_TURN,),
        places=(_WHERE,),
    ),
    "move_to": Primitive(
        "Bring the point between the fingers to a point, or above a thing.",
        values=HAND_VALUES["move_to"],
        optional={"over": "the thing above which the hand goes", "at": _AT},
        places=(_TO,),
    ),
    "open": Primitive("Pull a door open by its handle.", {"object": "what has the door", "at": _AT}),
    "pick": Primitive(
        "Grasp a thing and lift it off or out.",
        {"object": "what to grasp", "source": "what it is on or in", "at": _AT},
        values=(_SPEED,),
    ),
    "pour": Primitive(
        "Tip grain or flakes out of what is held into a container.",
        {"contents": "the stuff", "source": _HELD, "target": "the container", "at": _AT},
    ),
    "push": Primitive(
        "Push a thing along the surface on which it stands, to a point or by a distance.",
        {"object": "what is pushed"},
        values=HAND_VALUES["push"],
        optional={"at": _AT},
        places=(_TO,),
    ),
    "put": Primitive(
        "Set what is held down on a surface.",
        {"object": "what is held", "target": "the surface", "at": _AT},
        values=(ValueModel("distance", "m", 0.0, FARTHEST), _TURN),
        optional={
            **_BESIDE,
            **{role: f"the surface: {' '.join(words)}" for role, words in SAID_PARTS.items()},
            "seen_from": "the agent or the furniture from which the direction is said",
        },
        places=(_WHERE,),
    ),
    "receive": Primitive("Take a thing out of a person's hand.", {"object": "what to take", "from": "the person"}),
    "release": Primitive("Open the fingers where they are; what they held falls onto what is below."),
    "screw": Primitive("Screw a lid on; a person does it.", {"object": _HELD}),
    "soak": Primitive(
        "Dip what is held into the liquid in a vessel.",
        {"object": _HELD, "contents": "the liquid", "target": "the vessel", "at": _AT},
    ),
    "stand": Primitive(
        "Stand a long thing on end in a narrow container.",
        {"object": "what is held", "target": "the container", "at": _AT},
    ),
    "turn": Primitive(
        "Turn a thing that stands about the vertical.",
        {"object": "what is turned"},
        values=HAND_VALUES["turn"],
        optional={"at": _AT},
    ),
    "uncap": Primitive("Take the cap or lid off a thing that stands.", {"object": "what has the cap", "at": _AT}),
    "unscrew": Primitive("Take a lid off; a person does it.", {"object": _HELD}),
    WAIT: Primitive(
        "Stay for a second, or as long as is said; other roles may be given, and mean nothing.",
        values=(ValueModel("duration", "s", 0.0, LONGEST_WAIT),),
    ),
    "wash": Primitive("Hold a thing under the tap and rub it clean.", {"object": _HELD, "at": "the sink"}),
    "wet": Primitive("Hold a thing under the tap until it is wet.", {"object": _HELD, "at": "the sink"}),
    "wipe": Primitive(
        "Move a wet thing over the free top of a surface.",
        {"object": _HELD, "target": "the surface", "at": _AT},
        values=(ValueModel("share", "%", 1.0, 100.0),),
    ),
}
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
    if known is None or _WHERE not in known.places:
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
        if role in roles and role in (*_BESIDE, *SAID_PARTS) and role != "and":
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
