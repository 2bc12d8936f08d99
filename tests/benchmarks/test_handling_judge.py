"""The judge of relations, against the layouts that were labelled by hand."""

import json
from math import cos, pi, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.handling.judge import RELATION_VERDICTS, TURNS, Lying, Top, TrueScene, Wanted, fulfils

LAYOUTS = Path(__file__).parents[1] / "corpora" / "relations"
FLOOR = "floor0"
VIEWERS = ("person", "robot")


def lying(thing: dict[str, Any]) -> Lying:
    x, y, *height = thing["at"]
    bottom, angle, size = (height or [0.0])[0], radians(thing.get("yaw", 0.0)), thing["size"]
    c, s = cos(angle), sin(angle)
    axes = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return Lying(thing["form"], tuple(size), (x, y, bottom + size[2] / 2), axes)


def heading(row: dict[str, Any]) -> float:
    things = row["things"]
    named = row.get("frame")
    persons = [thing for thing in things.values() if thing["form"] == "person"]
    robots = [thing for thing in things.values() if thing["form"] == "robot"]
    viewer = things[named] if named else (persons if len(persons) == 1 else robots or [{"form": "", "yaw": 0}])[0]
    turned = 0.0 if viewer["form"] in VIEWERS or not named else pi
    return radians(viewer.get("yaw", 0.0)) + turned


def scene(row: dict[str, Any]) -> TrueScene:
    solids = {name: thing for name, thing in row["things"].items() if thing["form"] not in VIEWERS}
    tops = {FLOOR: (Top(0.0, 0.0, 0.0, 20.0, 20.0, 0.0),)}
    for name, thing in solids.items():
        if thing["form"] == "table":
            (width, depth, height), (x, y) = thing["size"], thing["at"]
            tops[name] = (Top(x, y, radians(thing.get("yaw", 0.0)), depth, width, height),)
    things = {name: lying(thing) for name, thing in solids.items() if name not in tops}
    return TrueScene(things, tops, heading(row))


def wanted(row: dict[str, Any]) -> Wanted | None:
    """Return the relation of a layout; None for one of another kind, or of furniture or persons."""
    relation, args = row["relation"], row["args"]
    if relation == "at_distance":
        return Wanted(args[2], tuple(args[:2]), distance=args[3])
    if relation not in RELATION_VERDICTS:
        return None
    things = {**row["things"], FLOOR: {"form": "floor"}}
    names = tuple(name for name in args if name in things)
    words = " ".join(arg for arg in args if arg not in things)
    movable = [name for name in names if things[name]["form"] not in (*VIEWERS, "table", "floor")]
    of_surface = relation in ("on", "in_middle_of", "in_corner_of", "at_edge_of")
    if len(movable) < len(names) - of_surface:
        return None
    return Wanted(relation, names, words.replace("far", "top").replace("near", "bottom"))


ROWS = [json.loads(line) for part in ("a", "b") for line in (LAYOUTS / f"{part}.jsonl").read_text().splitlines()]
JUDGED = [row for row in ROWS if wanted(row)]


def test_most_layouts_are_about_what_the_judge_is_asked():
    assert len(JUDGED) > 130
    assert {row["relation"] for row in JUDGED} >= {"at_distance", *RELATION_VERDICTS.keys() - TURNS.keys()}


@pytest.mark.parametrize("row", JUDGED, ids=lambda row: row["id"])
def test_the_judge_agrees_with_the_hand(row):
    assert fulfils(wanted(row), scene(row)) == row["true"], row["why"]
