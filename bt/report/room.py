"""The room from above: `RoomMap` draws it once, and says what moves when, in pixels of that drawing.

A record holds boxes only. What stands on the floor and never moves, or has a door, is drawn as furniture. A door hangs
on the side from which the robot first worked at it, since boxes do not say where the front is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bt.report.story import Event
from bt.report.template import rendered

Numbers = Sequence[float]

SCALE = 110.0  # pixels per metre
BORDER = 0.45
LARGE, LOW = 0.06, 0.1
"""What stands on the floor (its foot is lower than this, in metres) on more than this many square metres is furniture,
if it stays there."""
STILL = 0.03
FLAT = 0.06  # height in metres up to which something large is floor and not drawn
DOOR_SWING_DEGREES = 105.0
SLIM, TALL = 0.95, 1.3  # what is slimmer and taller than this, in metres, is drawn round, as people and posts are
MAX_FRAMES = 1200
LETTER, LINE = 8.5, 16.0  # width of a letter and height of a line of the names on the map, in pixels
SMALL = 0.67  # the size of the names of things of which no plan speaks, as a share; the style of the page knows it too


class _Door(NamedTuple):
    """A door in pixels: its hinge, the free end when shut, and which way it turns (1 or -1)."""

    hinge: tuple[float, float]
    end: tuple[float, float]
    turn: int


class _Label(NamedTuple):
    """A name on the map: its side of the thing, where its text is anchored, in pixels, and by which end."""

    side: str
    x: float
    y: float
    anchor: str

    def box(self, text: str, scale: float = 1.0) -> Numbers:
        """Return left, top, right and foot of a text, whose letters are `scale` times as large as usual."""
        width = scale * LETTER * len(text)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left, self.y - scale * LINE, left + width, self.y


def _beside(rectangle: Numbers) -> tuple[_Label, ...]:
    """Return the places for the name of a thing, the best first; the script of the page knows the same ones."""
    x, y, width, height = rectangle
    return (
        _Label("right", x + width + 4, y + height / 2 + 5, "start"),
        _Label("left", x - 4, y + height / 2 + 5, "end"),
        _Label("above", x + width / 2, y - 9, "middle"),
        _Label("below", x + width / 2, y + height + LINE + 4, "middle"),
    )


def _covered(box: Numbers, taken: Sequence[Numbers], size: tuple[float, float]) -> float:
    """Return how many square pixels of a text lie on others or outside the map."""
    inside = _overlap(box, (0.0, 0.0, *size))
    outside = (box[2] - box[0]) * (box[3] - box[1]) - inside
    return outside + sum(_overlap(box, other) for other in taken)


def _overlap(one: Numbers, other: Numbers) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, width) * max(0.0, height)


class RoomMap:
    """A drawing of the room, and its changes over time.

    Args:
        views: View events, oldest first; at least one.
        named: Names to write larger beside small things, usually those that the plans speak of.
    """

    def __init__(self, views: Sequence[Event], named: Iterable[str]) -> None:
        self.views = _thinned(views)
        self.named = frozenset(named)
        self.furniture = _furniture(self.views)
        self.low, self.high = _bounds(self.views)
        self.doors = {name: self._door(name) for name in _doors(self.views) if name in self.furniture}

    def svg(self) -> str:
        """Return the map as it was last seen, each movable part marked with its name in ``data-name``."""
        width, height = self._pixel(self.high[0], self.low[1])
        last = self.views[-1]
        things = {name: box for view in self.views for name, box in _things(view).items() if name not in self.furniture}
        low_first = sorted(things.items(), key=lambda thing: float(thing[1][5]))
        placed = next((view for view in reversed(self.views) if view.get("robot")), last)
        robot = self._heading(last) or self._heading(placed) or (0.0, 0.0, 0.0)
        return rendered(
            "room.html",
            room=self,
            width=width,
            height=height,
            things=dict(low_first),
            shown=_shown(last),
            doors=self._state(last)["doors"],
            robot=robot,
            labels=self._labels(things, robot, (width, height)),
            held=self._state(last)["held"],
            is_located=any(view.get("robot") for view in self.views),
        )

    def _labels(
        self, things: Mapping[str, Numbers], robot: Sequence[float], size: tuple[float, float]
    ) -> dict[str, _Label]:
        """Place the name of each thing beside it, where it covers no other name if there is such a place.

        Those that the plans speak of come first, and their letters are larger.
        """
        taken = [_Label("robot", robot[0], robot[1] + 48, "middle").box("robot")]
        for name, box in self.furniture.items():
            left, top, width, _ = self.rectangle(box)
            taken.append(_Label("in", left + width / 2, top + 17, "middle").box(name))
        labels = {}
        for name in sorted(things, key=lambda thing: (thing not in self.named, thing)):
            scale = 1.0 if name in self.named else SMALL
            boxes = {place: place.box(name, scale) for place in _beside(self.rectangle(things[name]))}
            labels[name] = min(boxes, key=lambda place: _covered(boxes[place], taken, size))
            taken.append(boxes[labels[name]])
        return labels

    def frames(self) -> list[dict[str, Any]]:
        """Return what changed at each view: ``t``, ``things`` (0 when out of sight), ``robot``, ``held``, ``doors``."""
        frames: list[dict[str, Any]] = []
        past: dict[str, Any] = {"things": {}}
        for view in self.views:
            now = self._state(view)
            frame: dict[str, Any] = {"t": round(float(view.get("t", 0.0)), 2)}
            moved: dict[str, Any] = {name: at for name, at in now["things"].items() if past["things"].get(name) != at}
            moved |= dict.fromkeys(past["things"].keys() - now["things"].keys(), 0)
            frame |= {key: now[key] for key in ("robot", "held", "doors") if now[key] not in (None, past.get(key))}
            frames.append(frame | ({"things": moved} if moved else {}))
            past = now
        return frames

    def _state(self, view: Event) -> dict[str, Any]:
        doors = {name: self._door_path(name, _opening(view, name)) for name in self.doors}
        return {
            "things": {
                name: self.rectangle(_things(view)[name]) for name in _shown(view) if name not in self.furniture
            },
            "robot": self._heading(view),
            "held": " ".join(map(str, view.get("held") or ())),
            "doors": doors,
        }

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        return round((x - self.low[0]) * SCALE, 1), round((self.high[1] - y) * SCALE, 1)

    def rectangle(self, box: Numbers) -> list[float]:
        """Return left, top, width and height of a box."""
        left, top = self._pixel(box[0], box[4])
        return [left, top, max(5.0, round((box[3] - box[0]) * SCALE, 1)), max(5.0, round((box[4] - box[1]) * SCALE, 1))]

    def _heading(self, view: Event) -> list[float] | None:
        """Return where the robot is and how it is turned, or None while that is unknown."""
        if not view.get("robot"):
            return None
        x, y, yaw = view["robot"]
        return [*self._pixel(x, y), round(-math.degrees(yaw), 1)]

    def corner(self, name: str) -> float:
        """Return the radius of the corners of a piece of furniture."""
        box = self.furniture[name]
        _, _, width, height = self.rectangle(box)
        slim = max(width, height) < SLIM * SCALE and box[5] > TALL and name not in _doors(self.views)
        return min(width, height) / 2 if slim else 4

    def _door_path(self, name: str, opening: float) -> str:
        (x, y), (end_x, end_y), turn = self.doors[name]
        angle = math.radians(DOOR_SWING_DEGREES * opening) * turn
        across, down = end_x - x, end_y - y
        to_x = x + across * math.cos(angle) - down * math.sin(angle)
        to_y = y + across * math.sin(angle) + down * math.cos(angle)
        return f"M{x:g} {y:g}L{to_x:.1f} {to_y:.1f}"

    def _door(self, name: str) -> _Door:
        """Hang a door at the left end of the front, as seen from the front."""
        left, top, width, height = self.rectangle(self.furniture[name])
        right, foot = left + width, top + height
        middle = [left + width / 2, foot + 1.0, 0.0]
        x, y, _ = self._heading(_when_used(self.views, name)) or middle
        beyond = {"left": left - x, "right": x - right, "top": top - y, "foot": y - foot}
        sides = {
            "foot": _Door((left, foot), (right, foot), 1),
            "top": _Door((right, top), (left, top), 1),
            "left": _Door((left, top), (left, foot), 1),
            "right": _Door((right, foot), (right, top), 1),
        }
        return sides[max(beyond, key=lambda side: beyond[side])]


def _thinned(views: Sequence[Event]) -> list[Event]:
    """Keep the last view and evenly spaced ones before it, so that a long run stays small."""
    every = len(views) // MAX_FRAMES + 1
    return [*views[:-1:every], views[-1]]


def _things(view: Event) -> Mapping[str, Numbers]:
    return {
        name: box
        for name, box in (view.get("things") or {}).items()
        if len(box) == 6 and all(math.isfinite(value) for value in box) and (box[5] > FLAT or _area(box) < LARGE)
    }


def _area(box: Numbers) -> float:
    """Return the area of a box from above, in square metres."""
    return (box[3] - box[0]) * (box[4] - box[1])


def _shown(view: Event) -> list[str]:
    """Return what is drawn at its own place: what is held is drawn in the robot's hand."""
    held = view.get("held") or ()
    return [name for name in _things(view) if name not in held]


def _opening(view: Event, name: str) -> float:
    value = (view.get("doors") or {}).get(name)
    return min(1.0, max(0.0, float(value))) if value is not None else 0.0


def _doors(views: Iterable[Event]) -> list[str]:
    return sorted({name for view in views for name in (view.get("doors") or {})})


def _when_used(views: Sequence[Event], name: str) -> Event:
    """Return the first view in which a door moves, else the last one."""
    start = _opening(views[0], name)
    return next((view for view in views if abs(_opening(view, name) - start) > 0.05), views[-1])


def _furniture(views: Sequence[Event]) -> dict[str, Numbers]:
    """Return what is large and stays, or has a door, at its first place."""
    first: dict[str, Numbers] = {}
    moved: set[str] = set()
    for view in views:
        for name, box in _things(view).items():
            was = first.setdefault(name, box)
            if any(abs(a - b) > STILL for a, b in zip(was[:2], box[:2], strict=True)):
                moved.add(name)
    doors = _doors(views)
    large = {name for name, box in first.items() if _area(box) >= LARGE}
    standing = {name for name in large - moved if first[name][2] < LOW}
    return {name: box for name, box in first.items() if name in doors or name in standing}


def _bounds(views: Sequence[Event]) -> tuple[tuple[float, float], tuple[float, float]]:
    boxes = [box for view in views for box in _things(view).values()]
    ways = [view["robot"] for view in views if view.get("robot")] or [(0.0, 0.0, 0.0)]
    xs = [x for box in boxes for x in (box[0], box[3])] + [x + r for x, _, _ in ways for r in (-0.3, 0.3)]
    ys = [y for box in boxes for y in (box[1], box[4])] + [y + r for _, y, _ in ways for r in (-0.3, 0.3)]
    return (min(xs) - BORDER, min(ys) - BORDER), (max(xs) + BORDER, max(ys) + BORDER)
