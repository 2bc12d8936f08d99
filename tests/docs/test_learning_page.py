"""The page about learning: its conversation goes as it says."""

import os
import re
from pathlib import Path

from tests.commands import begun
from tests.docs.blocks import DOCS
from tests.graftwork.test_heard_on_a_terminal import PATIENCE

PAGE = (DOCS / "learning.md").read_text(encoding="utf-8")


def test_the_conversation_goes_as_the_page_says(tmp_path: Path):
    said = re.search(r"^```chat\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1]
    (tmp_path / "lines").write_text("".join(re.findall(r"^> (.*\n)", said, re.MULTILINE)), encoding="utf-8")
    streams = tuple(str(tmp_path / name) for name in ("lines", "out", "err"))
    words = ("chat", "--scene", "small", "--robot", "fake", "--memory", str(tmp_path / "memory"), "--quiet")
    process = begun(words, tmp_path, os.environ, streams)
    process.join(PATIENCE)
    assert process.exitcode == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == said
