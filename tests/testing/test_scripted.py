import json

import pytest

from graftwork.language import model_from_name
from graftwork.testing import OutOfAnswersError, RecordingError, ScriptedModel
from semantics.body.protocols import Message, ModelReply
from semantics.errors import OutsideError, UsageError

ASKED = (Message("user", "open the fridge"),)


def test_answers_come_in_order_and_requests_are_kept():
    model = ScriptedModel(["one", ModelReply("two", 7)])
    assert model.left == 2
    assert model.complete(ASKED).text == "one"
    assert model.complete([*ASKED, Message("assistant", "one")], schema={"type": "object"}).tokens == 7
    assert model.left == 0
    assert [len(request.messages) for request in model.requests] == [1, 2]
    assert model.requests[1].schema == {"type": "object"}


def test_a_table_becomes_the_answer_of_a_model():
    answer = ScriptedModel([{"goal": "(opened fridge0)"}]).complete(ASKED)
    assert json.loads(answer.text) == {"goal": "(opened fridge0)", "question": None, "refusal": None}


def test_a_table_with_other_keys_stays_as_it_is():
    assert json.loads(ScriptedModel([{"verdict": True}]).complete(ASKED).text) == {"verdict": True}


def test_an_outage_can_be_scripted():
    model = ScriptedModel([OutsideError("the server is gone"), "and back"])
    with pytest.raises(OutsideError, match="gone"):
        model.complete(ASKED)
    assert model.complete(ASKED).text == "and back"


def test_too_many_requests_name_the_one_that_has_no_answer():
    model = ScriptedModel(["one"])
    model.complete(ASKED)
    with pytest.raises(OutOfAnswersError, match=r"request 2 came, and the script has 1 answer: open the fridge"):
        model.complete(ASKED)
    assert model.left == 0


def test_a_file_of_answers_is_read_line_by_line(tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text('"plain text"\n\n{"goal": "(opened fridge0)"}\n', encoding="utf-8")
    model = model_from_name(f"scripted:{file}")
    assert model.complete(ASKED).text == "plain text"
    assert json.loads(model.complete(ASKED).text)["goal"] == "(opened fridge0)"
    assert model.name == f"scripted:{file}"


@pytest.mark.parametrize(("text", "problem"), [("{", ":1: no JSON"), ('"a"\n[1]', ":2: expected a JSON text")])
def test_a_broken_file_of_answers_is_told_with_its_line(tmp_path, text, problem):
    file = tmp_path / "answers.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RecordingError, match=problem):
        ScriptedModel.from_file(file)


def test_a_missing_file_of_answers_is_bad_usage(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        model_from_name(f"scripted:{tmp_path / 'none.jsonl'}")


def test_a_model_by_name_needs_its_file():
    with pytest.raises(UsageError, match="such as scripted:FILE"):
        model_from_name("scripted:")
