"""Record the golden journals again: ``python -m tests.golden.record [--repeat N] [NAME…]``.

Each NAME is the beginning of the name of a scenario, such as ``ladder`` or ``ladder/pair-``; without any, all are
recorded. Each is done `N` times (3), and only written when all of them give the same events at the same times; others
are told, and the program ends with 1. To be run only when what the program decides is *meant* to change: read the
differences of the files, which have one line an event, before you keep them. A scenario that is not in the code any
more has its file deleted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.golden.comparison import write
from tests.golden.scenarios import SCENARIOS, file_of, files, golden_events

__all__ = ["main"]


def main(words: Sequence[str] | None = None) -> int:
    """Record what was named; return 1 when two runs of a scenario differed."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.record", description=__doc__)
    parser.add_argument("names", nargs="*", help="beginnings of names; all without any")
    parser.add_argument("--repeat", type=int, default=3, help="how often each is done")
    options = parser.parse_args(words)
    chosen = [name for name in SCENARIOS if not options.names or name.startswith(tuple(options.names))]
    unstable = [name for name in chosen if not _record(name, options.repeat)]
    for path in files() - {file_of(name) for name in SCENARIOS}:
        path.unlink()
    sys.stdout.write(f"{len(chosen) - len(unstable)} recorded; not the same each time: {unstable or 'none'}\n")
    return 1 if unstable else 0


def _record(name: str, times: int) -> bool:
    """Record a scenario; return whether it was the same each time."""
    first, *others = (golden_events(name) for _ in range(times))
    stable = all(other == first for other in others)
    if stable:
        write(file_of(name), first)
    return stable


if __name__ == "__main__":
    sys.exit(main())
