"""What was seen long ago is looked at before a plan relies on it, and costs more than what was seen just now."""

import pytest

from graftwork import Outcome
from graftwork.cli.run import plan_words
from graftwork.setup.limits import Weights
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code
from tests.graftwork.upper import errands, opened, scene, take_away

MINUTE, HOUR = 60.0, 3600.0
IN_FRIDGE = Atom("in", ("milk0", "fridge0"))
NEVER = {"substitute": "never", "part": "never"}
TWO = (("  cola0:", "  milk1: {class: milk, in: cupboard0, level: 1, offset: [-0.08, 0.06], yaw: 0.1}\n  cola0:"),)


def look_into(session, *places):
    for place in places:
        assert session.handle(f"open {place}").outcome is Outcome.ACHIEVED
        assert session.handle(f"close {place}").outcome is Outcome.ACHIEVED


def wait(session, seconds):
    session.environment.robot.clock.sleep(seconds)
    session.environment.watcher.refresh()


def seen_in_the_fridge(folder, *changes, ago=2 * HOUR, **given):
    """Return a session in which the milk was seen in the fridge some time ago, and its journal."""
    session, journal = opened(scene(folder, *changes), **given)
    look_into(session, "fridge0")
    wait(session, ago)
    return session, journal


def told(journal):
    return [str(event["said"]) for event in journal.of("turn") if event["errand"] is not None]


def test_what_was_seen_long_ago_is_looked_for_first_where_it_was_and_then_brought(tmp_path):
    session, journal = seen_in_the_fridge(tmp_path)
    with session:
        run = session.start("put the apple on the counter and the milk on the table")
        run.wait()
        assert (run.looks_for, run.plan.steps) == ("milk0", ())
        assert plan_words(run).startswith("I last saw milk0 two hours ago in fridge0: it would be looked for")
        episode = run.finish()
    assert episode.outcome is Outcome.ACHIEVED
    assert told(journal) == ["I last saw milk0 two hours ago in fridge0: fridge0 is looked at."]
    assert episode.plan[0] == "(take_out robot0 milk0 fridge0 fridge0)"  # the door is open by then


def test_what_was_seen_a_while_ago_is_relied_on_and_told(tmp_path):
    session, journal = seen_in_the_fridge(tmp_path, ago=4 * MINUTE)
    with session:
        episode = session.handle("bring me the milk")
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal) == []
    assert "(in milk0 fridge0) was last sensed four minutes ago" in [event["text"] for event in journal.of("note")]


def test_what_was_seen_just_now_is_not_told(tmp_path):
    session, journal = seen_in_the_fridge(tmp_path, ago=5.0)
    with session:
        assert session.handle("bring me the milk").outcome is Outcome.ACHIEVED
    assert not [event for event in journal.of("note") if "ago" in event["text"]]


def test_what_has_gone_meanwhile_is_looked_for_elsewhere_and_the_reply_says_when_it_was_seen(tmp_path):
    session, journal = seen_in_the_fridge(tmp_path, **NEVER)
    with session:
        take_away(session, "milk0")
        episode = session.handle("bring me the milk")
    assert (episode.outcome, episode.feedback[-1].code) == (Outcome.FAILED, Code.WHEREABOUTS_UNKNOWN)
    assert errands(journal) == ["fridge0", "cupboard0"]
    assert "I last saw milk0 two hours ago in fridge0" in episode.message


def test_where_nobody_may_look_the_refusal_says_when_it_was_seen(tmp_path):
    session, _ = seen_in_the_fridge(tmp_path, ladder={"explore": None}, **NEVER)
    with session:
        episode = session.handle("bring me the milk")
    assert episode.outcome is Outcome.REFUSED
    assert "I last saw milk0 two hours ago in fridge0" in episode.message


@pytest.mark.parametrize(("goal", "steps"), [("(in milk0 fridge0)", 0), ("(not (in milk0 fridge0))", 2)])
def test_a_goal_that_was_true_or_false_long_ago_is_looked_at_before_it_counts(tmp_path, goal, steps):
    session, journal = seen_in_the_fridge(tmp_path)
    with session:
        watcher = session.environment.watcher
        assert watcher.sensed(Literal(IN_FRIDGE)) is None
        episode = session.handle(goal=goal)
        assert watcher.sensed(Literal(IN_FRIDGE)) is (steps == 0)
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal) == ["fridge0"]


def test_a_goal_that_was_seen_to_hold_just_now_moves_nothing(tmp_path):
    session, journal = seen_in_the_fridge(tmp_path, ago=MINUTE)
    with session:
        assert session.handle(goal="(in milk0 fridge0)").outcome is Outcome.ALREADY
    assert errands(journal) == []


@pytest.mark.parametrize(
    ("places", "fresh"), [(("fridge0", "cupboard0"), "milk1"), (("cupboard0", "fridge0"), "milk0")]
)
@pytest.mark.parametrize("weights", [Weights(risk=10.0), None])
def test_of_two_alike_the_one_that_was_seen_later_is_taken_where_risk_has_a_price(tmp_path, places, fresh, weights):
    session, _ = opened(scene(tmp_path, *TWO), weights=weights)
    with session:
        look_into(session, places[0])
        wait(session, 20 * MINUTE)
        look_into(session, places[1])
        session.handle("put the apple on the counter")
        run = session.start(goal="(exists (?m - milk) (on ?m table0))")
        run.wait()
        taken = {arg for step in run.plan.steps for arg in step.action.args if arg.startswith("milk")}
    assert len(taken) == 1
    assert taken == {fresh} or weights is None  # without a price of risk, the two cost the same


def test_of_two_alike_the_one_that_has_faded_is_not_taken_at_all(tmp_path):
    session, journal = opened(scene(tmp_path, *TWO))
    with session:
        look_into(session, "fridge0")
        wait(session, HOUR)
        look_into(session, "cupboard0")
        episode = session.handle("bring me a milk")
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal) == []
    assert "(take_out robot0 milk1 cupboard0 cupboard0)" in episode.plan


@pytest.mark.parametrize(("ago", "first"), [(45 * MINUTE, "fridge0"), (6 * HOUR, "cupboard0")])
def test_an_old_belief_ranks_below_a_place_where_others_of_its_kind_were_seen(tmp_path, ago, first):
    session, journal = opened(scene(tmp_path, *TWO), **NEVER)
    with session:
        look_into(session, "fridge0")
        wait(session, ago)
        look_into(session, "cupboard0")
        wait(session, 5 * MINUTE)
        session.handle("bring me milk0")
    assert errands(journal)[0] == first
