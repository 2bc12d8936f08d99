"""Bodies composed of boxes, cylinders and spheres, created with one simulator call each.

Every body except the robot is first described as a tuple of `SolidPart`s, so that the live world and the mirror are
built from the same values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pybullet

from robots.arrangement import OPEN_BOX_FLOOR, OPEN_BOX_WALL
from semantics.body.layout import Shape
from semantics.geometry.geometry import Box, Mesh, Vector
from semantics.geometry.meshes import triangles
from semantics.geometry.triangles import Triangles

FORMS = {
    "box": pybullet.GEOM_BOX,
    "cylinder": pybullet.GEOM_CYLINDER,
    "open-cylinder": pybullet.GEOM_CYLINDER,  # the simulator puts nothing into a cup
    "sphere": pybullet.GEOM_SPHERE,
}
UPRIGHT = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class SolidPart:
    """A solid in the frame of its body: its form, size (see `semantics.body.layout.Shape`), centre and colour.

    The form ``mesh`` is the solid of a file as it is, for what cannot be moved, and ``hull`` its convex hull, or those
    of its `pieces`. Either is the only part of its body.
    """

    form: str  # the form
    size: Vector  # its size, or that of its bounds
    centre: Vector  # its centre
    colour: Vector  # red, green, blue from 0 to 1
    solid: Triangles | None = None  # the triangles of a ``mesh`` or ``hull``, in the frame of the body
    pieces: tuple[tuple[Vector, ...], ...] = ()
    """The corners of the convex pieces of a ``hull``, in the frame of the body."""


@dataclass(frozen=True, slots=True)
class Door:
    """A leaf that turns about a vertical hinge, or a drawer that slides out along x."""

    parts: tuple[SolidPart, ...]  # solids in the frame of the hinge
    hinge: Vector  # position of the hinge, or of the shut drawer, in the frame of the body
    limit: float  # largest angle from shut in radians, or largest distance in metres
    turn: float = 1.0  # 1 if it opens counter-clockwise as seen from above, -1 if it opens clockwise
    mass: float = 4.0  # mass in kilograms
    slides: bool = False  # whether it is a drawer


def block(low: Vector, high: Vector, colour: Vector) -> SolidPart:
    """Return a box between two corners."""
    size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)
    return SolidPart("box", size, middle, colour)


def shape_parts(shape: Shape) -> tuple[SolidPart, ...]:
    """Return the parts of a movable object, relative to its centre."""
    if shape.mesh is not None:
        return (SolidPart("hull", shape.size, (0.0, 0.0, 0.0), shape.colour, _centred(shape.mesh)),)
    if shape.form == "open-box":
        return bowl_parts(shape.size, shape.colour, OPEN_BOX_WALL, OPEN_BOX_FLOOR)
    return (SolidPart(shape.form, shape.size, (0.0, 0.0, 0.0), shape.colour),)


def _centred(mesh: Mesh) -> Triangles:
    """Return the triangles of a movable object around its centre."""
    found = triangles(mesh)
    half = found.box.size[2] / 2
    return moved(found, (0.0, 0.0, -half))


def moved(solid: Triangles, way: Vector) -> Triangles:
    """Return a surface in another place."""
    return solid._replace(points=tuple((x + way[0], y + way[1], z + way[2]) for x, y, z in solid.points))


def bowl_parts(size: Vector, colour: Vector, wall: float, floor: float) -> tuple[SolidPart, ...]:
    """Return a floor and four walls, relative to the centre of the whole."""
    x, y, z = (length / 2 for length in size)
    return hollowed((-x, -y, -z), (x, y, z), Box((-x + wall, -y + wall, -z + floor), (x - wall, y - wall, z)), colour)


def hollowed(low: Vector, high: Vector, space: Box, colour: Vector) -> tuple[SolidPart, ...]:
    """Return the floor and the four walls around a space that is open above, from the corners of the whole."""
    floor, inner, outer = space.low[2], space.low, space.high
    return (
        block(low, (high[0], high[1], floor), colour),
        block((low[0], low[1], floor), (inner[0], high[1], high[2]), colour),
        block((outer[0], low[1], floor), high, colour),
        block((inner[0], low[1], floor), (outer[0], inner[1], high[2]), colour),
        block((inner[0], outer[1], floor), (outer[0], high[1], high[2]), colour),
    )


def _shapes(client: int, parts: Sequence[SolidPart]) -> tuple[int, int]:
    """Create the collision and the visual shape of a body; return their ids, which are -1 for nothing."""
    if not parts:
        return -1, -1
    if parts[0].solid is not None:
        return _mesh_shapes(client, parts[0], parts[0].solid)
    centres = [list(part.centre) for part in parts]
    solids = {
        "shapeTypes": [FORMS[part.form] for part in parts],
        "halfExtents": [[length / 2 for length in part.size] for part in parts],
        "radii": [part.size[0] / 2 for part in parts],
        "lengths": [part.size[2] for part in parts],
        "physicsClientId": client,
    }
    colours = [[*part.colour, 1.0] for part in parts]
    collision = pybullet.createCollisionShapeArray(collisionFramePositions=centres, **solids)
    visual = pybullet.createVisualShapeArray(visualFramePositions=centres, rgbaColors=colours, **solids)
    return collision, visual


def _mesh_shapes(client: int, part: SolidPart, solid: Triangles) -> tuple[int, int]:
    """Create the collision and the visual shape of triangles."""
    points, faces = np.array(solid.points), np.array(solid.faces)
    if part.pieces:
        collision = _compound(client, part.pieces)
    else:
        hull = part.form == "hull"
        collision = pybullet.createCollisionShape(
            pybullet.GEOM_MESH,
            vertices=points.tolist(),
            **({} if hull else {"indices": faces.ravel().tolist(), "flags": pybullet.GEOM_FORCE_CONCAVE_TRIMESH}),
            physicsClientId=client,
        )
    corners = points[faces]  # each face has corners of its own, and so an even colour
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    visual = pybullet.createVisualShape(
        pybullet.GEOM_MESH,
        vertices=corners.reshape(-1, 3).tolist(),
        indices=list(range(3 * len(faces))),
        normals=np.repeat(normals, 3, axis=0).tolist(),
        rgbaColor=[*part.colour, 1.0],
        physicsClientId=client,
    )
    return collision, visual


def _compound(client: int, pieces: Sequence[Sequence[Vector]]) -> int:
    """Create the collision shape of convex pieces.

    The simulator makes a hull of each object of an OBJ file, and takes several pieces in no other way.
    """
    lines, count = [], 0
    for number, corners in enumerate(pieces):
        lines.append(f"o piece{number}")
        lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in corners]
        lines += [f"f {count + 1} {count + i} {count + i + 1}" for i in range(2, len(corners))]
        count += len(corners)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "pieces.obj"
        file.write_text("\n".join(lines) + "\n")
        shape: int = pybullet.createCollisionShape(pybullet.GEOM_MESH, fileName=str(file), physicsClientId=client)
    return shape


def make_body(
    client: int,
    parts: Sequence[SolidPart],
    position: Vector,
    orientation: Sequence[float] = UPRIGHT,
    mass: float = 0.0,
    doors: Sequence[Door] = (),
) -> int:
    """Create a body and return its id. A body without mass is fixed; its leaves, or its drawer, are its links."""
    collision, visual = _shapes(client, parts)
    hinged: dict[str, object] = {}
    if doors:
        shapes = [_shapes(client, door.parts) for door in doors]
        count = len(doors)
        hinged = {
            "linkMasses": [door.mass for door in doors],
            "linkCollisionShapeIndices": [of_collision for of_collision, _ in shapes],
            "linkVisualShapeIndices": [of_visual for _, of_visual in shapes],
            "linkPositions": [door.hinge for door in doors],
            "linkOrientations": [UPRIGHT] * count,
            "linkInertialFramePositions": [(0.0, 0.0, 0.0)] * count,
            "linkInertialFrameOrientations": [UPRIGHT] * count,
            "linkParentIndices": [0] * count,
            "linkJointTypes": [pybullet.JOINT_PRISMATIC if d.slides else pybullet.JOINT_REVOLUTE for d in doors],
            "linkJointAxis": [(1.0, 0.0, 0.0) if d.slides else (0.0, 0.0, d.turn) for d in doors],
        }
    body: int = pybullet.createMultiBody(
        baseMass=mass,
        baseCollisionShapeIndex=collision,
        baseVisualShapeIndex=visual,
        basePosition=position,
        baseOrientation=list(orientation),
        physicsClientId=client,
        **hinged,
    )
    for link, door in enumerate(doors):
        pybullet.changeDynamics(body, link, jointLowerLimit=0.0, jointUpperLimit=door.limit, physicsClientId=client)
    return body
