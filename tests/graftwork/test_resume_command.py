"""``graftwork run --resume`` and ``graftwork serve``: what they say, and with which exit code they end."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from typer.testing import CliRunner

from bt.record import Recorder, read_record
from graftwork.cli.app import app
from graftwork.run.past import read_past
from graftwork.setup.settings import load_settings
from semantics.errors import OutsideError, UsageError

START = {"instruction": "open the fridge", "domain": "kitchen", "scene": "small", "robot": "fake", "model": "offline"}


def run(*words: str):
    return CliRunner().invoke(app, ["run", "--no-memory", *words], catch_exceptions=True)


def recorded(folder: Path, **end: object) -> Path:
    with Recorder(folder) as record:
        record.write("start", {**START, "seed": 0})
        record.write("goal", {"text": "open the fridge", "formula": "(opened fridge0)", "notes": []})
        if end:
            record.write("end", end)
    return folder


def test_either_words_or_a_record_are_needed_and_not_both(tmp_path: Path):
    for words in ((), ("open the fridge", "--resume", str(tmp_path))):
        assert isinstance(run(*words).exception, UsageError)


def test_a_run_that_is_done_is_not_done_again(tmp_path: Path):
    folder = recorded(tmp_path / "one", outcome="achieved", seconds=1.0, summary="Done.")
    told = run("--resume", str(folder), "--json")
    assert told.exit_code == 0
    episode = json.loads(told.stdout)
    assert (episode["outcome"], episode["goal"], episode["ticks"]) == ("already", "(opened fridge0)", 0)
    assert "had ended (achieved)" in episode["message"]
    assert not (tmp_path / "one-2").exists()


@pytest.mark.parametrize("end", [{}, {"outcome": "failed", "seconds": 1.0, "summary": "It did not work."}])
def test_a_run_that_is_not_done_is_gone_on_with_and_recorded_beside(tmp_path: Path, end: dict[str, object]):
    folder = recorded(tmp_path / "one", **end)
    told = run("--resume", str(folder), "--json")
    assert told.exit_code == 0
    episode = json.loads(told.stdout)
    assert (episode["outcome"], episode["scene"], episode["robot"]) == ("achieved", "small", "fake")
    assert read_record(tmp_path / "one-2")[0]["resumes"]["record"] == str(folder)
    assert str(folder) in (tmp_path / "one-2" / "report.html").read_text()


def test_what_the_command_line_says_goes_before_what_the_record_says(tmp_path: Path):
    folder = recorded(tmp_path / "one")
    told = run("--resume", str(folder), "--robot", f"served:{tmp_path / 'nowhere'}", "--json")
    assert told.exit_code == 5
    assert "no body is served there" in json.loads(told.stdout)["message"]


def test_a_record_that_is_not_there_is_bad_usage(tmp_path: Path):
    assert isinstance(run("--resume", str(tmp_path / "none")).exception, UsageError)


def test_a_socket_is_taken_from_the_folder_of_whoever_names_it(tmp_path: Path):
    settings = load_settings({"robot": "served:body"}, environment={}, folder=tmp_path)
    assert settings.robot == f"served:{tmp_path / 'body'}"
    assert isinstance(run("open the fridge", "--robot", "served:").exception, UsageError)


def test_a_served_body_serves_until_it_is_interrupted(tmp_path: Path):
    command = [sys.executable, "-m", "graftwork", "serve", "--scene", "small", "--robot", "fake", "--at", "body"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout.readline().startswith("fake in small at body")
            told = run("open the fridge", "--scene", "small", "--robot", f"served:{tmp_path / 'body'}", "--json")
            assert json.loads(told.stdout)["robot"] == "served"
            assert told.exit_code == 0
            again = run("open the fridge", "--scene", "small", "--robot", f"served:{tmp_path / 'body'}", "--json")
            assert json.loads(again.stdout)["outcome"] == "already"
            os.kill(server.pid, signal.SIGINT)
            assert server.wait(timeout=30) == 0
        finally:
            server.kill()
    assert not (tmp_path / "body").exists()


def test_what_is_served_already_is_not_served_again(tmp_path: Path):
    for words in (["--robot", "served:x"], ["--robot", "fake", "--at", str(tmp_path / "no" / "folder")]):
        told = CliRunner().invoke(app, ["serve", "--scene", "small", "--at", str(tmp_path / "body"), *words])
        assert isinstance(told.exception, UsageError | OutsideError)


ELSEWHERE = {
    "model": "openai:somebody/else",
    "robot": "served:/tmp/somebody",
    "planner": "up:enhsp",
    "domain": "/tmp/their/domain.yaml",
    "scene": "/tmp/their/scene.yaml",
}


def asking(folder: Path, **settings: str) -> str:
    """Write the record of a run that asks for settings; return its folder."""
    with Recorder(folder) as record:
        record.write("start", {**START, "seed": 0, "settings": {**START, **settings}})
        record.write("goal", {"text": "open the fridge", "formula": "(opened fridge0)", "notes": []})
    return str(folder)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_a_record_chooses_outside_this_program_is_not_opened_without_a_word(tmp_path: Path, name: str):
    folder = asking(tmp_path / "one", **{name: ELSEWHERE[name]})
    for more in ((), ("--no-input",)):
        told = run("--resume", folder, "--json", *more)
        assert told.exit_code == 3
        episode = json.loads(told.stdout)
        assert episode["outcome"] == "question"
        assert f"{name} {ELSEWHERE[name]}" in episode["message"]
        assert f"--{name} {ELSEWHERE[name]}" in episode["message"]
        assert "--yes" in episode["message"]
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_what_a_record_chooses_is_used_once_a_person_agrees(tmp_path: Path):
    folder = asking(tmp_path / "one", robot=f"served:{tmp_path / 'nowhere'}")
    for more in (["--yes"], ["--robot", f"served:{tmp_path / 'nowhere'}"]):
        told = run("--resume", folder, "--json", *more)
        assert told.exit_code == 5
        assert "no body is served there" in json.loads(told.stdout)["message"]
    assert run("--resume", folder, "--json", "--robot", "fake").exit_code == 0


def test_what_the_own_settings_choose_too_needs_no_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = asking(tmp_path / "one", robot=f"served:{tmp_path / 'nowhere'}")
    monkeypatch.setenv("GRAFTWORK_ROBOT", f"served:{tmp_path / 'nowhere'}")
    assert run("--resume", folder, "--json").exit_code == 5


@pytest.mark.parametrize(("answer", "code"), [("y", 5), ("n", 4)])
def test_a_person_at_a_terminal_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int):
    folder = asking(tmp_path / "one", robot=f"served:{tmp_path / 'nowhere'}")
    monkeypatch.setattr("graftwork.cli.run.Manner.may_ask", True)
    told = CliRunner().invoke(app, ["run", "--no-memory", "--resume", folder], input=f"{answer}\n")
    assert told.exit_code == code
    assert f"robot served:{tmp_path / 'nowhere'}. Go on with that?" in told.output


def test_a_record_chooses_no_memory_no_record_and_no_folder_of_worlds(tmp_path: Path):
    chosen = {"memory": "/tmp/their/memory", "record": "/tmp/their/record", "domain_path": "/tmp/their"}
    folder = asking(tmp_path / "one", **chosen)
    assert not chosen.keys() & read_past(folder).settings.keys()
    assert run("--resume", folder, "--json").exit_code == 0


def lines(*events: object) -> bytes:
    return b"".join(json.dumps({"v": 1, **event}).encode() + b"\n" for event in events)


BEGIN = {"e": "start", **START, "seed": 0}


@pytest.mark.parametrize(
    "text",
    [
        lines(BEGIN | {"instruction": "half \ud800 a character"}),
        lines(BEGIN, {"e": "tick", "n": 1, "t": float("inf")}),
        lines(BEGIN, {"e": "tick", "n": 1, "t": float("nan")}),
        lines(BEGIN, {"e": "goal", "formula": "(not " * 50_000}),
        lines(BEGIN, {"e": "goal", "formula": "(not " * 900 + "(opened fridge0)" + ")" * 900}),
        lines(BEGIN | {"resumes": {"goal": {"formula": "(and " * 50_000}}}),
        lines(BEGIN | {"settings": [1]}),
        lines(BEGIN | {"settings": {"model": "openai:\ud800"}}),
        lines(BEGIN | {"settings": {"domain": "a\0b"}}),
        lines(BEGIN | {"settings": {"scene": "n" * 5000}}),
        lines(BEGIN | {"settings": {"weights": {"risk": float("inf")}}}),
        lines(BEGIN) + b"[" * 100_000 + b"\n" + lines({"e": "end", "outcome": "failed"}),
        lines(BEGIN)[:-2] + b',"settings":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    ],
    ids=range(13),
)
def test_whatever_a_record_holds_is_bad_usage_and_no_fault(tmp_path: Path, text: bytes):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "record.jsonl").write_bytes(text)
    told = run("--resume", str(tmp_path / "one"), "--json", "--yes")
    assert isinstance(told.exception, UsageError) or told.exit_code in (0, 3), told.output


def test_a_torn_last_line_that_is_nested_is_left_out(tmp_path: Path):
    folder = Path(asking(tmp_path / "one"))
    with (folder / "record.jsonl").open("ab") as file:
        file.write(b'{"v":1,"e":"view","things":' + b"[" * 200_000)
    assert run("--resume", str(folder), "--json").exit_code == 0


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_whatever_a_record_is_changed_into_it_is_read_or_refused(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("record")
    state = {"e": "tick", "n": 3, "t": 1.5, "facts": {"+": ["(on cup0 table0)"], "-": []}}
    goal = {"e": "goal", "text": "open the fridge", "formula": "(and (opened fridge0))", "notes": ["a note"]}
    resumes = {"record": "x", "goal": goal, "sensed": ["(on cup0 table0)"], "stated": [], "t": 2.0}
    first = BEGIN | {"settings": START | {"weights": {"risk": 2}, "costs": {"human": 3}}, "resumes": resumes}
    text = bytearray(lines(first, goal, state, {"e": "stated", "t": 1, "facts": []}, {"e": "end", "outcome": "failed"}))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8) | st.sampled_from(PIECES))
    (folder / "record.jsonl").write_bytes(text)
    with suppress(UsageError):
        past = read_past(folder)
        chosen = load_settings({**past.settings, "memory": False}, environment={}, folder=folder)
        past.outside(chosen)


PIECES = [
    b"[" * 3000,
    b"null",
    b"1e999",
    b"NaN",
    b'"\\ud800"',
    b"{",
    b"}",
    b"-1",
    b"[]",
    b'""',
    b"(not " * 3000,
    b"\\u0000",
]
