"""The solids of a URDF file, with every joint at zero; only the parts of the format that are geometry.

Of each link the ``collision`` shapes count, and of a link without any the ``visual`` ones. Files that it names have to
be in its folder or below. http://wiki.ros.org/urdf/XML
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from semantics.geometry.geometry import Vector
from semantics.geometry.triangles import Part, Triangles, ball_surface, box_surface, cylinder_surface

Reader = Callable[[Path], Triangles]
Matrix = tuple[Vector, Vector, Vector]
Links = dict[str, ElementTree.Element]
Parents = dict[str, tuple[str, "Transform"]]
DEEPEST = 100  # how many elements may stand in each other; a shape stands in four


class Transform(NamedTuple):
    """A rotation, and then a shift in metres."""

    rotation: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    shift: Vector = (0.0, 0.0, 0.0)

    def moved(self, point: Vector) -> Vector:
        """Return a point of the inner frame in the outer one."""
        x, y, z = (
            sum(factor * value for factor, value in zip(row, point, strict=True)) + by
            for row, by in zip(self.rotation, self.shift, strict=True)
        )
        return x, y, z

    def then(self, inner: Transform) -> Transform:
        """Return the frame of something whose frame in this one is `inner`."""
        columns = [self.turned(column) for column in zip(*inner.rotation, strict=True)]
        (a, b, c) = zip(*columns, strict=True)
        return Transform((a, b, c), self.moved(inner.shift))

    def turned(self, vector: tuple[float, ...]) -> Vector:
        """Return a direction of the inner frame in the outer one."""
        x, y, z = (sum(factor * value for factor, value in zip(row, vector, strict=True)) for row in self.rotation)
        return x, y, z


class Joint(NamedTuple):
    """A joint of a URDF file, at zero."""

    name: str  # its name
    type: str  # its type, such as ``revolute``
    link: str  # the link that it moves
    tree: tuple[str, ...]  # all links, each before those that hang on it
    span: tuple[int, int]  # the part of `tree` that moves with it
    point: Vector  # a point of its axis
    axis: Vector  # the direction of its axis, of length 1
    # the lowest and highest value, in radians or in units of length; None without a limit
    range: tuple[float, ...] | None = None

    @property
    def links(self) -> tuple[str, ...]:
        """The links that move with it."""
        return self.tree[slice(*self.span)]

    @property
    def turns(self) -> bool:
        """Whether it is a hinge."""
        return self.type in ("revolute", "continuous")

    @property
    def slides(self) -> bool:
        """Whether it is a slide."""
        return self.type == "prismatic"


def joints_of(data: bytes) -> Iterator[Joint]:
    """Yield the joints of a URDF file, in the frame of its first link.

    Raises:
        ValueError: It is no URDF file, or a joint has no numbers where it should.
    """
    root = _parsed(data)
    links, parents = _tree(root)
    frames = _frames(links, parents)
    tree = tuple(frames)
    spans = _spans(tree, parents)
    for joint in root.findall("joint"):
        name, child = joint.get("name", ""), _named(joint, "child", links)
        frame = frames[child]
        element = joint.find("axis")
        axis = _numbers(None if element is None else element.get("xyz"), (1.0, 0.0, 0.0), f"the axis of joint '{name}'")
        length = math.hypot(*axis)
        if not length > 0.0:
            raise ValueError(f"the axis of joint '{name}' has no direction")
        x, y, z = frame.turned((axis[0] / length, axis[1] / length, axis[2] / length))
        limit, kind = joint.find("limit"), joint.get("type", "")
        ends = None
        if limit is not None and kind != "continuous":
            ends = (float(limit.get("lower", "0")), float(limit.get("upper", "0")))
        yield Joint(name, kind, child, tree, spans[child], frame.shift, (x, y, z), ends)


def _spans(tree: Sequence[str], parents: Parents) -> dict[str, tuple[int, int]]:
    """Return which part of the tree each link is with those that hang on it."""
    sizes = dict.fromkeys(tree, 1)
    for name in reversed(tree):
        if name in parents:
            sizes[parents[name][0]] += sizes[name]
    return {name: (begin, begin + sizes[name]) for begin, name in enumerate(tree)}


def solids_of(data: bytes, folder: Path, read: Reader) -> Iterator[Part]:
    """Yield the solids of a URDF file with the names of their links, in the frame of its first link.

    Args:
        data: The file.
        folder: Its folder.
        read: Reads a mesh that it names.

    Raises:
        ValueError: It is no URDF file, or names a mesh outside its folder.
    """
    links, parents = _tree(_parsed(data))
    frames = _frames(links, parents)
    for name, link in links.items():
        frame = frames[name]
        shapes = link.findall("collision") or link.findall("visual")
        for shape in shapes:
            at = frame.then(_frame(shape))
            points, faces = _solid(shape, folder, read)
            yield Part(name, Triangles(tuple(map(at.moved, points)), faces))


def _tree(root: ElementTree.Element) -> tuple[Links, Parents]:
    """Return the links by name, and the parent and frame of each that hangs on another."""
    links = {link.get("name", ""): link for link in root.findall("link")}
    if not links:
        raise ValueError("it has no link")
    parents: Parents = {}
    for joint in root.findall("joint"):
        parent, child = (_named(joint, tag, links) for tag in ("parent", "child"))
        parents[child] = (parent, _frame(joint))
    return links, parents


class _ShallowTree(ElementTree.TreeBuilder):
    """Builds the tree of a file; elements in each other without end would cost far more than their text."""

    depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> ElementTree.Element:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError(f"more than {DEEPEST} elements stand in each other, the innermost is '{tag[:20]}'")
        return super().start(tag, attributes)

    def end(self, tag: str) -> ElementTree.Element:
        self.depth -= 1
        return super().end(tag)


def _parsed(data: bytes) -> ElementTree.Element:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ValueError("it declares a document type, which no URDF file needs")
    try:
        root: ElementTree.Element = ElementTree.fromstring(data, ElementTree.XMLParser(target=_ShallowTree()))
    except ElementTree.ParseError as error:
        raise ValueError(f"no XML: {error}") from error
    if root.tag != "robot":
        raise ValueError(f"its outermost element is '{root.tag}'; expected 'robot'")
    return root


def _named(joint: ElementTree.Element, tag: str, links: dict[str, ElementTree.Element]) -> str:
    element = joint.find(tag)
    name = "" if element is None else element.get("link", "")
    if name not in links:
        raise ValueError(f"the {tag} of joint '{joint.get('name', '')}' is no link of it: '{name}'")
    return name


def _frames(links: Links, parents: Parents) -> dict[str, Transform]:
    """Return the frame of each link in that of the first, each before those that hang on it.

    Raises:
        ValueError: A link hangs on itself.
    """
    hanging: dict[str, list[str]] = {name: [] for name in links}
    for name, (above, _) in parents.items():
        hanging[above].append(name)
    frames: dict[str, Transform] = {}
    agenda = [name for name in reversed(links) if name not in parents]
    while agenda:
        name = agenda.pop()
        if name in parents:
            above, inner = parents[name]
            frames[name] = frames[above].then(inner)
        else:
            frames[name] = Transform()
        agenda += reversed(hanging[name])
    if missing := next((name for name in links if name not in frames), ""):
        raise ValueError(f"link '{missing}' hangs on itself")
    return frames


def _numbers(text: str | None, default: Vector, what: str) -> Vector:
    if text is None:
        return default
    values = tuple(map(float, text.split()))
    if len(values) != 3:
        raise ValueError(f"{what} is '{text}'; expected three numbers")
    return values[0], values[1], values[2]


def _frame(element: ElementTree.Element) -> Transform:
    origin = element.find("origin")
    if origin is None:
        return Transform()
    roll, pitch, yaw = _numbers(origin.get("rpy"), (0.0, 0.0, 0.0), "an rpy")
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(angle), math.sin(angle)) for angle in (roll, pitch, yaw))
    rotation = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return Transform(rotation, _numbers(origin.get("xyz"), (0.0, 0.0, 0.0), "an xyz"))


def _solid(shape: ElementTree.Element, folder: Path, read: Reader) -> Triangles:
    geometry = shape.find("geometry")
    kind = None if geometry is None else next(iter(geometry), None)
    if kind is None or kind.tag not in SOLIDS:
        raise ValueError(f"a shape has no geometry among {', '.join(SOLIDS)}")
    return SOLIDS[kind.tag](kind, folder, read)


def _length(element: ElementTree.Element, name: str) -> float:
    length = float(element.get(name, "nan"))
    if not (math.isfinite(length) and length > 0.0):
        raise ValueError(f"a {element.tag} has no {name} above 0")
    return length


def _box(element: ElementTree.Element, _: Path, __: Reader) -> Triangles:
    x, y, z = (length / 2.0 for length in _numbers(element.get("size"), (0.0, 0.0, 0.0), "the size of a box"))
    return box_surface((-x, -y, -z), (x, y, z))


def _mesh(element: ElementTree.Element, folder: Path, read: Reader) -> Triangles:
    name = element.get("filename", "")
    file = (folder / name).resolve()
    if not name or not file.is_relative_to(folder.resolve()):
        raise ValueError(f"the mesh '{name}' is not in the folder of the file")
    x, y, z = _numbers(element.get("scale"), (1.0, 1.0, 1.0), "the scale of a mesh")
    points, faces = read(file)
    return Triangles(tuple((x * point[0], y * point[1], z * point[2]) for point in points), faces)


SOLIDS: dict[str, Callable[[ElementTree.Element, Path, Reader], Triangles]] = {
    "box": _box,
    "cylinder": lambda element, *_: cylinder_surface(_length(element, "radius"), _length(element, "length")),
    "mesh": _mesh,
    "sphere": lambda element, *_: ball_surface(_length(element, "radius")),
}
"""The reader of each kind of geometry."""
