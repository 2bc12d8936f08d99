"""Where no plan for the goal is left, the language model is shown the failure and may name another goal."""

import json

import pytest

from domains.repairs import Spending
from graftwork import Outcome
from graftwork.recovery.consult import KINDS
from graftwork.setup.limits import Consent
from graftwork.testing import ScriptedModel
from semantics.body.protocols import ModelReply
from semantics.logic.reply_form import reply_schema
from tests.graftwork.blocked import GOAL, OTHER, SENTENCE, blocked, said
from tests.loopback import Fault, LoopbackServer

FIRST, SECOND = {"goal": GOAL}, {"goal": OTHER}


def test_another_goal_is_checked_planned_for_and_reached_and_the_episode_says_so():
    model = ScriptedModel([ModelReply(f'{{"goal": "{GOAL}"}}', 100), {"goal": "(on apple0 moon0)"}, SECOND])
    session, journal = blocked(model=model)
    with session:
        episode = session.handle(SENTENCE)
        assert session.environment.robot.world.carriers["apple0"] == ("on", "table0")
    assert (episode.outcome, episode.goal, episode.first_goal) == (Outcome.ACHIEVED, OTHER, GOAL)
    assert "The goal was changed on the way: The language model was consulted" in episode.message
    assert (episode.model_calls, episode.tokens) == (3, 100)
    assert [(use.rung, use.solved) for use in episode.rungs][-1] == ("consult", True)
    assert journal.of("rung")[-1]["seconds"] == pytest.approx(2.0, abs=0.6)  # declared, on a simulated clock
    assert [turn["goal"] for turn in episode.turns] == [[[OTHER]]]
    assert said(journal, "goal", "formula") == [GOAL, OTHER]
    assert "moon0" in model.requests[2].messages[-1].content  # the mistake went back to the model


def test_the_model_is_shown_what_was_wanted_what_failed_why_and_what_is_believed():
    model = ScriptedModel([FIRST, SECOND])
    session, _ = blocked(model=model)
    with session:
        session.handle(SENTENCE)
    shown, schema = model.requests[1].messages[-1].content, model.requests[1].schema
    assert schema == reply_schema(KINDS)
    for part in (SENTENCE, GOAL, '"code": "budget-spent"', "a fault was asked for", "(place robot0 apple0 shelf0)"):
        assert part in shown
    assert "(inhand apple0 robot0)" in shown
    assert "(on cup0 table0)" not in shown.partition("in question:")[2]


def test_two_runs_with_the_same_answers_are_told_alike_to_the_tick():
    told = []
    for _ in range(2):
        session, journal = blocked(model=ScriptedModel([FIRST, SECOND]))
        with session:
            session.handle(SENTENCE)
        known = [event for event in journal.events if event["e"] not in ("start", "end")]
        told.append([{key: one for key, one in event.items() if key != "seconds"} for event in known])
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([FIRST], "names no other goal than what was pursued before"),
        ([{"goal": "(on cup0 table0)"}] * 2, "holds already"),
        ([{"refusal": "nothing else would do"}], "nothing else would do"),
        ([{"goal": "(on apple0 moon0)"}] * 2, "moon0"),
        ([{"question": "Which table?"}], "nobody to ask"),
    ],
)
def test_an_answer_that_is_none_leaves_the_failure_as_it_was(answers: list, why: str):
    model = ScriptedModel([FIRST, *answers])
    session, journal = blocked(model=model, model_tries=2)
    with session:
        episode = session.handle(SENTENCE)
    assert (episode.outcome, episode.goal, episode.first_goal) == (Outcome.FAILED, GOAL, None)
    assert "a fault was asked for" in episode.message
    assert why in episode.message
    assert journal.of("turn") == []
    assert model.left == 0


def test_a_question_of_the_model_is_put_to_the_person_and_the_answer_to_the_model():
    model = ScriptedModel([FIRST, {"question": "Would the table do?"}, SECOND])
    session, journal = blocked(model=model)
    with session:
        episode = session.handle(SENTENCE, lambda question: "yes, the table")
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, OTHER)
    assert said(journal, "asked", "question") == ["Would the table do?"]
    assert "yes, the table" in model.requests[2].messages[-1].content


def test_a_server_that_goes_down_under_way_ends_no_run_and_hides_no_reason(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with LoopbackServer(f'{{"goal": "{GOAL}"}}', Fault.ERROR) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        session, _ = blocked(model="openai:stand-in", model_seconds=2.0)
        with session:
            episode = session.handle(SENTENCE)
    assert (episode.outcome, episode.goal) == (Outcome.FAILED, GOAL)
    assert "a fault was asked for" in episode.message
    assert "consult: language model at" in episode.message
    assert episode.model_calls > 1


def test_what_tokens_cost_is_taken_off_the_budget_of_money():
    answers = [ModelReply(f'{{"goal": "{goal}"}}', 1000) for goal in (GOAL, "(on apple0 counter0)", OTHER)]
    session, journal = blocked(
        surfaces=("shelf0", "counter0"),
        model=ScriptedModel(answers),
        model_price=0.02,
        ladder={"consult": Spending(money=0.01)},
    )
    with session:
        episode = session.handle(SENTENCE)
    assert (episode.outcome, episode.tokens) == (Outcome.FAILED, 2000)
    assert said(journal, "turn", "goal") == [[["(on apple0 counter0)"]]]
    assert "The goal was changed on the way" in episode.message


@pytest.mark.parametrize(
    "steps",
    [
        {"plan": ["(place_next_to robot0 apple0 mug0 shelf0)"]},
        {"program": "place_next_to(apple0, mug0)"},
    ],
)
def test_steps_of_a_model_are_mended_and_carried_out(steps):
    tool = {"reply": {"tool": "look up", "argument": "apple0", "note": None}}
    answers = [FIRST, json.dumps(tool), json.dumps({"reply": {**steps, "note": None}}), {"refusal": "that is all"}]
    session, journal = blocked(model=ScriptedModel(answers))
    with session:
        episode = session.handle(SENTENCE)
    assert episode.exchange[1]["told"].startswith("apple0 is of the class apple")
    assert any("these steps are its own" in event["text"] for event in journal.of("note")), episode.message


@pytest.mark.parametrize(
    ("unsaid", "answer", "outcome", "asked"),
    [
        (Consent.ASK, "yes", Outcome.ACHIEVED, 1),
        (Consent.ASK, "no", Outcome.FAILED, 1),
        (Consent.NEVER, "yes", Outcome.FAILED, 0),
    ],
)
def test_a_place_that_nobody_spoke_of_is_taken_only_with_consent(unsaid, answer, outcome, asked):
    session, journal = blocked(model=ScriptedModel([FIRST, SECOND]), unsaid=unsaid)
    with session:
        episode = session.handle(SENTENCE, lambda question: answer)
        place = session.environment.robot.world.carriers["apple0"]
    assert episode.outcome is outcome
    assert (place == ("on", "table0")) == (outcome is Outcome.ACHIEVED)
    question = "Is this meant: apple0 is on table0? Nothing was said of table0."
    assert said(journal, "asked", "question").count(question) == asked
