"""The answers of language models with slips that stand in benchmarks/words, and answers that were cut off."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from graftwork.language.replies import read_reply
from semantics.body.exchange import Unusable
from semantics.logic.reply import Reply
from semantics.logic.reply_form import read_document

SLIPS = yaml.safe_load(
    (Path(__file__).parents[2] / "benchmarks" / "words" / "slips_a.yaml").read_text(encoding="utf-8")
)
ROWS = SLIPS if isinstance(SLIPS, list) else next(rows for rows in SLIPS.values() if isinstance(rows, list))
NONE = ("none", None)
WITHOUT_AN_END = ("a12", "a14")
"""Lines of text have no mark of their end; that one was cut off is told by the server alone."""


def meant(row: dict[str, Any]) -> Reply:
    reply = read_document(row["means"])
    assert isinstance(reply, Reply), row["id"]
    return reply


@pytest.mark.parametrize("row", [row for row in ROWS if row["means"] not in NONE], ids=lambda row: row["id"])
def test_what_a_careful_reader_understands_is_read(row: dict[str, Any]):
    read = read_reply(row["text"])
    assert isinstance(read, Reply), read
    assert read.content == meant(row).content


@pytest.mark.parametrize("row", [row for row in ROWS if row["means"] in NONE], ids=lambda row: row["id"])
def test_what_is_no_answer_is_never_obeyed(row: dict[str, Any]):
    assert isinstance(read_reply(row["text"]), Unusable)


@pytest.mark.parametrize("row", [row for row in ROWS if row["means"] not in NONE], ids=lambda row: row["id"])
def test_an_answer_that_was_cut_off_anywhere_is_never_obeyed(row: dict[str, Any]):
    if row["id"] in WITHOUT_AN_END:
        return
    for end in range(len(row["text"])):
        read = read_reply(row["text"][:end])
        assert isinstance(read, Unusable) or read.content == meant(row).content
