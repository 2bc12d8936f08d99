"""The table of events is what the program writes, and what it wrote before can still be read."""

import ast
import json
from pathlib import Path

import pytest

from bt.record import read_record
from bt.record_format import EVENTS
from bt.report import write_report
from tests.bt.event_types import differences, matches

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "data"
OLD = [ROOT / "tests" / "bt" / "old_records" / "first.jsonl", GOLDEN / "old" / "record.jsonl"]
OF_THE_SCENARIOS = ("facts", "point", "corrected", "cut", "ended", "nothing")
"""Kinds of events that only golden journals have."""


def written(path):
    """Yield the kind of each event that a module writes: a text, and then its fields."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 2:
            kind = node.args[0]
            if node.func.attr in ("write", "_write", "_note", "record") and isinstance(kind, ast.Constant):
                yield kind.value


def test_the_table_lists_every_kind_of_event_that_the_program_writes_and_no_other():
    files = [file for package in ("bt", "graftwork") for file in (ROOT / package).rglob("*.py")]
    assert {kind for file in files for kind in written(file)} == set(EVENTS)


def test_golden_journals_have_only_fields_of_the_table():
    wrong = {}
    seen = set()
    for file in GOLDEN.rglob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if event["e"] not in OF_THE_SCENARIOS:
                seen |= {(event["e"], name) for name in event}
                wrong |= dict.fromkeys(differences(event, whole=False), file.name)
    assert not wrong
    assert len(seen) > 80  # of about 100 fields


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.name)
def test_a_record_of_an_earlier_version_is_read_and_reported(file, tmp_path):
    events = read_record(file)
    assert [events[0]["e"], events[-1]["e"], events[-1]["outcome"]] == ["start", "end", "achieved"]
    assert not [told for event in events for told in differences(event, whole=False)]
    page = write_report(file, tmp_path / "page.html").read_text(encoding="utf-8")
    assert events[0]["instruction"] in page


def test_types_are_compared():
    assert matches(None, "[text] or null")
    assert matches({"a": [1, 0.5]}, "{[number]}")
    assert not matches([1, "a"], "[integer]")
    assert not matches(True, "integer")
    assert differences({"e": "note", "t": 0.5}) == ["note lacks text"]
    assert differences({"e": "note", "t": "0.5", "text": "", "x": 1}) == [
        "note.x is not listed",
        "note.t is no number: '0.5'",
    ]
