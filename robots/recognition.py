"""`Recognition`: names for what a body detects and no file lists, which stay the same over all sightings.

A detection with the body's own name for the thing keeps the name that this was given. Any other is the nearest thing of
its label that was seen a moment ago near there, or a new one. A name is given once: what comes back after it was lost
is another thing, unless the body says that it is the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import dist, isfinite
from typing import NamedTuple

from semantics.body.observation import Detection, Observation
from semantics.geometry.geometry import Vector
from semantics.logic.state import Command

__all__ = ["Recognition"]

NEAR, SPEED = 0.1, 0.5
"""How far a thing may seem to have moved between two sightings, in metres, and how much farther each second."""
LOST_AFTER = 60.0
"""After how many seconds without a sighting a thing that the body has no own name of is not recognised any more."""
MOST = 256
"""How many detections of one sensing are taken, the surest first."""


class _Track(NamedTuple):
    """The last sighting of a thing: its label, its middle, the time in seconds, and the body's own name of it."""

    label: str
    middle: Vector
    time: float
    handle: str


@dataclass(slots=True)
class Recognition:
    """Names detections, and translates between these names and those that the body itself uses.

    Attributes:
        taken: The names that something else has.
        rejected: Why detections were left out since the last call of `named`, one sentence each.
    """

    taken: Collection[str]
    rejected: list[str] = field(default_factory=list)
    _tracks: dict[str, _Track] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _given: dict[str, int] = field(default_factory=dict)

    def named(self, seen: Observation) -> Observation:
        """Return an observation whose detections have names, and stand among its sightings, contacts and reports."""
        self.rejected.clear()
        if not (seen.detections or self._names):
            return seen
        recognised = {self._name_of(found, seen.time): found for found in self._usable(seen.detections)}
        recognised = {
            name: replace(found, sighting=replace(found.sighting, name=name)) for name, found in recognised.items()
        }
        self._tracks = {
            name: track for name, track in self._tracks.items() if track.handle or seen.time - track.time <= LOST_AFTER
        }
        names = {handle: name for handle, name in self._names.items() if handle != name}
        return replace(
            seen,
            recognised=recognised,
            sightings={**seen.sightings, **{name: found.sighting for name, found in recognised.items()}},
            searched=frozenset(names.get(name, name) for name in seen.searched),
            contacts=frozenset(frozenset(names.get(name, name) for name in pair) for pair in seen.contacts),
            agents={
                name: replace(view, held=tuple(names.get(held, held) for held in view.held))
                for name, view in seen.agents.items()
            },
            told={atom.replaced(names): truth for atom, truth in seen.told.items()} if names else seen.told,
        )

    def translated(self, command: Command) -> Command:
        """Return a command with the names that the body itself uses."""
        handles = {name: handle for handle, name in self._names.items()}
        return replace(command, roles={role: handles.get(name, name) for role, name in command.roles.items()})

    def _usable(self, detections: Iterable[Detection]) -> Iterator[Detection]:
        """Yield the detections that can be believed; of several for one thing of the body, the surest."""
        claimed = set[str]()
        ranked = sorted(
            detections, key=lambda found: -found.sighting.confidence if found.sighting.confidence > 0 else 0
        )
        for found in ranked[:MOST]:
            handle, box = found.sighting.name, found.sighting.box
            if not all(map(isfinite, (*box.low, *box.high, found.sighting.confidence))):
                self.rejected.append(f"a detection of '{found.label}' has a number that is not finite")
            elif found.picture is not None and not all(0.0 <= edge <= 1.0 for edge in found.picture):
                self.rejected.append(f"a detection of '{found.label}' lies outside the picture")
            elif handle and handle in claimed:
                self.rejected.append(f"two detections claim to be '{handle}'; the surer one is taken")
            elif not _symbol(found.label):
                self.rejected.append(f"a detection has a label that names nothing: {found.label[:40]!r}")
            else:
                claimed.add(handle)
                yield found
        if len(ranked) > MOST:
            self.rejected.append(f"one sensing had {len(ranked)} detections; the surest {MOST} are taken")

    def _name_of(self, found: Detection, time: float) -> str:
        """Return the name of the thing that was detected; give it one if it is new."""
        handle, middle = found.sighting.name, found.sighting.box.centre
        name = self._names.get(handle) if handle else self._nearest(found, time)
        if name is None:
            name = self._new_name(_symbol(found.label))
            if handle:
                self._names[handle] = name
        self._tracks[name] = _Track(found.label, middle, time, handle)
        return name

    def _nearest(self, found: Detection, time: float) -> str | None:
        middle = found.sighting.box.centre
        near = (
            (dist(track.middle, middle), name)
            for name, track in self._tracks.items()
            if not track.handle
            and track.label == found.label
            and track.time < time
            and dist(track.middle, middle) <= NEAR + SPEED * (time - track.time)
        )
        return min(near, default=(0.0, None))[1]

    def _new_name(self, stem: str) -> str:
        number = self._given.get(stem, 0)
        while f"{stem}{number}" in self.taken:
            number += 1
        self._given[stem] = number + 1
        return f"{stem}{number}"


def _symbol(label: str) -> str:
    """Return a label as a symbol: ``frying_pan``; empty if it has no letter."""
    words = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_0123456789")
    return words[:40].strip("_")
