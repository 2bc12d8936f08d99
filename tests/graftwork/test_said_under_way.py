"""What a person says about a run is read by the model beside the ticks, and done between two of them."""

import json

from graftwork import Outcome, Session
from graftwork.testing import ScriptedModel


def reply(**content):
    return json.dumps({"reply": {**content, "note": None}})


def run_on(goal, words, *answers, ticks=30, more=()):
    """Pursue a goal, say something after some ticks, and return the episode with what was replied."""
    model, more = ScriptedModel([reply(**each) for each in answers]), list(more)
    with Session("kitchen", "small", robot="fake", memory=None, model=model) as session:
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
