"""`RoomHands`: mishaps in the world of the fake robot."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from benchmarks.mishaps.faulty import MishapKind
from robots.fake.robot import FakeRobot
from semantics.errors import UsageError

__all__ = ["RoomHands"]


class RoomHands:
    """Changes the world of a fake robot; implements `benchmarks.mishaps.Hands`.

    It never moves an object behind a shut door, nor an object in a person's hand.
    """

    def __init__(self, robot: FakeRobot) -> None:
        self._robot = robot
        self._world = robot.world

    def do(self, kind: MishapKind, about: frozenset[str], random: Random) -> str | None:
        """Make a mishap happen, if it is possible now."""
        match kind:
            case MishapKind.DROPPED:
                return self._drop()
            case MishapKind.MOVED:
                return self._move(about, random)
            case MishapKind.SHUT:
                return self._shut(random)
            case MishapKind.OCCUPIED:
                return self._occupy(random)
            case _:
                return None

    def _drop(self) -> str | None:
        held = self._world.held(self._robot.name)
        self._robot.drop()
        return f"{', '.join(held)} falls" if held else None

    def _move(self, about: frozenset[str], random: Random) -> str | None:
        movable = self._within_reach(about & self._world.shapes.keys())
        if not movable:
            return None
        name = random.choice(movable)
        places = self._places(name)
        random.shuffle(places)
        for relation, where in places:
            try:
                self._robot.move_piece(name, relation, where)
            except UsageError:  # no room there
                continue
            return f"{name} is put {relation} {where}"
        return None

    def _places(self, name: str) -> list[tuple[str, str]]:
        """Return the possible new places of an object: on or in furniture without a door, except its own place."""
        fittings = self._world.fittings
        places = [("on", where) for where, offered in fittings.items() if offered.surfaces and not offered.closes]
        places += [("in", where) for where, offered in fittings.items() if offered.interior and not offered.closes]
        return sorted(place for place in places if place != self._world.carriers[name])

    def _shut(self, random: Random) -> str | None:
        doors = sorted(name for name, opening in self._world.doors.items() if opening > 0.0)
        if not doors:
            return None
        name = random.choice(doors)
        self._robot.set_door(name, 0.0)
        return f"{name} is shut"

    def _occupy(self, random: Random) -> str | None:
        """Put an object without a load into the robot's hand, if the hand is free."""
        carrying = {where for _, where in self._world.carriers.values()}
        offered = [name for name in self._within_reach(self._world.shapes) if name not in carrying]
        if self._world.held(self._robot.name) or not offered:
            return None
        name = random.choice(offered)
        self._world.hold(name, self._robot.name)
        return f"{name} is put into the hand"

    def _within_reach(self, names: Iterable[str]) -> list[str]:
        held = {name for name, (relation, _) in self._world.carriers.items() if relation == "held"}
        return sorted(name for name in names if name not in held and self._world.hidden_by(name) is None)
