"""The page of codes says everything that a check can find without a reader's help, and what the broken files show."""

import re
from pathlib import Path

from tests.checking.broken import broken_files, expected
from tests.domains.codes import LINT_CODES

PAGE = (Path(__file__).parent.parent.parent / "docs" / "checks.md").read_text(encoding="utf-8")
SOURCES = Path(__file__).parent.parent.parent / "domains" / "lint"
TOLD = re.compile(r'(?:\.warn|_warn)\([^"]*"([a-z]+(?:-[a-z]+)+)"|"([a-z]+(?:-[a-z]+)+)", message')


def test_every_finding_has_a_row_with_an_example_and_how_to_mend_it():
    rows = {
        row[0].strip("`"): row[1:] for row in (line[2:-2].split(" | ") for line in PAGE.splitlines() if "|" in line)
    }
    assert all(len(rows[code]) == 3 and all(rows[code]) for code in LINT_CODES)


def test_every_code_of_the_lint_is_in_the_list():
    told = {code for file in SOURCES.glob("*.py") for pair in TOLD.findall(file.read_text()) for code in pair if code}
    assert told - {"wrong-arity"} <= LINT_CODES.keys()
    assert len(told) > 15


def test_every_warning_of_a_broken_file_is_explained():
    lines = [line.split(": ") for file in broken_files() for line in expected(file)]
    unknown = {code.rstrip(":") for _, severity, code, *_ in lines if severity == "warning" and f"`{code}`" not in PAGE}
    assert not {code for code in unknown if code in LINT_CODES}
