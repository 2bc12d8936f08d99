"""Goals that are said in an order are reached in that order, refused before anything moves, recorded and resumed."""

import json
from dataclasses import replace

import py_trees
import pytest
from py_trees.common import Status
from typer.testing import CliRunner

from bt.record import Entries, read_record
from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.errors import NothingToDoError
from graftwork.run.past import read_past
from graftwork.testing import ScriptedModel
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal

SAID = "open the fridge, then bring me the milk, then close the fridge"
GOALS = "(opened fridge0), then (inhand milk0 human0), then (closed fridge0)"
WORDS = "fridge0 is open, then milk0 is in the hand of human0, then fridge0 is closed"
NAMES = ["open", "take_out", "handover", "close"]


def small(**more):
    return Session("kitchen", "small", **{"robot": "fake", "memory": None} | more)


def ticked_until(run, goal):
    """Tick a run until it pursues `goal`."""
    run.wait()
    while not str(run.goal.goal).startswith(goal):
        assert run.tick(), run.episode


def steps(episode):
    return [step.strip("()").split()[0] for step in episode.plan]


def test_they_are_reached_one_after_the_other():
    events = Entries()
    with small(journals=(events,)) as session:
        episode = session.handle(SAID)
        state = session.environment.watcher.state
    assert episode.outcome is Outcome.ACHIEVED
    assert episode.goal == GOALS
    assert [name for name in steps(episode) if name != "move"] == NAMES
    assert {Atom("inhand", ("milk0", "human0")), Atom("closed", ("fridge0",))} <= state.atoms
    assert "one after the other" in episode.message
    assert "No longer so at the end: (opened fridge0)." in episode.message
    told = events.of("goal")
    assert [event["formula"] for event in told] == GOALS.split(", then ")
    assert [len(event.get("later", ())) for event in told] == [2, 1, 0]


def test_the_order_of_the_words_decides():
    with small() as session:
        first = session.handle("bring me the apple, then put the cup in the sink")
    with small() as session:
        second = session.handle("put the cup in the sink, then bring me the apple")
    assert steps(first).index("handover") < steps(first).index("putin")
    assert steps(second).index("putin") < steps(second).index("handover")


def test_what_cannot_be_reached_later_is_refused_before_anything_moves():
    events = Entries()
    with small(journals=(events,)) as session:
        episode = session.handle("bring me the apple, then put the fridge in the sink")
        other = session.handle("bring me the apple, then chop the juice")
    assert (episode.outcome, other.outcome) == (Outcome.REFUSED, Outcome.QUESTION)  # a part of the other can be had
    assert not events.of("tick")
    assert {record.code for record in episode.feedback} == {Code.WRONG_AFFORDANCE}


def test_what_holds_already_is_left_out():
    with small() as session:
        episode = session.handle("close the fridge, then bring me the apple")
        assert episode.outcome is Outcome.ACHIEVED
        assert "open" not in steps(episode)
        again = session.handle("close the fridge, then give me the apple")
    assert again.outcome is Outcome.ALREADY


def test_it_goes_on_with_the_goal_that_was_under_way(tmp_path):
    with small(record=tmp_path / "one") as session:
        run = session.start(SAID)
        ticked_until(run, "(inhand milk0 human0)")
        for _ in range(10):
            run.tick()
        run.cancel()
        run.tick()
    past = read_past(tmp_path / "one")
    assert str(past.goal) == "(inhand milk0 human0), then (closed fridge0)"
    with small(record=tmp_path / "two") as session:  # a fake world begins anew, so the fridge is closed
        episode = session.resume(past).finish()
    assert episode.outcome is Outcome.ACHIEVED
    assert episode.goal == "(inhand milk0 human0), then (closed fridge0)"
    first, *_ = [event for event in read_record(tmp_path / "two") if event["e"] == "goal"]
    assert len(first["later"]) == 1


def test_an_end_in_the_middle_tells_what_was_reached():
    with small() as session:
        run = session.start("open the fridge, then bring me the apple")
        ticked_until(run, "(inhand apple0 human0)")
        run.cancel("enough")
        episode = run.finish()
    assert episode.outcome is Outcome.STOPPED
    assert "Reached before that: (opened fridge0)." in episode.message


def test_a_subtree_pursues_them_in_a_tree_of_ones_own():
    with small() as session:
        root = py_trees.composites.Sequence("own", memory=True)
        root.add_child(session.subtree("open the fridge, then put the apple in it, then close it"))
        assert session.run(root).status.name == "SUCCESS"
        state = session.environment.watcher.state
        assert {Atom("in", ("apple0", "fridge0")), Atom("closed", ("fridge0",))} <= state.atoms
        assert root.status is Status.SUCCESS
        with pytest.raises(NothingToDoError):
            session.subtree("open the fridge, then put the fridge in it")


def test_a_model_may_answer_with_goals_in_an_order():
    model = ScriptedModel([{"goal": GOALS.split(", then ")}])
    with small(model=model, unsaid="allow") as session:
        episode = session.handle("the milk, please, and leave the fridge as it was")
    assert episode.outcome is Outcome.ACHIEVED
    assert episode.goal == GOALS


def test_each_mistake_of_a_models_goals_goes_back_to_it():
    model = ScriptedModel([{"goal": ["(opened fridge0)", "(opened fridg0)"]}, {"goal": ["(opened fridge0)"]}])
    with small(model=model) as session:
        episode = session.handle("open it up")
    assert (episode.outcome, episode.model_calls) == (Outcome.ACHIEVED, 2)


def test_a_part_of_them_cannot_be_wanted():
    with small() as session:
        wish = (Literal(Atom("on", ("apple0", "counter0"))), 2.0)
        first, later = Goal(Atom("opened", ("fridge0",))), Goal(Atom("closed", ("fridge0",)))
        episode = session.handle(replace(first, later=(later,), weights=(wish,)))
    assert episode.outcome is Outcome.REFUSED
    assert "order" in episode.message


def test_the_commands_tell_all_of_them():
    planned = CliRunner().invoke(app, ["plan", SAID, "--scene", "small", "--search", "optimal"])
    assert planned.exit_code == 0
    assert WORDS in planned.stdout
    assert "each goal in its turn optimal" in planned.stdout
    shown = CliRunner().invoke(app, ["plan", SAID, "--scene", "small", "--tree"])
    assert "tree   of the first goal" in shown.stdout
    told = json.loads(CliRunner().invoke(app, ["plan", SAID, "--scene", "small", "--json"]).stdout)
    assert [step.strip("()").split()[0] for step in told["plan"] if "move" not in step] == NAMES
    dry = CliRunner().invoke(app, ["run", SAID, "--scene", "small", "--robot", "fake", "--no-memory", "--dry-run"])
    assert dry.exit_code == 0
    assert "robot0 closes fridge0" in dry.stdout
