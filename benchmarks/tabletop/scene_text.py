"""A scene as a file of the world `tabletop`: the table, areas and arm of its other scenes, with blocks and bowls."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.tabletop.board import REGIONS, TABLE_TOP, TABLE_X, Spot

__all__ = ["area_of", "scene_text"]

HEAD = """\
# {words}
domain: tabletop
speaker: human0
things:
  robot0: {{class: robot, pose: [0.0, 0.0, 0.0], body: panda-fixed}}
  human0: {{class: human}}
  table0: {{class: table, pose: [{x}, 0.0, 3.1416], size: [0.72, 0.68, {height}]}}
"""
INNER, OUTER = 0.32, 0.14
"""Side of the middle and breadth of the areas along the edges, metres: nine areas that fill the workspace."""


def area_of(spot: Spot) -> str:
    """Return the name of the area of the table over which a spot is."""
    right, top = (0 if abs(value) <= INNER / 2 else (1 if value > 0 else -1) for value in spot.place)
    return next(name for name, (across, ahead) in REGIONS.items() if (_sign(across), _sign(ahead)) == (right, top))


def scene_text(words: str, spots: Mapping[str, Spot]) -> str:
    """Return the text of a scene file; blocks and bowls stand on the table, square to it.

    Args:
        words: The instruction, for the first line.
        spots: Where each block and bowl stands on the map.
    """
    lines = [HEAD.format(words=words, x=TABLE_X, height=TABLE_TOP).rstrip()]
    for name, (right, top) in REGIONS.items():
        kind = name.rstrip("0").split("_")[-1]
        size = (INNER if right == 0 else OUTER, INNER if top == 0 else OUTER)
        pose = f"[{TABLE_X + top:.2f}, {0.0 - right:.2f}, 3.1416]"
        lines.append(f"  {name}: {{class: {kind}, pose: {pose}, size: [{size[0]}, {size[1]}, {TABLE_TOP}]}}")
    for name, spot in spots.items():
        colour, kind = name.split("_")
        offset = f"[{spot.right:.3f}, {0.0 - spot.top:.3f}]"
        lines.append(f"  {name}: {{class: {kind}, on: table0, offset: {offset}, attributes: {{colour: {colour}}}}}")
    lines += ["facts:", "  - (hand_free robot0)"]
    for name, spot in spots.items():
        if name.endswith("_block"):
            lines += [f"  - (lies {name} {area_of(spot)})", f"  - (clear {name})"]
    return "\n".join(lines) + "\n"


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
