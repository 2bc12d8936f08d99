"""Runs with mishaps in the simulated kitchen: things fall out of the hand, and are moved, among real contacts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from math import cos, hypot, pi, sin
from random import Random
from typing import TYPE_CHECKING

from benchmarks.accept import observe
from benchmarks.faults.runs import Job, Row, names_in, shared
from benchmarks.judging import VERDICTS
from benchmarks.mishaps import Faulty, MishapKind
from domains.reader import load_domain, load_scene
from graftwork import Limits, Session
from robots.perturb import perturbed
from semantics.geometry.geometry import Vector, to_world
from semantics.logic.goal import CheckedGoal

if TYPE_CHECKING:
    from robots.pybullet import PyBulletRobot

__all__ = ["SimulatedHands", "conduct_in_simulation", "simulated_jobs"]

RUN_SECONDS = 1200.0
SCENE = "full"
PLACES = ("counter0", "table0")
"""Where things are moved to: furniture with one open top."""
DRAWS = 60
OPEN = 0.75
"""How far a door stands open, as a fraction, when something can be taken out behind it."""
AIR, FALL = 0.05, 0.02
"""Room around a thing that is put somewhere, and how far it falls, in metres."""
DEEP = 0.12
"""How far from the front edge of a top the middle of a thing is put, in metres: within an arm's reach."""
ASIDE = (0.55, 1.2)
"""How far from the robot a thing falls to the floor, in metres."""
CLEAR = 0.3
"""Room around it there, in metres, so that the robot gets at it."""


class SimulatedHands:
    """Changes the simulated room; see `benchmarks.mishaps.Hands`. What a person has, and what a door hides, stays."""

    def __init__(self, robot: PyBulletRobot) -> None:
        self._robot = robot
        self._world = robot.rig.world

    def do(self, kind: MishapKind, about: frozenset[str], random: Random) -> str | None:
        """Make a mishap happen, if it can happen now."""
        held = self._robot.rig.held
        if kind is MishapKind.DROPPED:
            return self._put(held, self._on_the_floor(random)) if held else None
        if kind is not MishapKind.MOVED:
            return None
        movable = sorted(name for name in about & self._world.shapes.keys() if name != held and self._at_hand(name))
        return self._put(random.choice(movable), self._on_tops(random)) if movable else None

    def _at_hand(self, name: str) -> bool:
        from benchmarks import stagehand

        x, y, z = self._world.pose(name)[0]
        shut = [place for place, opening in stagehand.doors(self._robot).items() if opening < OPEN]
        within = (place for place in shut if self._world.box(place).above((x, y, z)))
        return not any(within) and not any({name, person} in self._world.contacts() for person in self._world.persons)

    def _put(self, name: str, points: Iterator[Vector]) -> str | None:
        """Put a thing at the first of some points where there is room, falling a little; None without one."""
        from benchmarks import stagehand

        for x, y, z in islice(points, DRAWS):
            room = CLEAR if z == 0.0 else AIR
            if self._is_free(name, x, y, z, room):
                position = (x, y, z + self._world.shapes[name].size[2] / 2 + FALL)
                stagehand.move_piece(self._robot, name, position)
                return f"{name} is now at {x:.2f} {y:.2f} {z:.2f}"
        return None

    def _is_free(self, name: str, x: float, y: float, z: float, room: float) -> bool:
        wide, deep, _ = self._world.shapes[name].size
        around = hypot(wide, deep) / 2 + room
        others = [other for other in self._world.bodies if other != name and other in self._known()]
        boxes = [self._world.box(other) for other in others]
        level = [box for box in boxes if box.high[2] > z + 0.004 and box.low[2] < z + 0.4]
        base = self._robot.rig.chassis.base()
        near = z == 0.0 and hypot(base.x - x, base.y - y) < ASIDE[0]
        return not near and not any(box.above((x, y, z), around) for box in level)

    def _known(self) -> set[str]:
        return {*self._world.shapes, *self._world.furniture, *self._world.persons}

    def _on_the_floor(self, random: Random) -> Iterator[Vector]:
        base = self._robot.rig.chassis.base()
        while True:
            way, angle = random.uniform(*ASIDE), random.uniform(-pi, pi)
            yield base.x + way * cos(angle), base.y + way * sin(angle), 0.0

    def _on_tops(self, random: Random) -> Iterator[Vector]:
        while True:
            place = self._world.furniture[random.choice(PLACES)]
            width, depth, height = place.size
            aside, ahead = random.uniform(-0.4, 0.4) * width, depth / 2 - DEEP - random.uniform(0.0, 0.06)
            x, y = to_world(place.pose, ahead, aside)
            yield x, y, height


def simulated_jobs(count: int) -> list[Job]:
    """Return so many jobs: the judged sentences in turn, each with a seed of its own."""
    sentences = list(VERDICTS)
    picked = (sentences[index % len(sentences)] for index in range(count))
    return [Job("kitchen", SCENE, said, said, "", seed) for seed, said in enumerate(picked, 1)]


def conduct_in_simulation(job: Job, chances: Mapping[MishapKind, float]) -> Row:
    """Do one job in the simulated kitchen, judged by the simulator's own bodies a second after the end."""
    from robots.pybullet import PyBulletRobot

    began = time.perf_counter()
    scene = load_scene(load_domain(job.world), job.scene)
    robot = PyBulletRobot(perturbed(scene.arrangement, job.seed))
    own = {kind: chances.get(kind, 0.0) for kind in (MishapKind.DROPPED, MishapKind.MOVED)}
    body = Faulty(robot, SimulatedHands(robot), job.seed, own)
    limits = Limits(run_seconds=RUN_SECONDS)
    with Session(
        job.world,
        job.scene,
        robot=body,
        planner=shared(),
        memory=None,
        seed=job.seed,
        limits=limits,
        part="never",
    ) as session:
        run = session.start(job.instruction)
        run.wait()
        if isinstance(run.goal, CheckedGoal):
            body.about |= names_in(run.goal.conjuncts)
        episode = run.finish()
        simulated = body.clock.now()
        judged = VERDICTS[job.instruction](observe(robot))
    return Row(
        job,
        episode.outcome,
        judged,
        Counter(str(feedback.code) for feedback in episode.feedback),
        Counter(use.rung for use in episode.rungs),
        Counter(str(one.kind) for one in body.happened),
        body.motions,
        simulated,
        time.perf_counter() - began,
        episode.message,
        tuple(body.happened),
    )
