"""A budget of models, from the settings to the end of a run, its record, its report and the command line."""

import json

import pytest

from graftwork import Outcome, Session
from graftwork.errors import SettingsError
from graftwork.language.models import Fallback
from graftwork.memory import default_place
from graftwork.setup.settings import DAY_FILE, Limits, load_settings, use_of_models
from graftwork.testing import ScriptedModel
from semantics.body.protocols import ModelReply
from semantics.logic.feedback import Code
from tests.graftwork.blocked import GOAL, SENTENCE, blocked
from tests.graftwork.test_commands import graftwork

OPENED = '{"goal": "(opened fridge0)"}'
WRONG = ModelReply('{"goal": "(opened unicorn0)"}', 100, tokens_out=50)


@pytest.fixture(autouse=True)
def own_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def session_with(*answers, **limits):
    return Session(scene="small", robot="fake", memory=None, model=ScriptedModel(answers), limits=Limits(**limits))


def test_the_settings_of_a_file_are_read(tmp_path):
    prices = '[model_prices]\n"gpt-oss:20b" = {in = 0.1, out = 0.5}\nfree = {}\n'
    (tmp_path / "graftwork.toml").write_text(f"model_budget = {{calls = 20, day_money = 1.5}}\n{prices}")
    settings = load_settings({}, environment={}, folder=tmp_path, user_folder=tmp_path / "none")
    assert settings.model_budget == {"calls": 20.0, "day_money": 1.5}
    assert settings.model_prices == {"gpt-oss:20b": (0.1, 0.5), "free": (0.0, 0.0)}


def test_the_settings_of_variables_are_read(tmp_path):
    variables = {"GRAFTWORK_MODEL_BUDGET": "calls=3,money=0.5", "GRAFTWORK_MODEL_PRICES": "openai:a/b=1/2,*=0/1"}
    settings = load_settings({}, environment=variables, folder=tmp_path, user_folder=tmp_path / "none")
    assert settings.model_budget == {"calls": 3.0, "money": 0.5}
    assert settings.model_prices == {"a/b": (1.0, 2.0), "*": (0.0, 1.0)}


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("model_budget", "cals=3", "did you mean calls"),
        ("model_budget", "calls=-1", "not below zero"),
        ("model_budget", "money=nan", "finite"),
        ("model_budget", "calls=many", "must be such as"),
        ("model_budget", "7", "must be such as"),
        ("model_prices", "small=1", "must be such as"),
        ("model_prices", "small=1/-2", "not below zero"),
        ("model_prices", "small=1/2/3", "must be such as"),
    ],
)
def test_what_is_no_budget_and_no_price_is_refused(tmp_path, name, value, why):
    with pytest.raises(SettingsError, match=why):
        load_settings({name: value}, environment={}, folder=tmp_path, user_folder=tmp_path)


def test_a_run_whose_budget_is_spent_says_so_and_moves_nothing(tmp_path):
    with session_with(WRONG, WRONG, OPENED, model_budget={"calls": 2}) as session:
        episode = session.handle("open sesame")
    assert (episode.outcome, episode.exit_code, episode.ticks) == (Outcome.UNAVAILABLE, 5, 0)
    assert (episode.feedback[0].code, episode.model_calls) == (Code.BUDGET_SPENT, 2)
    assert "the setting model_budget has calls=2" in episode.message


def test_each_instruction_has_the_budget_anew():
    with session_with(OPENED, '{"goal": "(closed fridge0)"}', model_budget={"calls": 1}) as session:
        assert session.handle("open sesame").outcome is Outcome.ACHIEVED
        assert session.handle("close sesame").outcome is Outcome.ACHIEVED


def test_the_offline_interpreter_reads_on_when_the_budget_is_spent():
    chain = Fallback([ScriptedModel([WRONG, WRONG]), None])
    limits = Limits(model_budget={"calls": 1})
    with Session(scene="small", robot="fake", memory=None, model=chain, limits=limits) as session:
        episode = session.handle("open the fridge")
    assert episode.outcome is Outcome.ACHIEVED
    assert "model_budget has calls=1" in episode.notes[0]


def test_a_budget_that_is_spent_under_way_ends_no_run_and_hides_no_reason():
    session, _ = blocked(model=ScriptedModel([f'{{"goal": "{GOAL}"}}', OPENED]), model_budget={"calls": 1})
    with session:
        episode = session.handle(SENTENCE)
    assert episode.outcome is Outcome.FAILED
    assert "a fault was asked for" in episode.message
    assert "consult: language model at scripted: the budget of this instruction is spent" in episode.message


def test_record_report_and_episode_tell_calls_tokens_and_money(tmp_path):
    model = ScriptedModel([WRONG, ModelReply(OPENED, 1000, tokens_out=200)])
    limits = Limits(model_prices={"scripted": (100.0, 1000.0)})
    with Session(
        scene="small", robot="fake", memory=None, model=model, limits=limits, record=tmp_path / "run"
    ) as session:
        episode = session.handle("open sesame")
    assert (episode.model_calls, episode.tokens) == (2, 1100)
    assert episode.money == pytest.approx((850 * 100 + 250 * 1000) / 1e6)
    end = json.loads((tmp_path / "run" / "record.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert end["model"] == {"calls": 2, "tokens": 1100, "money": 0.335}
    report = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "The language model: 2 calls, 1100 tokens, money 0.335." in report


def test_a_run_without_a_model_tells_nothing_of_one(tmp_path):
    with Session(scene="small", robot="fake", memory=None, record=tmp_path / "run") as session:
        session.handle("open the fridge")
    assert "language model" not in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_the_day_is_counted_in_the_data_folder_only_if_it_is_limited():
    use_of_models(Limits(model_budget={"calls": 3})).begin("there")
    file = default_place().with_name(DAY_FILE)
    assert not file.exists()
    use_of_models(Limits(model_budget={"day_calls": 3})).begin("there")
    assert file.exists()


def test_commands_share_the_budget_of_the_day(tmp_path):
    (tmp_path / "said.jsonl").write_text('{"goal": "(opened fridge0)"}\n')
    told = []
    for _ in range(2):
        words = ["plan", "open sesame", "--scene", "small", "--model", "scripted:said.jsonl", "--json"]
        ended = graftwork(*words, cwd=tmp_path, GRAFTWORK_MODEL_BUDGET="day_calls=1", XDG_DATA_HOME=str(tmp_path))
        told.append((ended.returncode, json.loads(ended.stdout)))
    assert [code for code, _ in told] == [0, 5]
    assert [(each["model_calls"], each["tokens"], each["money"]) for _, each in told] == [(1, 0, 0.0), (0, 0, 0.0)]
    assert told[1][1]["feedback"][0]["code"] == "budget-spent"
