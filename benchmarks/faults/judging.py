"""Judges who ask the world itself: what a body sensed, believed or reported is nothing to them."""

from __future__ import annotations

from math import hypot

from robots.fake import FakeRobot
from robots.symbolic import SymbolicRobot
from semantics.body.layout import FLOOR
from semantics.logic.atoms import Conjunct, Literal

__all__ = ["RoomJudge", "StateJudge"]

AT = 0.9
"""How far from a place's stand a robot is still there, in metres."""
OPEN, SHUT = 0.75, 0.05


class StateJudge:
    """Judges the state of a body that lives in a model."""

    def __init__(self, robot: SymbolicRobot) -> None:
        self._robot = robot

    def holds(self, goal: Conjunct) -> bool:
        """Return whether every literal is so."""
        facts = self._robot.state.atoms
        return all((literal.atom in facts) == literal.positive for literal in goal)


class RoomJudge:
    """Judges the room of a fake body: what carries each thing, how each door stands, where the robot is."""

    def __init__(self, robot: FakeRobot) -> None:
        self._world = robot.world

    def holds(self, goal: Conjunct) -> bool:
        """Return whether every literal is so."""
        return all(self._is_so(literal) == literal.positive for literal in goal)

    def _is_so(self, literal: Literal) -> bool:
        atom, world = literal.atom, self._world
        match atom.predicate, atom.args:
            case ("on" | "in") as relation, (name, place):
                how, where = world.carriers.get(name, ("", ""))
                return how == relation and (where == place or (where.startswith(FLOOR) and place.startswith(FLOOR)))
            case "inhand", (name, agent):
                return world.carriers.get(name) == ("held", agent)
            case "at", (_, place) if place.startswith(FLOOR):  # who is at nothing else
                return not any(map(self._is_at, (*world.fittings, *world.persons)))
            case "at", (_, place):
                return self._is_at(place)
            case "opened", (name,) if name in world.doors:
                return world.doors[name] >= OPEN
            case "closed", (name,) if name in world.doors:
                return world.doors[name] <= SHUT
            case _:
                return atom in world.states

    def _is_at(self, place: str) -> bool:
        stand, pose = self._world.stand(place), self._world.pose
        return stand is not None and hypot(stand.x - pose.x, stand.y - pose.y) <= AT
