"""Instances of the templates by seed: the words of an instruction, and a scene in which it can be carried out.

A scene has one to four blocks and one to four bowls, no two of a class with one colour, as published: middles in the
inner 40 by 40 cm of the workspace and at least 15 cm apart. The bowls of the world are wider than the published ones,
so their outlines keep 1 cm of air as well. What the words name is in the scene. A scene is drawn again when the check
of its template says so, when there is no room where the words want something put, and when two readings of a word would
lead to different answers. So scenes with much on the table are rarer than those with little. ::

    templates = load_templates(Path("data"))
    given = instance("S1", 0, templates)
    given.words, given.attributes, given.scene
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from benchmarks.tabletop.board import COLOURS, HALF, Spot, side_of
from benchmarks.tabletop.conditions import possible
from benchmarks.tabletop.drawing import Value, drawn
from benchmarks.tabletop.instance import Instance
from benchmarks.tabletop.templates import Templates

__all__ = ["instance"]

SPACING, MARGIN, AIR = 0.15, 0.10, 0.01
"""Least distance of two middles, distance of a middle from the edge of the workspace, air between outlines; metres."""
SPLITS = ("seen", "unseen")
MOST = 4
ATTEMPTS, SCENES, PLACINGS = 20_000, 40, 60
"""How often an instance is drawn before it is given up, its things arranged, and one of them placed."""
LEAST_BLOCKS = {"U3": 2, "U6": 2, "L14": 2, "L16": 2, "L34": 2, "L38": 2, "L39": 2, "L41": 3}
"""Templates that mean nothing with a single block, and how many they need."""
MATCHING = ("S5", "L33")
"""Templates whose scenes have a bowl of the colour of each block."""


def instance(template_id: str, seed: int, data: Templates, split: str | None = None) -> Instance:
    """Draw an instance of a template.

    Args:
        template_id: S1 to S8, U1 to U6, L01 to L41.
        seed: Any number; the same one gives the same instance.
        data: The templates, of `load_templates`.
        split: Set of attributes, ``seen`` or ``unseen``; without it, seen for even seeds and unseen for odd ones.

    Raises:
        ValueError: If there is no such template or set.
        RuntimeError: If no scene was found in which the template means something.
    """
    if template_id not in data.templates:
        raise ValueError(f"no template {template_id!r}; the templates are {', '.join(data.templates)}")
    split = split or SPLITS[seed % 2]
    if split not in SPLITS:
        raise ValueError(f"no set of attributes {split!r}; the sets are {' and '.join(SPLITS)}")
    template = data.templates[template_id]
    random = Random(f"{template_id} {template.seed} {seed} {split}")
    for _ in range(ATTEMPTS):
        values, said, start, held = drawn(template, split, data, random)
        spots = _scene(template_id, values, held, random)
        draft = Instance(template_id, seed, split, _words(template.text, said), values, spots, held, start)
        if spots and possible(draft):
            return draft
    raise RuntimeError(f"no scene for {template_id} with seed {seed} in {ATTEMPTS} attempts")


def _words(text: str, said: Mapping[str, str]) -> str:
    """Return a template with its places filled; what is above a point is not said to be above of it."""
    words = re.sub("<([^>]+)>", lambda match: said[match[1]], text)
    return words.replace("above of", "above").replace("below of", "below")


def _scene(template: str, values: Mapping[str, Value], held: str, random: Random) -> dict[str, Spot]:
    """Return where blocks and bowls stand, or nothing if these do not fit."""
    named = [value for value in (*values.values(), held) if isinstance(value, str)]
    if template == "L35":
        named.append(f"{values['color']}_block")
    blocks = _some("block", named, random, LEAST_BLOCKS.get(template, 1), COLOURS)
    if template in MATCHING:
        named += [name.replace("block", "bowl") for name in blocks]
    bowls = _some("bowl", named, random, 1, COLOURS)
    return next(filter(None, (_placed(bowls, blocks, random) for _ in range(SCENES))), {})


def _some(kind: str, named: list[str], random: Random, least: int, colours: tuple[str, ...]) -> list[str]:
    """Return names of one to four things of a kind, those that are named among them, in random order."""
    forced = list(dict.fromkeys(name for name in named if name.endswith(f"_{kind}")))
    others = [name for name in (f"{colour}_{kind}" for colour in colours) if name not in forced]
    count = max(random.randint(least, MOST), len(forced))
    names = forced + random.sample(others, count - len(forced))
    random.shuffle(names)
    return names


def _placed(bowls: list[str], blocks: list[str], random: Random) -> dict[str, Spot]:
    spots: dict[str, Spot] = {}
    inner = HALF - MARGIN
    for name in (*bowls, *blocks):
        for _ in range(PLACINGS):
            spot = Spot(round(random.uniform(-inner, inner), 3), round(random.uniform(-inner, inner), 3))
            if all(_keeps_off(name, spot, other, there) for other, there in spots.items()):
                spots[name] = spot
                break
        else:
            return {}
    return {name: spots[name] for name in (*blocks, *bowls)}


def _keeps_off(name: str, spot: Spot, other: str, there: Spot) -> bool:
    right, top = abs(spot.right - there.right), abs(spot.top - there.top)
    clear = max(right, top) >= (side_of(name) + side_of(other)) / 2 + AIR
    return clear and right**2 + top**2 >= SPACING**2
