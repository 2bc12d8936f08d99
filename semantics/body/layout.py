"""`Layout`: the initial arrangement of a scene, for a body that simulates or has to know its furniture.

`domains.reader` reads it from a scene's YAML; bodies build it. It holds the ground truth, so no decision may read it:
decisions use observations and the beliefs that the scene states.
"""

from __future__ import annotations

from dataclasses import dataclass

from semantics.geometry.geometry import Mesh, PlanarPose, Vector
from semantics.logic.atoms import Atom

FurnitureValues = tuple[tuple[str, float | tuple[float, ...]], ...]
"""Parameters of a furniture model by name, such as ``("boards", 4.0)``; see `semantics.geometry.furnishing`."""

FLOOR = "floor"  # default name of the ground, without its number


@dataclass(frozen=True, slots=True)
class Shape:
    """The solid of a movable thing."""

    # ``box`` (size x, y, z), ``cylinder`` or ``open-cylinder`` (a cup; diameter, diameter, height), ``sphere``
    # (diameter three times), ``open-box`` (a bowl or tray: size x, y, z with walls and no lid), or ``mesh`` (the convex
    # hull of a file's solid; size x, y, z of its bounds)
    form: str
    size: Vector  # metres
    mass: float = 0.2  # kilograms
    colour: Vector = (0.6, 0.6, 0.6)  # red, green, blue from 0 to 1
    mesh: Mesh | None = None  # the file of a mesh

    @property
    def is_cylinder(self) -> bool:
        """Whether it is an upright cylinder, with or without an opening."""
        return self.form in ("cylinder", "open-cylinder")

    @property
    def is_open(self) -> bool:
        """Whether it is open above, as a bowl or a cup is."""
        return self.form.startswith("open-")


@dataclass(frozen=True, slots=True)
class Furniture:
    """A fixed piece of furniture, which is also a place."""

    name: str  # symbol, such as ``fridge0``
    model: str  # builder of its geometry, one of `semantics.geometry.furnishing.FURNITURE_PARAMETERS`
    pose: PlanarPose  # centre of its footprint; its front faces along the heading
    size: Vector  # width across the front, depth, height, in metres
    opened: bool = False  # whether its door starts open, where it has one
    parameters: FurnitureValues = ()  # parameters of its model that differ from the defaults
    part_of: str = ""  # the cabinet of a drawer, which has the pose, the size and the parameters of the cabinet
    level: int = 0  # which of its drawers it is, 0 the lowest
    mesh: Mesh | None = None  # the file of its solid and its places, of the model `mesh`

    def length(self, name: str, default: float) -> float:
        """Return a parameter that is one number, or its default."""
        value = dict(self.parameters).get(name, default)
        return default if isinstance(value, tuple) else value

    def number_or_list(self, name: str, default: float | tuple[float, ...]) -> float | tuple[float, ...]:
        """Return a parameter that is a count or a list of heights, or its default."""
        return dict(self.parameters).get(name, default)


@dataclass(frozen=True, slots=True)
class MovableObject:
    """A movable thing at its start.

    Attributes:
        name: Symbol, such as ``milk0``.
        shape: Its solid.
        relation: ``on`` or ``in``.
        where: The furniture or piece it starts on or in.
        offset: Position in metres from the middle of that surface or interior: to its right (as seen from the
            front), towards its front.
        level: Which board or compartment of a shelf or fridge, 0 the lowest.
        yaw: Rotation about the vertical in radians, in the furniture's frame.
        label: What a detector calls it, if no file lists it for the robot; its name is then known to the body only.
    """

    name: str
    shape: Shape
    relation: str
    where: str
    offset: tuple[float, float] = (0.0, 0.0)
    level: int = 0
    yaw: float = 0.0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who stands somewhere and can take things."""

    name: str
    pose: PlanarPose


@dataclass(frozen=True, slots=True)
class RobotStart:
    """The acting robot at its start; `body` names the one of several bodies that a simulator has, empty for its own."""

    name: str
    pose: PlanarPose
    body: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole arrangement.

    `states` are facts that no position shows: what a bottle contains, that a jar is closed. `ground` is the name of the
    ground, which is everywhere.
    """

    robot: RobotStart
    furniture: tuple[Furniture, ...] = ()
    pieces: tuple[MovableObject, ...] = ()
    persons: tuple[Person, ...] = ()
    states: frozenset[Atom] = frozenset()
    ground: str = f"{FLOOR}0"

    def is_ground(self, name: str) -> bool:
        """Return whether a name denotes the ground; all floors are the same ground."""
        return name == self.ground or name.startswith(FLOOR)
