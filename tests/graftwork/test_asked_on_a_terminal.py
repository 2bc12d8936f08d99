"""A question of a run under way, on a real pseudo-terminal: the display gives way, and what is typed is the answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domains.reader import load_domain, load_scene
from robots.fake import FakeRobot, InjectedFault
from robots.served import BodyServer
from semantics.logic.feedback import Code
from tests.graftwork.blocked import SENTENCE
from tests.graftwork.test_on_a_terminal import HIDE, SHOW, on_a_terminal

SETTINGS = """\
scene = "small"
answer_seconds = 20
[ladder]
again = false
rule = false
explore = false
substitute = false
part = false
replan = {tries = 0}
"""


@pytest.fixture
def body() -> FakeRobot:
    robot = FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement)
    for _ in range(9):
        robot.add_fault(InjectedFault(Code.OUT_OF_REACH, "put", {"target": "shelf0"}, culprits=("shelf0",)))
    return robot


@pytest.fixture
def served(body: FakeRobot, tmp_path: Path) -> Iterator[str]:
    (tmp_path / "graftwork.toml").write_text(SETTINGS)
    with BodyServer(body, tmp_path / "body") as server:
        yield f"served:{server.path}"


def test_what_is_typed_at_the_question_is_done_and_the_tree_does_not_garble_it(body, served, tmp_path):
    typed = b"put the apple on the table\n"
    code, printed = on_a_terminal(SENTENCE, answers=[typed], prompt=b"\n> ", robot=served, cwd=tmp_path)
    assert code == 0, printed
    assert body.world.carriers["apple0"] == ("on", "table0")
    before, _, after = printed.partition(b"\r\n> ")
    assert b"a fault was asked for" in before.rpartition(SHOW)[2]
    assert after.startswith(typed.strip())  # nothing was drawn between the prompt and what was typed
    assert printed.count(HIDE) == printed.count(SHOW) == 2
    assert b"goal    apple0 is on table0" in after


@pytest.mark.parametrize("key", [b"\x03", b"\x04"])
def test_an_interruption_at_the_question_stops_the_run(body, served, tmp_path, key):
    code, printed = on_a_terminal(SENTENCE, answers=[key], prompt=b"\n> ", robot=served, cwd=tmp_path)
    assert code == 4, printed
    assert printed.count(HIDE) == printed.count(SHOW)
    assert body.world.carriers["apple0"] == ("held", "robot0")


def test_who_types_nothing_has_not_answered(served, tmp_path):
    (tmp_path / "graftwork.toml").write_text(SETTINGS.replace("answer_seconds = 20", "answer_seconds = 1"))
    code, printed = on_a_terminal(SENTENCE, robot=served, cwd=tmp_path)
    assert code == 1, printed
    assert b"nobody has answered in time" in b" ".join(printed.split())
