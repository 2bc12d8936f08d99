"""The data of the words, how it is read and frozen, how entries are tried, and what the suite prints."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.words import suite
from benchmarks.words.crew import Job, results_of
from benchmarks.words.entries import KINDS, Instruction, Program, Slip, load
from benchmarks.words.judge import Judged, Verdict, judge
from benchmarks.words.rows import Kind, Row, read_rows
from benchmarks.words.slips import judge_slip, misread_cuts, read_slip
from benchmarks.words.table import Result, as_document, markdown, misses_in, remarks_on
from benchmarks.words.trial import Manner, perform
from benchmarks.words.worlds import (
    ROOT,
    SUMS,
    copy_of,
    digests,
    keep_worlds,
    place_of,
    scene_file,
    world_file,
    worlds_beside,
)
from semantics.errors import UsageError
from semantics.logic.reply import ProgramText

COUNTS = {
    "household": 130,
    "refusals": 30,
    "programs": 20,
    "questions": 20,
    "corrections": 20,
    "slips": 36,
    "wording": 180,
    "dialogue": 40,
    "spatial": 50,
    "saycan": 51,
    "moving": 30,
}


CONDITIONS = ("ends", "part", "reject", "never", "passes", "done", "untrue")


@pytest.fixture(scope="module")
def saycan(tmp_path_factory):
    """A folder with words for each instruction of SayCan's, which are not part of the project."""
    folder = tmp_path_factory.mktemp("saycan")
    said = [
        {"id": f"saycan-{i:03}", "instruction": "How would you bring me a coke?", "instruction_bare": "bring me a coke"}
        for i in range(1, 102)
    ]
    (folder / "saycan_101.json").write_text(json.dumps({"instructions": said}))
    return folder


def test_no_file_of_the_data_and_of_its_worlds_was_changed():
    told = (line.split("  ") for line in SUMS.read_text(encoding="utf-8").splitlines())
    assert {name: digest for digest, name in told} == digests()


@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_of_half_a_is_read(kind, saycan):
    entries = load(kind, data=saycan)
    assert len(entries) == COUNTS[kind]
    assert len({entry.id for entry in entries}) == len(entries)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "slips"])
def test_every_condition_of_half_a_can_be_read_in_its_scene(kind, saycan):
    entries = load(kind, data=saycan)
    for said in (turn for entry in entries for turn in getattr(entry, "turns", (entry,))):
        place = place_of(said.world, said.scene)
        ways = [end for way in getattr(said, "ways", ()) for ends in way.ends for end in ends]
        texts = (text for name in CONDITIONS for text in getattr(said, name, ()))
        for text in (*texts, *ways, *getattr(said, "answer", {}).get("facts", ())):
            place.condition(text)
        for pair in getattr(said, "order", ()):
            assert [place.condition(text) for text in pair]


def test_an_entry_with_an_unknown_key_is_an_error(tmp_path):
    (tmp_path / "refusals_a.yaml").write_text("- {id: a, sentence: x, scene: small, rigth: [ask]}\n")
    with pytest.raises(UsageError, match="rigth"):
        load("refusals", folder=tmp_path)
    with pytest.raises(UsageError, match="half 'c'"):
        load("refusals", "c")


def test_a_world_is_named_by_a_path_that_is_the_same_on_every_machine():
    assert world_file("kitchen") == Path("domains/kitchen/domain.yaml")
    assert scene_file("kitchen", "home1") == Path("benchmarks/words/scenes/home1.yaml")
    assert (ROOT / scene_file("pizza", "corner")).exists()


def test_a_model_is_told_of_the_first_sets_the_worlds_of_their_time():
    copy = Path("benchmarks/words/worlds/kitchen/domain.yaml")
    assert world_file("kitchen", "openai:any", has_copies=True) == copy_of("kitchen") == copy
    assert world_file("kitchen", "offline", has_copies=True) == world_file("kitchen", "openai:any")
    assert world_file("office") == copy_of("office")  # a world that is not shipped


def test_a_recording_keeps_the_worlds_that_it_was_made_in(tmp_path):
    recording = tmp_path / "recorded.jsonl"
    keep_worlds(recording, ["office"])
    keep_worlds(recording, ["office"])
    kept = world_file("office", f"replay:{recording}")
    assert kept == worlds_beside(recording) / "office" / "domain.yaml"
    place, of_today = place_of("office", "sodas", str(kept)), place_of("office", "sodas")
    assert place.domain.classes.keys() == of_today.domain.classes.keys()
    kept.write_text(kept.read_text() + "# changed\n")
    with pytest.raises(UsageError, match="office has changed"):
        keep_worlds(recording, ["office"])
    assert world_file("kitchen", f"replay:{recording}", has_copies=True) == copy_of("kitchen")


@pytest.fixture
def at_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.usefixtures("at_root")
def test_a_sentence_is_decided_and_not_carried_out():
    entry = Instruction(
        id="i", sentence="bring me the apple", scene="small", names=True, ends=("(inhand apple0 human0)",)
    )
    row = perform(entry, Manner())
    assert (row.kind, row.outcome, row.goals, row.trace) == (Kind.GOAL, "planned", [[["(inhand apple0 human0)"]]], [])
    assert judge(entry, row) == Judged(Verdict.RIGHT, "logic")


@pytest.mark.usefixtures("at_root")
def test_what_is_hidden_is_looked_for():
    entry = Instruction(
        id="i", sentence="bring me the cheese", scene="flat1", names=True, ends=("(inhand cheese0 human0)",)
    )
    row = perform(entry, Manner())
    assert (row.kind, row.looks_for, row.outcome) == (Kind.GOAL, "cheese0", "achieved")
    assert "(opened fridge0)" in [fact for came, _ in row.trace for fact in came]


@pytest.mark.usefixtures("at_root")
@pytest.mark.parametrize(
    ("reply", "kind"),
    [({"goal": ["(on cup0 counter0)"]}, Kind.GOAL), ({"question": "Which cup?"}, Kind.QUESTION)],
)
def test_a_model_is_asked_recorded_and_replayed(tmp_path, reply, kind):
    script, recorded = tmp_path / "script.txt", tmp_path / "recorded.jsonl"
    script.write_text(f"{json.dumps(json.dumps({'reply': reply}))}\n")
    entry = Instruction(id="i", sentence="could you see to the cup on the counter", scene="small", names=True)
    row = perform(entry, Manner(f"scripted:{script}", recorded))
    assert (row.kind, row.calls) == (kind, 1), row
    again = perform(entry, Manner(f"replay:{recorded}"))
    assert (again.kind, again.goals, again.unrecorded) == (kind, row.goals, False)
    assert str(ROOT) not in recorded.read_text()  # a prompt is the same on every machine
    other = perform(
        Instruction(id="i", sentence="another one", scene="small", names=True), Manner(f"replay:{recorded}")
    )
    assert (other.kind, other.unrecorded) == (Kind.NOTHING, True)


PROGRAM = """
x = ask("Would you like milk or juice?")
achieve("(inhand juice0 human0)")
say("Here is " + x)
"""


@pytest.mark.usefixtures("at_root")
def test_a_program_is_carried_out_with_a_person_who_answers():
    entry = Program(
        id="i",
        sentence=ProgramText(PROGRAM),
        scene="small",
        ends=("(inhand juice0 human0)",),
        answers={"milk": "juice please"},
        says=("juice",),
        never=("(inhand milk0 human0)",),
        passes=("(inhand juice0 robot0)", "(inhand juice0 human0)"),
    )
    row = perform(entry, Manner())
    assert (row.kind, row.outcome) == (Kind.PROGRAM, "achieved"), row
    assert "Here is juice please" in row.told
    assert judge(entry, row) == Judged(Verdict.RIGHT, "run")
    assert judge(replace(entry, says=("cheers",)), row).verdict is Verdict.WRONG
    silent = perform(replace(entry, answers={}), Manner())
    assert judge(entry, silent).verdict is Verdict.NOT_DONE


@pytest.mark.usefixtures("at_root")
def test_the_trials_of_programs_questions_and_corrections_are_written_down():
    by_id = {entry.id: entry for kind in ("programs", "questions", "corrections") for entry in load(kind)}
    asked = perform(by_id["question-a02"], Manner())
    assert "(on apple0 counter0)" in asked.start  # what was done before the question
    stopped = perform(by_id["correction-a06"], Manner())
    assert (stopped.kind, stopped.outcome) == (Kind.UNDER_WAY, "stopped")
    assert "(opened fridge0)" in stopped.start  # after two steps
    waiting = perform(by_id["correction-a07"], Manner())
    assert (waiting.held, waiting.outcome) == (True, "")


def test_rows_are_kept_as_lines_and_a_cut_line_is_ignored(tmp_path):
    file = tmp_path / "rows.jsonl"
    row = Row("household/i", Kind.OFFER, goals=[[["(on cup0 counter0)"]]], start=["(a)"], trace=[[["(b)"], ["(a)"]]])
    file.write_text(row.as_line() + Row("x").as_line()[:20])
    assert read_rows(file) == {"household/i": row}
    assert list(row.states) == [frozenset({"(a)"}), frozenset({"(b)"})]


def tried(name: str, seconds: float = 0.0) -> Row:
    time.sleep(seconds)
    if name == "dies":
        os._exit(3)
    return Row(name, Kind.ANSWER)


def test_entries_are_tried_in_several_processes_and_one_that_dies_costs_one_entry():
    jobs = [Job(f"set/{name}", tried, (name,)) for name in ("a", "dies", "b", "c")]
    rows = dict(results_of(jobs, 2))
    assert {key: row.kind for key, row in rows.items()} == {
        "set/a": Kind.ANSWER,
        "set/dies": Kind.NOTHING,
        "set/b": Kind.ANSWER,
        "set/c": Kind.ANSWER,
    }
    assert rows["set/dies"].error == "its process ended with 3"


def test_who_stops_listening_ends_all_processes():
    results = results_of([Job(f"set/{i}", tried, (str(i), 0.0 if i == 0 else 60.0)) for i in range(4)], 2)
    began = time.monotonic()
    next(results)
    results.close()
    assert time.monotonic() - began < 30


def result(kind: str, entry: Instruction, verdict: Verdict, by: str = "logic") -> Result:
    return Result(kind, entry, Row(entry.id, calls=2, tokens=100), Judged(verdict, by))


def test_the_table_counts_verdicts_by_set_and_group_with_intervals():
    entries = [
        Instruction(id=f"{group}-{i}", sentence="", scene="small", names=True, group=group)
        for group in "xy"
        for i in "12"
    ]
    verdicts = (Verdict.RIGHT, Verdict.WRONG, Verdict.RIGHT, Verdict.DECLINED)
    results = [result("household", entry, verdict) for entry, verdict in zip(entries, verdicts, strict=True)]
    lines = markdown(results).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| household", "| household: x", "| household: y"]
    assert "75% (30% to 95%)" in lines[2]
    figures = as_document(results)["sets"]["household"]
    assert (figures["right_where_due"][0], figures["due"], figures["tokens"]) == (2, 4, 100)


def test_a_reader_is_told_how_verdicts_came_about_and_what_is_to_be_asked_again():
    entries = [Instruction(id=name, sentence="…", scene="small", names=True) for name in "abcd"]
    rows = [Row("a"), Row("b", Kind.OFFER), Row("c", unrecorded=True), Row("d")]
    judged = [
        Judged(Verdict.WRONG, "simulation", "its plan leads elsewhere"),
        Judged(Verdict.RIGHT, "logic"),
        Judged(Verdict.NOT_DONE),
        Judged(Verdict.RIGHT, "logic", "asks for more: (a b)"),
    ]
    results = [Result("household", *each) for each in zip(entries, rows, judged, strict=True)]
    remarks = list(remarks_on(results))
    assert [line.rpartition(": ")[2] for line in remarks] == ["a.", "b.", "c.", "(a b)."]
    assert [line.split()[2] for line in misses_in(results)] == ["a,", "c,"]


SLIP = Slip(
    id="s",
    format="bare",
    text='{"reply": {"goal": ["(and (a b) (c d))"]}}',
    means={"goal": ["(and (c d) (a b))"]},
    why="",
)


@pytest.mark.parametrize(
    ("means", "text", "verdict"),
    [
        (SLIP.means, SLIP.text, Verdict.RIGHT),
        ({"goal": ["(a b)"]}, SLIP.text, Verdict.WRONG),
        ("none", SLIP.text, Verdict.WRONG),
        ("none", "Let me think.", Verdict.DECLINED),
        (SLIP.means, "Let me think.", Verdict.REFUSED),
        (
            {"query": {"ask": "count", "about": ["b", "a"]}},
            '{"query": {"ask": "count", "about": ["a", "b"]}}',
            Verdict.RIGHT,
        ),
    ],
)
def test_a_malformed_answer_is_read_as_it_is_meant_or_not_at_all(means, text, verdict):
    entry = Slip(id="s", format="bare", text=text, means=means, why="")
    assert judge_slip(entry, read_slip(entry)).verdict is verdict


def test_a_cut_answer_is_nothing_else():
    assert list(misread_cuts(SLIP)) == []
    lines = Slip(id="s", format="lines", text="1. (a b)\n2. (c d)", means={"plan": ["(a b)", "(c d)"]}, why="")
    assert [found["plan"] for _, found in misread_cuts(lines)][:1] == [["(a b)"]]


def test_results_are_kept_and_not_tried_again(tmp_path, capsys, monkeypatch):
    into, report = tmp_path / "rows.jsonl", tmp_path / "report.json"
    monkeypatch.chdir(tmp_path)
    words = ["--set", "refusals", "--only", "refusal-a17", "refusal-a14", "--into", str(into), "--json", str(report)]
    assert suite.main(words) == 0
    assert len(into.read_text().splitlines()) == 2
    assert json.loads(report.read_text())["sets"]["refusals"]["verdicts"]["rightly declined"] == 2
    first = capsys.readouterr()
    assert "2 of 2" in first.err
    assert suite.main(words) == 0
    assert capsys.readouterr().err == ""
    assert len(into.read_text().splitlines()) == 2


def test_the_exchanges_of_all_processes_come_into_one_recording(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    answer = json.dumps({"reply": {"refusal": "No.", "missing": None}})
    Path("script.txt").write_text(f"{json.dumps(answer)}\n")
    words = ["--set", "refusals", "--only", "refusal-a17", "refusal-a14", "--jobs", "2"]
    assert suite.main([*words, "--model", "scripted:script.txt", "--record-model", "recorded.jsonl"]) == 0
    assert len(Path("recorded.jsonl").read_text().splitlines()) == 2
    assert not Path("recorded.jsonl.parts").exists()
    monkeypatch.setattr(suite, "REPLIES", tmp_path / "replies")
    (tmp_path / "replies").mkdir()
    Path("recorded.jsonl").rename("replies/refusals.jsonl")
    capsys.readouterr()
    assert suite.main(["--set", "replies", "--only", "refusal-a17", "refusal-a14", "refusal-a24"]) == 0
    assert "lack their prompt (1 of 3): refusal-a24." in capsys.readouterr().out


def test_an_interrupt_ends_it_with_what_was_done(tmp_path):
    into = tmp_path / "rows.jsonl"
    words = [sys.executable, "-m", "graftwork", "bench", "words", "--set", "household", "--into", str(into)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr is not None
        assert "1 of " in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == suite.INTERRUPTED
    assert "interrupted" in told
    assert 1 <= len(read_rows(into)) < 130


def test_what_is_no_option_and_what_is_not_there_is_told(monkeypatch):
    with pytest.raises(UsageError, match="--nothing"):
        suite.main(["--set", "slips", "--nothing"])
    monkeypatch.setattr(suite, "COPAL", "benchmarks.words.no_such_suite")
    with pytest.raises(UsageError, match=r"copal\.py"):
        suite.main(["--set", "copal", "--data", "x"])
