"""What every detector has to do, see docs/own-skill.md#a-detector. Each test shows it a picture of a plain wall."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from graftwork.conformance.suite import Requirement, met, requirement
from robots.recognition import usable
from semantics.body.detector import CameraView, Detector, Shot
from semantics.body.observation import Detection

WIDE, HIGH = 128, 96
LEVEL = ((0.0, -1.0, 0.0, 0.0), (0.0, 0.0, 1.0, -1.4), (-1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))


MakeDetector = Callable[[], Detector]
"""Makes what is under test anew."""

DETECTOR: list[Requirement[MakeDetector]] = []
_must = partial(requirement, DETECTOR, "docs/own-skill.md#a-detector")


@_must("It is called with a picture, its depth and its camera, and returns detections that can be believed.")
def _detections(make: MakeDetector) -> None:
    found, notes = _found(make(), _wall()), list[str]()
    met(all(isinstance(each, Detection) for each in found), "what it returns holds something else than a Detection")
    list(usable(found, notes))
    met(not notes, "; ".join(notes))


@_must("It leaves the picture and its depth as they are.")
def _unchanged(make: MakeDetector) -> None:
    wall, before = _wall(), _wall()
    _found(make(), wall)
    is_same = np.array_equal(wall.picture, before.picture) and np.array_equal(wall.depth, before.depth)
    met(is_same, "it has changed the picture or its depth")


def _found(detector: Detector, shot: Shot) -> list[Detection]:
    return list(detector(shot.picture, shot.depth, shot.camera))


def _wall() -> Shot:
    picture, depth = np.full((HIGH, WIDE, 3), 128, dtype=np.uint8), np.full((HIGH, WIDE), 2.0)
    return Shot(picture, depth, CameraView(WIDE, HIGH, HIGH / 1.4, LEVEL))
