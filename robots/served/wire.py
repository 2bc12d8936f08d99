"""The wire format: one JSON value per line; requests and replies alternate.

A request is ``{"do": "start", "with": {…}}``. A reply is ``{"is": …}``, or ``{"error": "…"}`` if the request failed.
An empty line is a heartbeat; it has no reply.
The values of `semantics` are written field by field, so that client and server may be different programs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from semantics.body.observation import AgentView, Detection, Observation, Sighting
from semantics.body.primitive import Primitive
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.geometry.geometry import Box, PlanarPose
from semantics.geometry.points import MapPoint
from semantics.geometry.solids import Solid
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Feedback
from semantics.logic.place_value import PlaceKind, PlaceModel, PlaceValue
from semantics.logic.quantity import ValueModel
from semantics.logic.state import Command

LONGEST = 1 << 24  # the longest accepted reply, in bytes
VERSION = 2  # The version of the format. Clients and servers of version 1 know no heartbeats.


def line(sent: object) -> bytes:
    """Write one value as a line."""
    return json.dumps(sent, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def value(received: bytes) -> dict[str, Any]:
    """Read one line.

    Raises:
        ValueError: The line is no JSON in UTF-8, gives a key twice, or is nested too deeply.
        TypeError: The JSON value is no object.
    """
    try:
        decoded = json.loads(received.decode(), parse_constant=_no_number, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("the line is nested too deeply") from None
    if not isinstance(decoded, dict):
        raise TypeError("a line holds one object")
    return decoded


def _no_number(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key is given twice")
    return made


def written_command(command: Command) -> dict[str, Any]:
    """Write a command."""
    written = {"primitive": command.primitive, "agent": command.agent, "roles": dict(command.roles)}
    places = {name: _place(place) for name, place in command.places.items()}
    written |= {"values": dict(command.values)} if command.values else {}
    return written | ({"places": places} if places else {})


def _place(place: PlaceValue) -> list[Any]:
    """Write a point as its coordinates, and a region as two corners."""
    return list(place.coordinates) if isinstance(place, MapPoint) else _box(place)


def _read_place(written: list[Any]) -> PlaceValue:
    return _read_box(written) if isinstance(written[0], list) else MapPoint(*map(float, written))


def read_command(written: Mapping[str, Any]) -> Command:
    """Read a command."""
    roles = {str(role): str(name) for role, name in written["roles"].items()}
    values = {str(name): float(number) for name, number in written.get("values", {}).items()}
    places = {str(name): _read_place(place) for name, place in written.get("places", {}).items()}
    return Command(str(written["primitive"]), str(written["agent"]), roles, values, places)


def written_progress(progress: MotionProgress) -> dict[str, Any]:
    """Return the progress of a motion as data for JSON: `stage`, `fraction` from 0 to 1, and `feedback` or None."""
    feedback = None if progress.feedback is None else progress.feedback.as_dict()
    return {"stage": str(progress.stage), "fraction": progress.fraction, "feedback": feedback}


def read_progress(written: Mapping[str, Any]) -> MotionProgress:
    """Read the progress of a motion."""
    feedback = None if written["feedback"] is None else Feedback.from_dict(written["feedback"])
    return MotionProgress(MotionStatus(written["stage"]), float(written["fraction"]), feedback)


def written_observation(observation: Observation) -> dict[str, Any]:
    """Write a sensing."""
    return {
        "time": observation.time,
        "number": observation.number,
        "sightings": [_sighting(sighting) for sighting in observation.sightings.values()],
        "searched": sorted(observation.searched),
        "undetectable": {place: sorted(names) for place, names in observation.undetectable.items()},
        "contacts": sorted(sorted(pair) for pair in observation.contacts),
        "agents": {
            name: [
                _pose(view.pose),
                list(view.held),
                view.moving,
                view.gripper,
                None if view.hand is None else [*view.hand],
            ]
            for name, view in observation.agents.items()
        },
        "told": [[_atom(atom), holds] for atom, holds in observation.told.items()],
        "numbers": [[_atom(atom), number] for atom, number in observation.numbers.items()],
        "by": observation.by,
        "detections": [
            [found.label, _sighting(found.sighting), found.picture and [*found.picture], [*map(list, found.attributes)]]
            for found in observation.detections
        ],
    }


def read_observation(written: Mapping[str, Any]) -> Observation:
    """Read a sensing."""
    sightings = [_read_sighting(sighting) for sighting in written["sightings"]]
    return Observation(
        time=float(written["time"]),
        number=int(written["number"]),
        sightings={sighting.name: sighting for sighting in sightings},
        searched=frozenset(written["searched"]),
        undetectable={place: frozenset(names) for place, names in written.get("undetectable", {}).items()},
        contacts=frozenset(frozenset(pair) for pair in written["contacts"]),
        agents={name: _read_agent(*view) for name, view in written["agents"].items()},
        told={_read_atom(atom): _truth(holds) for atom, holds in written["told"]},
        numbers={_read_atom(atom): float(number) for atom, number in written["numbers"]},
        by=str(written["by"]),
        detections=tuple(_read_detection(*found) for found in written.get("detections", ())),
    )


def _read_detection(
    label: str, sighting: Mapping[str, Any], picture: list[float] | None, attributes: list[list[Any]]
) -> Detection:
    frame = None
    if picture is not None:
        left, top, right, bottom = map(float, picture)
        frame = (left, top, right, bottom)
    return Detection(str(label), _read_sighting(sighting), frame, tuple((str(name), had) for name, had in attributes))


def _truth(written: object) -> bool:
    if not isinstance(written, bool):
        raise TypeError(f"{written!r} is no truth value")
    return written


def _read_agent(
    pose: list[float], held: list[str], moving: bool, gripper: float | None = None, hand: list[float] | None = None
) -> AgentView:
    """Read what is told of an agent; a server of an earlier version tells nothing of its hand."""
    point = None if hand is None else (float(hand[0]), float(hand[1]), float(hand[2]))
    return AgentView(PlanarPose(*pose), tuple(held), moving, gripper, point)


def _sighting(sighting: Sighting) -> dict[str, Any]:
    return {
        "name": sighting.name,
        "box": _box(sighting.box),
        "surfaces": [_box(surface) for surface in sighting.surfaces],
        "interior": None if sighting.interior is None else _box(sighting.interior),
        "opening": sighting.opening,
        "stand": None if sighting.stand is None else _pose(sighting.stand),
        "confidence": sighting.confidence,
        "solid": None if sighting.solid is None else _solid(sighting.solid),
        "tilt": sighting.tilt,
    }


def _read_sighting(written: Mapping[str, Any]) -> Sighting:
    return Sighting(
        name=written["name"],
        box=_read_box(written["box"]),
        surfaces=tuple(map(_read_box, written["surfaces"])),
        interior=None if written["interior"] is None else _read_box(written["interior"]),
        opening=written["opening"],
        stand=None if written["stand"] is None else PlanarPose(*written["stand"]),
        confidence=written["confidence"],
        solid=_read_solid(written["solid"]) if written.get("solid") else None,
        tilt=written.get("tilt"),
    )


def _solid(solid: Solid) -> list[Any]:
    return [solid.form, list(solid.size), list(solid.at), solid.yaw]


def _read_solid(written: list[Any]) -> Solid:
    form, (a, b, c), (x, y, z), yaw = written
    return Solid(str(form), (a, b, c), (x, y, z), float(yaw))


def _box(box: Box) -> list[list[float]]:
    return [list(box.low), list(box.high)]


def _read_box(written: list[list[float]]) -> Box:
    (a, b, c), (x, y, z) = written
    return Box((a, b, c), (x, y, z))


def _pose(pose: PlanarPose) -> list[float]:
    return [pose.x, pose.y, pose.yaw]


def _atom(atom: Atom) -> list[str]:
    return [atom.predicate, *atom.args]


def _read_atom(written: list[str]) -> Atom:
    return Atom(written[0], tuple(written[1:]))


def written_primitive(primitive: Primitive) -> dict[str, Any]:
    """Return a primitive as data for JSON; a value without a lowest or highest has None there."""
    values = [
        {
            "name": model.name,
            "unit": model.unit,
            "low": model.low if math.isfinite(model.low) else None,
            "high": model.high if math.isfinite(model.high) else None,
        }
        for model in primitive.values
    ]
    return {
        "doc": primitive.doc,
        "roles": dict(primitive.roles),
        "limits": list(primitive.limits),
        "values": values,
        "optional": dict(primitive.optional),
        "places": [[model.name, str(model.kind)] for model in primitive.places],
    }


def read_primitive(written: Mapping[str, Any]) -> Primitive:
    """Read a primitive; an older server tells no values."""
    roles = {str(role): str(words) for role, words in written["roles"].items()}
    values = tuple(
        ValueModel(
            str(each["name"]),
            str(each["unit"]),
            -math.inf if each["low"] is None else float(each["low"]),
            math.inf if each["high"] is None else float(each["high"]),
        )
        for each in written.get("values", ())
    )
    optional = {str(role): str(words) for role, words in written.get("optional", {}).items()}
    places = tuple(PlaceModel(str(name), PlaceKind(kind)) for name, kind in written.get("places", ()))
    return Primitive(str(written["doc"]), roles, tuple(map(str, written["limits"])), values, optional, places)


LONGEST_REQUEST = 1 << 16  # the longest accepted request, in bytes
LONGEST_SLEEP = 60.0  # the longest time by which one request moves the clock, in seconds
LONGEST_NAME = 256
MOST_ROLES = 32
LARGEST_NUMBER = 2**53
"""The largest number of an observation or a motion; JSON carries integers up to here without loss."""


class BodyRequest(NamedTuple):
    """A valid request: what to do, and its argument in the type that the answer takes."""

    do: str
    argument: Any


def read_request(frame: bytes) -> BodyRequest:
    """Read and check a request, before the robot hears of it: one that is refused changes nothing.

    Raises:
        ValueError: The frame is no valid request; the message names the fault.
        TypeError: The frame is no JSON object.
    """
    asked = value(frame)
    unknown = sorted(asked.keys() - {"do", "with"})
    if unknown:
        raise ValueError(f"a request has the keys do and with, not {unknown[0][:40]!r}")
    do = asked.get("do")
    if not isinstance(do, str) or do not in _ARGUMENTS:
        raise ValueError(f"there is no such request; there are {', '.join(_ARGUMENTS)}")
    return BodyRequest(do, _ARGUMENTS[do](do, asked.get("with")))


def _nothing(do: str, given: object) -> None:
    if given is not None:
        raise ValueError(f"'{do}' takes no argument")


def _version(do: str, given: object) -> int:
    """Return the version of a client; the first version sent none."""
    if given is None:
        return 1
    if not isinstance(given, dict) or given.keys() != {"version"}:
        raise ValueError(f"'{do}' takes nothing, or the version of the client")
    return _number(do, given["version"])


def _seconds(do: str, given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not -LONGEST_SLEEP <= given <= LONGEST_SLEEP:
        raise ValueError(f"'{do}' takes at most {LONGEST_SLEEP:g} seconds, as a finite number")
    return max(0.0, float(given))


def _number(do: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= LARGEST_NUMBER:
        raise ValueError(f"'{do}' takes an integer from 0 to 2^53")
    return given


def _is_finite(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)


def _is_place(place: object) -> bool:
    """Return whether a value is a point of two or three finite numbers, or two corners of three, the lowest first."""
    if not isinstance(place, list) or not 2 <= len(place) <= 3:
        return False
    if all(map(_is_finite, place)):
        return True
    return (
        len(place) == 2
        and all(isinstance(corner, list) and len(corner) == 3 and all(map(_is_finite, corner)) for corner in place)
        and all(low <= high for low, high in zip(*place, strict=True))
    )


def _command(do: str, given: object) -> Command:
    if not isinstance(given, dict) or given.keys() - {"values", "places"} != {"primitive", "agent", "roles"}:
        raise ValueError(f"'{do}' takes an object with the keys primitive, agent and roles, perhaps values and places")
    values = given.get("values", {})
    if not isinstance(values, dict) or len(values) > MOST_ROLES or not all(map(_is_finite, values.values())):
        raise ValueError(f"'{do}': values is an object with at most {MOST_ROLES} finite numbers")
    places = given.get("places", {})
    if not isinstance(places, dict) or len(places) > MOST_ROLES or not all(map(_is_place, places.values())):
        raise ValueError(f"'{do}': places is an object with at most {MOST_ROLES} points [x, y] or pairs of corners")
    roles = given["roles"]
    if not isinstance(roles, dict) or len(roles) > MOST_ROLES:
        raise ValueError(f"'{do}': roles is an object with at most {MOST_ROLES} keys")
    for name in (given["primitive"], given["agent"], *roles, *roles.values(), *values, *places):
        if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable():
            raise ValueError(f"'{do}': a name is a printable text of at most {LONGEST_NAME} characters")
    return read_command(given)


_ARGUMENTS: Mapping[str, Callable[[str, object], object]] = {
    "hello": _version,
    "now": _nothing,
    "sleep": _seconds,
    "observation": lambda do, given: None if given is None else _number(do, given),
    "start": _command,
    "poll": _number,
    "cancel": _number,
    "stop": _nothing,
}
