"""Words of a person that put off, take back, or go on with what was stopped."""

import pytest

from graftwork import Session


@pytest.fixture
def session():
    with Session("kitchen", "small", robot="fake", memory=None) as opened:
        yield opened


@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ("bring me the milk later", "later"),
        ("afterwards bring me the milk", "afterwards"),
        ("bring me the milk in the end", "in the end"),
        ("bring me the milk last", "last"),
        ("bring me the milk when you are done", "when you are done"),
        ("before that, bring me the milk", "before that"),
    ],
)
def test_what_is_put_off_without_anything_before_it_is_not_done_now(session, words, mark):
    episode = session.handle(words)
    assert episode.outcome == "refused"
    assert mark in episode.message


@pytest.mark.parametrize("words", ["then open the fridge", "now open the fridge", "finally, open the fridge"])
def test_words_that_only_go_on_put_nothing_off(session, words):
    assert session.handle(words).outcome == "achieved"


def test_words_that_take_back_what_runs_are_followed(session):
    run = session.start("put the apple on the counter")
    run.wait()
    for _ in range(20):
        run.tick()
    assert run.say("Not the apple, the cup!")
    while run.is_reading:
        run.tick()
    assert not run.is_held
    assert run.reply == "I take cup0 instead of apple0."
    episode = run.finish()
    assert episode.outcome == "achieved"
    assert episode.goal == "(on cup0 counter0)"


def test_words_that_take_back_what_runs_and_are_not_understood_hold_it_and_ask(session):
    run = session.start("put the apple on the counter")
    run.wait()
    for _ in range(20):
        run.tick()
    assert run.say("Not that way, the other way round!")
    assert run.is_held
    while run.is_reading:
        run.tick()
    assert run.is_held
    assert "go on" in run.reply
    run.say("go on")
    assert run.finish().outcome == "achieved"


@pytest.fixture
def stopped(session):
    run = session.start("put the apple on the counter")
    run.wait()
    run.tick()
    run.say("stop")
    assert run.finish().outcome == "stopped"
    return session


@pytest.mark.parametrize("words", ["All right, go on.", "OK, go on please, go on."])
def test_after_a_stop_a_go_on_goes_on_with_what_was_stopped(stopped, words):
    episode = stopped.handle(words)
    assert episode.instruction == "put the apple on the counter"
    assert episode.outcome == "achieved"


@pytest.mark.parametrize(
    ("words", "instruction", "outcome"),
    [
        ("Go on, bring me the orange instead", "bring me the orange instead", "question"),
        ("All right, go ahead. Open it, bring the cup!", "Open it, bring the cup!", "refused"),
        ("Go on, open the fridge.", "open the fridge.", "achieved"),
        ("go on, but later", "but later", "refused"),
    ],
)
def test_what_is_said_beside_a_go_on_is_read_instead_of_what_was_stopped(stopped, words, instruction, outcome):
    episode = stopped.handle(words)
    assert (episode.instruction, episode.outcome) == (instruction, outcome)
