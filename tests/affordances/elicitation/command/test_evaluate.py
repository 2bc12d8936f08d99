"""``bench affordances``, and what both commands refuse."""

import json
import re
import signal
from pathlib import Path

import pytest

from graftwork.cli.app import app
from semantics.errors import UsageError
from tests.affordances.elicitation.command.runs import ASK, BY_WORDS, EVALUATE, LISTED, TRUTH, ran, started
from tests.loopback import Fault, LoopbackServer


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*ASK, "mug", "--model", "openai:m"), "OPENAI_API_KEY"),
        ((*ASK, "mug", "--strategy", "list", "--model", "offline"), "--model openai:NAME"),
        ((*ASK, "+mug"), "no name of a class"),
        ((*ASK, "mug", "--model", "openai:m", "--strategy", "guess"), "OPENAI_API_KEY"),
        ((*ASK, "mug", "--save", "no/such/folder.yaml"), "no folder"),
        ((*EVALUATE, "--truth", "none.csv"), "none.csv"),
        ((*EVALUATE, "--truth", str(TRUTH), "--mapping", "none.yaml"), "none.yaml"),
        ((*EVALUATE, "--truth", str(TRUTH), "--mapping", "x.yaml", "--model", "offline"), "leave out"),
    ],
)
def test_bad_usage_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name in ("CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    with pytest.raises(UsageError, match=re.escape(told)):
        app([*words], standalone_mode=False)


def test_a_mapping_is_judged_against_the_truth(tmp_path: Path):
    (tmp_path / "mine.yaml").write_text(
        "author: me\nclasses:\n  mug: {affordances: [carry, drink, cut]}\n  shelf: {affordances: [support]}\n"
    )
    words = (*EVALUATE, "--truth", str(TRUTH), "--mapping", "mine.yaml")
    document = json.loads(ran(*words, "--json", folder=tmp_path).stdout)
    assert document["classes"] == 4
    assert (document["micro"]["right"], document["micro"]["wrong"], document["micro"]["missed"]) == (3, 1, 11)
    assert document["micro"]["precision"]["value"] == 0.75
    assert len(document["notes"]) == 2  # ball and knife are not in the mapping
    shown = ran(*words, "--verbose", folder=tmp_path)
    assert shown.returncode == 0
    assert "wrong    mug: cut" in shown.stdout
    assert "missed   shelf: vertical-support" in shown.stdout
    assert "does not know 'ball'" in shown.stderr


def test_a_model_is_judged_and_the_second_time_from_the_cache(tmp_path: Path):
    words = (*EVALUATE, "--truth", str(TRUTH), "--model", "openai:m", "--strategy", "list", "--json")
    with LoopbackServer(LISTED) as server:
        first = json.loads(ran(*words, folder=tmp_path, server=server).stdout)
        again = json.loads(ran(*words, folder=tmp_path, server=server).stdout)
        assert server.count == 4
    assert (first["asked"], first["cached"], again["asked"], again["cached"]) == (4, 0, 0, 4)
    assert first["micro"] == again["micro"]
    assert first["micro"]["right"] == 9


def test_an_interrupted_evaluation_exits_with_4_and_keeps_its_answers(tmp_path: Path):
    words = (*EVALUATE, "--truth", str(TRUTH), "--model", "openai:m", "--strategy", "list", "--at-once", "1")
    with LoopbackServer(LISTED, LISTED, Fault.SLOW) as server, started(*words, folder=tmp_path, server=server) as run:
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=25)
    assert run.returncode == 4
    assert "kept" in err
    with LoopbackServer(LISTED) as server:
        assert ran(*words, folder=tmp_path, server=server).returncode == 0
        assert server.count == 2


def test_offline_guesses_are_judged_as_if_unknown(tmp_path: Path):
    words = (*EVALUATE, "--truth", str(TRUTH), "--json")
    known = ran(*words, folder=tmp_path, without=BY_WORDS)
    guessed = ran(*words, "--as-unknown", folder=tmp_path, without=BY_WORDS)
    assert json.loads(known.stdout)["notes"][0] == "4 classes are known, 0 are guessed"
    assert json.loads(guessed.stdout)["notes"][0] == "0 classes are known, 4 are guessed"


def test_every_bad_line_of_a_truth_is_told(tmp_path: Path):
    (tmp_path / "bad.csv").write_text("object,affordance\nmug\nmug,carry\nmug,grassp,x\n")
    ended = ran(*EVALUATE, "--truth", "bad.csv", folder=tmp_path)
    assert ended.returncode == 2
    assert "bad.csv:2:1: " in ended.stderr
    assert "bad.csv:4:12: " in ended.stderr
