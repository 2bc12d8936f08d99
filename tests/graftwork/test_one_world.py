"""A world is one value: what an open session keeps of it, and what happens when there is a next revision."""

import gc
import sys
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import replace

import pytest

from domains.world import World
from graftwork import Session
from semantics.logic.reply import ProgramText
from semantics.process.reading import forget_parsed

PROGRAM = """
achieve(on(apple0, counter0))
for name in objects("fruit"):
    say("there is fruit")
achieve(on(banana0, counter0))
"""


def with_more(world: World) -> World:
    more = world.with_classes(replace(world.domain.classes["cup"], name="beaker", words=()))
    return more.with_objects(more.domain.thing("beaker0", "beaker"))


def keepers(part: object) -> list[str]:
    """Return what keeps a part of a world besides the caller."""
    gc.collect()
    frames = (sys._getframe(), sys._getframe(1))
    found = [each for each in gc.get_referrers(part) if each not in frames and not isinstance(each, list)]
    return [f"{type(each).__name__} {str(each)[:200]}" for each in found]


def end_searches(session: Session) -> None:
    """Wait until the searches beside the one that was decided on have ended; they are told to."""
    service, deadline = session._services.planning.service, time.monotonic() + 30.0
    while not service.is_warm or any("planning.anytime" in thread.name for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    "begin",
    [
        lambda session: session.start("put the apple into the fridge, then bring me the milk"),
        lambda session: session.start(goal="(and (in apple0 fridge0) (in banana0 fridge0))"),
        lambda session: session.program(ProgramText(PROGRAM, "fruit")),
    ],
    ids=["sentence", "goal", "program"],
)
def test_one_tick_after_the_next_revision_nothing_keeps_the_world_before(begin: Callable[[Session], object], tmp_path):
    with Session(scene="small", robot="fake", memory=tmp_path / "memory.db", record=tmp_path / "record") as session:
        run = begin(session)
        run.wait()
        for _ in range(40):
            assert run.tick()
        before = weakref.ref(session.environment.world)
        objects, vocabulary = before().objects, before().vocabulary
        end_searches(session)
        session.environment.watcher.adopt(with_more(before()))
        assert run.tick()
        gc.collect()
        assert before() is None
        assert keepers(vocabulary) == []
        del vocabulary
        forget_parsed()  # what a process has parsed is the content of files
        assert keepers(objects) == []
        assert "beaker0" in session.environment.world.objects
        run.cancel()


def test_a_revision_changes_the_world_and_nothing_else():
    with Session(scene="small", robot="fake", memory=None) as session:
        world = session.environment.world
        more = with_more(world)
        assert (more.revision, world.revision) == (2, 0)
        assert "beaker0" in more.objects
        assert "beaker0" not in world.objects
        assert more == with_more(world)
        assert more.vocabulary.of_class("beaker") == ("beaker0",)
