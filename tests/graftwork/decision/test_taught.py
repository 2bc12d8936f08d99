"""What was taught changes the goals that it is about, the plans for them, and nothing else."""

import pytest

from graftwork import Session
from graftwork.memory import Memory
from graftwork.testing import ScriptedModel
from semantics.logic.lesson import read_lesson
from tests.memory.kitchen import domain

SLOWLY = "20cm/s"
FROM_FRIDGE = {"asked": ["(any ?x ?p)"], "given": ["(in ?x fridge0)"], "also": ["(closed fridge0)"]}
CUP_FIRST = {"asked": ["(any ?x ?p)", "(any ?y ?q)"], "sorts": ["?x cup"], "first": ["(any ?x ?p)"]}
NO_FRUIT_BROUGHT = {"never": ["(inhand ?x human0)"], "sorts": ["?x fruit"]}


@pytest.fixture
def memory(tmp_path):
    return Memory(tmp_path / "memory.sqlite")


def teach(memory, *lessons):
    for lesson in lessons:
        memory.taught.learn(read_lesson(lesson), domain().name)


def session_with(memory, **more):
    return Session(**{"scene": "small", "robot": "symbolic", "memory": memory.path, **more})


@pytest.mark.parametrize(
    ("lesson", "words", "goal"),
    [
        (FROM_FRIDGE, "put the cola on the table", "(and (on cola0 table0) (closed fridge0))"),
        (FROM_FRIDGE, "put the juice on the table", "(on juice0 table0)"),
        (
            CUP_FIRST,
            "bring me the juice and the cup",
            "(inhand cup0 human0), then (and (inhand juice0 human0) (inhand cup0 human0))",
        ),
        (CUP_FIRST, "bring me the juice and the mug", "(and (inhand juice0 human0) (inhand mug0 human0))"),
        (
            {"asked": ["(on ?x shelf0)"], "given": ["(on ?x table0)"], "values": [f"speed {SLOWLY}"]},
            "put the cup on the shelf",
            f"(on cup0 shelf0) :speed {SLOWLY}",
        ),
        (
            {"asked": ["(on ?x shelf0)"], "given": ["(on ?x table0)"], "values": [f"speed {SLOWLY}"]},
            "put the sponge on the shelf",
            "(on sponge0 shelf0)",
        ),
        (
            {"asked": ["(on ?x ?p)"], "sorts": ["?x cup"], "values": [f"speed {SLOWLY}"]},
            "put the sponge and the cup on the shelf",
            f"(on sponge0 shelf0), then (and (on sponge0 shelf0) (on cup0 shelf0)) :speed {SLOWLY}",
        ),
        (
            {"asked": ["(inhand ?x human0)"], "sorts": ["?x mug"], "instead": ["(on ?x table0)"]},
            "bring me the mug",
            "(on mug0 table0)",
        ),
        (
            {"asked": ["(inhand ?x human0)"], "choose_sorts": ["?x juice"]},
            "bring me something to drink",
            "(inhand juice0 human0)",
        ),
        (
            {"asked": ["(inhand ?x human0)"], "choose": ["(in ?x fridge0)"]},
            "bring me something to drink",
            "(or (inhand cola0 human0) (inhand milk0 human0))",
        ),
        (
            {"phrase": "something to drink", "meaning": "the juice"},
            "bring me something to drink",
            "(inhand juice0 human0)",
        ),
        (
            {"asked": ["(on ?x ?p)"], "words": ["guests"], "also": ["(on cup0 ?p)"]},
            "put the mug on the table",
            "(on mug0 table0)",
        ),
        (
            {"asked": ["(in apple0 ?p)"], "after": ["(closed ?p)"], "first": ["(opened ?p)"]},
            "put the apple in the fridge",
            "(opened fridge0), then (in apple0 fridge0), then (closed fridge0)",
        ),
    ],
)
def test_a_lesson_changes_the_goals_that_it_is_about(memory, lesson, words, goal):
    teach(memory, lesson)
    with session_with(memory) as session:
        episode = session.handle(words)
    assert episode.outcome == "achieved", episode.message
    assert episode.goal == goal
    assert ("As you have taught me (lesson 1)." in episode.notes) == (
        lesson.get("phrase") is None and goal != session_goal(words)
    )


def session_goal(words):
    with Session(scene="small", robot="symbolic", memory=None) as session:
        return session.handle(words).goal


def test_what_must_never_be_so_is_refused_and_no_plan_leads_through_it(memory):
    teach(memory, NO_FRUIT_BROUGHT, {"never": ["(on ?x table0)"], "sorts": ["?x cup"]})
    with session_with(memory) as session:
        refused = session.handle("bring me the apple")
        assert refused.outcome == "refused"
        assert "lesson 1" in refused.message
        assert session.handle("bring me the mug").outcome == "achieved"
        held = session.handle(goal="(inhand banana0 human0)")  # also a goal that is no sentence
        assert held.outcome == "refused"
        assert "lesson 1" in held.feedback[0].how


def test_what_is_said_now_wins(memory):
    teach(
        memory, {"asked": ["(on ?x ?p)"], "values": [f"speed {SLOWLY}"]}, {**FROM_FRIDGE, "also": ["(opened fridge0)"]}
    )
    with session_with(memory) as session:
        assert session.handle("put the mug on the table quickly").goal == "(on mug0 table0) :speed 75cm/s"
        episode = session.handle("bring me the milk and close the fridge")
        assert episode.goal == "(and (inhand milk0 human0) (closed fridge0))"
        assert any("left out here" in note for note in episode.notes)


def test_the_memory_keeps_what_was_understood_so_that_a_lesson_leaves_nothing_behind(memory):
    model = ScriptedModel([{"goal": "(inhand milk0 human0)"}])
    teach(memory, FROM_FRIDGE)
    with session_with(memory, model=model) as session:
        taught = session.handle("bring me the milk")
        assert taught.goal == "(and (inhand milk0 human0) (closed fridge0))"
    with session_with(memory, model=model) as session:
        again = session.handle("bring me the milk")
        assert (again.goal, again.recalled, again.model_calls) == (taught.goal, True, 0)
    memory.taught.forget([1])
    with session_with(memory, model=model) as session:
        assert session.handle("bring me the milk").goal == "(inhand milk0 human0)"
    assert len(model.requests) == 1
