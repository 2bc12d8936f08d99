"""The page of the record ends with the tables that `graftwork record format` prints."""

from pathlib import Path

from bt.record_format import format_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "record.md"


def test_the_page_has_the_tables_of_the_program():
    assert PAGE.read_text(encoding="utf-8").endswith(f"\n\n{format_page()}\n"), (
        "end docs/record.md with what `graftwork record format` prints"
    )
