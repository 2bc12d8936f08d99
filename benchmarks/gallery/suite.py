"""The gallery of sentences that work: ``graftwork bench gallery [--into docs/gallery.md]``.

Each sentence is carried out in this process and judged on the true state of the body's world. Exit code 1 when one does
not do what it must; then nothing is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.gallery.page import page, section
from benchmarks.gallery.trial import groups, perform

__all__ = ["main"]


def main(words: Sequence[str] | None = None) -> int:
    """Carry out every sentence, and write the page if a file is named."""
    every = groups()
    parser = argparse.ArgumentParser(prog="graftwork bench gallery", description=__doc__)
    parser.add_argument("--into", type=Path, metavar="FILE", help="where to write the page")
    names = [group.name for group in every]
    parser.add_argument("--group", action="append", choices=names, help="only this group; nothing is written")
    chosen = parser.parse_args(words)
    console = Console(highlight=False, markup=False, soft_wrap=True)
    read = [group for group in every if chosen.group is None or group.name in chosen.group]
    shown = []
    for group in read:
        for entry in group.entries:
            shown.append(result := perform(entry))
            console.print(f"{'wrong' if result.wrong else 'right'}  {group.name:10} {entry.title}")
            for why in result.wrong:
                console.print(f"       {why}")
    wrong = sum(bool(each.wrong) for each in shown)
    console.print(f"{len(shown)} sentences, {wrong} wrong")
    if chosen.into is not None and chosen.group is None and not wrong:
        chosen.into.write_text(page(read, [section(each) for each in shown]), encoding="utf-8")
        console.print(f"wrote {chosen.into}")
    return int(wrong > 0)
