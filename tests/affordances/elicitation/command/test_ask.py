"""``affordances ask``: what is asked, saved, taken up again and guessed."""

import contextlib
import json
import os
import pty
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from affordances.mapping import EvidenceSource, EvidenceStore, read_mapping
from affordances.ontology import AFFORDANCES
from graftwork.cli.app import app
from tests.affordances.elicitation.command.runs import ASK, BY_WORDS, COMMAND, LISTED, environment, ran, started
from tests.commands import commanded
from tests.loopback import Answer, Fault, LoopbackServer, dead_address


def yes_no(answered: int) -> list[Answer]:
    """As many answers, then silence."""
    return [*['{"answer": "yes"}'] * answered, Fault.SLOW]


def test_asking_shows_what_came_and_what_it_cost(tmp_path: Path):
    with LoopbackServer(LISTED) as server:
        ended = ran(*ASK, "mug", "--model", "openai:m", "--strategy", "list", folder=tmp_path, server=server)
        again = ran(*ASK, "mug", "--model", "openai:m", "--strategy", "list", folder=tmp_path, server=server)
        assert server.count == 1
    assert ended.returncode == again.returncode == 0
    assert "carry, contain, drink, grasp, liquid-contain" in ended.stdout
    assert "requests 1 asked, 0 from the cache; 10 tokens" in ended.stdout
    assert "requests 0 asked, 1 from the cache; 0 tokens" in again.stdout
    assert ended.stderr == ""
    assert (tmp_path / "cache" / "graftwork" / "affordances" / "answers.jsonl").exists()


@pytest.mark.parametrize("name", ["answers.yaml", "answers.sqlite"])
def test_answers_are_saved_as_evidence_and_saving_again_doubles_nothing(tmp_path: Path, name: str):
    words = (*ASK, "Coffee mug", "--model", "openai:m", "--strategy", "list", "--save", name, "--json")
    with LoopbackServer(LISTED) as server:
        ended = ran(*words, folder=tmp_path, server=server)
        first = read_mapping(tmp_path / name) if name.endswith("yaml") else EvidenceStore(tmp_path / name).load()
        ran(*words, folder=tmp_path, server=server)
    last = read_mapping(tmp_path / name) if name.endswith("yaml") else EvidenceStore(tmp_path / name).load()
    document = json.loads(ended.stdout)
    assert document["classes"][0]["class"] == "coffee_mug"
    assert (document["version"], document["saved"], document["complete"]) == (1, name, True)
    assert first == last
    assert last.affordances_of("coffee_mug") == {"carry", "contain", "drink", "grasp", "liquid-contain"}
    (piece,) = last.evidence("coffee_mug", "drink")
    assert (piece.source, piece.by, piece.how) == (EvidenceSource.ASKED, "m", "list")
    assert len(last) == len(AFFORDANCES)


def test_a_killed_process_is_taken_up_where_it_stood(tmp_path: Path):
    words = (*ASK, "mug", "--model", "openai:m", "--strategy", "yes-no", "--at-once", "2", "--json")
    with LoopbackServer(*yes_no(20)) as server, started(*words, folder=tmp_path, server=server) as process:
        process.kill()
        process.wait(timeout=30)
    with LoopbackServer('{"answer": "no"}') as server:
        ended = ran(*words, folder=tmp_path, server=server)
        document = json.loads(ended.stdout)
        assert server.count == document["asked"] == len(AFFORDANCES) - document["cached"]
    assert document["cached"] == 20
    assert len(document["classes"][0]["affordances"]) == document["cached"]
    assert ended.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_keeps_saves_and_shows_what_is_done(tmp_path: Path, number: int):
    words = (
        *ASK,
        "mug",
        "--model",
        "openai:m",
        "--strategy",
        "yes-no",
        "--save",
        "part.yaml",
        "--json",
        "--at-once",
        "2",
    )
    with LoopbackServer(*yes_no(12)) as server, started(*words, folder=tmp_path, server=server) as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=25)  # the silent server would hold it for half a minute
    document = json.loads(out)
    assert process.returncode == 4
    assert "interrupted" in err
    assert not document["complete"]
    done = set(document["classes"][0]["affordances"])
    assert 10 <= len(done) <= 12
    assert read_mapping(tmp_path / "part.yaml").affordances_of("mug") == done
    with LoopbackServer('{"answer": "no"}') as server:
        again = json.loads(ran(*words, folder=tmp_path, server=server).stdout)
    assert again["cached"] == 12
    assert again["complete"]


def test_nonsense_is_unknown_and_exits_with_1(tmp_path: Path):
    words = (*ASK, "mug", "--model", "openai:m", "--strategy", "list", "--tries", "2", "--save", "x.yaml")
    with LoopbackServer("Well, all of them, I think.") as server:
        ended = ran(*words, folder=tmp_path, server=server)
        assert server.count == 2
    assert ended.returncode == 1
    assert "unknown" in ended.stdout
    assert not (tmp_path / "x.yaml").exists()


def test_a_server_that_is_not_there_exits_with_5(tmp_path: Path):
    with LoopbackServer(LISTED) as server:
        gone = environment(tmp_path, server) | {"OPENAI_BASE_URL": dead_address(), "GRAFTWORK_MODEL_SECONDS": "0.4"}
    words = (*ASK, "mug", "--model", "openai:m", "--strategy", "yes-no")
    ended = commanded(words, tmp_path, gone)
    assert ended.returncode == 5
    assert "language model at" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("without", [BY_WORDS, pytest.param((), marks=pytest.mark.slow)])
def test_offline_marks_what_it_guesses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: tuple[str, ...]):
    words = (*ASK, "mug", "steel mug", "--save", "g.yaml", "--json")
    if without:
        ended = ran(*words, folder=tmp_path, without=without)
        out, code = ended.stdout, ended.returncode
    else:  # in this process, since other tests need the sentence model too, and loading it takes seconds
        monkeypatch.chdir(tmp_path)
        for name, value in environment(tmp_path).items():
            monkeypatch.setenv(name, value)
        done = CliRunner().invoke(app, words)
        out, code = done.stdout, done.exit_code
    known, guessed = json.loads(out)["classes"]
    assert code == 0
    assert (known["guess"], known["known_as"]) == (False, "mug")
    assert (guessed["guess"], guessed["known_as"]) == (True, None)
    assert guessed["neighbours"][0]["class"] == "mug"
    assert (guessed["neighbours"][0]["likeness"] is None) == bool(without) == ("head nouns" in guessed["note"])
    assert set(known["affordances"]) & set(guessed["affordances"]) >= {"carry", "grasp"}
    assert guessed["confidence"]["drink"] > guessed["confidence"]["cut"]
    saved = read_mapping(tmp_path / "g.yaml")
    assert set(saved.classes) == {"steel_mug"}
    assert {piece.source for piece in saved} == {EvidenceSource.GUESSED}


def test_a_guess_is_shown_with_where_it_comes_from(tmp_path: Path):
    ended = ran(*ASK, "steel mug", "zzyzx", folder=tmp_path, without=BY_WORDS)
    assert "steel_mug  a guess by words, from mug" in ended.stdout
    assert "zzyzx  unknown, and nothing known is near" in ended.stdout
    assert "pip install 'graftwork[embeddings]'" in ended.stdout


def test_the_bar_is_drawn_on_a_terminal_only(tmp_path: Path):
    drawn = bytearray()
    ours, theirs = pty.openpty()

    def drain() -> None:  # a full terminal would hold the command
        with contextlib.suppress(OSError):
            while piece := os.read(ours, 4096):
                drawn.extend(piece)

    reader = threading.Thread(target=drain)
    reader.start()
    with LoopbackServer(LISTED) as server:
        ended = subprocess.run(
            [*COMMAND, *ASK, "mug", "--model", "openai:m", "--strategy", "list", "--json"],
            cwd=tmp_path,
            env=environment(tmp_path, server) | {"TERM": "xterm"},
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
            timeout=90,
            check=True,
        )
    os.close(theirs)
    reader.join(timeout=20)
    os.close(ours)
    assert b"asking m" in drawn
    assert json.loads(ended.stdout)["asked"] == 1
