"""The sets of wordings and of SayCan: how their files are read, and what is worth what in them."""

import json
from itertools import pairwise

import pytest

from benchmarks.words import suite
from benchmarks.words.entries import Instruction, SayCan, Wording, load
from benchmarks.words.judge import Judged, Verdict, is_goal_due, judge
from benchmarks.words.rows import Kind, Row, read_rows
from benchmarks.words.table import Result, remarks_on
from benchmarks.words.trial import Manner, perform
from benchmarks.words.worlds import ROOT
from semantics.errors import UsageError

RIGHT, DECLINED, ASKED, REFUSED, WRONG, NOT_DONE = Verdict

WORDING = """
- id: wording-77
  world: tabletop
  scene: four
  ends: ["(in red_block blue_bowl)"]
  reject: []
  wordings: ["Put the red block in the blue bowl.", "into the blue bowl with the red block"]
"""
SAYCAN = """
- {id: saycan-001, family: Verb, scene: sodas, ends: ["(inhand pepsi0 human0)"]}
- {id: saycan-002, family: Noun, scene: sodas, ends: [], inexpressible: "no such thing"}
- {id: saycan-003, family: Noun, scene: sodas, ends: [], refuse: true}
"""
SAID = {
    "instructions": [
        {
            "id": f"saycan-00{i}",
            "instruction": "How would you bring me it?",
            "instruction_bare": "bring me it",
        }
        for i in (1, 2, 3)
    ]
}


def test_each_wording_of_a_goal_is_an_entry_of_its_world(tmp_path):
    (tmp_path / "wording_a.yaml").write_text(WORDING)
    first, second = load("wording", folder=tmp_path)
    assert isinstance(first, Wording)
    assert (first.id, second.id) == ("wording-77.01", "wording-77.02")
    assert second.sentence == "into the blue bowl with the red block"
    assert first.groups == second.groups == ("tabletop",)
    goal = Row("w", Kind.GOAL, "planned", [[["(in red_block blue_bowl)"]]])
    assert judge(second, goal) == Judged(RIGHT, "logic")


def test_a_reader_is_told_of_how_many_goals_all_wordings_are_right():
    entries = [Wording(id=f"wording-{i}.0{j}", sentence="…", scene="small") for i in (1, 2) for j in (1, 2)]
    verdicts = (RIGHT, DECLINED, RIGHT, REFUSED)
    results = [Result("wording", each, Row(each.id), Judged(v)) for each, v in zip(entries, verdicts, strict=True)]
    assert list(remarks_on(results)) == ["All wordings are right of 1 of 2 goals."]


@pytest.fixture
def data(tmp_path):
    (tmp_path / "saycan_101.json").write_text(json.dumps(SAID))
    (tmp_path / "saycan_a.yaml").write_text(SAYCAN)
    return tmp_path


def test_the_words_of_saycan_come_from_its_data_in_either_form(data):
    first, *_ = load("saycan", folder=data, data=data)
    assert (first.sentence, first.world) == ("How would you bring me it?", "office")
    assert load("saycan", folder=data, data=data, bare=True)[0].sentence == "bring me it"
    (data / "saycan_a.yaml").write_text("- {id: saycan-200, family: Verb, scene: sodas}\n")
    with pytest.raises(UsageError, match="saycan-200"):
        load("saycan", folder=data, data=data)


def test_without_the_data_it_is_said_how_to_give_them(tmp_path):
    with pytest.raises(UsageError, match="--data"):
        suite.main(["--set", "saycan"])
    with pytest.raises(UsageError, match=r"saycan_101\.json"):
        suite.main(["--set", "saycan", "--data", str(tmp_path)])


def test_what_cannot_be_expressed_stands_in_lines_of_its_own(data):
    entries = load("saycan", folder=data, data=data)
    assert [each.groups for each in entries] == [
        ("Verb", "expressible"),
        ("Noun", "inexpressible"),
        ("Noun", "to be declined"),
    ]
    assert [is_goal_due(each) for each in entries] == [True, False, False]
    refused = Row("s", Kind.REFUSAL, "refused")
    assert [judge(each, refused).verdict for each in entries] == [REFUSED, DECLINED, DECLINED]
    done = Row("s", Kind.GOAL, "planned", [[["(inhand pepsi0 human0)"]]])
    assert [judge(each, done).verdict for each in entries] == [RIGHT, WRONG, WRONG]


VISIT = (("(at robot0 close_counter0)", "(at robot0 trash0)"), ("(at robot0 trash0)", "(at robot0 table0)"))


def test_facts_in_any_order_must_each_come_true_once():
    places = ("trash0", "table0", "close_counter0")
    free = SayCan(id="s", sentence="…", scene="plain", order=VISIT, any_order=True)
    strict = SayCan(id="s", sentence="…", scene="plain", order=VISIT)
    goals = Row("s", Kind.GOAL, "planned", [[[f"(at robot0 {place})"]] for place in places])
    assert judge(free, goals).verdict is RIGHT
    assert judge(strict, goals).verdict is WRONG
    facts = ["(at robot0 floor0)", *(f"(at robot0 {place})" for place in places)]
    trace = [[[now], [then]] for then, now in pairwise(facts)]
    run = Row("s", Kind.PROGRAM, "achieved", start=facts[:1], trace=trace)
    assert judge(free, run).verdict is RIGHT
    assert judge(strict, run).verdict is WRONG
    assert judge(free, Row("s", Kind.PROGRAM, "achieved", start=facts[:1], trace=trace[:2])).verdict is WRONG


def test_what_was_done_before_the_words_is_carried_out_and_so_are_the_words(monkeypatch):
    monkeypatch.chdir(ROOT)
    entry = Instruction(
        id="i",
        sentence="put the cup on the shelf",
        scene="small",
        names=True,
        done=("(inhand cup0 robot0)",),
        ends=("(on cup0 shelf0)",),
    )
    row = perform(entry, Manner())
    assert "(inhand cup0 robot0)" in row.start
    assert (row.outcome, row.steps) == ("achieved", [])
    assert judge(entry, row).verdict is RIGHT


def test_a_recording_of_a_later_set_is_read_again_in_the_worlds_that_it_was_made_in(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    answer = json.dumps({"reply": {"goal": ["(in juice0 fridge0)"]}})
    (tmp_path / "script.txt").write_text(f"{json.dumps(answer)}\n")
    (tmp_path / "replies").mkdir()
    words = ["--set", "wording", "--only", "wording-01.08", "--model", "scripted:script.txt"]
    assert suite.main([*words, "--record-model", "replies/wording-a.jsonl", "--into", "rows.jsonl"]) == 0
    (row,) = read_rows(tmp_path / "rows.jsonl").values()
    assert row.world == "domains/kitchen/domain.yaml"
    monkeypatch.setattr(suite, "REPLIES", tmp_path / "replies")
    capsys.readouterr()
    assert suite.main(["--set", "replies", "--only", "wording-01.08", "--into", "again.jsonl"]) == 0
    (again,) = read_rows(tmp_path / "again.jsonl").values()
    assert again.world == str(tmp_path / "replies/wording-a.jsonl.worlds/kitchen/domain.yaml")
    assert (again.goals, again.unrecorded) == (row.goals, False)
    assert "| replies wording-a | 1 | 1 |" in capsys.readouterr().out
