import json

import pytest

from affordances.substitutes import Knowledge, SubstitutionTask, ask_for_substitute
from graftwork.testing import ScriptedModel
from semantics.errors import UsageError
from semantics.logic.parsing import parse_formula

KNOWLEDGE = Knowledge()
TASK = SubstitutionTask(parse_formula("(and (liquid_in water g0) (inhand g0 human0))"), "glass", frozenset({"g0"}))
PRESENT = {"mug": ["mug0"], "cup": ["cup0"], "plate": ["plate0"], "fork": ["fork0"]}


def asked(*answers, present=PRESENT, tries=3):
    model = ScriptedModel([one if isinstance(one, str) else json.dumps(one) for one in answers])
    return ask_for_substitute(TASK, present, KNOWLEDGE, model, tries=tries), model


def test_one_thing_with_all_relevant_affordances_is_the_answer_without_a_second_question():
    found, model = asked({"affordances": ["drink", "liquid-contain"]}, present={"mug": ["mug0"], "plate": ["plate0"]})
    assert (found.best.class_name, found.by, len(model.requests)) == ("mug", "scripted", 1)


def test_of_several_the_model_names_the_best_for_the_rarest_affordance():
    found, model = asked({"affordances": ["drink", "grasp"]}, {"substitute": "cup"})
    assert found.best.class_name == "cup"
    assert "made to drink from" in model.requests[-1].messages[-1].content


def test_when_nothing_has_all_of_them_it_is_asked_openly_and_may_say_none():
    present = {"plate": ["plate0"], "fork": ["fork0"]}
    found, _ = asked({"affordances": ["drink"]}, {"substitute": None}, present=present)
    assert found.best is None
    found, _ = asked({"affordances": ["drink"]}, {"substitute": "plate"}, present=present)
    assert found.best.class_name == "plate"


@pytest.mark.parametrize("nonsense", ["I cannot help with that.", '{"affordances": ["fly"]}', "[]", ""])
def test_an_answer_that_cannot_be_used_goes_back_with_the_reason(nonsense):
    found, model = asked(nonsense, {"affordances": ["drink"]}, {"substitute": "cup"})
    assert found.best.class_name == "cup"
    assert "That cannot be used" in model.requests[1].messages[-1].content


def test_a_name_that_is_not_there_goes_back_with_what_is_there():
    found, model = asked({"affordances": ["drink"]}, {"substitute": "chalice"}, {"substitute": "Mug"})
    assert found.best.class_name == "mug"
    assert "one of: cup, mug" in model.requests[-1].messages[-1].content


def test_after_too_many_bad_answers_the_data_decide_and_a_note_says_so():
    found, model = asked("no", "no", tries=2)
    assert (found.by, found.best.class_name, len(model.requests)) == ("offline", "cup", 2)
    assert "the data decided" in found.notes[-1]


def test_a_question_is_put_once_at_least():
    with pytest.raises(UsageError, match="once at least"):
        asked(tries=0)
