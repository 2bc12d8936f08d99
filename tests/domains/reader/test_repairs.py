"""Repair rules: what they blame, what they do instead, and what that renames."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain
from domains.repairs import RepairStep
from tests.domains.toy import DOMAIN, write

REPAIRS = """\
repairs:
  from-elsewhere:
    code: obstructed
    capability: grasp
    when: (on ?o ?there)
    variables: {x: carry, there: support}
    culprits: [x]
    instead: [(grasp ?a ?o ?there ?at)]
    rename: {from: there}
    say: it is taken from where it is
"""


def loaded(folder: Path, text: str = REPAIRS):
    return load_domain(write(folder, "domain.yaml", DOMAIN + text))


def test_what_is_blamed_done_instead_and_renamed_is_read(tmp_path):
    (rule,) = loaded(tmp_path).repairs
    assert rule.culprits == ("x",)
    assert rule.before == rule.after == ()
    assert rule.instead == (RepairStep("grasp", ("?a", "?o", "?there", "?at")),)
    assert rule.rename == (("from", "there"),)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("culprits: [x]", "culprits: [y]", "y"),
        ("rename: {from: there}", "rename: {form: there}", "form"),
        ("rename: {from: there}", "rename: {from: ther}", "ther"),
        ("(grasp ?a ?o ?there ?at)", "(grasp ?a ?o ?there ?att)", "?att"),
        ("instead: [(grasp ?a ?o ?there ?at)]", "culprit: [x]", "culprit"),
    ],
)
def test_a_name_that_a_repair_does_not_have_is_told_with_its_line(tmp_path, old, new, told):
    with pytest.raises(DomainFileError) as caught:
        loaded(tmp_path, REPAIRS.replace(old, new))
    assert told in str(caught.value)
    line = next(number for number, one in enumerate((DOMAIN + REPAIRS.replace(old, new)).splitlines(), 1) if new in one)
    assert f":{line}:" in str(caught.value)


def test_a_repair_without_steps_does_nothing(tmp_path):
    with pytest.raises(DomainFileError, match="does nothing"):
        loaded(tmp_path, REPAIRS.replace("    instead: [(grasp ?a ?o ?there ?at)]\n", ""))
