"""The check of what the hand reaches on boards and behind doors, by poses drawn in the simulator's mirror."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from domains.diagnostics import Diagnostics
from domains.errors import Diagnostic, Severity
from domains.lint import PositionFinder
from domains.model import SceneFile
from robots.furniture import MODELS, fittings

FEWEST: Final = 19
"""How many of the drawn poses on a board have to be reached."""


def check_boards(scene: SceneFile, places: PositionFinder, diagnostics: Diagnostics) -> Iterator[Diagnostic]:
    """Report the boards on which fewer than `FEWEST` poses are reached; yield a note where there is no simulator.

    Furniture whose door is blocked is told already, and left out.
    """
    layout = scene.layout
    if layout is None or not all(item.model in MODELS for item in layout.furniture):
        return
    if not any(fittings(item).has_boards for item in layout.furniture):
        return
    try:
        from robots.pybullet.board_samples import POSES, sample_boards
    except ImportError:
        mark = places.of("things")
        message = "no simulator is installed, so no poses on boards were tried; expected the extra 'sim'"
        yield Diagnostic(diagnostics.shown, mark.line, mark.column, message, "no-samples", Severity.NOTE)
        return
    shapes = {piece.label or scene.things[piece.name].class_name: piece.shape for piece in layout.pieces}
    blocked = {problem.culprit for problem in diagnostics.problems if problem.code == "blocked-opening"}
    for count, sample in enumerate(sample_boards(layout, shapes, blocked), 1):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{diagnostics.shown}: {count} boards and kinds of things tried\r")
        if sample.reached < FEWEST:
            message = (
                f"on the board of '{sample.place}' at {sample.height:.2f} m the hand reaches {sample.reached} of "
                f"{POSES} poses of a {' or '.join(sample.classes)}; expected at least {FEWEST}: another height, more "
                "room above it, or a wider front"
            )
            diagnostics.warn(places.of("things", sample.place), message, "board-out-of-reach", sample.place)
