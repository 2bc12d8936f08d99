"""The room of a row: a shipped scene or one of this folder, changed as the row says, as a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from pathlib import Path
from random import Random
from typing import Any

import yaml

from benchmarks.whole_runs.rows import ROOT, Row, read_yaml
from domains.model import Domain
from domains.reader import load_domain

__all__ = ["domain_of", "room_of"]

PLACE_KEYS = ("on", "in", "offset", "level", "yaw")
MOST_DRAWN = 2000
APART = 0.015
"""The least gap between a thing that is drawn and those that stand on the same board, in metres."""
FROM_EDGE = 0.02


def domain_of(row: Row) -> str:
    """Return the world of a row, as a session takes it."""
    name = str(row.data["domain"])
    return str(ROOT / name) if "/" in name else name


def room_of(row: Row, folder: Path) -> str:
    """Return the scene of a row, as a session takes it: its own file in `folder` where the row changes it."""
    file = _file_of(row)
    scene = read_yaml(file)
    things = scene["things"]
    changed = False
    if (start := row.data.get("start")) is not None:
        _draw(scene, start, row.seed, load_domain(domain_of(row)))
        changed = True
    if (facts := row.data.get("facts")) is not None:
        scene["facts"], changed = facts, True
    jitter = row.data.get("jitter") or {}
    for name, (right, front) in ({row.data["target"]: jitter} if isinstance(jitter, list) else jitter).items():
        x, y = things[name].get("offset", (0.0, 0.0))
        things[name]["offset"], changed = [round(x + right, 4), round(y + front, 4)], True
    for name in row.data.get("remove") or ():
        _remove(scene, name)
        changed = True
    for change in row.list_of("change"):
        for wanted in change.get("scene_change") or ():
            _change(things, dict(wanted))
            changed = True
    if not changed:
        return str(file)
    room = folder / "room.yaml"
    scene["domain"] = load_domain(domain_of(row)).name
    room.write_text(yaml.safe_dump(scene, sort_keys=False), encoding="utf-8")
    return str(room)


def _file_of(row: Row) -> Path:
    scene = str(row.data["scene"])
    if "/" in scene:
        return ROOT / scene
    world = Path(domain_of(row))
    return (world if world.is_absolute() else ROOT / "domains" / world) / "scenes" / f"{scene}.yaml"


def _change(things: dict[str, Any], wanted: dict[str, Any]) -> None:
    if (name := wanted.pop("add", None)) is not None:
        things[name] = wanted
        return
    name = wanted.pop("thing")
    if {"on", "in"} & wanted.keys():
        things[name] = {key: value for key, value in things[name].items() if key not in PLACE_KEYS}
    things[name].update(wanted)


def _remove(scene: dict[str, Any], name: str) -> None:
    scene["things"].pop(name)
    for key in ("facts", "beliefs"):
        said = scene.get(key)
        if isinstance(said, list):
            scene[key] = [fact for fact in said if name not in str(fact).strip("()").split()]
        elif isinstance(said, dict):
            scene[key] = {fact: why for fact, why in said.items() if name not in str(fact).strip("()").split()}


def _draw(scene: dict[str, Any], start: Mapping[str, Any], seed: int, domain: Domain) -> None:
    """Place a thing on a board of furniture at a pose drawn from the seed, clear of what stands there."""
    things, beliefs = scene["things"], scene.setdefault("beliefs", {})
    name, place, level = start["thing"], start["furniture"], start["level"]
    thing = {key: value for key, value in things[name].items() if key not in PLACE_KEYS}
    word = "in" if "opened" in things[place] else "on"
    width, depth, _ = things[place]["size"]
    others = [
        (other.get("offset", (0.0, 0.0)), _radius(domain, other["class"]))
        for key, other in things.items()
        if key != name and place in (other.get("in"), other.get("on")) and other.get("level", 0) == level
    ]
    random, radius = Random(f"{seed} {name} {place} {level}"), _radius(domain, thing["class"])
    free_width, free_depth = (
        side / 2 - FROM_EDGE - radius - (0.02 if word == "in" else 0.0) for side in (width, depth)
    )
    for _ in range(MOST_DRAWN):
        x, y = random.uniform(-free_width, free_width), random.uniform(-free_depth, free_depth)
        if all(hypot(x - a, y - b) > radius + other + APART for (a, b), other in others):
            break
    else:
        raise AssertionError(f"there is no room for {name} on board {level} of {place}")
    yaw = round(random.uniform(-0.6, 0.6), 3)
    things[name] = {**thing, word: place, "level": level, "offset": [round(x, 3), round(y, 3)], "yaw": yaw}
    scene["beliefs"] = {fact: why for fact, why in beliefs.items() if name not in str(fact).strip("()").split()}
    if word == "in":
        scene["beliefs"][f"(in {name} {place})"] = "last seen there"


def _radius(domain: Domain, class_name: str) -> float:
    """Return the radius of the circle around a thing's footprint, in metres."""
    shape = domain.classes[class_name].shape
    assert shape is not None
    return hypot(shape.size[0], shape.size[1]) / 2 if shape.form not in ("sphere", "cylinder") else shape.size[0] / 2
