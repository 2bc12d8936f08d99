"""What a person teaches is checked, tried on the model, and kept only if they agree."""

import pytest

from graftwork import Session
from graftwork.memory import Memory
from graftwork.testing import ScriptedModel

CLOSED = {"asked": ["(any ?x ?p)"], "given": ["(in ?x fridge0)"], "also": ["(closed fridge0)"]}
MILK = {"goal": "(inhand milk0 human0)"}


@pytest.fixture
def memory(tmp_path):
    return Memory(tmp_path / "memory.sqlite")


def taught(memory, *lessons, say="bring me the milk", answers=("yes",), **more):
    """Have something done, teach each lesson by a model's reply, and return the runs."""
    model = ScriptedModel([MILK, *({"reply": {"lesson": each}} for each in lessons)])
    with Session(scene="small", robot="symbolic", memory=memory.path, model=model, **more) as session:
        runs = [session.converse(say)]
        runs[0].finish()
        for number, _ in enumerate(lessons):
            run = session.converse(f"and another time do it otherwise, {number}")
            run.wait()
            left = list(answers)
            run.finish(answer=lambda question, left=left: left.pop(0) if left else None)
            runs.append(run)
    return runs


def test_a_lesson_is_kept_after_a_yes_and_not_after_a_no(memory, tmp_path):
    *_, declined = taught(Memory(tmp_path / "other"), CLOSED, answers=("no",))
    assert not Memory(tmp_path / "other").taught.list()
    *_, agreed = taught(memory, CLOSED)
    assert agreed.episode.outcome == "answered"
    assert agreed.episode.message.startswith("From now on, where it is asked")
    (kept,) = memory.taught.list()
    assert kept.lesson.as_dict() == {**CLOSED, "text": "and another time do it otherwise, 0"}
    assert declined.episode.outcome != "answered"


def test_without_an_answer_nothing_is_kept_and_the_question_says_what_was_tried(memory):
    *_, run = taught(memory, CLOSED, answers=())
    assert run.episode.outcome == "question"
    assert "It works in 20 of 20 scenes on the model. Shall I keep that?" in run.episode.message
    assert not memory.taught.list()


def test_what_may_be_learned_is_a_setting(memory):
    *_, run = taught(memory, CLOSED, answers=(), learn="allow")
    assert run.episode.outcome == "answered"
    assert len(memory.taught.list()) == 1


def test_a_lesson_that_goes_against_another_takes_its_place_only_after_a_question_that_names_it(memory):
    opened = {**CLOSED, "also": ["(opened fridge0)"]}
    *_, asked = taught(memory, CLOSED, opened, answers=("yes",), learn="ask")
    assert "goes against what you have taught me before (lesson 1:" in asked.episode.message or memory.taught.list(
        bin=True
    )
    assert [each.number for each in memory.taught.list()] == [2]
    assert [each.number for each in memory.taught.list(bin=True)] == [1]


def test_a_lesson_that_the_world_does_not_allow_is_asked_about_with_the_reason(memory):
    shut = {"asked": ["(inhand milk0 human0)"], "never": ["(opened fridge0)"]}
    *_, run = taught(memory, shut, answers=(), learn="allow")
    assert run.episode.outcome == "question"
    assert "of 20 scenes that I tried on the model: " in run.episode.message
    assert "fridge0" in run.episode.message
    assert not memory.taught.list()


@pytest.mark.parametrize(
    ("lesson", "told"),
    [
        ({"asked": ["(over ?x ?p)"], "also": ["(closed fridge0)"]}, "over"),
        ({"asked": ["(any ?x ?p)"], "also": ["(closed frigde0)"]}, "fridge0"),
        ({"asked": ["(any ?x ?p)"], "sorts": ["?x flumph"], "also": ["(closed fridge0)"]}, "flumph"),
        ({"asked": ["(on ?x ?p)"], "also": ["(closed fridge0)"]}, "not asked for last"),
        ({"asked": ["(inhand ?x)"], "also": ["(closed fridge0)"]}, "2 arguments"),
    ],
)
def test_what_the_world_does_not_know_goes_back_to_the_model(memory, lesson, told):
    model = ScriptedModel([MILK, {"reply": {"lesson": lesson}}, {"reply": {"lesson": CLOSED}}])
    with Session(scene="small", robot="symbolic", memory=memory.path, model=model, learn="allow") as session:
        session.converse("bring me the milk").finish()
        assert session.converse("and another time do it otherwise").finish().outcome == "answered"
    assert told in model.requests[-1].messages[-1].content


def test_lessons_are_told_and_forgotten_in_words(memory):
    taught(memory, CLOSED, learn="allow", answers=())
    with Session(scene="small", robot="symbolic", memory=memory.path) as session:
        assert "L1: where it is asked" in session.handle("What have you learned?").message
        run = session.start("forget what I said about the fridge")
        assert run.finish(answer=lambda _: "yes").message.startswith("I have forgotten L1")
        assert session.handle("what did you learn").message == "You have taught me nothing yet."
        assert session.handle("forget what I said about the moon").outcome == "refused"
