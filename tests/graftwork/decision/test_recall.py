"""A sentence that differs in its arguments only from one that worked needs no model; any other one does."""

import pytest

from graftwork import Session
from graftwork.testing import ScriptedModel

ASKED = "asked the model"


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A session with a model that has read three sentences, and cannot read any other."""
    goals = ("(inhand milk0 human0)", "(on cup0 counter0)", "(and (on apple0 shelf0) (on banana0 shelf0))")
    model = ScriptedModel([{"goal": goal} for goal in goals])
    memory = tmp_path_factory.mktemp("memory") / "memory.sqlite"
    with Session(scene="small", robot="symbolic", memory=memory, model=model, unsaid="allow") as opened:
        for words in ("bring me the milk", "put the cup on the counter", "put the apple and the banana on the shelf"):
            assert opened.handle(words).outcome == "achieved"
        yield opened


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("bring me the juice", "(inhand juice0 human0)"),
        ("Please bring me the green mug!", "(inhand mug0 human0)"),
        ("put the sponge on the table", "(on sponge0 table0)"),
        ("put the mug and the cup on the table", "(and (on mug0 table0) (on cup0 table0))"),
        ("do not bring me the juice", ASKED),
        ("bring me the drinks", ASKED),
        ("bring me two drinks", ASKED),
        ("bring me the juice and the cola", ASKED),
        ("bring me the juice quickly", ASKED),
        ("put the juice in the fridge", ASKED),  # the grammar reads another form than the model's goal had
        ("put the mug on the counter but not the cup", ASKED),
        ("bring me the flumph", ASKED),
    ],
)
def test_only_other_arguments_need_no_model(session, words, goal):
    decision = session.start(words)
    decision.wait()
    told = decision.decision
    if goal is ASKED:
        assert told is None or told.recalled is None
        assert decision.finish().model_calls > 0
        return
    assert str(told.goal.goal) == goal
    assert told.recalled is not None
    assert decision.finish().model_calls == 0
