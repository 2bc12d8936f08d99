"""Affordances that follow from others, in which classes they do not, and what formulas may rely on."""

import pytest

from domains import DomainFileError
from domains.reader import load_domain
from tests.domains.toy import DOMAIN, changed, write

USUAL = """\
  open: it opens
  steady: it stands still
implied: {support: [steady, location], steady: support}
excluded: {carry: steady}"""


def classes(folder, *changes, usual=USUAL):
    text = changed(DOMAIN, "  open: it opens", usual)
    for old, new in changes:
        text = changed(text, old, new)
    return load_domain(write(folder, "domain.yaml", text)).classes


def test_what_usually_follows_gives_way_to_what_a_class_affords(tmp_path):
    found = classes(tmp_path)
    assert found["table"].affordances >= {"support", "steady", "location"}
    assert "steady" not in found["tray"].affordances
    assert "location" in found["tray"].affordances


def test_a_class_says_otherwise_either_way(tmp_path):
    stated = ("tray: {affordances: [carry, support]", "tray: {affordances: [carry, support, steady]")
    lacked = ("table: {affordances: [support, location]", "table: {affordances: [support], lacks: [steady, location]")
    found = classes(tmp_path, stated, lacked)
    assert "steady" in found["tray"].affordances
    assert found["table"].affordances.isdisjoint({"steady", "location"})
    assert found["table"].lacks == {"steady", "location"}


def test_what_a_class_both_affords_and_lacks_is_refused(tmp_path):
    both = ("table: {affordances: [support, location]", "table: {affordances: [support, location], lacks: support")
    with pytest.raises(DomainFileError, match="class 'table' both affords and lacks support"):
        classes(tmp_path, both)


@pytest.mark.parametrize(
    ("usual", "fits"),
    [
        (USUAL, False),
        (USUAL.replace("\nexcluded: {carry: steady}", ""), True),
    ],
)
def test_a_formula_relies_only_on_what_follows_in_every_class(tmp_path, usual, fits):
    asks = ("free: {parameters: [object]", "free: {parameters: [steady]")
    needs = ("           (free ?o))", "           (free ?from))")
    if fits:
        assert classes(tmp_path, asks, needs, usual=usual)
    else:
        with pytest.raises(DomainFileError, match=r"\?from in \(free \?from\) does not afford steady"):
            classes(tmp_path, asks, needs, usual=usual)


def test_what_excludes_has_to_be_an_affordance(tmp_path):
    with pytest.raises(DomainFileError, match="unknown affordance 'cary'"):
        classes(tmp_path, usual=USUAL.replace("excluded: {carry", "excluded: {cary"))
