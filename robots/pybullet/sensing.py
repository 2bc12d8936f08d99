"""What the body sees and feels, as an `Observation`.

Furniture is known from the map; things are seen by the head camera; contacts, doors and its own grip are felt.
"""

from __future__ import annotations

from math import cos, sin

from robots.arrangement import FLOOR, hollow, tray_top
from robots.pybullet.manipulation.doors import OPEN_ANGLE
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.carpentry import HAND_HEIGHT, HAND_REACH, HAND_SIZE
from semantics.geometry import Box
from semantics.observation import AgentView, Observation, Sighting

__all__ = ["Senses"]

AJAR = 0.3
"""From this opening on one sees inside."""


class Senses:
    """Takes sensings and keeps the latest.

    Attributes:
        latest: The latest sensing.
    """

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.latest = Observation()

    def look_around(self, time: float) -> None:
        """Look in every direction and take what was seen as one sensing."""
        self._take(time, frozenset(self._rig.world.movable()))

    def look(self, time: float) -> None:
        """Look where the body works, or ahead."""
        self._take(time, frozenset(self._rig.world.movable()))

    def _take(self, time: float, seen: frozenset[str]) -> None:
        world = self._rig.world
        shut = {name for name in world.offered if world.has_door(name) and self._opening(name) < AJAR}
        hidden = {name for name in seen if any(self._inside(name, box) for box in shut)}
        sightings = {name: self._place(name) for name in world.offered}
        sightings |= {name: self._thing(name) for name in seen - hidden}
        sightings |= {name: self._person(name) for name in world.persons}
        sightings[f"{FLOOR}0"] = self._floor()
        self.latest = Observation(
            time=time,
            number=self.latest.number + 1,
            sightings=sightings,
            searched=frozenset(world.offered) - shut | {f"{FLOOR}0"},
            contacts=frozenset(pair for pair in world.contacts() if not pair & hidden),
            agents=self._agents(),
        )

    def _opening(self, name: str) -> float:
        return min(1.0, max(0.0, self._rig.world.door_angle(name) / OPEN_ANGLE))

    def _inside(self, name: str, place: str) -> bool:
        space = self._rig.world.offered[place].interior
        return space is not None and space.contains(self._rig.world.pose(name)[0])

    def _place(self, name: str) -> Sighting:
        offered = self._rig.world.offered[name]
        opening = self._opening(name) if offered.hinged else None
        return Sighting(name, offered.box, offered.surfaces, offered.interior, opening, offered.stand)

    def _thing(self, name: str) -> Sighting:
        world = self._rig.world
        box, shape = world.box(name), world.shapes[name]
        upright = world.pose(name)[1]
        level = abs(upright[0]) + abs(upright[1]) < 0.1
        surfaces = (tray_top(shape, box),) if level and shape.form != "sphere" else ()
        return Sighting(name, box, surfaces, hollow(shape, box) if level else None)

    def _person(self, name: str) -> Sighting:
        return Sighting(name, self._rig.world.box(name), stand=self._rig.world.standing_at(name))

    def _floor(self) -> Sighting:
        boxes = [offered.box for offered in self._rig.world.offered.values()]
        low = [min([box.low[i] for box in boxes], default=-2.5) for i in (0, 1)]
        high = [max([box.high[i] for box in boxes], default=2.5) for i in (0, 1)]
        ground = Box((low[0], low[1], -0.02), (high[0], high[1], 0.0))
        return Sighting(f"{FLOOR}0", ground)

    def _agents(self) -> dict[str, AgentView]:
        rig = self._rig
        held = (rig.held,) if rig.held is not None else ()
        agents = {rig.name: AgentView(rig.chassis.base(), held, rig.chassis.speed() > 0.02)}
        for name, person in rig.world.persons.items():
            agents[name] = AgentView(person.pose, self._in_hand_of(name))
        return agents

    def _in_hand_of(self, person: str) -> tuple[str, ...]:
        """Return what lies in a person's hand and no longer in the robot's."""
        world = self._rig.world
        pose = world.persons[person].pose
        middle = (pose.x + HAND_REACH * cos(pose.yaw), pose.y + HAND_REACH * sin(pose.yaw))
        radius = max(HAND_SIZE[:2]) / 2 + 0.03
        found = []
        for name in world.touching(person):
            if name not in world.shapes or name == self._rig.held:
                continue
            x, y, z = world.pose(name)[0]
            if (x - middle[0]) ** 2 + (y - middle[1]) ** 2 < radius**2 and z > HAND_HEIGHT:
                found.append(name)
        return tuple(sorted(found))
