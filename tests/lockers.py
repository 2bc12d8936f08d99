"""A world with a locker from a file, written for tests: a door with a hinge above a drawer, in OBJ, STL or URDF."""

from collections.abc import Mapping
from pathlib import Path

from semantics.geometry.geometry import Vector
from semantics.geometry.triangles import box_surface, joined
from tests.solid_files import write_stl

Boxes = tuple[tuple[Vector, Vector], ...]

PARTS: Mapping[str, Boxes] = {
    "body": (
        ((-0.31, -0.31, 0.0), (0.31, 0.31, 0.02)),
        ((-0.25, -0.3, 0.03), (-0.235, 0.3, 1.2)),
        ((-0.25, -0.3, 1.201), (0.2, 0.3, 1.23)),
        ((-0.23, -0.3, 0.03), (0.2, -0.272, 1.2)),
        ((-0.23, 0.272, 0.03), (0.2, 0.3, 1.2)),
        ((-0.23, -0.27, 0.6), (0.19, 0.27, 0.62)),
    ),
    "leaf": (
        ((0.205, -0.3, 0.61), (0.245, 0.3, 1.22)),
        ((0.246, -0.248, 0.74), (0.28, -0.232, 0.756)),
        ((0.246, -0.248, 1.004), (0.28, -0.232, 1.02)),
    ),
    "knob": (((0.281, -0.251, 0.73), (0.303, -0.229, 1.03)),),
    "box": (
        ((-0.2, -0.25, 0.32), (0.2, 0.25, 0.33)),
        ((-0.2, -0.26, 0.321), (0.2, -0.251, 0.5)),
        ((-0.2, 0.251, 0.321), (0.2, 0.26, 0.5)),
        ((-0.21, -0.25, 0.322), (-0.201, 0.25, 0.5)),
        ((0.205, -0.29, 0.3), (0.225, 0.29, 0.58)),
        ((0.226, -0.008, 0.37), (0.26, 0.008, 0.386)),
        ((0.226, -0.008, 0.444), (0.26, 0.008, 0.46)),
    ),
    "grip": (((0.261, -0.011, 0.34), (0.283, 0.011, 0.48)),),
}
"""The boxes of each part: x to the front, y to the right, z up, in metres."""

INSIDE = "{x: [-0.2, 0.2], y: [-0.25, 0.25], z: [0.33, 0.5]}"
INSIDES = "insides: {shelf: {x: [-0.23, 0.19], y: [-0.27, 0.27], z: [0.62, 1.2]}}"
DOORS = "doors: {front: {part: [leaf, knob], hinge: [0.225, 0.3], handle: knob}}"
DRAWERS = f"drawers: {{low: {{part: [box, grip], handle: [0.272, 0, 0.41], travel: 0.34, inside: {INSIDE}}}}}"
OF_OBJ = f"file: locker.obj, {INSIDES}, {DOORS}, {DRAWERS}"
OF_URDF = (
    f"file: locker.urdf, {INSIDES}, doors: {{front: {{joint: hinge, handle: knob}}}}, "
    f"drawers: {{low: {{joint: slide, handle: grip, inside: {INSIDE}}}}}"
)
OF_STL = (
    f"file: locker.stl, {INSIDES}, "
    "doors: {front: {region: {x: [0.202, 0.31], y: [-0.31, 0.31], z: [0.605, 1.23]}, hinge: [0.225, 0.3], "
    "handle: [0.292, -0.24, 0.88]}}, "
    "drawers: {low: {region: {x: [-0.22, 0.31], y: [-0.295, 0.295], z: [0.29, 0.59]}, handle: [0.272, 0, 0.41], "
    f"travel: 0.34, inside: {INSIDE}}}}}"
)
FORMATS = {"obj": OF_OBJ, "stl": OF_STL, "urdf": OF_URDF}

DOMAIN = """\
name: lockers
affordances:
  carry: one hand can lift it
  support: things stand on it
  contain: things can be put inside it
  open: it opens and closes
  location: the robot can be there
  actor: it acts
classes:
  robot: {affordances: [actor]}
  floor: {affordances: [location]}
  bench: {affordances: [support, location], model: table}
  locker: {affordances: [contain, location, open], model: mesh, mesh: {MESH}}
  tray: {affordances: [contain, open], words: [drawer], model: drawer}
  peg: {affordances: [carry], shape: {form: box, size: [0.05, 0.05, 0.12]}}
  bolt: {affordances: [carry], shape: {form: box, size: [0.05, 0.05, 0.06]}}
predicates:
  on: {parameters: [carry, support], say: "{0} is on {1}", sensed: on}
  in: {parameters: [carry, contain], say: "{0} is in {1}", sensed: in}
  at: {parameters: [actor, location], say: "{0} is at {1}", sensed: at}
  inhand: {parameters: [carry, actor], say: "{1} holds {0}", sensed: inhand}
  opened: {parameters: [open], say: "{0} is open", sensed: opened}
  closed: {parameters: [open], say: "{0} is shut", sensed: closed}
  part_of: {parameters: [open, location], say: "{0} is a part of {1}"}
  hand_occupied: {parameters: [actor], say: "{0} holds something", bookkeeping: true}
capabilities:
  drive:
    parameters: {a: actor, start: location, end: location}
    distinct: [[start, end]]
    precondition: [at: [a, start]]
    effect: [at: [a, end], not: {at: [a, start]}]
    primitive: drive
    roles: {to: end}
  open_up:
    parameters: {a: actor, d: [open, location]}
    precondition: [at: [a, d], closed: d, not: {hand_occupied: a}]
    effect: [opened: d, not: {closed: d}]
    primitive: open
    roles: {object: d, at: d}
  shut:
    parameters: {a: actor, d: [open, location]}
    precondition: [at: [a, d], opened: d, not: {hand_occupied: a}]
    effect: [closed: d, not: {opened: d}]
    primitive: close
    roles: {object: d, at: d}
  pull:
    parameters: {a: actor, d: open, at: location}
    precondition: [at: [a, at], part_of: [d, at], closed: d, not: {hand_occupied: a}]
    effect: [opened: d, not: {closed: d}]
    primitive: open
    roles: {object: d, at: at}
  push:
    parameters: {a: actor, d: open, at: location}
    precondition: [at: [a, at], part_of: [d, at], opened: d, not: {hand_occupied: a}]
    effect: [closed: d, not: {opened: d}]
    primitive: close
    roles: {object: d, at: at}
  take_out:
    parameters: {a: actor, o: carry, c: [contain, open, location]}
    precondition: [at: [a, c], opened: c, in: [o, c], not: {hand_occupied: a}]
    effect: [inhand: [o, a], hand_occupied: a, not: {in: [o, c]}]
    primitive: pick
    roles: {object: o, source: c, at: c}
  store:
    parameters: {a: actor, o: carry, d: [contain, open], at: location}
    precondition: [at: [a, at], part_of: [d, at], opened: d, inhand: [o, a]]
    effect: [in: [o, d], not: {inhand: [o, a]}, not: {hand_occupied: a}]
    primitive: insert
    roles: {object: o, target: d, at: at}
agents:
  robot: {capabilities: all}
phrases:
  - {pattern: "put {thing} in|into {container}", goal: "(in {thing} {container})"}
"""
SCENE = """\
domain: lockers
things:
  floor0: {class: floor}
  bench0: {class: bench, pose: [1.9, 0.5, 3.1416], size: [1.2, 0.6, 0.72]}
  locker0: {class: locker, pose: [1.2, -1.9, 1.5708]}
  tray0: {class: tray, of: locker0}
  robot0: {class: robot, pose: [0.0, 0.0, 1.5708], at: floor0}
  peg0: {class: peg, in: locker0, offset: [0.05, 0.05]}
  bolt0: {class: bolt, in: tray0, offset: [0.1, 0.0]}
"""
URDF_JOINTS = """\
  <joint name="hinge" type="revolute">
    <parent link="body"/><child link="leaf"/><origin xyz="0.225 0.3 0"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1.9" effort="1" velocity="1"/>
  </joint>
  <joint name="mount" type="fixed"><parent link="leaf"/><child link="knob"/></joint>
  <joint name="slide" type="prismatic">
    <parent link="body"/><child link="box"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.34" effort="1" velocity="1"/>
  </joint>
  <joint name="rivet" type="fixed"><parent link="box"/><child link="grip"/></joint>
"""


def write_grouped_obj(path: Path, parts: Mapping[str, Boxes]) -> None:
    """Write boxes as an OBJ file with a group for each part."""
    lines, count = [], 0
    for name, boxes in parts.items():
        lines.append(f"g {name}")
        for box in (box_surface(*corners) for corners in boxes):
            lines += ["v " + " ".join(f"{value:g}" for value in point) for point in box.points]
            lines += ["f " + " ".join(str(index + 1 + count) for index in face) for face in box.faces]
            count += len(box.points)
    path.write_text("\n".join(lines) + "\n")


def urdf(parts: Mapping[str, Boxes], joints: str = URDF_JOINTS) -> str:
    """Return boxes as a URDF file with a link for each part, whose frames are those of its joints."""
    origins = {"leaf": (0.225, 0.3, 0.0), "knob": (0.225, 0.3, 0.0)}
    links = []
    for name, boxes in parts.items():
        shapes = []
        for low, high in boxes:
            at = [(a + b) / 2 - c for a, b, c in zip(low, high, origins.get(name, (0.0, 0.0, 0.0)), strict=True)]
            size = [b - a for a, b in zip(low, high, strict=True)]
            shapes.append(
                f'<collision><origin xyz="{" ".join(f"{x:.6f}" for x in at)}"/><geometry>'
                f'<box size="{" ".join(f"{x:.6f}" for x in size)}"/></geometry></collision>'
            )
        links.append(f'  <link name="{name}">{"".join(shapes)}</link>')
    return "<robot name='locker'>\n" + "\n".join(links) + "\n" + joints + "</robot>\n"


def lockers(folder: Path, mesh: str = OF_OBJ, *changes: tuple[str, str], joints: str = URDF_JOINTS) -> Path:
    """Write a world with a locker from a file; return its folder."""
    world = folder / "lockers"
    (world / "scenes").mkdir(parents=True)
    write_grouped_obj(world / "locker.obj", PARTS)
    write_stl(world / "locker.stl", joined(box_surface(*corners) for boxes in PARTS.values() for corners in boxes))
    (world / "locker.urdf").write_text(urdf(PARTS, joints))
    text = DOMAIN.replace("MESH", mesh)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    (world / "domain.yaml").write_text(text)
    (world / "scenes" / "room.yaml").write_text(SCENE)
    return world
