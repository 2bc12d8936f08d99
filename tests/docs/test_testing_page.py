"""The page about tests: its Python runs, its cases are read and pass, and its tests pass under pytest."""

import re

import pytest

from domains.reader import load_domain
from graftwork.cases import CaseRunner, CaseWorld, read_cases
from graftwork.cases.case_file import KEYS
from graftwork.cases.expectations import KINDS
from tests.docs.blocks import DOCS, printed_by, python_blocks

pytest_plugins = ["pytester"]

PAGE = DOCS / "testing.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = python_blocks(PAGE)


@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if block.printed is not None], ids=lambda each: each.code[:40]
)
def test_an_example_prints_what_stands_below_it(block):
    assert printed_by(block, PAGE) == block.printed


def test_the_example_of_tests_passes_under_pytest(pytester):
    (code,) = (block.code for block in BLOCKS if block.printed is None)
    pytester.makepyfile(code)
    ran = pytester.runpytest_subprocess("-p", "graftwork.testing.plugin", "-p", "no:hypothesispytest")
    ran.assert_outcomes(passed=3)


def test_the_example_cases_pass(tmp_path):
    found = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert len(found) == 2
    world = CaseWorld(load_domain("kitchen"))
    with CaseRunner() as runner:
        for text in found:
            file = tmp_path / "cases.yaml"
            file.write_text(text, encoding="utf-8")
            (case,) = read_cases(file, world)
            assert runner.run(case, world).problems == ()


def test_every_key_of_a_case_is_described():
    listed = {
        word for row in re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE) for word in re.findall(r"`([a-z-]+)`", row)
    }
    assert {"name", *KEYS, *KINDS} <= listed
