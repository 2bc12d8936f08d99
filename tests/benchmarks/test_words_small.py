"""The replies of a small model: what it is asked, how they are read, and that what is wrong is not done unasked."""

import json
from collections import Counter
from itertools import groupby

import pytest

from benchmarks.words import small, suite
from benchmarks.words.entries import Instruction
from benchmarks.words.judge import Judged, Verdict, judge
from benchmarks.words.rows import Kind, Row, read_rows
from benchmarks.words.small_requests import COUNTS, LESSONS, misfits, requests
from benchmarks.words.trial import Manner, perform
from benchmarks.words.worlds import ROOT
from graftwork.language.replayed import ReplayedModel
from graftwork.language.replies import read_reply
from semantics.errors import UsageError
from semantics.logic.reply import Reply
from semantics.logic.reply_form import FORMS, reply_schema
from tests.loopback import LoopbackServer

ASKED = requests()


def of_kind(kind):
    return next(request for request in ASKED if request.kind == kind)


def test_300_replies_are_asked_for_at_least_33_of_each_kind():
    assert Counter(request.kind for request in ASKED) == COUNTS
    assert sum(COUNTS.values()) == 300
    assert len({request.id for request in ASKED}) == 300


def test_those_of_a_scene_follow_each_other_so_that_its_prefix_is_read_once():
    scenes = [scene for scene, _ in groupby(request.entry.scene for request in ASKED)]
    assert len(scenes) == len({*scenes})
    openings = [opening for opening, _ in groupby(request.messages[:-1] for request in ASKED)]
    assert len(openings) == len({(request.entry.scene, request.kind) for request in ASKED})


@pytest.mark.parametrize("kind", COUNTS)
def test_the_lessons_are_replies_and_the_schema_is_part_of_that_of_a_session(kind):
    replies = [message.content for message in of_kind(kind).messages if message.role == "assistant"]
    assert len(replies) == len(LESSONS[kind])
    assert all(isinstance(read_reply(reply, (kind,)), Reply) for reply in replies)
    narrow, (wide,) = of_kind(kind).schema["properties"]["reply"], reply_schema((kind,))["properties"]["reply"]["anyOf"]
    assert narrow["properties"].keys() == wide["properties"].keys() == {*FORMS[kind].keys, "note"}
    assert narrow["required"] == wide["required"]


@pytest.mark.parametrize(
    ("goal", "fits"),
    [
        (["(on {carry} {support})"], True),
        (["(forall (?x - fruit) (on ?x {support}))"], True),
        (["(on {support} {carry})"], False),
        (["(on nothing0 {support})"], False),
        (["(on {carry} {support}) and more"], False),
        ([], False),
        ("(on {carry} {support})", False),
    ],
)
def test_a_goal_fits_with_the_names_of_the_scene_where_the_world_takes_them(goal, fits):
    request = next(each for each in ASKED if each.kind == "goal" and each.entry.scene == "full")
    names = {"carry": "cup0", "support": "table0"}
    filled = [text.format(**names) for text in goal] if isinstance(goal, list) else goal.format(**names)
    reply = {"goal": filled, "prefer": None, "note": None}
    assert (not list(misfits({"reply": reply}, request.schema))) is fits
    assert list(misfits({"reply": {**reply, "more": 1}}, request.schema))
    assert list(misfits({"goal": filled}, request.schema))


def test_every_reply_is_recorded_with_its_request_as_it_is_today():
    recorded = ReplayedModel(small.REPLIES)
    assert len(recorded) == 300
    for request in ASKED:
        assert recorded.complete(request.messages, schema=request.schema).text


def test_a_server_is_asked_for_draws_with_a_seed_of_each_request(tmp_path, monkeypatch):
    monkeypatch.setattr(small, "REPLIES", tmp_path / "replies.jsonl")
    asked = [of_kind("answer"), of_kind("refusal")]
    with LoopbackServer('{"reply": {"answer": "It is a nice day.", "note": null}}') as server:
        told = dict(small._replies(asked, server.base_url))
        again = dict(small._replies(asked, server.base_url))
    assert told == again
    assert [request["seed"] for request in server.requests] == [each.seed for each in asked]
    assert {request["temperature"] for request in server.requests} == {0.8}
    assert small._why_unusable(asked[0], told[asked[0]]) == ""
    assert "refusal" in small._why_unusable(asked[1], told[asked[1]])


def outcome(kind, wrong, row_kind, verdict):
    request = of_kind(kind)
    return small.Outcome(request, "{}", wrong, Row(request.id, row_kind), Judged(verdict))


def test_the_table_counts_what_is_done_apart_from_what_is_asked():
    table = small.table_of(
        [
            outcome("goal", "", Kind.GOAL, Verdict.WRONG),
            outcome("goal", "", Kind.GOAL, Verdict.RIGHT),
            outcome("goal", "", Kind.OFFER, Verdict.ASKED),
            outcome("program", "", Kind.ALREADY, Verdict.WRONG),
            outcome("plan", "it cannot be read", Kind.NOTHING, Verdict.NOT_DONE),
        ]
    )
    lines = {cells[0]: cells[1:] for line in table.splitlines() if (cells := line.strip("| ").split(" | "))}
    assert lines["goal"] == ["3", "3", "2", "1", "1", "0", "1", "0", "0"]
    assert lines["all"][0] == "5"
    assert lines["all"][1].startswith("4 (")
    assert lines["all"][4].startswith("1 (")


def test_the_replies_to_a_sentence_are_tried_and_kept(tmp_path, capsys):
    into = tmp_path / "rows.jsonl"
    words = [
        "--set",
        "small",
        "--only",
        "saycan_primitive-04",
        "--into",
        str(into),
        "--json",
        str(tmp_path / "all.json"),
    ]
    assert suite.main(words) == 0
    told = capsys.readouterr()
    count = sum(request.entry.id == "saycan_primitive-04" for request in ASKED)
    assert told.out.splitlines()[-1].startswith(f"| all | {count} | {count} (")
    assert f"{count} of {count}" in told.err
    assert len(read_rows(into)) == len(json.loads((tmp_path / "all.json").read_text())) == count
    assert suite.main(words) == 0
    assert capsys.readouterr().err == ""


def test_it_is_tried_alone_and_for_half_a_only():
    with pytest.raises(UsageError, match="alone"):
        suite.main(["--set", "small", "slips"])
    with pytest.raises(UsageError, match="half a"):
        suite.main(["--set", "small", "--half", "b"])


def test_a_goal_that_holds_already_is_no_wrong_one_where_it_was_asked_about_first(monkeypatch):
    monkeypatch.chdir(ROOT)
    entry = Instruction(id="i", sentence="open the fridge", scene="small", names=True, ends=("(opened fridge0)",))
    row = perform(entry, Manner(said='{"reply": {"goal": ["(on cup0 table0)"]}}'))
    assert (row.kind, row.outcome, row.goals) == (Kind.OFFER, "already", [[["(on cup0 table0)"]]])
    assert "cup0" in row.question
    assert judge(entry, row).verdict is Verdict.ASKED
