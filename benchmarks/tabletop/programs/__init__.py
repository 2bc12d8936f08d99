"""The programs that carry out the templates: one text for each kind of instruction, with places for its words.

A program knows what a language model would know: the words of the instruction and the names of things. All geometry is
asked for when it runs. Slots are written as in the template, such as ``<block:1>``, and hold names of things, words or
numbers; ``<point>`` becomes ``point(x, y, z)``. A line such as ``<put_all>`` stands for the text of a function in the
folder ``functions``, and of what that function calls. ::

    program_text(instance("S1", 0, templates))
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from benchmarks.tabletop.drawing import Attributes, Value
from benchmarks.tabletop.instance import Instance

__all__ = ["PROGRAMS", "filled", "program_text"]

FOLDER = Path(__file__).parent
PROGRAMS: Mapping[str, str] = {
    **dict.fromkeys(("S1", "L22"), "on_block"),
    **dict.fromkeys(("S2", "L23"), "in_bowl"),
    **dict.fromkeys(("S3", "L31"), "all_at_region"),
    **dict.fromkeys(("S4", "L32"), "all_in_bowl"),
    **dict.fromkeys(("S5", "L33"), "matching_bowls"),
    **dict.fromkeys(("S6", "L29"), "side_of_bowl_to_region"),
    **dict.fromkeys(("S7", "L28"), "distant_to_region"),
    **dict.fromkeys(("S8", "L27"), "nth_to_region"),
    **dict.fromkeys(("U1", "L36"), "different_corners"),
    **dict.fromkeys(("U2", "L37"), "mismatched_bowls"),
    **dict.fromkeys(("U3", "L38"), "tower_at_region"),
    **dict.fromkeys(("U4", "L25"), "beside_bowl"),
    **dict.fromkeys(("U5", "L26"), "distant_corner"),
    **dict.fromkeys(("U6", "L39"), "line"),
    "L01": "go_to_point",
    "L02": "open",
    "L03": "close",
    "L04": "go_beside_point",
    "L05": "move_to_thing",
    "L06": "open_at_point",
    "L07": "close_at_region",
    "L08": "go_beside_thing",
    "L09": "move_along_ray",
    "L10": "nth_colour",
    "L11": "count_of_colour",
    "L12": "is_beside",
    "L13": "blocks_beside_bowl",
    "L14": "distant_block",
    "L15": "count_beside_region",
    "L16": "go_to_block",
    "L17": "things_within",
    "L18": "same_colour",
    "L19": "more_blocks",
    "L20": "pick",
    "L21": "let_go_above_region",
    "L24": "named_to_region",
    "L30": "between",
    "L34": "tower",
    "L35": "colour_to_region",
    "L40": "all_moved",
    "L41": "shape",
}
"""The program of each template."""
FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    "put_all": ("workspace", "take", "put_aside", "put_all"),
    "put_at": ("take", "put_at"),
    "take": ("take",),
    "spots_at": ("spots_at",),
    "workspace": ("workspace",),
}
"""The functions that a line stands for, in order."""


def program_text(given: Instance) -> str:
    """Return the program of an instance, with its slots filled."""
    text = (FOLDER / f"{PROGRAMS[given.template]}.txt").read_text(encoding="utf-8")
    return filled(text, given.attributes)


def filled(text: str, attributes: Attributes) -> str:
    """Return a program with functions in the place of their lines, and its slots filled."""
    for name, functions in FUNCTIONS.items():
        texts = ((FOLDER / "functions" / f"{function}.txt").read_text(encoding="utf-8") for function in functions)
        text = text.replace(f"<{name}>\n", "\n\n".join(texts) + "\n\n")
    slots = "|".join(map(re.escape, attributes))
    return re.sub(f"<({slots})>", lambda match: _written(attributes[match[1]]), text) if slots else text


def _written(value: Value) -> str:
    return f"point({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)
