"""``graftwork run --resume`` and ``graftwork serve``: what they say, and with which exit code they end."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bt.record import Recorder, read_record
from graftwork.cli.app import app
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
