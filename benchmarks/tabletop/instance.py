"""`Instance`: an instruction with a scene in which it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from benchmarks.tabletop.board import Spot
from benchmarks.tabletop.drawing import Attributes, Point
from benchmarks.tabletop.scene_text import scene_text

__all__ = ["Instance"]

OPENING = ("L02", "L06")
"""Templates that open the gripper."""


@dataclass(frozen=True)
class Instance:
    """An instruction, the scene in which it is given, and what its words mean.

    Attributes:
        template: Name of the template.
        seed: Seed of the instance.
        split: Set of attributes, ``seen`` or ``unseen``.
        words: The instruction as a person says it.
        attributes: What stands in the places of the template, as `drawing` lists it: things and regions by their names
            in the scene, ``n`` in centimetres, ``nth`` from 1, points as x, y, z of the world in metres.
        spots: Where each block and bowl stands on the map, in the order of the scene.
        held: Block that the hand has to hold before the instruction is given; else empty. The caller picks it up
            before the initial state is read.
        start: Where the gripper has to be before the instruction is given, x, y, z of the world in metres, or None.
            Above everything, fingers down.
    """

    template: str
    seed: int
    split: str
    words: str
    attributes: Attributes
    spots: Mapping[str, Spot]
    held: str = ""
    start: Point | None = None

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """Names of the blocks, in the order of the scene."""
        return tuple(name for name in self.spots if name.endswith("_block"))

    @cached_property
    def bowls(self) -> tuple[str, ...]:
        """Names of the bowls, in the order of the scene."""
        return tuple(name for name in self.spots if name.endswith("_bowl"))

    @property
    def starts_closed(self) -> bool:
        """Whether the fingers have to be shut before the instruction is given: otherwise it would be done already."""
        return self.template in OPENING

    @cached_property
    def scene(self) -> str:
        """The scene as a file of the world `tabletop`."""
        return scene_text(self.words, self.spots)

    def text(self, name: str) -> str:
        """Return an attribute that is a word."""
        return str(self.attributes[name])

    def number(self, name: str) -> int:
        """Return an attribute that is a number.

        Raises:
            TypeError: If it is none.
        """
        value = self.attributes[name]
        if not isinstance(value, int):
            raise TypeError(f"{name} of {self.template} is {value!r}, which is no number")
        return value

    def point(self, name: str) -> Point:
        """Return an attribute that is a point of the world, metres.

        Raises:
            TypeError: If it is none.
        """
        value = self.attributes[name]
        if not isinstance(value, tuple):
            raise TypeError(f"{name} of {self.template} is {value!r}, which is no point")
        return value
