"""What is not where it was believed is looked for; nothing is looked at twice, and the search ends."""

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Outcome
from robots.fake import FakeRobot, InjectedFault
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from tests.graftwork.upper import errands, opened, scene, take_away

IN_CUPBOARD = ("milk0: {class: milk, in: fridge0", "milk0: {class: milk, in: cupboard0")
NO_BELIEF = ("  (in milk0 fridge0): last seen there\n", "")
HIDDEN = ("milk0: {class: milk,", "milk0: {class: milk, hidden: true,")
NEVER = {"substitute": "never", "part": "never"}


def test_milk_that_is_not_in_the_fridge_is_found_in_the_cupboard_and_brought(tmp_path):
    session, journal = opened(scene(tmp_path, IN_CUPBOARD))
    with session:
        episode = session.handle("bring me the milk")
        assert session.environment.robot.world.carriers["milk0"] == ("held", "human0")
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal) == ["cupboard0"]
    assert episode.first_goal is None  # what was wanted has stayed as it was
    solved = [one["rung"] for one in journal.of("rung") if one["solved"]]
    assert "explore" in solved


def test_of_what_nobody_knows_anything_the_run_begins_with_looking(tmp_path):
    session, journal = opened(scene(tmp_path, IN_CUPBOARD, NO_BELIEF, HIDDEN))
    with session:
        run = session.start("bring me the milk")
        run.wait()
        assert (run.plan.steps, run.cost) == ((), None)
        episode = run.finish()
    assert episode.outcome is Outcome.ACHIEVED
    assert episode.plan[-1].startswith("(handover ")
    assert len(episode.costs) == len(episode.plan)
    assert episode.cost == sum(shares["agent"] for shares in episode.costs) > 0
    assert errands(journal)[-1] == "cupboard0"


def test_a_thing_that_is_nowhere_is_looked_for_everywhere_once_and_the_places_are_told(tmp_path):
    session, journal = opened(scene(tmp_path), **NEVER)
    with session:
        take_away(session, "milk0")
        episode = session.handle("bring me the milk")
    assert (episode.outcome, episode.feedback[-1].code) == (Outcome.FAILED, Code.WHEREABOUTS_UNKNOWN)
    assert errands(journal) == ["cupboard0"]  # the fridge was opened for the first plan, and all else is in view
    assert "it is not at counter0, cupboard0, fridge0, shelf0, sink0, table0 or trash0" in episode.message


def test_who_sees_only_what_is_near_goes_to_every_place_once(tmp_path):
    session, journal = opened(scene(tmp_path), robot=near_sighted(tmp_path), **NEVER)
    with session:
        take_away(session, "juice0")
        episode = session.handle("bring me the juice")
    places = errands(journal)
    assert episode.outcome is Outcome.FAILED
    assert len(places) == len(set(places))
    assert {"shelf0", "fridge0", "cupboard0"} <= set(places)  # the plan led to the counter, past the table


def test_what_is_met_on_the_way_is_taken(tmp_path):
    session, journal = opened(scene(tmp_path), robot=near_sighted(tmp_path))
    with session:
        session.environment.robot.move_piece("juice0", "on", "shelf0")
        episode = session.handle("bring me the juice")
        assert session.environment.robot.world.carriers["juice0"] == ("held", "human0")
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal)[-1] == "shelf0"


def test_where_drinks_are_kept_comes_before_what_is_nearer(tmp_path):
    session, journal = opened(scene(tmp_path), robot=near_sighted(tmp_path), **NEVER)
    with session:
        take_away(session, "juice0")
        session.environment.watcher.refresh()
        session.handle("bring me the juice")
    places = errands(journal)
    assert places.index("fridge0") < places.index("cupboard0")  # the cola and the milk are believed there


def test_a_tool_that_is_nowhere_is_looked_for_though_the_goal_does_not_name_it(tmp_path):
    knife = "  knife0: {class: knife, in: cupboard0, offset: [0.0, 0.05], hidden: true}\n"
    session, journal = opened(scene(tmp_path, more=knife))
    with session:
        episode = session.handle("chop the banana")
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal)[-1] == "cupboard0"


@pytest.mark.parametrize("left_out", ["explore", "replan"])
def test_without_a_budget_nobody_goes_and_looks(tmp_path, left_out):
    session, journal = opened(scene(tmp_path, IN_CUPBOARD, NO_BELIEF, HIDDEN), ladder={left_out: None}, **NEVER)
    with session:
        episode = session.handle("bring me the milk")
    assert (episode.outcome, episode.feedback[-1].code) == (Outcome.REFUSED, Code.WHEREABOUTS_UNKNOWN)
    assert errands(journal) == []


def test_what_is_only_believed_is_looked_at_before_the_goal_counts(tmp_path):
    session, journal = opened(scene(tmp_path, IN_CUPBOARD))
    with session:
        episode = session.handle("put the apple on the counter and the milk in fridge0")
        assert session.environment.robot.world.carriers["milk0"] == ("in", "fridge0")
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal) == ["fridge0", "cupboard0"]


def test_an_errand_that_fails_is_made_once_more_and_then_left(tmp_path):
    barred = [InjectedFault(Code.OUT_OF_REACH, "open", {"object": "cupboard0"}, fraction=0.0) for _ in range(20)]
    session, journal = opened(scene(tmp_path, IN_CUPBOARD), **NEVER)
    with session:
        for fault in barred:
            session.environment.robot.add_fault(fault)
        episode = session.handle("bring me the milk")
    assert errands(journal) == ["cupboard0", "cupboard0"]
    assert "cupboard0 cannot be looked at" in episode.message


@pytest.mark.slow
def test_in_physics_the_milk_is_found_behind_the_other_door(tmp_path):
    pytest.importorskip("pybullet", reason="the simulated body needs the extra 'sim'")
    session, journal = opened(scene(tmp_path, IN_CUPBOARD), robot="pybullet")
    with session:
        episode = session.handle("bring me the milk")
        assert Atom("inhand", ("milk0", "human0")) in session.environment.watcher.state.atoms
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal)[-1] == "cupboard0"


def near_sighted(folder) -> FakeRobot:
    layout = load_scene(load_domain("kitchen"), scene(folder)).arrangement
    return FakeRobot(layout, sight=1.5)
