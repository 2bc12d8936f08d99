"""Things that are meant by where they stand, in whole sentences and with the real kitchen."""

from functools import cache

import pytest

from graftwork import Session
from graftwork.language.offline import interpret
from semantics.logic.atoms import Atom
from semantics.logic.goal import Goal, Question


@cache
def seen():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        watcher = session.environment.watcher
        watcher.refresh()
        return watcher.scene.world.vocabulary, watcher.state, watcher.positions


def read(sentence):
    vocabulary, state, positions = seen()
    return interpret(sentence, vocabulary, state, positions=positions)


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        ("bring me the second can from the left", "(inhand can1 human0)"),
        ("bring me the can that is on the left", "(inhand can0 human0)"),
        ("put the leftmost fruit on the table in the sink", "(in apple0 sink0)"),
        ("put the second fruit from the left on the table in the sink", "(in banana0 sink0)"),
        ("put the second fruit on the table from the left in the sink", "(in banana0 sink0)"),
        ("put the left can on the table and the right one in the sink", "(and (on can0 table0) (in can1 sink0))"),
        ("bring me the can closest to the chips", "(inhand can1 human0)"),
        ("bring me the second closest can to the chips", "(inhand can0 human0)"),
        ("put the fruit on the table closest to the cup in the sink", "(in lemon0 sink0)"),
        ("put the mug farthest away from you on the table", "(on mug0 table0)"),
        ("bring me the farthest fruit", "(inhand apple0 human0)"),
        ("put the second mug on the table", "(on mug1 table0)"),
    ],
)
def test_a_thing_is_meant_by_where_it_stands(sentence, formula):
    answer = read(sentence)
    assert isinstance(answer, Goal), answer
    assert str(answer) == formula
    assert any("counting" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("bring me the closest glass", "it does not say from where"),
        ("bring me the leftmost glass", "do not stand together"),
        ("bring me the mug closest to the jam", "stand alike"),
        ("put the top shelf on the table", "there is only one here"),
    ],
)
def test_what_could_be_another_one_is_asked_about(sentence, why):
    answer = read(sentence)
    assert isinstance(answer, Question), answer
    assert why in answer.feedback.why


def test_a_session_gives_its_positions_to_the_grammar():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        episode = session.handle("bring me the second can from the left")
        assert Atom("inhand", ("can1", "human0")) in session.environment.watcher.state.atoms, episode
