"""What a motion says no to: the other way to the goal, or an honest end soon; and what a relation may move."""

import pytest

from bt.record import Entries
from graftwork import Outcome, Session
from robots.fake import InjectedFault
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code


def refusing(code, primitive, roles, culprits=(), scene="full", often=50):
    """Open a session with a body that says no to some commands."""
    events = Entries()
    session = Session("kitchen", scene, robot="fake", memory=None, journals=[events])
    for _ in range(often):
        session.environment.robot.add_fault(InjectedFault(code, primitive, roles, culprits=culprits))
    return session, events


def times(events):
    """Return when the body said no, in seconds of its clock."""
    return [event["t"] for event in events.of("failure")]


@pytest.mark.parametrize("code", [Code.OBSTRUCTED, Code.OUT_OF_REACH, Code.STUCK])
def test_three_drinks_are_those_that_can_be_taken(code):
    session, events = refusing(code, "pick", {"object": "milk0"}, ("fridge0",))
    with session:
        episode = session.handle("put three drinks on the table")
        facts = session.environment.watcher.state.atoms
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert {Atom("on", (name, "table0")) for name in ("cola0", "juice0", "water_bottle0")} <= facts
    assert len(times(events)) <= 2


@pytest.mark.parametrize("code", [Code.OBSTRUCTED, Code.OUT_OF_REACH, Code.STUCK])
def test_where_there_is_no_other_way_the_run_ends_soon_with_what_the_body_said(code):
    session, events = refusing(code, "pick", {"object": "milk0"}, ("fridge0",))
    with session:
        episode = session.handle("bring me the milk")
        ended = session.environment.robot.clock.now()
    assert episode.outcome is Outcome.FAILED
    assert len(times(events)) == 2
    assert ended - times(events)[1] < 10.0
    assert "a fault was asked for" in episode.message
    assert "no other way" in episode.message


def test_another_run_begins_without_what_was_refused_in_the_run_before():
    session, _ = refusing(Code.OUT_OF_REACH, "pick", {"object": "milk0"}, ("fridge0",), scene="small", often=2)
    with session:
        assert session.handle("bring me the milk").outcome is Outcome.FAILED
        assert session.handle("bring me the milk").outcome is Outcome.ACHIEVED


def test_a_relation_carries_its_reference_to_no_other_surface():
    session, events = refusing(Code.NO_ROOM, "put", {"left_of": "plate0"}, ("plate0",))
    with session:
        episode = session.handle("put the fork left of the plate and the spoon right of it")
        facts = session.environment.watcher.state.atoms
        ended = session.environment.robot.clock.now()
    assert episode.outcome is Outcome.FAILED
    assert Atom("on", ("plate0", "table0")) in facts
    assert not [step for event in events.of("plan") for step in event["steps"] if "plate0 counter0" in step]
    assert ended - times(events)[-1] < 10.0


def test_what_was_moved_aside_and_not_put_back_is_told_at_the_end():
    session, _ = refusing(Code.OBSTRUCTED, "pick", {"object": "apple0"}, ("cup0",), scene="small", often=1)
    with session:
        episode = session.handle("put the apple on the shelf")
        (now,) = [
            atom.args[1]
            for atom in session.environment.watcher.state.atoms
            if atom.args[0] == "cup0" and atom.predicate == "on"
        ]
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert now != "table0"
    assert f"Moved aside and not put back: cup0, which is now on {now}." in episode.message
