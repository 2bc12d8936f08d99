"""The gallery is what its sentences do: each is carried out again, and the page is compared with what comes of it."""

from pathlib import Path

import pytest

from benchmarks.gallery.page import page, section
from benchmarks.gallery.trial import Entry, groups, perform

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "gallery.md").read_text(encoding="utf-8")
GROUPS = groups()
SECTIONS = [f"### {text.partition(chr(10) + '## ')[0].rstrip()}\n" for text in PAGE.split("\n### ")[1:]]
"""What stands on the page about each sentence, in order."""
ENTRIES = [
    # The first sentence of each group is tried each time; all are tried by `make test`.
    pytest.param(entry, id=f"{group.name}-{number}", marks=[pytest.mark.slow] * bool(number))
    for group in GROUPS
    for number, entry in enumerate(group.entries)
]
PLACES = [id(param.values[0]) for param in ENTRIES]
AGAIN = "write it anew: graftwork bench gallery --into docs/gallery.md"


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_sentence_does_what_the_page_says(entry: Entry):
    shown = perform(entry)
    assert shown.wrong == ()
    assert section(shown) == SECTIONS[PLACES.index(id(entry))], AGAIN


def test_the_page_has_each_sentence_once_in_its_group():
    assert page(GROUPS, SECTIONS) == PAGE, AGAIN
    assert [text.splitlines()[0].removeprefix("### ").strip("`") for text in SECTIONS] == [
        param.values[0].title for param in ENTRIES
    ]
