"""The examples of a page: blocks of Python, each with the block of what it prints, or none, below it."""

import contextlib
import io
import re
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parents[2] / "docs"
PYTHON = re.compile(r"```python\n(.*?)```\n(?:\n+```\n(.*?)```)?", re.DOTALL)


class Block(NamedTuple):
    code: str
    printed: str | None


def python_blocks(page: Path) -> list[Block]:
    return [Block(match[1], match[2]) for match in PYTHON.finditer(page.read_text(encoding="utf-8"))]


def printed_by(block: Block, page: Path) -> str:
    """Run a block and return what it prints."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(block.code, str(page), "exec"), {"__name__": page.stem})
    return told.getvalue()
