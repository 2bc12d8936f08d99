"""Exchanges of several turns: how they are said, and what each turn and the whole is worth."""

import json
from dataclasses import replace

import pytest

from benchmarks.words.entries import AT_REST, HELD, Dialogue, Turn
from benchmarks.words.judge import Judged, Verdict, is_goal_due, judge, judge_turns
from benchmarks.words.judge_exchange import judge_turn, missed_in, sum_up
from benchmarks.words.rows import Kind, Row, read_rows
from benchmarks.words.suite import _results_of
from benchmarks.words.table import WHOLE, as_document, markdown, misses_in, remarks_on
from benchmarks.words.trial import Manner, perform
from benchmarks.words.watching import count_steps
from benchmarks.words.worlds import ROOT, place_of
from bt.record import Entries
from semantics.errors import UsageError

RIGHT, DECLINED, ASKED, REFUSED, WRONG, NOT_DONE = Verdict
APPLE, CUP = "(inhand apple0 human0)", "(on cup0 counter0)"
PLACE = place_of("kitchen", "small")


def exchange(*turns, **keys) -> Dialogue:
    return Dialogue.read({"id": "d", "world": "kitchen", "scene": "small", "topics": ["stop"], "turns": turns, **keys})


def turn(*expect, **keys) -> Turn:
    return Turn(**{"id": "d.2", "sentence": "…", "scene": "small", "expect": expect, "number": 2} | keys)


def heard(kind=Kind.UNDER_WAY, outcome="achieved", **keys) -> Row:
    """A row of a turn, in which the cup comes to the counter."""
    usual = {"start": ["(on cup0 table0)"], "trace": [[["(on cup0 counter0)"], ["(on cup0 table0)"]]], "changed": True}
    return Row("d.2", kind, outcome, **usual | keys)


def still(kind=Kind.UNDER_WAY, outcome="achieved", **keys) -> Row:
    return heard(kind, outcome, **{"trace": [], "changed": False} | keys)


def verdict(said: Turn, row: Row, *missed: str) -> Verdict:
    return judge_turn(said, row, PLACE, missed).verdict


def test_the_turns_of_an_exchange_are_read_with_its_scene_and_topics():
    entry = exchange(
        {"say": "bring me the apple", "expect": ["do"], "ends": [APPLE]},
        {"say": "stop", "when": {"after_steps": 2}, "expect": ["stop"], "false": ["(on cup0 table0)"]},
        {"say": "go on", "when": "held", "expect": ["go on"]},
    )
    assert [each.when for each in entry.turns] == [AT_REST, 2, HELD]
    assert [each.id for each in entry.turns] == ["d.1", "d.2", "d.3"]
    assert entry.sentence == "bring me the apple / stop / go on"
    assert [each.groups for each in entry.turns[:2]] == [("openings", "stop"), ("later turns", "stop")]
    assert [each.takes_back for each in entry.turns] == [False, True, False]
    with pytest.raises(UsageError, match="sya"):
        exchange({"sya": "hello", "expect": ["nothing"]})


@pytest.mark.parametrize(
    ("expect", "takes_back"),
    [
        (("stop",), True),
        (("hold", "ask"), True),
        (("edit", "instead", "ask"), True),
        (("edit", "afterwards"), False),
        (("ask", "refuse"), False),
        (("answer", "hold"), False),
    ],
)
def test_words_take_something_back_if_the_robot_must_not_go_on_as_before(expect, takes_back):
    assert turn(*expect).takes_back is takes_back


@pytest.fixture(scope="module")
def talked():
    """An exchange with a wait, a go on, a stop, and words that mean nothing, as it is said to a session."""
    entry = exchange(
        {"say": "bring me the apple", "expect": ["do"], "ends": [APPLE]},
        {"say": "wait", "when": {"after_steps": 1}, "expect": ["hold"], "never": ["(inhand apple0 robot0)"]},
        {"say": "go on", "when": "held", "expect": ["go on"], "ends": [APPLE]},
        {"say": "bring me the banana", "expect": ["do"], "ends": ["(inhand banana0 human0)"], "never": [CUP]},
        {"say": "stop", "when": {"after_steps": 2}, "expect": ["stop"], "never": ["(inhand banana0 human0)"]},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return entry, perform(entry, Manner())


def test_an_exchange_is_said_in_one_session_each_turn_in_its_time(talked):
    _, row = talked
    first, wait, on, banana, stop = row.turns
    assert first.outcome == ""  # the next words come before it is done
    assert first.goals == [[[APPLE]]]
    assert "(at robot0 table0)" in wait.start
    assert (wait.held, wait.kind) == (True, Kind.UNDER_WAY)
    assert (on.was_held, on.held, on.outcome) == (True, False, "achieved")
    assert APPLE in [fact for came, _ in on.trace for fact in came]
    assert APPLE in banana.start
    assert stop.outcome == "stopped"
    assert "(inhand banana0 robot0)" in stop.start  # after two steps
    assert (row.world, len(row.digest)) == ("domains/kitchen/domain.yaml", 64)
    assert 0 < wait.latency < 5


def test_its_turns_are_judged_one_by_one_and_as_a_whole(talked):
    entry, row = talked
    assert [each.verdict for each in judge_turns(entry, row)] == [RIGHT] * 5
    assert judge(entry, row).verdict is RIGHT
    other = replace(entry, turns=(*entry.turns[:3], replace(entry.turns[3], ends=(CUP,)), entry.turns[4]))
    assert [each.verdict for each in judge_turns(other, row)] == [RIGHT, RIGHT, RIGHT, WRONG, RIGHT]
    assert judge(other, row) == Judged(WRONG, "run", judge(other, row).why)
    assert judge(other, row).why.startswith("turn 4: it is heading for (inhand banana0 human0)")


def test_the_turns_of_an_exchange_are_kept_and_read_again(talked, tmp_path):
    _, row = talked
    file = tmp_path / "rows.jsonl"
    file.write_text(row.as_line())
    assert read_rows(file) == {"d": row}


def test_the_table_has_lines_for_turns_and_for_whole_exchanges(talked):
    entry, row = talked
    results = list(_results_of("dialogue", entry, row))
    assert [each.kind for each in results] == ["dialogue"] * 5 + [f"dialogue{WHOLE}"]
    lines = [line.split(" | ")[0] for line in markdown(results).splitlines()[2:]]
    assert lines == [
        "| dialogue",
        "| dialogue: openings",
        "| dialogue: stop",
        "| dialogue: later turns",
        "| dialogue, whole exchanges",
    ]
    assert as_document(results)["sets"]["dialogue"]["times"]["count"] == 3
    remarks = "\n".join(remarks_on(results))
    assert "Words that take something back, without effect: 0 of 2." in remarks
    assert "Said in mid-run: 3." in remarks
    assert list(misses_in(results)) == []


def test_an_exchange_that_broke_off_is_not_done_from_there_on():
    entry = exchange({"say": "hello", "expect": ["nothing"]}, {"say": "bye", "expect": ["nothing"]})
    row = Row("d", Kind.NOTHING, error="KeyError: 'x'", turns=[still(Kind.REFUSAL, "refused")])
    assert [each.verdict for each in judge_turns(entry, row)] == [DECLINED, NOT_DONE]
    assert judge(entry, row) == Judged(NOT_DONE, why="KeyError: 'x'")
    assert [each.judged.verdict for each in _results_of("dialogue", entry, row)] == [DECLINED, NOT_DONE, NOT_DONE]


DO = turn("do", ends=(CUP,))
EDIT = turn("edit", "instead", ends=(CUP,), never=("(on cup0 shelf0)",))


@pytest.mark.parametrize(
    ("said", "row", "expected"),
    [
        (DO, heard(Kind.GOAL), RIGHT),
        (DO, heard(Kind.GOAL, "failed", trace=[]), NOT_DONE),
        (DO, heard(Kind.GOAL, trace=[]), WRONG),
        (DO, still(Kind.REFUSAL, "refused"), REFUSED),
        (DO, still(Kind.QUESTION, "", question="Which?"), ASKED),
        (turn("do", "ask", ends=(CUP,)), still(Kind.QUESTION, "", question="Which?"), DECLINED),
        (turn("do", "refuse", ends=(CUP,)), still(Kind.REFUSAL, "refused"), DECLINED),
        (turn("do", ends=(CUP,), never=("(on cup0 counter0)",)), heard(Kind.GOAL), WRONG),
        (EDIT, heard(), RIGHT),
        (EDIT, heard(outcome="", goals=[[["(on cup0 counter0)"]]], trace=[]), RIGHT),
        (EDIT, heard(outcome="", goals=[[["(on cup0 table0)"]]], trace=[]), WRONG),
        (EDIT, heard(trace=[[["(on cup0 shelf0)"], ["(on cup0 table0)"]]], changed=False, used=False), WRONG),
        (EDIT, still(used=False), REFUSED),
        (EDIT, still("", held=True), ASKED),
        (turn("hold", "ask"), still(outcome="", held=True), RIGHT),
        (turn("stop"), still(outcome="", held=True), ASKED),
        (turn("stop"), still(outcome="stopped"), RIGHT),
        (turn("edit"), still(outcome="stopped"), NOT_DONE),
        (turn("stop"), still(used=True), REFUSED),
        (turn("stop", "hold"), heard(), WRONG),
        (turn("go on", ends=(CUP,)), heard(was_held=True, changed=False), RIGHT),
        (turn("go on", ends=(CUP,)), still(outcome="", was_held=True, held=True), REFUSED),
    ],
)
def test_a_turn_is_judged_by_what_came_of_it(said, row, expected):
    assert verdict(said, row) is expected, judge_turn(said, row, PLACE)


WHERE = turn("answer", answer={"facts": ["(on cup0 table0)"]}, untrue=("(on cup0 shelf0)",))


@pytest.mark.parametrize(
    ("said", "row", "expected"),
    [
        (WHERE, still(Kind.ANSWER, "answered", told=["The cup is on the table."]), RIGHT),
        (WHERE, still(Kind.ANSWER, "answered", told=["The cup is on the shelf."]), WRONG),
        (WHERE, still(Kind.ANSWER, "answered", told=["I have seen it."]), REFUSED),
        (WHERE, still(told=["The cup is on the table."], was_held=True, held=True, outcome=""), RIGHT),
        (WHERE, still(used=False, told=["I heard 'is the cup on the table', and I am busy."]), REFUSED),
        (WHERE, heard(Kind.GOAL, told=["Done."]), WRONG),
        (turn("nothing"), still(Kind.REFUSAL, "refused", told=["It asks for nothing."]), DECLINED),
        (turn("answer", "nothing"), still(Kind.REFUSAL, "refused"), DECLINED),
        (turn("answer"), still(Kind.REFUSAL, "refused"), REFUSED),
        (turn("nothing", ends=(CUP,)), heard(changed=False, used=False), RIGHT),
        (turn("nothing", ends=(CUP,)), still(used=False), WRONG),
        (turn("do", "nothing", ends=(CUP,)), still(Kind.REFUSAL, "refused", start=[CUP]), DECLINED),
        (turn("do", "nothing", ends=(CUP,)), still(Kind.REFUSAL, "refused"), REFUSED),
    ],
)
def test_words_that_change_nothing_are_judged_by_what_is_told(said, row, expected):
    assert verdict(said, row) is expected, judge_turn(said, row, PLACE)


def test_what_an_earlier_turn_did_not_bring_is_not_missed_again():
    both = turn("do", ends=("(and (opened fridge0) (on cup0 counter0))",))
    assert verdict(both, heard(Kind.GOAL)) is WRONG
    assert verdict(both, heard(Kind.GOAL), "(opened fridge0)") is RIGHT
    assert verdict(both, heard(Kind.GOAL, trace=[]), "(opened fridge0)") is WRONG
    turns = (turn("do", ends=("(opened fridge0)",)), both)
    assert missed_in(turns, [Judged(REFUSED)]) == {"(opened fridge0)"}
    assert missed_in(turns, [Judged(DECLINED)]) == frozenset()


def test_a_taking_back_that_is_missed_is_counted_apart():
    assert judge_turn(EDIT, still(used=False), PLACE).missed
    assert judge_turn(EDIT, heard(trace=[[["(on cup0 shelf0)"], []]], changed=False), PLACE).missed
    assert not judge_turn(EDIT, heard(trace=[], outcome="failed"), PLACE).missed
    assert not judge_turn(DO, still(Kind.REFUSAL, "refused"), PLACE).missed
    assert sum_up([Judged(RIGHT), Judged(REFUSED, missed=True), Judged(WRONG)]).missed


def test_an_order_and_a_value_are_looked_for():
    first = turn("edit", ends=(CUP,), order=(("(on mug0 counter0)", CUP),))
    assert verdict(first, heard()) is WRONG
    assert verdict(first, heard(trace=[[["(on mug0 counter0)"], []], [[CUP], []]])) is RIGHT
    plans = [["(pour a b :amount 0.05l)"], ["(pour a b :amount 0.02l)"]]
    assert verdict(turn("edit", values={"amount": 20}), heard(plans=plans)) is RIGHT
    assert verdict(turn("edit", values={"amount": 30}), heard(plans=plans)) is WRONG
    assert verdict(turn("edit", values={"amount": "less"}), heard(plans=plans)) is RIGHT


def test_an_exchange_is_worth_its_worst_turn():
    assert sum_up([Judged(RIGHT), Judged(DECLINED)]).verdict is RIGHT
    assert sum_up([Judged(ASKED), Judged(NOT_DONE), Judged(REFUSED)]) == Judged(NOT_DONE, why="turn 2: ")


def test_something_is_due_where_a_turn_may_not_just_be_declined():
    assert is_goal_due(turn("do", "ask"))
    assert is_goal_due(turn("answer"))
    assert not is_goal_due(turn("nothing"))
    assert not is_goal_due(turn("ask", "refuse"))


def test_steps_are_counted_over_all_plans_of_a_job():
    journal = Entries()
    for event, fields in (
        ("plan", {"why": "first"}),
        ("resume", {"to": 0}),
        ("resume", {"to": 2}),
        ("plan", {"why": "correction"}),
        ("resume", {"to": 2}),
        ("resume", {"to": 3}),
    ):
        journal.write(event, fields)
    assert count_steps(journal) == 3


def test_a_change_in_mid_run_that_a_model_reads_is_followed_and_judged(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    banana, milk = "(inhand banana0 human0)", "(inhand milk0 human0)"
    replies = [{"reply": {"goal": [APPLE]}}, {"reply": {"goal": [banana]}}, {"reply": {"answer": "It is red."}}]
    script = tmp_path / "script.txt"
    script.write_text("".join(f"{json.dumps(json.dumps(each))}\n" for each in replies))
    entry = exchange(
        {"say": "could you see to the apple for me", "expect": ["do"], "ends": [APPLE]},
        {"say": "banana banana", "when": {"after_steps": 1}, "expect": ["instead"], "ends": [banana], "never": [APPLE]},
        {"say": "apple colour", "when": {"after_steps": 2}, "expect": ["answer"], "ends": [banana], "false": [milk]},
    )
    row = perform(entry, Manner(f"scripted:{script}"))
    judged = judge_turns(entry, row)
    assert [each.verdict for each in judged] == [RIGHT, RIGHT, RIGHT], (judged, row)
    _, instead, answer = row.turns
    assert (instead.changed, instead.aims, instead.outcome) == (True, [banana], "")
    assert (answer.changed, answer.outcome) == (False, "achieved")
    assert any("It is red." in text for text in answer.told)
