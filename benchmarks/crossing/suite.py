"""``graftwork bench crossing``: what a reader has to hold to follow one sentence, in figures.

Nothing here is judged; the figures of a day stand in ``docs/benchmarks.md``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.crossing.crossed import (
    PACKAGES,
    REPLIES,
    SENTENCE,
    Crossed,
    crossed_by_correction,
    crossed_by_reply,
    crossed_by_sentence,
    ticked_tree,
)
from benchmarks.crossing.shape import cycles, longest_of, product_files

__all__ = ["figures", "main"]

TOGETHER = ("bt", "graftwork")


def figures() -> dict[str, Any]:
    """Take all figures."""
    (opening, crossed), tree, files = crossed_by_sentence(), ticked_tree(), product_files()
    by_package = {name: _counts(crossed, name) for name in PACKAGES}
    return {
        "sentence": SENTENCE,
        "opening": _counts(opening, *PACKAGES),
        "crossed": by_package,
        "together": _counts(crossed, *TOGETHER),
        "all": _counts(crossed, *PACKAGES),
        "replies": {kind: _counts(crossed_by_reply(kind), *PACKAGES) for kind in REPLIES}
        | {"correction": _counts(crossed_by_correction(), *PACKAGES)},
        "tree": tree._asdict(),
        "function lines, 90th percentile": longest_of(0.9, files),
        "cycles": cycles(files),
    }


def _counts(crossed: Crossed, *packages: str) -> dict[str, int]:
    return {"files": crossed.files_of(*packages), "functions": crossed.functions_of(*packages)}


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures; return 0."""
    parser = argparse.ArgumentParser(prog="graftwork bench crossing", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print them as one JSON object")
    options = parser.parse_args(words)
    taken = figures()
    if options.json:
        sys.stdout.write(json.dumps(taken, indent=2) + "\n")
        return 0
    console = Console()
    console.print(_table(taken))
    console.print(_cycles_told(taken["cycles"]))
    return 0


def _table(taken: Mapping[str, Any]) -> Table:
    table = Table("figure", "files", "functions", title=f"“{SENTENCE}”, from `Session.start` to the first motion")
    rows = {**taken["crossed"], " and ".join(TOGETHER): taken["together"], "all": taken["all"]}
    rows["opening a session"] = taken["opening"]
    rows |= {f"a model's {kind}": row for kind, row in taken["replies"].items()}
    for name, row in rows.items():
        table.add_row(name, str(row["files"]), str(row["functions"]))
    table.add_section()
    table.add_row("lines of a function, 90th percentile", "", str(taken["function lines, 90th percentile"]))
    table.add_row("nodes of the tree of a plan of five steps", "", str(taken["tree"]["nodes"]))
    table.add_row("its depth", "", str(taken["tree"]["depth"]))
    table.add_row("import cycles", "", str(sum(map(len, taken["cycles"].values()))))
    return table


def _cycles_told(found: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """Return the cycles, one a line."""
    return "\n".join(f"{package or 'top'}: {', '.join(cycle)}" for package in found for cycle in found[package])


if __name__ == "__main__":
    sys.exit(main())
