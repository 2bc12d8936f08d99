"""An instance with its evidence on the map, and what checks say of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from benchmarks.tabletop.board import Pose, Spot, spot_of
from benchmarks.tabletop.evidence import Evidence, Gripper, Sample
from benchmarks.tabletop.instance import Instance

__all__ = ["Case", "Fault", "GripperSpot", "on_map"]


class Fault(NamedTuple):
    """What is wrong with an end state; `published` says whether the published check sees it too."""

    published: bool
    text: str


class GripperSpot(NamedTuple):
    """Where the middle between the fingertips is on the map, and how far these are apart; metres."""

    spot: Spot
    opening: float

    @property
    def point(self) -> tuple[float, float, float]:
        """To the right, to the top, and up."""
        return self.spot.point


class Case:
    """An instance and the initial and final state on the map.

    Args:
        instance: What was asked.
        evidence: What is true, in the world.
    """

    def __init__(self, instance: Instance, evidence: Evidence) -> None:
        self.instance = instance
        self.evidence = evidence
        self.initial = _spots(instance, evidence.initial)
        self.final = _spots(instance, evidence.trace[-1])

    @cached_property
    def start(self) -> GripperSpot:
        """The gripper at the beginning."""
        return on_map(self.evidence.initial.gripper)

    @cached_property
    def gripper(self) -> GripperSpot:
        """The gripper at the end."""
        return on_map(self.evidence.trace[-1].gripper)

    def text(self, name: str) -> str:
        """Return an attribute that is a word."""
        return self.instance.text(name)

    def length(self) -> float:
        """Return the <n> of the words, in metres."""
        return self.instance.number("n") / 100


def on_map(gripper: Gripper) -> GripperSpot:
    """Return where a gripper is on the map."""
    return GripperSpot(spot_of(Pose(gripper.x, gripper.y, gripper.z)), gripper.opening)


def _spots(instance: Instance, sample: Sample) -> Mapping[str, Spot]:
    return {name: spot_of(sample.poses[name]) for name in instance.spots}
