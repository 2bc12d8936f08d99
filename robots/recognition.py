"""`Recognition`: names for what a body detects and no file lists, which stay the same over all sightings.

A detection with the body's own name for the thing keeps the name that this was given. Any other is the nearest thing of
its label that was seen a moment ago near there, or a new one. A name is given once: what comes back after it was lost
is another thing, unless the body says that it is the same.

Where a detector may err, one picture decides nothing: a thing gets a name when it was seen in several pictures with the
same label, it is gone when it was missed in as many and for a moment, and where it rests is the mean of several. What
several pictures call otherwise gets another name, since a name stands for one thing of one class.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from math import dist, inf, nextafter, prod

from semantics.body.observation import Detection, Observation, Sighting, is_finite, oldest
from semantics.geometry.geometry import Box, Vector
from semantics.logic.feedback import Feedback
from semantics.logic.state import Command

PICTURES = 2  # how many pictures decide whether a thing is there, and what it is called, where a detector may err
BLINK = 0.3
"""How long a thing may be missed before it is gone, in seconds: pictures that follow each other at once err alike."""
STILL = 0.04  # how far from the mean of its places a thing may be seen that rests, in metres
STEADY = 8  # of how many places the mean is taken, at most
NEAR, SPEED = 0.1, 0.5
"""How far a thing may seem to have moved between two sightings, in metres, and how much farther each second."""
LOST_AFTER = 60.0
"""After how many seconds without a sighting a thing that the body has no own name of is not recognised any more."""
MOST = 256  # how many detections of one sensing are taken, the surest first
MOST_STEMS = 1024  # of how many labels the numbers of the names are kept
DOUBTS = 3
"""How many sightings with one other label show that a thing is not what it was called, each of `pictures` pictures."""
SAME = 0.5  # the share of two boxes that they have in common from which on they are of one thing


@dataclass(slots=True)
class _Track:
    """What is known of a thing that was detected."""

    label: str  # what it is called
    handle: str  # the body's own name of it
    middle: Vector  # its middle when it was last seen; of a thing that rests, the mean of several pictures
    time: float  # when that was, in seconds
    seen: int = 0  # in how many pictures it had this label
    other: str = ""  # another one that it had
    doubts: int = 0  # in how many pictures it had this other one since it had its own, or a third one
    missed: int = 0  # in how many pictures in a row it was not where it should be
    rests: int = 0  # in how many pictures in a row it was where it is
    name: str = ""  # the name that it was given; empty for a thing that is not sure enough


@dataclass(slots=True)
class Recognition:
    """Names detections, and translates between these names and those that the body itself uses."""

    taken: Collection[str]  # the names that something else has
    pictures: int = 1  # how many pictures decide; see `PICTURES`
    kept: Collection[str] = ()  # the names of things that somebody needs; they are not forgotten
    tracks: dict[str, _Track] = field(default_factory=dict)  # what is known of each thing that was detected
    _given: dict[str, int] = field(default_factory=dict)
    _lowest: int = 0
    _serial: Iterator[int] = field(default_factory=count)

    @property
    def is_settled(self) -> bool:
        """Whether all that was detected has a name."""
        return all(track.name for track in self.tracks.values())

    def named(self, seen: Observation) -> Observation:
        """Return an observation whose detections have names, and stand among its sightings, contacts and reports.

        What is wrong with a detection, or strange, is told by its notes.
        """
        if not (seen.detections or self.tracks):
            return seen
        notes: list[str] = []
        recognised = dict(self._recognised(seen, notes))
        self._miss(seen, recognised.keys())
        self._forget(seen.time)
        unnamed = {track.handle for track in self.tracks.values() if track.handle and not track.name}
        seen = (seen.without(unnamed) if unnamed else seen).renamed(self._names())
        missed = (track for track in self.tracks.values() if track.missed)
        doubtful = frozenset(
            track.name for track in missed if track.missed < self.pictures or seen.time - track.time < BLINK
        )
        missing = {place: doubtful | seen.undetectable.get(place, frozenset()) for place in seen.searched}
        return replace(
            seen,
            recognised=recognised,
            sightings={**seen.sightings, **{name: found.sighting for name, found in recognised.items()}},
            undetectable=missing if doubtful else seen.undetectable,
            notes=tuple(dict.fromkeys(notes)),
        )

    @property
    def handles(self) -> dict[str, str]:
        """The names that the body itself has for things that were given names, by these; empty for those without."""
        return {track.name: track.handle for track in self.tracks.values() if track.name}

    def know_again(self, known: Mapping[str, Detection], given: Iterable[str], time: float) -> set[str]:
        """Give things the names that they had in an earlier session; return the names that things here lose by that.

        A thing is the same if it has the label and the body's name of before, or the label and about the place.

        Args:
            known: What was last seen of each thing that was known, by name.
            given: All names that were given then; none of them is given again.
            time: The time now, in seconds of the body's clock.
        """
        for name in given:
            stem = name.rstrip("0123456789")
            self._given[stem] = max(self._given.get(stem, self._lowest), int(name[len(stem) :] or -1) + 1)
        apart = {
            (_apart(track, found), name, key) for key, track in self.tracks.items() for name, found in known.items()
        }
        again, lost = dict[str, str](), set[str]()
        for away, name, key in sorted(apart):
            if away <= NEAR and name not in again.values():
                again.setdefault(key, name)
        for key, track in self.tracks.items():
            before, track.name = track.name, again.get(key, "" if track.name in known else track.name)
            lost |= {before} - {"", track.name}
            track.time = nextafter(track.time, -inf)  # the latest picture is read again
            track.seen = max(track.seen, self.pictures if key in again else 0)
        for name in known.keys() - set(again.values()):
            found = known[name].sighting
            handle = "" if found.name in self.tracks else found.name
            out = _Track(known[name].label, handle, found.box.centre, time, self.pictures, name=name)
            self.tracks[handle or f" {next(self._serial)}"] = out
        return lost

    def translated(self, command: Command) -> Command:
        """Return a command with the names that the body itself uses."""
        handles = {name: handle for handle, name in self._names().items()}
        return replace(command, roles={role: handles.get(name, name) for role, name in command.roles.items()})

    def told(self, feedback: Feedback) -> Feedback:
        """Return what the body says of a failure with the names that were given."""
        names = self._names()
        if not any(handle in str(feedback) for handle in names):
            return feedback
        pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])")
        what, why, how = (
            pattern.sub(lambda found: names[found[0]], text) for text in (feedback.what, feedback.why, feedback.how)
        )
        culprits = tuple(names.get(name, name) for name in feedback.culprits)
        return replace(feedback, what=what, why=why, how=how, culprits=culprits)

    def _names(self) -> dict[str, str]:
        """Return the names that were given to things of which the body has another name, by this one."""
        tracks = (track for track in self.tracks.values() if track.handle and track.name)
        return {track.handle: track.name for track in tracks if track.handle != track.name}

    def _recognised(self, seen: Observation, notes: list[str]) -> Iterator[tuple[str, Detection]]:
        moving = _moving(seen) if self.pictures > 1 else None
        for found in usable(seen.detections, notes):
            track = self._track_of(found, seen.time)
            sighting = found.sighting if moving is None else _steadied(track, found.sighting, moving)
            track.middle, track.time, track.missed = sighting.box.centre, seen.time, 0
            self._count(track, found.label, notes)
            if track.name:
                yield track.name, replace(found, label=track.label, sighting=replace(sighting, name=track.name))

    def _track_of(self, found: Detection, time: float) -> _Track:
        """Return the thing that was detected."""
        handle, middle = found.sighting.name, found.sighting.box.centre
        key = handle if handle in self.tracks else self._nearest(found, time)
        track = _Track(found.label, handle, middle, time) if key is None else self.tracks[key]
        if key is None or (handle and not track.handle):  # a body may notice later what a detector found before
            self.tracks.pop(key or "", None)
            track.handle = handle
            self.tracks[handle or f" {next(self._serial)}"] = track  # a space is in no name of a body
        return track

    def _count(self, track: _Track, label: str, notes: list[str]) -> None:
        """Count a sighting for or against what a thing is called; name it when that is sure."""
        if label == track.label:
            track.seen, track.doubts = track.seen + 1, 0
        else:
            track.doubts, track.other = (track.doubts + 1 if label == track.other else 1), label
            if track.doubts < DOUBTS * self.pictures and track.name:
                return
            if track.name:
                notes.append(f"what was called {track.name} is seen as '{label}' now; it gets another name")
            track.label, track.name, track.seen, track.doubts = label, "", track.doubts, 0
        if not track.name and track.seen >= self.pictures:
            track.name = self._new_name(_symbol_of(label))

    def _miss(self, seen: Observation, found: Collection[str]) -> None:
        """Count a picture against each thing that should be in view and is not."""
        if self.pictures == 1:
            return
        tracks = (track for track in self.tracks.values() if track.name and track.missed < self.pictures)
        away = [track for track in tracks if track.name not in found]
        places = [seen.sightings[place].box for place in seen.searched if place in seen.sightings] if away else []
        for track in away:
            track.missed += any(box.contains(track.middle, NEAR) for box in places)

    def _forget(self, time: float) -> None:
        """Forget what is recognised by its place and was not seen for long, and the oldest where there is too much."""
        ages = {key: track.time for key, track in self.tracks.items() if track.time < time}
        lost = [key for key, last in ages.items() if time - last > LOST_AFTER and not self.tracks[key].handle]
        kept = {key for key, track in self.tracks.items() if track.name in self.kept}
        for key in {*lost, *oldest(ages, kept, len(self.tracks))}:
            del self.tracks[key]

    def _nearest(self, found: Detection, time: float) -> str | None:
        handle, middle = found.sighting.name, found.sighting.box.centre
        near = (
            (dist(track.middle, middle), key)
            for key, track in self.tracks.items()
            if not (handle and track.handle)
            and track.label == found.label
            and track.time < time
            and dist(track.middle, middle) <= NEAR + SPEED * (time - track.time)
        )
        return min(near, default=(0.0, None))[1]

    def _new_name(self, stem: str) -> str:
        number = self._given.pop(stem, self._lowest)
        while f"{stem}{number}" in self.taken:
            number += 1
        self._given[stem] = number + 1
        if len(self._given) > MOST_STEMS:  # a label that returns begins above all numbers that were forgotten
            self._lowest = max(self._lowest, self._given.pop(next(iter(self._given))))
        return f"{stem}{number}"


def usable(detections: Iterable[Detection], notes: list[str]) -> Iterator[Detection]:
    """Yield the detections that can be believed, the surest of several for one thing; add what is wrong with others."""
    ranked = sorted(detections, key=lambda found: -found.sighting.confidence if found.sighting.confidence > 0 else 0)
    claimed, places = set[str](), list[Box]()
    for found in ranked[:MOST]:
        handle, box = found.sighting.name, found.sighting.box
        if fault := _fault(found):
            notes.append(f"a detection of '{found.label[:40]}' is left out: {fault}")
        elif handle and handle in claimed:
            notes.append(f"two detections claim to be '{handle}'; the surer one is taken")
        elif not handle and any(_shared(box, other) >= SAME for other in places):
            notes.append(f"several detections of '{found.label[:40]}' are of one thing; the surest is taken")
        else:
            claimed.add(handle)
            places += () if handle else (box,)
            yield found
    if len(ranked) > MOST:
        notes.append(f"one sensing had {len(ranked)} detections; the surest {MOST} are taken")


def felt(found: Iterable[Detection], seen: Observation) -> Iterator[Detection]:
    """Yield what a detector finds and no sighting tells already; what the body itself notices there gets its name."""
    known = [(each.box.centre, None) for each in seen.sightings.values()]
    noticed = [(each.sighting.box.centre, each.sighting) for each in seen.detections]
    for each in found:
        middle = each.sighting.box.centre
        away, own = min(
            ((dist(at, middle), sighting) for at, sighting in (*known, *noticed)),
            key=lambda pair: pair[0],
            default=(NEAR, None),
        )
        if not away < NEAR:  # also if it is no number
            yield each
        elif own is not None:
            yield replace(each, sighting=replace(own, confidence=each.sighting.confidence))


def _moving(seen: Observation) -> set[str]:
    """Return what is held, and what touches that."""
    held = {name for view in seen.agents.values() for name in view.held}
    return held.union(*(pair for pair in seen.contacts if not held.isdisjoint(pair)))


def _steadied(track: _Track, sighting: Sighting, moving: Collection[str]) -> Sighting:
    """Return a sighting of a thing that rests at the mean of the places where the last pictures showed it."""
    now, before = sighting.box.centre, track.middle
    rests = sighting.name not in moving and dist(now, before) <= STILL
    track.rests = min(track.rests + 1, STEADY) if rests else 1
    x, y, z = ((old - new) * (1.0 - 1.0 / track.rests) for old, new in zip(before, now, strict=True))
    return sighting.moved((x, y, z))


def _fault(found: Detection) -> str:
    """Return why a detection cannot be believed; empty if it can."""
    sighting, frame = found.sighting, found.picture
    if not is_finite(sighting):
        return "it has a number that is not finite"
    if any(low > high for low, high in zip(sighting.box.low, sighting.box.high, strict=True)):
        return "its box is inside out"
    if not 0.0 <= sighting.confidence <= 1.0:
        return "its confidence is not between 0 and 1"
    if frame is not None and not (0.0 <= frame[0] <= frame[2] <= 1.0 and 0.0 <= frame[1] <= frame[3] <= 1.0):
        return "it lies outside the picture"
    return "" if _symbol_of(found.label) else "its label names nothing"


def _apart(track: _Track, found: Detection) -> float:
    """Return how far a thing is from where it was detected earlier, in metres; infinite if it is another one."""
    if track.label != found.label:
        return inf
    return (
        0.0 if track.handle and track.handle == found.sighting.name else dist(track.middle, found.sighting.box.centre)
    )


def _shared(first: Box, second: Box) -> float:
    """Return the share of two boxes that they have in common, from 0 to 1."""
    corners = zip(first.low, first.high, second.low, second.high, strict=True)
    common = prod(max(0.0, min(high, top) - max(low, bottom)) for low, high, bottom, top in corners)
    whole = prod(first.size) + prod(second.size) - common
    return common / whole if whole > 0.0 else float(first == second)


def _symbol_of(label: str) -> str:
    """Return a label as a symbol: ``frying_pan``; empty if it has no letter."""
    words = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_0123456789")
    return words[:40].strip("_0123456789")
