"""Records as people use them: `graftwork record`, `graftwork report`, and the readers in Python."""

import json
import os
import threading
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bt.errors import RecordError
from bt.record import Recorder
from bt.record_format import EVENTS
from graftwork import Session, follow_record, read_record
from graftwork.cli.app import app
from graftwork.cli.records import WORDS
from graftwork.run.past import read_past
from semantics.errors import UnknownNameError
from tests.bt.event_types import differences
from tests.bt.test_record_format import OLD
from tests.commands import commanded
from tests.graftwork.recorded import mishaps


def command(*words):
    return CliRunner().invoke(app, [*map(str, words)], catch_exceptions=True)


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """The record of a run to which something happened."""
    folder = tmp_path_factory.mktemp("records") / "run"
    with Session("kitchen", "small", robot=mishaps("kitchen", "small", 3), memory=None, record=folder) as session:
        session.handle("put the apple in the fridge and close it")
    return folder


def test_each_event_of_a_run_is_as_the_format_says(record):
    events = read_record(record)
    assert not [told for event in events for told in differences(event)]
    kinds = {
        "start",
        "vocabulary",
        "goal",
        "plan",
        "tree",
        "tick",
        "resume",
        "feedback",
        "failure",
        "rung",
        "view",
        "end",
    }
    assert kinds <= {event["e"] for event in events}


def test_each_event_of_a_run_of_goals_in_an_order_is_as_the_format_says(tmp_path):
    with Session("kitchen", "small", robot="fake", memory=None, record=tmp_path / "run") as session:
        session.handle("open the fridge, then put the apple on the counter")
    events = read_record(tmp_path / "run")
    assert not [told for event in events for told in differences(event)]
    assert any(event.get("later") for event in events)


def test_show_tells_what_happened_and_leaves_out_the_ticks(record):
    told = command("record", "show", record)
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert "start" in lines[0]
    assert "“put the apple in the fridge and close it”" in lines[0]
    assert any(" plan " in line for line in lines)
    assert not any(" tick " in line for line in lines)
    assert "other events not shown (--all)" in lines[-1]
    assert len(command("record", "show", record, "--all").stdout.splitlines()) == len(read_record(record))


def test_show_with_json_is_one_object_with_the_chosen_events(record):
    told = json.loads(command("record", "show", record, "--json", "--event", "plan", "--event", "end").stdout)
    assert told["version"] == 1
    assert {event["e"] for event in told["events"]} == {"plan", "end"}
    every = json.loads(command("record", "show", record, "--json").stdout)
    assert every["events"] == read_record(record)


def test_a_wrong_kind_of_event_is_named_with_the_nearest(record):
    told = command("record", "show", record, "--event", "rug")
    assert isinstance(told.exception, UnknownNameError)
    assert "did you mean rung?" in str(told.exception)


def test_each_kind_of_event_has_words():
    from bt.report.words import TELL

    assert set(WORDS) | set(TELL) == set(EVENTS)


def test_show_of_events_with_other_fields_than_runs_write_is_no_fault(tmp_path):
    with Recorder(tmp_path) as recorder:
        for kind in EVENTS:
            recorder.write(kind, dict.fromkeys(EVENTS[kind].fields, 3))
        recorder.write("later", {"t": "soon", "news": [1]})
    told = command("record", "show", tmp_path, "--all")
    assert told.exit_code == 0
    assert '{"news": [1]}' in told.stdout
    assert len(told.stdout.splitlines()) == len(EVENTS) + 1


def test_the_page_is_made_again(record, tmp_path):
    first = (record / "report.html").read_bytes()
    (record / "report.html").unlink()
    assert command("report", record).stdout.strip() == str(record / "report.html")
    assert (record / "report.html").read_bytes() == first
    page = tmp_path / "page.html"
    assert command("report", record / "record.jsonl", "--out", page).exit_code == 0
    assert page.read_bytes() == first


def test_the_page_of_a_record_that_was_cut_off_is_made(record, tmp_path):
    content = (record / "record.jsonl").read_bytes()
    (tmp_path / "record.jsonl").write_bytes(content[: len(content) // 2])
    assert command("report", tmp_path).exit_code == 0
    assert "Record ends early" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "has no end" in command("record", "show", tmp_path).stderr


@pytest.mark.parametrize("record", OLD, ids=lambda file: file.name)
def test_a_record_of_an_earlier_version_is_shown_followed_and_known_to_be_done(record):
    for verb in ("show", "tail"):
        told = command("record", verb, record, "--all")
        assert told.exit_code == 0, told.output
        assert len(told.stdout.splitlines()) == len(read_record(record))
        assert "Achieved" in told.stdout.splitlines()[-1]
    assert read_past(record).is_settled


@pytest.mark.parametrize("verb", [("record", "show"), ("record", "tail"), ("report",)])
def test_a_record_of_a_later_version_is_refused_with_the_reason(verb, tmp_path):
    (tmp_path / "record.jsonl").write_text('{"v":2,"e":"start","instruction":"open the fridge"}\n')
    told = command(*verb, tmp_path)
    assert isinstance(told.exception, RecordError)
    assert "version 2, from a later graftwork" in str(told.exception)


@pytest.mark.parametrize("verb", [("record", "show"), ("record", "tail"), ("report",)])
def test_what_is_no_record_is_refused(verb, tmp_path):
    text = tmp_path / "thesis.txt"
    text.write_text("years of work\n")
    for place in (text, tmp_path / "missing", Path("/dev/null")):
        assert isinstance(command(*verb, place).exception, RecordError)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_an_event_is_yielded_when_it_is_written(tmp_path):
    recorder = Recorder(tmp_path)
    recorder.write("note", {"t": 0.0, "text": "first"})
    events = follow_record(tmp_path, wait=0.01)
    assert next(events)["text"] == "first"
    later = threading.Timer(0.1, recorder.write, ("note", {"t": 1.0, "text": "second"}))
    later.start()
    assert next(events)["text"] == "second"
    with recorder.path.open("ab", buffering=0) as file:
        file.write(b'{"v":1,"e":"no')  # half of a line is no event
        end = threading.Timer(0.1, file.write, (b'te","t":2.0,"text":""}\n{"v":1,"e":"end"}\n',))
        end.start()
        assert [event["e"] for event in events] == ["note", "end"]
        end.join()
    recorder.close()


def test_tail_follows_the_run_of_another_process(tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAFTWORK_")}
    runs = threading.Thread(
        target=commanded,
        args=(("run", "open the fridge", "--scene", "small", "--robot", "fake", "--no-memory", "--record", "run"),),
        kwargs={"folder": tmp_path, "environment": kept},
    )
    runs.start()
    until = time.monotonic() + 60
    while not (tmp_path / "run" / "record.jsonl").exists() and time.monotonic() < until:
        time.sleep(0.01)
    told = commanded(("record", "tail", "run", "--json"), tmp_path, kept, seconds=60)
    runs.join()
    assert told.returncode == 0
    assert [json.loads(line) for line in told.stdout.splitlines()] == read_record(tmp_path / "run")
