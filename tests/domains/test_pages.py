"""The pages about worlds name what there is."""

import re
from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain
from domains.reader.keys import TABLES
from tests.domains.toy import DOMAIN, changed, write

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = (ROOT / "docs" / "domains.md").read_text(encoding="utf-8")
KITCHEN = (ROOT / "domains" / "kitchen" / "README.md").read_text(encoding="utf-8")


def test_the_kitchen_page_names_every_class_kind_predicate_and_capability():
    kitchen = load_domain("kitchen")
    named = set(re.findall(r"\w+", KITCHEN))
    assert {*kitchen.classes, *kitchen.kinds, *kitchen.predicates, *kitchen.capabilities} <= named


@pytest.mark.parametrize("table", TABLES)
def test_the_page_of_the_language_names_every_key(table):
    named = set(re.findall(r"`(\w+)(?:: [^`]*)?`", LANGUAGE))
    assert set(TABLES[table].all) <= named


def test_the_message_shown_is_the_one_given(tmp_path: Path):
    path = write(
        tmp_path, "domain.yaml", changed(DOMAIN, "precondition: (at ?a ?start)", "precondition: (at ?a ?strat)")
    )
    with pytest.raises(DomainFileError) as caught:
        load_domain(path)
    assert str(caught.value).removeprefix(f"{tmp_path}/") in LANGUAGE
