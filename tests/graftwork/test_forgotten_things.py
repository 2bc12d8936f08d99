"""What is kept of things that come and go: no more after thousands of them than after hundreds."""

import gc
import tracemalloc
from collections import deque
from collections.abc import Iterator

import pytest

from affordances.scene import Scene
from affordances.watcher import Watcher
from domains.reader import load_domain, load_scene
from robots import recognition
from robots.fake import FakeRobot
from robots.informed import Informed
from semantics.body import observation
from semantics.body.layout import MovableObject

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")
LABELS = ("orange", "lemon", "strange thing", "cup")


def meetings(watcher: Watcher, robot: FakeRobot, first: int, last: int) -> Iterator[str]:
    """Let one thing after another come and go, of old labels and new ones; yield the names that they are given."""
    for turn in range(first, last):
        label = LABELS[turn % 4] if turn % 8 else f"odd {'abcdefghij'[turn // 8 % 10]}{'abcdefghij'[turn // 80 % 10]}"
        shape = KITCHEN.classes["orange"].shape
        robot.add_piece(MovableObject(f"thing{turn}", shape, "on", "counter0", (0.3, 0.0), label=label))
        for is_last in (False, True):
            robot.clock.sleep(0.2)
            watcher.refresh()
            if not is_last:
                yield from watcher.world.origins.keys() & watcher.scene.shown.sure.observation.sightings.keys()
                robot.remove_piece(f"thing{turn}")


def memory() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_memory_and_names_after_thousands_of_comings_and_goings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(observation, "MOST_KNOWN", 16)
    monkeypatch.setattr(recognition, "MOST_STEMS", 16)
    robot = FakeRobot(SMALL.layout)
    body = Informed(robot, {}, (), KITCHEN.predicates, SMALL.things)
    watcher = Watcher(body, Scene.start(SMALL, KITCHEN))
    given = [*meetings(watcher, robot, 0, 200)]
    tracemalloc.start()
    try:
        start = memory()
        deque(meetings(watcher, robot, 200, 400), maxlen=0)
        after_few = memory() - start
        deque(meetings(watcher, robot, 400, 2200), maxlen=0)
        after_many = memory() - start
    finally:
        tracemalloc.stop()
    given += meetings(watcher, robot, 2200, 2300)
    assert len(given) == len(set(given)) == 300, "a name is given once, also after it was forgotten"
    assert len(watcher.world.origins) <= 17
    assert after_many - after_few < 18_000, "ten bytes for each thing that came and went"
