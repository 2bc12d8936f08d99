"""What a model's goal or program leaves out of the words, or adds to them, is asked about before anything is done."""

import json

import pytest

from graftwork import Outcome, Session
from graftwork.testing import ScriptedModel


def handled(words, reply, answer=None, note=None):
    model = ScriptedModel([json.dumps({"reply": {**reply, "note": note}})] * 2)
    with Session("kitchen", "small", robot="fake", memory=None, model=model) as session:
        return session.handle(words, answer and (lambda question: answer))


def goal(*facts):
    return {"goal": list(facts), "prefer": None}


@pytest.mark.parametrize(
    ("words", "reply", "doubt"),
    [
        ("put the apple and the banana on the counter", goal("(on apple0 counter0)"), "with the banana."),
        ("bring me the milk", goal("(inhand milk0 robot0)"), "Nothing of that is for you."),
        ("wipe the table", goal("(inhand sponge0 human0)"), "Nothing is done with the table."),
        ("put the apple on the table for me", goal("(inhand apple0 human0)"), "Nobody has said: apple0 is in the hand"),
        ("both cups and all mugs on the counter please", goal("(on cup0 counter0)"), "It is about cup0 alone."),
        ("pour half of the juice out", goal("(opened fridge0)"), "It says no amount."),
        ("pour 100 ml of the juice out", goal("(opened fridge0)"), "It says no amount."),
        ("bring me the cup", goal("(on apple0 table0)"), "Nothing was said of table0 and apple0"),
        ("put the orange on the table", {"program": "for x in objects('fruit'):\n achieve(in_(x, trash0))"}, "trash0"),
        ("put the cup on the table", {"program": "say('it is done')"}, "Nothing is done with the cup."),
    ],
)  # fmt: skip
def test_what_the_words_do_not_account_for_is_asked_about(words, reply, doubt):
    episode = handled(words, reply)
    assert episode.outcome is Outcome.QUESTION, episode.message
    assert doubt in episode.message
    assert handled(words, reply, "no").outcome is Outcome.REFUSED


@pytest.mark.parametrize(
    ("words", "reply", "note"),
    [
        ("put the apple and the pear on the counter", goal("(on apple0 counter0)"), "There is no pear here."),
        ("put the apple on the counter, but leave the banana", goal("(on apple0 counter0)"), None),
        ("put the apple or the banana on the counter", goal("(on apple0 counter0)"), None),
        ("bring me the cup from the table", goal("(inhand cup0 human0)"), None),
        ("don't leave the fridge open", goal("(closed fridge0)"), None),
        ("all the fruit on the counter please", goal("(forall (?x - fruit) (on ?x counter0))"), None),
        ("put the apple on the counter, then say that it is there",
         {"program": "achieve(on(apple0, counter0))\nsay('it is there')"}, None),
    ],
)  # fmt: skip
def test_what_is_said_or_told_is_done_at_once(words, reply, note):
    episode = handled(words, reply, note=note)
    assert episode.outcome in (Outcome.ACHIEVED, Outcome.ALREADY), episode.message


def test_a_yes_to_a_program_runs_it():
    program = {"program": "achieve(on(apple0, shelf0))"}
    episode = handled("put the apple somewhere else", program, "yes")
    assert episode.outcome is Outcome.ACHIEVED, episode.message


def test_a_place_that_only_the_fact_says_is_no_doubt():
    model = ScriptedModel([json.dumps({"reply": {**goal("(ontable blue_block)"), "note": None}})])
    with Session("blocks", robot="fake", memory=None, model=model) as session:
        episode = session.handle("put the blue block on the table", None)
    assert episode.outcome is Outcome.ACHIEVED, episode.message
