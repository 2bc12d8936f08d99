"""The Python of every page that shows what it prints runs, and prints what it shows."""

import contextlib
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"```python\n((?:(?!```).)*?)```\n+```\n(.*?)```", re.DOTALL)
BLOCKS = [
    pytest.param(code, printed, id=f"{page.name}-{number}")
    for page in sorted(DOCS.glob("*.md"))
    for number, (code, printed) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize(("code", "printed"), BLOCKS)
def test_an_example_prints_what_stands_below_it(code: str, printed: str):
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(code, "example", "exec"), {"__name__": "example"})
    assert told.getvalue() == printed


def test_there_are_examples():
    assert BLOCKS
