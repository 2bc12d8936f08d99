"""Things that no file lists come into view while a session is open: they are recognised, named and used."""

from dataclasses import replace

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.record.episode import Outcome
from robots.fake import FakeRobot
from semantics.atoms import Atom
from semantics.layout import MovableObject

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")


def unlisted(name: str, label: str, where: str = "counter0", class_name: str = "", offset=(0.3, 0.0)) -> MovableObject:
    return MovableObject(name, KITCHEN.classes[class_name or label].shape, "on", where, offset, label=label)


def opened(*pieces: MovableObject, **given) -> Session:
    layout = replace(SMALL.layout, pieces=(*SMALL.layout.pieces, *pieces))
    return Session(scene="small", robot=FakeRobot(layout), memory=None, **given)


def rests(session: Session, name: str) -> tuple[str, str]:
    """Return where a piece truly rests, by the name that the body has for it."""
    return session.environment.robot.world.carriers[name]


def test_a_thing_that_no_file_lists_is_done_what_is_asked_with_it():
    with opened(unlisted("thing17", "orange")) as session:
        assert "orange0" in session.environment.world.objects
        episode = session.handle("put the orange on the table")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert rests(session, "thing17") == ("on", "table0")


def test_a_thing_that_comes_into_view_after_the_run_began_is_taken_in_where_all_of_a_sort_are_asked_for():
    with opened() as session:
        run = session.start("put all the fruit on the counter")
        run.wait()
        for _ in range(30):
            assert run.tick()
        session.environment.robot.add_piece(unlisted("orange7", "orange", "table0"))
        episode = run.finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert rests(session, "orange7") == ("on", "counter0")
        assert "orange" in str(episode.goal)


@pytest.mark.parametrize("goal", ["(forall (?x - fruit) (on ?x counter0))"])
def test_a_goal_in_pddl_that_quantifies_takes_in_what_aporanges(goal: str):
    with opened() as session:
        run = session.start(goal=goal)
        run.wait()
        for _ in range(30):
            assert run.tick()
        session.environment.robot.add_piece(unlisted("orange7", "orange", "table0"))
        assert run.finish().outcome is Outcome.ACHIEVED
        assert rests(session, "orange7") == ("on", "counter0")


def test_a_name_that_a_running_goal_has_means_the_same_thing_until_it_ends():
    with opened() as session:
        run = session.start("put the apple on the counter")
        run.wait()
        for _ in range(5):
            assert run.tick()
        session.environment.robot.add_piece(unlisted("other", "apple", "table0", offset=(0.0, 0.25)))
        assert run.finish().outcome is Outcome.ACHIEVED
        assert rests(session, "apple0") == ("on", "counter0")
        assert rests(session, "other") == ("on", "table0")
        assert Atom("on", ("apple1", "table0")) in session.environment.watcher.state.atoms


def test_a_name_is_never_given_twice():
    with opened() as session:
        robot, watcher = session.environment.robot, session.environment.watcher
        for turn in range(3):
            robot.add_piece(unlisted(f"handle{turn}", "orange"))
            robot.clock.sleep(0.2)
            watcher.refresh()
            robot.remove_piece(f"handle{turn}")
            robot.clock.sleep(0.2)
            watcher.refresh()
        assert {"orange0", "orange1", "orange2"} <= session.environment.world.objects.keys()


def test_what_no_class_fits_can_be_seen_and_is_left_alone():
    with opened(unlisted("thing1", "sextant", class_name="cup")) as session:
        episode = session.handle("bring me the sextant")
        assert episode.outcome is Outcome.REFUSED
        assert rests(session, "thing1") == ("on", "counter0")
        assert session.environment.world.objects["sextant0"].affordances == frozenset()


def test_a_number_that_no_thing_has_is_no_misspelt_name():
    with opened() as session:
        episode = session.handle("put apple9 on the counter")
        assert episode.outcome is not Outcome.ACHIEVED
        assert "apple9" in episode.message
