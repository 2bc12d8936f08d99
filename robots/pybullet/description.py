"""`BodyDescription`: a robot as data, read from a YAML file in `bodies`; kinematics, grasps and paths take it.

All bodies have one form of configuration: where the base is and looks, the height of the arm's foot, and the angles of
the arm. A joint sets each number, or none: an arm on a fixed base looks elsewhere by turning its first joint, where a
mobile robot turns its base. So the same search finds postures and paths for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

from semantics.errors import UsageError, known_name

Configuration = NDArray[np.float64]
"""The numbers of `COORDINATES`, in this order; metres and radians."""
COORDINATES: Final = ("x", "y", "yaw", "lift", *(f"arm{i}" for i in range(1, 8)))
SIZE: Final = len(COORDINATES)
BASE: Final = 3  # how many coordinates are the pose of the base
YAW: Final = 2
LIFT: Final = 3
DEFAULT: Final = "mobile-panda"
FOLDER: Final = Path(__file__).with_name("bodies")
BODIES: Final = tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))  # the names of the bodies
POSITIVE: Final = frozenset({"speed", "acceleration", "jerk"})  # the keys whose values are positive numbers


class MotionLimits(NamedTuple):
    """The limits of a motion, one number for each coordinate; those of x and y bound the base's vector."""

    speed: Configuration
    acceleration: Configuration
    jerk: Configuration

    def slowed(self, pace: float, base_speed: float | None = None) -> MotionLimits:
        """Return the limits with a share of the speeds, and with a lower speed of the base if one is given."""
        speed = self.speed * pace
        if base_speed is not None:
            speed[:YAW] = np.minimum(speed[:YAW], base_speed)
        return self._replace(speed=speed)


def share_of_limit(values: Configuration, limit: Configuration) -> Any:  # noqa: ANN401 - a number or an array
    """Return the largest share of its limit that one of the coordinates uses, or the vector of the base's x and y.

    Args:
        values: Speeds, accelerations or jerks; the coordinates are the last axis, which the result has no more.
        limit: The limit of each coordinate.
    """
    shares = np.abs(values) / limit
    return np.maximum(shares.max(axis=-1), np.hypot(shares[..., 0], shares[..., 1]))


@dataclass(frozen=True)
class Coordinate:
    """One number of a configuration."""

    limits: tuple[float, float]  # the least and the largest value, in metres or radians
    speed: float  # cruising speed, per second
    settled: float  # the lag up to which it has arrived
    lost: float  # the lag from which on a motion may be stuck
    stride: float  # the largest step between two tested postures of a path
    joint: str = ""  # the joint that sets it; empty if it stays as the scene states it
    force: float = 0.0  # the most force or torque, in newtons or newton metres
    acceleration: float = 1.0
    """The most, per second squared; of x and y, that of the base's vector. A body that does not say it moves gently."""
    jerk: float = 5.0  # the most change of the acceleration, per second cubed


@dataclass(frozen=True)
class Base:
    """What the arm stands on."""

    moves: bool  # whether it drives
    radius: float  # metres
    closest: float  # nearer to its middle and lower than `lowest`, in metres, the hand would hit it
    lowest: float  # see `closest`


@dataclass(frozen=True)
class Links:
    """Lengths of an arm whose first, third and fifth joint turn it about itself, in metres."""

    shoulder: float
    upper: float
    fore: float
    elbow: float
    wrist: float
    hand: float


@dataclass(frozen=True)
class Hand:
    """A hand with two fingers."""

    link: str  # its link
    tool: str  # the link between the fingertips
    fingers: tuple[str, ...]  # the joints of the fingers
    opening: float  # how far each finger opens, in metres
    force: float  # newtons
    friction: float  # coefficient of the fingertips
    speed: float = 0.1  # the most speed of each finger, in metres per second
    acceleration: float = 1.0  # its most acceleration, per second squared
    jerk: float = 20.0  # the most change of that, per second cubed


@dataclass(frozen=True)
class Rest:
    """The posture of travel and rest."""

    reach: float  # metres ahead of the middle of the base
    above: float  # metres above the arm's foot
    pitch: float  # radians
    lift: float  # height of the arm's foot, in metres


@dataclass(frozen=True)
class HeadCamera:
    """The place of the camera relative to the base, in metres."""

    ahead: float
    aside: float
    height: float


@dataclass(frozen=True)
class BodyDescription:
    """A robot."""

    name: str  # its name in scenes
    primitives: frozenset[str]  # the motions that it can do
    base: Base  # what the arm stands on
    coordinates: tuple[Coordinate, ...]  # those of a configuration, in the order of `COORDINATES`
    links: Links  # lengths of the arm
    hand: Hand  # the hand
    rest: Rest  # the posture of travel and rest
    camera: HeadCamera  # the head camera

    @property
    def moves(self) -> bool:
        """Whether the base drives."""
        return self.base.moves

    @property
    def column(self) -> tuple[float, float]:
        """The lowest and the highest height of the arm's foot, in metres."""
        return self.coordinates[LIFT].limits

    @cached_property
    def driven(self) -> list[int]:
        """The indices of the coordinates that joints set."""
        return [index for index, coordinate in enumerate(self.coordinates) if coordinate.joint]

    @property
    def joints(self) -> list[str]:
        """The joints of the driven coordinates."""
        return [self.coordinates[index].joint for index in self.driven]

    @property
    def forces(self) -> list[float]:
        """The most force of each driven coordinate."""
        return [self.coordinates[index].force for index in self.driven]

    @cached_property
    def motion_limits(self) -> MotionLimits:
        """The limits of a motion."""
        rows = [(coordinate.speed, coordinate.acceleration, coordinate.jerk) for coordinate in self.coordinates]
        return MotionLimits(*np.array(rows, dtype=np.float64).T)

    @cached_property
    def settled(self) -> Configuration:
        """The lag up to which each coordinate has arrived."""
        return np.array([coordinate.settled for coordinate in self.coordinates])

    @cached_property
    def lost(self) -> Configuration:
        """The lag from which on a motion may be stuck."""
        return np.array([coordinate.lost for coordinate in self.coordinates])

    @cached_property
    def strides(self) -> Configuration:
        """The largest step between two tested postures."""
        return np.array([coordinate.stride for coordinate in self.coordinates])

    def origin(self, x: float, y: float, yaw: float) -> Configuration:
        """Return what the joints count from: the pose of a fixed base, else the origin of the world."""
        zero: Configuration = np.zeros(SIZE)
        if not self.moves:
            zero[:BASE] = x, y, yaw
        return zero

    def unwound(self, points: Sequence[Configuration]) -> list[Configuration]:
        """Return the configurations of a path with headings such that a base that moves turns the shorter way."""
        unwound = [point.copy() for point in points]
        if self.moves:
            for point, yaw in zip(unwound, np.unwrap([point[YAW] for point in points]), strict=True):
                point[YAW] = yaw
        return unwound


@cache
def described(name: str) -> BodyDescription:
    """Return the description of a body; the default for no name.

    Raises:
        UnknownNameError: There is no body of this name.
        UsageError: Its file lacks a key, or has one that is unknown.
    """
    name = name or DEFAULT
    known_name("body", name, BODIES)
    path = FOLDER / f"{name}.yaml"
    return read_description(path, yaml.safe_load(path.read_text(encoding="utf-8")))


def read_description(path: Path, table: Mapping[str, Any]) -> BodyDescription:
    """Make a description of the tables of its file.

    Raises:
        UsageError: A table lacks a key, or has one that is unknown, or a limit of a motion is not positive.
    """
    parts = {"base": Base, "links": Links, "hand": Hand, "rest": Rest, "camera": HeadCamera}
    _check_keys(f"{path}", table, ("primitives", "coordinates", *parts))
    rows = table["coordinates"]
    _check_keys(f"{path}: coordinates", rows, COORDINATES)
    made: dict[str, Any] = {key: _made(f"{path}: {key}", kind, table[key]) for key, kind in parts.items()}
    coordinates = tuple(_made(f"{path}: {key}", Coordinate, rows[key]) for key in COORDINATES)
    return BodyDescription(path.stem, frozenset(table["primitives"]), coordinates=coordinates, **made)


def _made(what: str, kind: Any, row: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any of the classes above
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    required = [field.name for field in fields(kind) if field.default is MISSING]
    _check_keys(what, values, required, [field.name for field in fields(kind)])
    for key in sorted(POSITIVE & row.keys()):
        value: Any = row[key]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < np.inf:
            raise UsageError(f"{what}: {key} is {value!r}, and must be a positive number")
    return kind(**values)


def _check_keys(what: str, table: Mapping[str, Any], required: Iterable[str], optional: Iterable[str] = ()) -> None:
    needed = tuple(required)
    missing = [key for key in needed if key not in table]
    if missing:
        raise UsageError(f"{what}: {', '.join(missing)} missing")
    for key in table:
        known_name(f"key of {what}", key, (*needed, *optional))
