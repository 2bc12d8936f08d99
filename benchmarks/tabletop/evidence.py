"""What the judge is shown: plain values that the caller reads from the simulator, nothing that the robot believes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.tabletop.board import Pose

__all__ = ["Evidence", "Gripper", "Sample"]


class Gripper(NamedTuple):
    """Where the middle between the fingertips is, and how far these are apart; metres, in the world."""

    x: float
    y: float
    z: float
    opening: float


@dataclass(frozen=True, slots=True)
class Sample:
    """What is true at one time.

    Attributes:
        time: Seconds of simulated time, from any beginning.
        poses: The middle of the bounding box, and the yaw, of each block and bowl. In the simulator that is the
            position of its body, as `benchmarks.stagehand.poses` reads it.
        gripper: The gripper.
    """

    time: float
    poses: Mapping[str, Pose]
    gripper: Gripper


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is true of a run.

    Attributes:
        initial: Before the instruction is given, when everything is at rest, and the gripper holds what the instance
            says and is where it says.
        trace: The second before the end, oldest first, ten samples or more; the last one is the final state.
        held: What is in the hand at the end, or None.
        answer: What the robot answered: a text, a number, yes or no as a bool, or a list of names; None for nothing.
        released: The gripper when it let go of what it held, if the caller knows; for L21.
    """

    initial: Sample
    trace: Sequence[Sample]
    held: str | None = None
    answer: object = None
    released: Gripper | None = None
