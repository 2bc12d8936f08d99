import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from affordances.mapping import EvidenceStore, Source, read_mapping
from affordances.ontology import AFFORDANCES
from graftwork.cli.app import app
from semantics.errors import UsageError
from tests.loopback import Answer, Fault, LoopbackServer, dead_address

COMMAND = (sys.executable, "-m", "graftwork", "affordances")
WITHOUT_MEANINGS = (
    "import sys; sys.modules['sentence_transformers'] = None; from graftwork.__main__ import main; main()"
)
BY_WORDS = (sys.executable, "-c", WITHOUT_MEANINGS, "affordances")
"""The command as it is without the extra ``embeddings``."""
TRUTH = Path(__file__).with_name("truth.csv")
LISTED = '{"affordances": ["carry", "contain", "drink", "grasp", "liquid-contain"]}'


def environment(folder: Path, server: LoopbackServer | None = None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GRAFTWORK_", "OPENAI_"))}
    places = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    address = {} if server is None else {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "some-key"}
    return kept | places | address


def affordances(
    *words: str, folder: Path, server: LoopbackServer | None = None, command: tuple[str, ...] = COMMAND
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *words],
        cwd=folder,
        env=environment(folder, server),
        capture_output=True,
        text=True,
        timeout=90,
        stdin=subprocess.DEVNULL,
        check=False,
    )


@contextlib.contextmanager
def started(*words: str, folder: Path, server: LoopbackServer) -> Iterator[subprocess.Popen[str]]:
    """Start a command, and wait until every answer is kept and the first request without one is under way."""
    with subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(folder, server),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        end = time.monotonic() + 60
        kept = folder / "cache" / "graftwork" / "affordances" / "answers.jsonl"
        wanted = len(server.answers) - 1
        while time.monotonic() < end:
            if server.count > wanted and kept.exists() and kept.read_bytes().count(b"\n") == wanted:
                break
            time.sleep(0.01)
        yield process
        process.kill()


def yes_no(answered: int) -> list[Answer]:
    """As many answers, then silence."""
    return [*['{"answer": "yes"}'] * answered, Fault.SLOW]


def test_asking_shows_what_came_and_what_it_cost(tmp_path: Path):
    with LoopbackServer(LISTED) as server:
        ended = affordances("ask", "mug", "--model", "openai:m", "--strategy", "list", folder=tmp_path, server=server)
        again = affordances("ask", "mug", "--model", "openai:m", "--strategy", "list", folder=tmp_path, server=server)
        assert server.count == 1
    assert ended.returncode == again.returncode == 0
    assert "carry, contain, drink, grasp, liquid-contain" in ended.stdout
    assert "requests 1 asked, 0 from the cache; 10 tokens" in ended.stdout
    assert "requests 0 asked, 1 from the cache; 0 tokens" in again.stdout
    assert ended.stderr == ""
    assert (tmp_path / "cache" / "graftwork" / "affordances" / "answers.jsonl").exists()


@pytest.mark.parametrize("name", ["answers.yaml", "answers.sqlite"])
def test_answers_are_saved_as_evidence_and_saving_again_doubles_nothing(tmp_path: Path, name: str):
    words = ("ask", "Coffee mug", "--model", "openai:m", "--strategy", "list", "--save", name, "--json")
    with LoopbackServer(LISTED) as server:
        ended = affordances(*words, folder=tmp_path, server=server)
        first = read_mapping(tmp_path / name) if name.endswith("yaml") else EvidenceStore(tmp_path / name).load()
        affordances(*words, folder=tmp_path, server=server)
    last = read_mapping(tmp_path / name) if name.endswith("yaml") else EvidenceStore(tmp_path / name).load()
    document = json.loads(ended.stdout)
    assert document["classes"][0]["class"] == "coffee_mug"
    assert (document["version"], document["saved"], document["complete"]) == (1, name, True)
    assert first == last
    assert last.affordances_of("coffee_mug") == {"carry", "contain", "drink", "grasp", "liquid-contain"}
    (piece,) = last.evidence("coffee_mug", "drink")
    assert (piece.source, piece.by, piece.how) == (Source.ASKED, "m", "list")
    assert len(last) == len(AFFORDANCES)


def test_a_killed_process_is_taken_up_where_it_stood(tmp_path: Path):
    words = ("ask", "mug", "--model", "openai:m", "--strategy", "yes-no", "--at-once", "2", "--json")
    with LoopbackServer(*yes_no(20)) as server, started(*words, folder=tmp_path, server=server) as process:
        process.kill()
        process.wait(timeout=30)
    with LoopbackServer('{"answer": "no"}') as server:
        ended = affordances(*words, folder=tmp_path, server=server)
        document = json.loads(ended.stdout)
        assert server.count == document["asked"] == len(AFFORDANCES) - document["cached"]
    assert document["cached"] == 20
    assert len(document["classes"][0]["affordances"]) == document["cached"]
    assert ended.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_keeps_saves_and_shows_what_is_done(tmp_path: Path, number: int):
    words = (
        "ask",
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
        again = json.loads(affordances(*words, folder=tmp_path, server=server).stdout)
    assert again["cached"] == 12
    assert again["complete"]


def test_nonsense_is_unknown_and_exits_with_1(tmp_path: Path):
    words = ("ask", "mug", "--model", "openai:m", "--strategy", "list", "--tries", "2", "--save", "x.yaml")
    with LoopbackServer("Well, all of them, I think.") as server:
        ended = affordances(*words, folder=tmp_path, server=server)
        assert server.count == 2
    assert ended.returncode == 1
    assert "unknown" in ended.stdout
    assert not (tmp_path / "x.yaml").exists()


def test_a_server_that_is_not_there_exits_with_5(tmp_path: Path):
    with LoopbackServer(LISTED) as server:
        gone = environment(tmp_path, server) | {"OPENAI_BASE_URL": dead_address(), "GRAFTWORK_MODEL_SECONDS": "0.4"}
    words = ("ask", "mug", "--model", "openai:m", "--strategy", "yes-no")
    ended = subprocess.run(
        [*COMMAND, *words], cwd=tmp_path, env=gone, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 5
    assert "language model at" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ask", "mug", "--model", "openai:m"), "OPENAI_API_KEY"),
        (("ask", "mug", "--strategy", "list", "--model", "offline"), "--model openai:NAME"),
        (("ask", "+mug"), "no name of a class"),
        (("ask", "mug", "--model", "openai:m", "--strategy", "guess"), "OPENAI_API_KEY"),
        (("ask", "mug", "--save", "no/such/folder.yaml"), "no folder"),
        (("evaluate", "--truth", "none.csv"), "none.csv"),
        (("evaluate", "--truth", str(TRUTH), "--mapping", "none.yaml"), "none.yaml"),
        (("evaluate", "--truth", str(TRUTH), "--mapping", "x.yaml", "--model", "offline"), "leave out"),
    ],
)
def test_bad_usage_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name in ("CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    with pytest.raises(UsageError, match=re.escape(told)):
        app(["affordances", *words], standalone_mode=False)


@pytest.mark.parametrize("command", [BY_WORDS, pytest.param(COMMAND, marks=pytest.mark.slow)])
def test_offline_marks_what_it_guesses(tmp_path: Path, command: tuple[str, ...]):
    ended = affordances("ask", "mug", "steel mug", "--save", "g.yaml", "--json", folder=tmp_path, command=command)
    known, guessed = json.loads(ended.stdout)["classes"]
    assert ended.returncode == 0
    assert (known["guess"], known["known_as"]) == (False, "mug")
    assert (guessed["guess"], guessed["known_as"]) == (True, None)
    assert guessed["neighbours"][0]["class"] == "mug"
    assert (guessed["neighbours"][0]["likeness"] is None) == (command is BY_WORDS) == ("head nouns" in guessed["note"])
    assert set(known["affordances"]) & set(guessed["affordances"]) >= {"carry", "grasp"}
    assert guessed["confidence"]["drink"] > guessed["confidence"]["cut"]
    saved = read_mapping(tmp_path / "g.yaml")
    assert set(saved.classes) == {"steel_mug"}
    assert {piece.source for piece in saved} == {Source.GUESSED}


def test_a_guess_is_shown_with_where_it_comes_from(tmp_path: Path):
    ended = affordances("ask", "steel mug", "zzyzx", folder=tmp_path, command=BY_WORDS)
    assert "steel_mug  a guess by words, from mug" in ended.stdout
    assert "zzyzx  unknown, and nothing known is near" in ended.stdout
    assert "pip install 'graftwork[embeddings]'" in ended.stdout


def test_a_mapping_is_judged_against_the_truth(tmp_path: Path):
    (tmp_path / "mine.yaml").write_text(
        "author: me\nclasses:\n  mug: {affordances: [carry, drink, cut]}\n  shelf: {affordances: [support]}\n"
    )
    words = ("evaluate", "--truth", str(TRUTH), "--mapping", "mine.yaml")
    document = json.loads(affordances(*words, "--json", folder=tmp_path).stdout)
    assert document["classes"] == 4
    assert (document["micro"]["right"], document["micro"]["wrong"], document["micro"]["missed"]) == (3, 1, 11)
    assert document["micro"]["precision"]["value"] == 0.75
    assert len(document["notes"]) == 2  # ball and knife are not in the mapping
    shown = affordances(*words, "--verbose", folder=tmp_path)
    assert shown.returncode == 0
    assert "wrong    mug: cut" in shown.stdout
    assert "missed   shelf: vertical-support" in shown.stdout
    assert "does not know 'ball'" in shown.stderr


def test_a_model_is_judged_and_the_second_time_from_the_cache(tmp_path: Path):
    words = ("evaluate", "--truth", str(TRUTH), "--model", "openai:m", "--strategy", "list", "--json")
    with LoopbackServer(LISTED) as server:
        first = json.loads(affordances(*words, folder=tmp_path, server=server).stdout)
        again = json.loads(affordances(*words, folder=tmp_path, server=server).stdout)
        assert server.count == 4
    assert (first["asked"], first["cached"], again["asked"], again["cached"]) == (4, 0, 0, 4)
    assert first["micro"] == again["micro"]
    assert first["micro"]["right"] == 9


def test_an_interrupted_evaluation_exits_with_4_and_keeps_its_answers(tmp_path: Path):
    words = ("evaluate", "--truth", str(TRUTH), "--model", "openai:m", "--strategy", "list", "--at-once", "1")
    with LoopbackServer(LISTED, LISTED, Fault.SLOW) as server, started(*words, folder=tmp_path, server=server) as run:
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=25)
    assert run.returncode == 4
    assert "kept" in err
    with LoopbackServer(LISTED) as server:
        assert affordances(*words, folder=tmp_path, server=server).returncode == 0
        assert server.count == 2


def test_offline_guesses_are_judged_as_if_unknown(tmp_path: Path):
    words = ("evaluate", "--truth", str(TRUTH), "--json")
    known = affordances(*words, folder=tmp_path, command=BY_WORDS)
    guessed = affordances(*words, "--as-unknown", folder=tmp_path, command=BY_WORDS)
    assert json.loads(known.stdout)["notes"][0] == "4 classes are known, 0 are guessed"
    assert json.loads(guessed.stdout)["notes"][0] == "0 classes are known, 4 are guessed"


def test_every_bad_line_of_a_truth_is_told(tmp_path: Path):
    (tmp_path / "bad.csv").write_text("object,affordance\nmug\nmug,carry\nmug,grassp,x\n")
    ended = affordances("evaluate", "--truth", "bad.csv", folder=tmp_path)
    assert ended.returncode == 2
    assert "bad.csv:2:1: " in ended.stderr
    assert "bad.csv:4:12: " in ended.stderr


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
            [*COMMAND, "ask", "mug", "--model", "openai:m", "--strategy", "list", "--json"],
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
