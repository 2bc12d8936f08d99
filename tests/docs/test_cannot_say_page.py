"""What cannot be said: each sentence of the page is refused or asked about, and what to say instead is understood.

A row of a table is a sentence in quotes, the codes of its refusal, and what to say instead: sentences in quotes, goals
after ``--goal``, and commands, which end well.
"""

import os
import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from graftwork import Session
from graftwork.decision import Decision, FinalDecision, PlanDecision
from graftwork.record.episode import Outcome
from semantics.errors import EmbeddingsUnavailableError
from semantics.logic.feedback import Code
from semantics.words import embedding
from tests.commands import commanded
from tests.docs.blocks import DOCS

TEXT = (DOCS / "cannot-say.md").read_text(encoding="utf-8")
ROW = re.compile(r'^\| "(?P<said>[^"|]+)" \| (?P<codes>[^|]+) \| (?P<instead>[^|]+) \|$', re.MULTILINE)
INSTEAD = re.compile(r'(?P<command>`graftwork [^`]+`)|`--goal "(?P<goal>[^"]+)"`|"(?P<words>[^"]+)"')


class Row(NamedTuple):
    """A row of the page."""

    said: str
    codes: frozenset[str]
    instead: str


ROWS = [
    Row(each["said"], frozenset(re.findall(r"`([a-z-]+)`", each["codes"])), each["instead"])
    for each in ROW.finditer(TEXT)
]


def without_embeddings() -> None:
    raise EmbeddingsUnavailableError("what the page says does not depend on what is installed")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedding, "_loaded", without_embeddings)
        # Any plan shows that a sentence is understood; a proof would take longer.
        with Session("kitchen", "full", robot="fake", memory=None, search="first", planning_seconds=100.0) as opened:
            yield opened


def decided(session: Session, words: str | None = None, goal: str | None = None) -> Decision:
    """Return what is decided about a sentence or a goal; nothing moves, and nothing was said before."""
    session._services.conversation.clear()
    run = session.start(words, goal=goal)
    run.wait(120.0)
    decision = run.decision
    run.leave()
    assert decision is not None
    return decision


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.said)
def test_what_cannot_be_said_is_refused_or_asked_about(row: Row, session: Session):
    decision = decided(session, row.said)
    assert isinstance(decision, FinalDecision), decision
    assert decision.outcome in (Outcome.REFUSED, Outcome.QUESTION), decision.message
    assert {str(reason.code) for reason in decision.feedback} == row.codes, decision.message


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.said)
def test_what_to_say_instead_is_understood(row: Row, session: Session, tmp_path):
    said = list(INSTEAD.finditer(row.instead))
    assert said, row.instead
    for each in said:
        if each["command"]:
            ended = commanded(tuple(shlex.split(each["command"].strip("`"))[1:]), tmp_path, dict(os.environ))
            assert ended.returncode == 0, ended.stderr
        else:
            decision = decided(session, each["words"], each["goal"])
            done = (Outcome.ALREADY, Outcome.ANSWERED)
            assert isinstance(decision, PlanDecision) or decision.outcome in done, decision.message


def test_each_row_of_the_page_is_read():
    tables = [line for line in TEXT.splitlines() if line.startswith('| "')]
    assert len(tables) == len(ROWS) > 30
    assert len({row.said for row in ROWS}) == len(ROWS)
    assert {code for row in ROWS for code in row.codes} <= set(map(str, Code))
