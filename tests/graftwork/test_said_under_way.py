"""What a person says about a run is read by the model beside the ticks, and done between two of them."""

import json
import threading
import time

import pytest

from graftwork import Outcome, Session
from graftwork.testing import ScriptedModel
from semantics.errors import ModelUnreachableError


def reply(**content):
    return json.dumps({"reply": {**content, "note": None}})


def run_on(goal, words, *answers, ticks=30, more=(), **settings):
    """Pursue a goal, say something after some ticks, and return the episode with what was replied."""
    model, more = ScriptedModel([reply(**each) for each in answers]), list(more)
    with Session("kitchen", "small", robot="fake", memory=None, model=model, **settings) as session:
        run = session.start(goal=goal)
        run.wait()
        for _ in range(ticks):
            run.tick()
        run.say(words)
        replies = [run.reply]
        while run.tick():
            if run.reply not in ("", replies[-1]):
                replies.append(run.reply)
            if run.question is not None and more:
                run.say(more.pop(0))
        return run.episode, replies, model


def test_another_goal_is_pursued_instead():
    banana = {"goal": ["(inhand banana0 human0)"], "prefer": None}
    episode, replies, model = run_on("(inhand apple0 human0)", "no, not the apple, the banana", banana)
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(inhand banana0 human0)")
    assert replies == ["I wait, and think about it.", "I do this instead: banana0 is in the hand of human0."]
    shown = model.requests[0].messages[-1].content
    assert "1. (move robot0 floor0 table0) (running)" in shown


def test_something_is_done_afterwards():
    later = {"control": "afterwards", "request": "put the cup on the counter"}
    cup = {"goal": ["(on cup0 counter0)"], "prefer": None}
    episode, replies, _ = run_on("(on apple0 counter0)", "then the cup", later, cup)
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on cup0 counter0)")
    assert replies[-1] == "I do this afterwards: put the cup on the counter."


def test_a_question_back_is_answered_and_read_with_the_words():
    which = {"question": "The banana?", "options": ["yes", "no"]}
    banana = {"goal": ["(on banana0 counter0)"], "prefer": None}
    episode, replies, model = run_on("(on apple0 counter0)", "the other one", which, banana, more=["yes"])
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on banana0 counter0)")
    assert "The banana?" in replies
    assert 'The person answered: "yes"' in model.requests[1].messages[-1].content


def test_edits_are_tried_on_the_model_and_told():
    both = "(and (on apple0 counter0) (on banana0 counter0))"
    edit = {"correction": [{"insert": {"before": 9, "text": "move(end=table0)"}}]}
    episode, replies, _ = run_on(both, "and go back to the table in the end", edit, ticks=1)
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert "is added" in replies[-1]


def test_an_edit_that_does_not_work_goes_back_once_and_changes_nothing():
    edit = {"correction": [{"remove": {"step": 2}}]}
    episode, replies, model = run_on("(on apple0 counter0)", "skip the second step", edit, edit, ticks=1)
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on apple0 counter0)")
    assert "Your last answer was refused" in model.requests[1].messages[-1].content
    assert len(model.requests) == 2
    assert replies[-1] not in ("", "I wait, and think about it.")


def test_an_order_of_the_model_is_followed():
    episode, _, _ = run_on("(on apple0 counter0)", "that will do for today", {"control": "stop", "request": None})
    assert episode.outcome is Outcome.STOPPED


def test_words_that_mean_nothing_here_are_answered_and_change_nothing():
    episode, replies, _ = run_on("(on apple0 counter0)", "what a day", {"answer": "Indeed."})
    assert episode.outcome is Outcome.ACHIEVED
    assert replies[-1] == "The model says: Indeed."


def test_a_question_about_the_run_is_answered_and_changes_nothing():
    following = {"query": {"ask": "next", "about": [], "that": None}}
    episode, replies, _ = run_on("(on apple0 counter0)", "what comes next?", following)
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on apple0 counter0)")
    assert "apple0" in replies[-1]


def test_words_that_take_something_back_and_are_not_followed_leave_the_body_at_rest():
    model = ScriptedModel([reply(refusal="There is no plum here.", missing=["plum"])])
    with Session("kitchen", "small", robot="fake", memory=None, model=model) as session:
        run = session.start(goal="(inhand apple0 human0)")
        run.wait()
        for _ in range(10):
            run.tick()
        run.say("no, I want a plum, not an apple")
        for _ in range(100):
            assert run.tick()
        assert run.is_held
        assert "There is no plum here" in run.reply
        assert 'Say "stop", then what you want instead; or "go on".' in run.reply
        run.say("go on")
        assert run.finish().outcome is Outcome.ACHIEVED


def test_a_stop_outlives_the_reading_of_a_remark():
    model = ScriptedModel([reply(answer="Indeed.")])
    with Session("kitchen", "small", robot="fake", memory=None, model=model) as session:
        run = session.start(goal="(on apple0 counter0)")
        run.wait()
        for _ in range(10):
            run.tick()
        run.say("a fine day")
        hold = run._services.hold
        hold.stop("a person said so")
        while run.is_reading:
            run._take_in()
        assert hold.stopped
        assert not hold.waits


def test_empty_words_are_not_read_by_the_model():
    episode, _, model = run_on("(on apple0 counter0)", "  ", ticks=5)
    assert episode.outcome is Outcome.ACHIEVED
    assert not model.requests


def test_a_wait_of_the_person_outlives_the_reading_of_a_remark():
    model = ScriptedModel([reply(answer="Indeed.")])
    with Session("kitchen", "small", robot="fake", memory=None, model=model) as session:
        run = session.start(goal="(on apple0 counter0)")
        run.wait()
        for _ in range(10):
            run.tick()
        run.say("a fine day")
        run.say("wait")
        while run.is_reading:
            run._take_in()
        assert run._services.hold.waits
        run.say("go on")
        while run.tick():
            pass
        assert run.episode.outcome is Outcome.ACHIEVED


OF_ITS_OWN = {"goal": ["(on apple0 shelf0)"], "prefer": None}
ASKED = "Is this meant: apple0 is on shelf0? Nothing was said of shelf0."


@pytest.mark.parametrize(
    ("said", "goal", "told"),
    [
        ("yes", "(on apple0 shelf0)", "I do this instead: apple0 is on shelf0."),
        ("no", "(on apple0 counter0)", "I leave that."),
    ],
)
def test_a_place_that_nobody_spoke_of_is_asked_about_first(said, goal, told):
    episode, replies, model = run_on("(on apple0 counter0)", "somewhere else please", OF_ITS_OWN, more=[said])
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, goal)
    assert replies[1:] == [ASKED, told]
    assert len(model.requests) == 1


def test_another_answer_to_that_is_read_with_the_words():
    table = {"goal": ["(on apple0 table0)"], "prefer": None}
    episode, _, model = run_on(
        "(on apple0 counter0)", "somewhere else please", OF_ITS_OWN, table, more=["on the table"]
    )
    assert episode.goal == "(on apple0 table0)"
    assert 'The person answered: "on the table"' in model.requests[1].messages[-1].content


def test_to_be_asked_about_a_place_is_not_to_speak_of_it():
    episode, replies, _ = run_on(
        "(on apple0 counter0)", "somewhere else please", OF_ITS_OWN, OF_ITS_OWN, more=["perhaps", "no"]
    )
    assert episode.goal == "(on apple0 counter0)"
    assert replies.count(ASKED) == 2


def test_a_place_that_nobody_spoke_of_is_refused_or_taken_as_the_setting_says():
    episode, replies, _ = run_on("(on apple0 counter0)", "somewhere else please", OF_ITS_OWN, unsaid="never")
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on apple0 counter0)")
    assert "Nothing was said of shelf0" in replies[-1]
    episode, _, _ = run_on("(on apple0 counter0)", "somewhere else please", OF_ITS_OWN, unsaid="allow")
    assert episode.goal == "(on apple0 shelf0)"


def test_a_question_back_that_nobody_answers_is_forgotten():
    which = {"question": "Which one?", "options": ["this", "that"]}
    episode, replies, _ = run_on("(on apple0 counter0)", "a cup would be nice", which, answer_seconds=0.2)
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on apple0 counter0)")
    assert replies[1:] == ["Which one?", "Nobody has answered."]


def test_whatever_fails_while_words_are_read_the_run_goes_on(monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("of a reader")

    monkeypatch.setattr("graftwork.language.dialogue.read", fail)
    episode, replies, _ = run_on("(on apple0 counter0)", "a fine day")
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on apple0 counter0)")
    assert replies[-1] == "I cannot read that now: ZeroDivisionError: of a reader."


def test_edits_are_tried_while_the_person_waits_for_them():
    """The time of a test passes on the clock of the body, which stands still while the run is held."""
    both = "(and (on apple0 counter0) (on banana0 counter0))"
    edit = {"correction": [{"insert": {"before": 9, "text": "move(end=table0)"}}]}
    model = ScriptedModel([reply(**edit)])
    with Session("kitchen", "small", robot="fake", memory=None, model=model) as session:
        run = session.start(goal=both)
        run.wait()
        run.tick()
        run.say("and go back to the table in the end")
        assert run.is_held
        for _ in range(500):
            run.tick()
            if "is added" in run.reply:
                break
        assert "is added" in run.reply
        assert not run.is_held
        assert run.finish().outcome is Outcome.ACHIEVED


class Pondering:
    """A model that answers only once it is called off."""

    name = "pondering"

    def __init__(self):
        self.begun, self.left = threading.Event(), threading.Event()

    def complete(self, messages, *, schema=None):
        raise AssertionError("it can be called off")

    def complete_unless(self, called_off, messages, *, schema=None):
        self.begun.set()
        while not called_off():
            time.sleep(0.01)
        self.left.set()
        raise ModelUnreachableError(self.name, "it was called off", "")


def test_a_stop_calls_the_reading_off():
    model = Pondering()
    with Session("kitchen", "small", robot="fake", memory=None, model=model) as session:
        run = session.start(goal="(on apple0 counter0)")
        run.wait()
        for _ in range(10):
            run.tick()
        run.say("a fine day")
        while not model.begun.is_set():
            run.tick()
        run.say("stop")
        assert run.finish().outcome is Outcome.STOPPED
        assert model.left.wait(5.0)
