"""`Noise`: the errors of a camera, in what a body detects: things are missed, misnamed, misplaced, or hidden by others.

Each sensing has errors of its own, which follow from the seed and the number of the sensing alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from semantics.body.observation import Detection, Observation, Sighting
from semantics.geometry.geometry import Box, Vector

EYE = 1.4  # the height of the camera above the base, in metres


@dataclass(frozen=True, slots=True)
class Noise:
    """Puts errors into a sensing. What the robot holds, it feels, and never misses."""

    seed: int = 0  # decides all errors
    misses: float = 0.0  # how probable it is that a thing in view is not detected
    false_names: float = 0.0  # how probable it is that a thing gets a wrong label; it is one of its `names`
    position_sigma: float = 0.0  # standard deviation of each coordinate of a position, in metres
    occlusion: float = 0.0  # how probable it is that a thing is not detected whose middle is behind another thing
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The wrong labels of things, by the body's own name of the thing."""

    def __call__(self, seen: Observation) -> Observation:
        """Return a sensing with errors."""
        random = Random(f"{self.seed} {seen.number}")
        held = seen.held
        kept, missed = [], set[str]()
        for found in seen.detections:
            is_missed, is_hidden = random.random() < self.misses, random.random() < self.occlusion
            if found.sighting.name not in held and (is_missed or (is_hidden and _is_behind(found.sighting, seen))):
                missed.add(found.sighting.name)
            else:
                kept.append(self._blurred(found, random))
        return replace(seen.without(missed), detections=tuple(kept))

    def _blurred(self, found: Detection, random: Random) -> Detection:
        names = self.names.get(found.sighting.name, ())
        label = random.choice(names) if random.random() < self.false_names and names else found.label
        x, y, z = (random.gauss(0.0, self.position_sigma) for _ in range(3))
        return replace(found, label=label, sighting=found.sighting.moved((x, y, z)))


def _is_behind(thing: Sighting, seen: Observation) -> bool:
    """Return whether another thing stands between the eyes of a robot and the middle of a thing."""
    middle = thing.box.centre
    eyes = [(view.pose.x, view.pose.y, EYE) for view in seen.agents.values() if view.gripper is not None]
    boxes = [other for other in _things(seen) if not (other.contains(middle) or thing.box.contains(other.centre))]
    return any(_meets(eye, middle, box) for eye in eyes for box in boxes)


def _things(seen: Observation) -> Iterator[Box]:
    yield from (other.box for other in seen.sightings.values() if other.stand is None and other.solid is not None)
    yield from (found.sighting.box for found in seen.detections)


def _meets(start: Vector, end: Vector, box: Box) -> bool:
    """Return whether a line between two points goes through a box: the parts between each pair of faces overlap."""
    first, last = 0.0, 1.0
    for a, b, low, high in zip(start, end, box.low, box.high, strict=True):
        step = b - a or 1e-9
        near, far = sorted(((low - a) / step, (high - a) / step))
        first, last = max(first, near), min(last, far)
    return first < last
