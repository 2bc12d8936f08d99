from dataclasses import replace

import pytest

from graftwork.language.replies import read_reply
from semantics.body.exchange import LONGEST_ANSWER, Unusable
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal, Question
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import Quantity
from semantics.logic.reply import Refusal, Reply

GOAL = "(and (in milk0 fridge0) (closed fridge0))"


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"goal": "{GOAL}", "question": null, "refusal": null}}',
        f'Sure!\n```json\n{{"goal": "{GOAL}"}}\n```\n',
        f'{{"goal": "{GOAL}"}}.',
        f'{{"goal": "{GOAL}", "question": "", "refusal": []}}',
        f'{{"thought": {{"a": 1}}}} {{"goal": "{GOAL}"}}',
        f"{{'goal': '{GOAL}'}}",
        f"The goal is {GOAL}.",
        f"{{'goal': '{GOAL}', 'why': '(see above)'}}",
    ],
)
def test_a_goal_is_found_in_well_and_ill_formed_answers(reply):
    assert read_reply(reply) == Reply(Goal(parse_formula(GOAL)))


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"goal": "{GOAL}"}} but no, {{"goal": "(opened fridge0)"}}',
        f'{{"goal": "{GOAL}"}} {{"goal": "{GOAL}"}}',
        f'[{{"goal": "{GOAL}"}}, {{"refusal": "no"}}]',
        f'{{"goal": "{GOAL}", "refusal": "never mind"}}',
        f'{{"goal": "{GOAL}", "refusal": ["never mind"]}}',
        f'{{"goal": "{GOAL}", "question": "Which one?"}}',
        '{"goal": null, "question": "Which one?", "refusal": "I cannot."}',
        f'{{"goal": "{GOAL}", "goal": "(opened fridge0)"}}',
        f'{{"goal": "{GOAL}", "Goal": "(opened fridge0)"}}',
        f'{{"refusal": "no", "refusal": null, "goal": "{GOAL}"}}',
        f'Sure!\n```json\n{{"goal": "{GOAL}"}}\n```\nAnything else?',
        f'{{"goal": "{GOAL}"}} wait, that is wrong',
        f'{{"goal": "{GOAL}"}}..',
        f'{{"goal": "{GOAL}"}}\n```\n```\n{{"refusal": "no"}}\n```',
        f'The goal is (opened fridge0). {{"goal": "{GOAL}"}}',
        f'{{"refusal": "no", "thought": {{"goal": "{GOAL}"}}',
        f'{{"thought": {{"goal": "(opened fridge0)"}}}} {{"goal": "{GOAL}"}}',
        f"{{'goal': '{GOAL}', 'refusal': 'never mind'}}",
        f"The goal is {GOAL} (all of it).",
        f"The goal is {GOAL}, or rather not.",
        f'{{"goal": "{GOAL}"}}{" " * LONGEST_ANSWER}{{"refusal": "no"}}',
        '<|im_start|>user\nstop\n{"reply": {"control": "stop", "request": null, "note": null}}<|im_end|>',
        "Action: look for\nAction Input: spoon\nAction: ask\nAction Input: which spoon",
    ],
)
def test_an_answer_that_says_two_things_is_no_answer(reply):
    read = read_reply(reply)
    assert isinstance(read, Unusable)
    assert read.feedback[0].code is Code.UNREADABLE


def test_a_question_and_a_refusal_are_read():
    assert read_reply('{"goal": null, "question": "Which cup?", "refusal": null}') == Reply(Question("Which cup?"))
    assert read_reply('{"goal": "", "refusal": "I cannot fly."}') == Reply(Refusal("I cannot fly."))


def test_control_characters_of_a_question_do_not_reach_a_terminal():
    read = read_reply('{"question": "Which\\u001b[2J one\\n\\u202e?"}')
    assert read.content.text == "Which [2J one ?"


@pytest.mark.parametrize("reply", ["", "no idea", "[]", "null", "{}", '{"goal": 7}', "{{{{", "goal ))) (((", '{"goal"'])
def test_nonsense_is_unreadable(reply):
    read = read_reply(reply)
    assert isinstance(read, Unusable)
    (feedback,) = read.feedback
    assert feedback.code is Code.UNREADABLE


@pytest.mark.parametrize(
    ("goal", "reason"),
    [("(and (in milk0 fridge0)", "')' is missing"), ("milk0 in fridge0", "expected '('"), ("(in ?x fridge0)", "?x")],
)
def test_a_formula_that_cannot_be_read_says_where(goal, reason):
    read = read_reply(f'{{"goal": "{goal}"}}')
    assert reason in read.feedback[0].why
    assert not read.nonsense


@pytest.mark.parametrize("goal", ["(and)", "(or)", "(not (and))"])
def test_a_goal_that_asks_for_nothing_is_sent_back(goal):
    assert "nothing" in read_reply(f'{{"goal": "{goal}"}}').feedback[0].why


@pytest.mark.parametrize("piece", ["(", "{", '{"goal":', "()", "goal (", "["])
def test_a_huge_answer_is_cut_before_it_is_read(piece):
    assert isinstance(read_reply(f"goal {piece * LONGEST_ANSWER}"), Unusable)


@pytest.mark.parametrize("code", ["__import__('os').abort()", "(exec (import os))", "{{config}}"])
def test_what_looks_like_a_program_is_only_text(code):
    read = read_reply(f'{{"goal": "{code}"}}')
    assert isinstance(read, Unusable) or str(read.content.formula) == "(exec (import os))"


def test_values_stand_behind_a_goal():
    read = read_reply(f'{{"goal": ["{GOAL} :speed 0.2 m/s", "(opened fridge0)"]}}')
    slowly = Goal(parse_formula(GOAL), values=(("speed", Quantity(0.2, "m/s")),))
    later = Goal(parse_formula("(opened fridge0)"))
    assert read == Reply(replace(slowly, later=(later,)))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (":speed slowly", "'slowly' is no quantity"),
        (":speed 20 knots", "'knots' is no unit"),
        (":speed 20cm/s :speed 30cm/s", "speed is said twice"),
        (":speed", "':speed'"),
        ("slowly", "slowly"),
    ],
)
def test_what_is_no_value_is_sent_back(values, why):
    read = read_reply(f'{{"goal": "{GOAL} {values}"}}')
    assert isinstance(read, Unusable)
    assert why in str(read.feedback[0])


def test_half_a_character_that_json_spells_becomes_a_replacement_character():
    proposal = read_reply('{"question": "which one \\ud800?"}')
    assert proposal.content.text == "which one \N{REPLACEMENT CHARACTER}?"
