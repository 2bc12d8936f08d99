"""The page of troubles quotes messages that the program has, and the exit codes that it ends with."""

import os
import re

import pytest

from tests.commands import commanded
from tests.docs.blocks import DOCS

TEXT = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
ROOT = DOCS.parent
SOURCES = [
    *(file for name in ("graftwork", "planning", "domains", "semantics", "affordances", "bt", "robots")
      for file in (ROOT / name).rglob("*.py")),
    ROOT / "install.sh",
]  # fmt: skip
SEEN = [
    quoted
    for row in re.findall(r"^\| ([^|]*`[^|]*?) \| [^|]+ \| .+ \|$", TEXT, re.MULTILINE)
    for quoted in re.findall(r"`([^`]+)`", row)
    if "…" not in quoted and quoted not in ("graftwork: command not found", "make", "unknown setting")
]
"""What a person sees, in the words of the program: the quotations of the first column, but for those of a shell and one
that is put together."""
PROVOKED = {
    ("run", "open the fridge", "--robot", "fake", "--model", "openai:x"): (2, "needs a key"),
    ("run", "open the fridge", "--robot", "fake", "--record", "."): (2, "is not an empty folder"),
    ("run", "open the fridge", "--robot", "none.py:Body"): (2, "it cannot be imported"),
    ("run", "bring me the trombone", "--robot", "fake"): (3, "such thing is known"),
    ("run", "sing a song", "--robot", "fake"): (3, "is not something that can be asked for here"),
    ("run", "open the fridge", "--robot", "served:nowhere"): (5, "nowhere"),
    ("plan", "open the fridge", "--planner", "up:none"): (2, "none"),
    ("plan", "open the fridge"): (2, "unknown setting"),
}
"""Commands with the exit code that the page gives for their trouble, and words of their message."""


def test_there_are_quotations():
    assert len(SEEN) > 20


@pytest.mark.parametrize("quoted", dict.fromkeys(SEEN))
def test_what_is_seen_is_said_by_the_program(quoted: str):
    said = "\n".join(file.read_text(encoding="utf-8") for file in SOURCES)
    assert quoted in said


@pytest.mark.parametrize("words", PROVOKED, ids=" ".join)
def test_a_trouble_ends_with_its_code(words: tuple[str, ...], tmp_path):
    code, told = PROVOKED[words]
    (tmp_path / "something").touch()
    if told == "unknown setting":
        (tmp_path / "graftwork.toml").write_text('scen = "small"', encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "GRAFTWORK_"))}
    homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(tmp_path))
    ended = commanded(words, tmp_path, environment | homes)
    assert ended.returncode == code, ended.stderr
    assert told in ended.stdout + ended.stderr
    assert f"| {code} |" in TEXT
