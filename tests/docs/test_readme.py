"""The README's Python runs, and prints what it says."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```\n+```\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("code", "printed"), BLOCKS)
def test_a_python_example_prints_what_stands_below_it(code: str, printed: str):
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(code, str(README), "exec"), {"__name__": "readme"})
    assert told.getvalue() == printed


def test_there_are_examples():
    assert len(BLOCKS) == 3
