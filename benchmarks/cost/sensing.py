"""A sensing in a room of few and of many things: what a tick costs when nothing changed, and when one thing did."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable
from statistics import median

from affordances.scene import Scene
from affordances.watcher import Watcher
from benchmarks.cost.figure import Figure
from domains.model import Domain, SceneFile
from domains.reader import load_domain
from robots.arrangement import RestingPlace
from robots.fake import FakeRobot
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart
from semantics.geometry.geometry import PlanarPose

__all__ = ["measure", "room"]

SIZES = (10, 100, 1000, 3000)
"""How many movable things there are; the first size is what the others are divided by."""
EACH, TICKS = 10, 12
"""How many things stand on a table, and how many ticks are taken."""
MOST_RATIO = 5.0
"""The bound for up to a thousand things; for three times as many it is three times as much."""


def measure(runs: int) -> Iterable[Figure]:
    """Yield the median time of a tick over that among the first size; a tick is a sensing and the state after it.

    The time is that of this thread, so that what else runs on the machine counts little.
    """
    domain = load_domain("kitchen")
    for what in ("nothing changes", "the robot drives", "a thing moves", "a thing comes or goes"):
        times = [{size: _tick(domain, size, what) for size in SIZES} for _ in range(runs)]
        for size in SIZES[1:]:
            ratio = median(each[size] / each[SIZES[0]] for each in times)
            bound = MOST_RATIO * max(1.0, size / 1000)
            yield Figure(f"{what} among {size:,}", ratio, bound, f"times among {SIZES[0]}")


def room(domain: Domain, count: int) -> SceneFile:
    """Return a scene with so many cups on tables."""
    tables = range(max(2, count // EACH))
    furniture = tuple(
        Furniture(f"table{n}", "table", PlanarPose(3.0 * (n % 20) + 2.0, 3.0 * (n // 20) + 2.0), (1.2, 0.8, 0.7))
        for n in tables
    )
    pieces = tuple(
        MovableObject(
            f"cup{n}", domain.classes["cup"].shape, "on", f"table{n // EACH}",
            (0.2 * (n % 5) - 0.4, 0.2 * (n % EACH // 5)),
        )
        for n in range(count)
    )  # fmt: skip
    names = ["robot0", "floor0", *(each.name for each in (*furniture, *pieces))]
    things = {name: domain.thing(name, name.rstrip("0123456789")) for name in names}
    layout = Layout(RobotStart("robot0", PlanarPose(0.0, 0.0)), furniture, pieces)
    return SceneFile("room", things, layout, frozenset())


def _tick(domain: Domain, count: int, what: str) -> float:
    scene = room(domain, count)
    robot = FakeRobot(scene.arrangement)
    watcher = Watcher(robot, Scene.start(scene, domain))
    watcher.refresh()
    here, piece = robot.world.spots["cup0"], scene.arrangement.pieces[1]
    there = RestingPlace(here.x + 3.0, here.y - 0.2, here.z)
    times = list[float]()
    for tick in range(TICKS):
        robot.clock.sleep(0.2)
        is_odd = bool(tick % 2)
        match what:
            case "the robot drives":
                robot.world.drive(PlanarPose(0.05 * tick, 0.0))
            case "a thing moves":
                robot.world.move("cup0", here if is_odd else there, "on", "table0" if is_odd else "table1")
            case "a thing comes or goes":
                robot.world.add(piece) if is_odd else robot.world.remove(piece.name)
        gc.collect()
        gc.disable()
        began = time.thread_time()
        watcher.refresh()
        assert watcher.state.atoms
        times.append(time.thread_time() - began)
        gc.enable()
    return median(times[2:])
