"""Each link of a page leads to a file that is there, and to a heading of it."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.blocks import DOCS

ROOT = DOCS.parent
PAGES = sorted((*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "examples").rglob("*.md")))
LINK = re.compile(r"\]\((?!https?:|mailto:)([^()#\s]*)(?:#([^()\s]+))?\)")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


@cache
def text_of(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_link_leads_somewhere(page: Path):
    lost = []
    for path, anchor in LINK.findall(text_of(page)):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            lost.append(f"{path}#{anchor}")
    assert not lost


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_each_page_is_linked_from_the_readme_or_a_page_that_is(page: Path):
    readme = {(ROOT / path).resolve() for path, _ in LINK.findall(text_of(ROOT / "README.md")) if path}
    pages = [each for each in readme if each.parent == DOCS and each.suffix == ".md"]
    further = {(DOCS / path).resolve() for each in pages for path, _ in LINK.findall(text_of(each))}
    assert page in readme | further
