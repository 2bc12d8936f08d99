from pathlib import Path

import pytest

from domains.reader import available_domains
from graftwork.cases.suites import world_page

PAGES = Path(__file__).parents[2] / "docs" / "worlds"


@pytest.mark.parametrize("name", available_domains())
def test_the_page_of_a_world_tells_what_its_files_hold(name: str):
    page = PAGES / f"{name}.md"
    assert page.read_text(encoding="utf-8") == world_page(name), (
        f"write it anew: graftwork domain page {name} --into {page}"
    )


def test_there_is_no_page_of_a_world_that_is_gone():
    assert sorted(page.stem for page in PAGES.glob("*.md")) == sorted(available_domains())
