"""The page of feedback codes lists what the code lists."""

from pathlib import Path

from semantics.logic.feedback import Code

PAGE = Path(__file__).resolve().parents[2] / "docs" / "feedback.md"


def test_every_code_has_a_meaning():
    assert all(code.meaning for code in Code)


def test_the_page_lists_every_code_with_its_level_and_meaning():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ") and "`" in line]
    assert rows == [f"| {code.level} | `{code}` | {code.meaning} |" for code in Code]
