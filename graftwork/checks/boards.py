"""The check of what the hand reaches on boards and behind doors, by poses drawn in the simulator's mirror."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from domains.errors import Diagnostic, Severity
from domains.lint import PositionFinder
from domains.model import SceneFile
from domains.reader.nodes.diagnostics import Diagnostics
from robots.furniture import MODELS, fittings
from semantics.layout import Layout

if TYPE_CHECKING:
    from robots.pybullet.board_samples import BoardSample

__all__ = ["FEWEST", "check_boards"]

FEWEST: Final = 19
"""How many of the drawn poses on a board have to be reached."""


def check_boards(scene: SceneFile, places: PositionFinder, diagnostics: Diagnostics) -> Iterator[Diagnostic]:
    """Report the boards on which fewer than `FEWEST` poses are reached; yield a note where there is no simulator."""
    layout = scene.layout
    if layout is None or not all(item.model in MODELS for item in layout.furniture) or not _has_boards(layout):
        return
    try:
        from robots.pybullet.board_samples import POSES, sample_boards
    except ImportError:
        mark = places.of("things")
        message = "no simulator is installed, so no poses on boards were tried; expected the extra 'sim'"
        yield Diagnostic(diagnostics.shown, mark.line, mark.column, message, "no-samples", Severity.NOTE)
        return
    shapes = {scene.things[piece.name].class_name: piece.shape for piece in layout.pieces}
    for sample in _told(sample_boards(layout, shapes), diagnostics.shown):
        if sample.reached < FEWEST:
            message = (
                f"on the board of '{sample.place}' at {sample.height:.2f} m the hand reaches {sample.reached} of "
                f"{POSES} poses of a {' or '.join(sample.classes)}; expected at least {FEWEST}: another height, more "
                "room above it, or a wider front"
            )
            diagnostics.warn(places.of("things", sample.place), message, "board-out-of-reach", sample.place)


def _has_boards(layout: Layout) -> bool:
    offered = [fittings(item) for item in layout.furniture]
    return any(each.hinged or len(each.surfaces) > 1 for each in offered)


def _told(samples: Iterator[BoardSample], shown: str) -> Iterator[BoardSample]:
    """Yield samples, and write on a terminal how many there were so far."""
    is_terminal = sys.stderr.isatty()
    for count, sample in enumerate(samples, 1):
        if is_terminal:
            sys.stderr.write(f"\r{shown}: {count} boards and kinds of things tried ")
        yield sample
    if is_terminal:
        sys.stderr.write("\r\x1b[K")
