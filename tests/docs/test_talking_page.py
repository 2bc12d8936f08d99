"""The page about conversations: they are held, and each answer leads to the goal that stands beside it."""

import os
import re
from pathlib import Path

import pytest

from graftwork import Session
from graftwork.language.interruption import interruption_in
from robots.served import BodyServer
from tests.commands import begun
from tests.docs.blocks import DOCS
from tests.graftwork.test_heard_on_a_terminal import PATIENCE, RealTime, Terminal

PAGE = (DOCS / "talking.md").read_text(encoding="utf-8")
ROW = re.compile(r'^\| "(?P<answer>[^"|]+)" \| (?:`(?P<goal>[^`]+)`|none: it is declined) \|$', re.MULTILINE)
ROWS = [(row["answer"], row["goal"]) for row in ROW.finditer(PAGE)]


def block(kind: str) -> str:
    return re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1]


def test_the_conversation_goes_as_the_page_says(tmp_path: Path):
    said = block("chat")
    (tmp_path / "lines").write_text("".join(re.findall(r"^> (.*\n)", said, re.MULTILINE)), encoding="utf-8")
    streams = tuple(str(tmp_path / name) for name in ("lines", "out", "err"))
    words = ("chat", "--scene", "full", "--robot", "fake", "--no-memory", "--quiet")
    process = begun(words, tmp_path, os.environ, streams)
    process.join(PATIENCE)
    assert process.exitcode == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == said


def test_what_is_said_under_way_is_heard_as_the_page_says(tmp_path: Path):
    with BodyServer(RealTime(), tmp_path / "body") as server:
        words = ("chat", "--robot", f"served:{server.path}", "--no-memory")
        with Terminal(*words, cwd=tmp_path, without=("prompt_toolkit",)) as terminal:
            assert terminal.reads(b"pip install")
            for line in block("chat-under-way").splitlines():
                typed = line.removeprefix("> ")
                if typed != line:
                    terminal.types(f"{typed}\n".encode())
                    assert interruption_in(typed) is not None or terminal.reads(b"goes to"), terminal.printed
                else:
                    assert line.encode() in terminal.printed or terminal.reads(line.encode()), line
            terminal.types(b"\x04")
            assert terminal.code() == 0, terminal.printed


@pytest.fixture
def session():
    with Session(scene="full", robot="symbolic", memory=None) as opened:
        yield opened


def test_the_table_has_each_way_to_answer():
    assert len(ROWS) == 11


@pytest.mark.parametrize(("answer", "goal"), ROWS)
def test_an_answer_leads_to_the_goal_beside_it(answer, goal, session):
    run = session.start("bring me the can")
    run.wait()
    assert run.question.text in PAGE
    run.say(answer)
    run.wait()
    got = run.goal
    run.decline() if run.runner is not None else run.finish()
    assert (None if got is None else str(getattr(got, "goal", got))) == goal
