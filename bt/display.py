"""Draw a tree document as SVG: `tree_svg`.

A behaviour tree is read from the top down and from left to right. Large subtrees stand side by side, with their parent
over their middle (the tidy drawing of Reingold and Tilford, 1981, with whole subtree widths instead of contours). A
small subtree, which is what one step of a plan is, hangs below its root as an indented list; so each step is one column
and names stay legible. A long chain of nodes with one child each, such as the rungs of a repair ladder, runs in rows
from left to right. The width is what the tree needs: show the drawing in something that scrolls sideways.

Colours are CSS variables with built-in values, so that a page can restyle the drawing, and each state has a sign of its
own besides its colour.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, NamedTuple

__all__ = ["SIGNS", "markup", "readable_kind", "tree_svg", "walk"]

Document = Mapping[str, Any]
"""A node of a tree document: ``id``, ``name``, ``kind``, ``children`` and, as far as known, ``what``."""

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

SIGNS = {"success": "✓", "failure": "✗", "running": "●", "invalid": "·"}
"""One sign per state; ``invalid`` is a node that is not being asked."""


class _Look(NamedTuple):
    """How a kind of node is drawn, and what it does in a few words."""

    outline: str
    sign: str
    words: str


LOOKS = {
    "goal": _Look("hexagon", "◎", "goal: ends as soon as what was asked for is sensed to be true"),
    "recover": _Look("hexagon", "◇", "recover: answers failures below it, by the cheapest means that helps"),
    "replan": _Look("hexagon", "◇", "repair: makes a new plan when no step leads to the goal any more"),
    "resume": _Look("round", "→", "resume: goes on from the latest step from which the rest still reaches the goal"),
    "weave": _Look(
        "round", "⇉", "weave: does at once what does not depend on each other, as far as it still serves the goal"
    ),
    "execute": _Look("round", "→", "execute: does the steps that still lead to the goal, as many at once as can be"),
    "step": _Look("round", "→", "step: asks before, acts, and senses afterwards whether it worked"),
    "condition": _Look("ellipse", "", "condition: asks whether something holds"),
    "act": _Look("box", "▸", "act: the robot does something"),
    "action": _Look("box", "▸", "action: the robot does something"),
    "effect": _Look("ellipse", "", "effect: was the result sensed?"),
    "sequence": _Look("round", "→", "sequence: its children one after the other, until one fails"),
    "selector": _Look("round", "?", "selector: the first of its children that does not fail"),
    "parallel": _Look("round", "⇉", "parallel: its children at the same time"),
    "decorator": _Look("hexagon", "◇", "decorator: watches over its child and may repair it"),
}
"""By kind: those of compiled plans, and the general ones. Another kind with one child is drawn as a decorator."""

WIDTH, HEIGHT = 182, 44
INDENT = 14
SIDE_GAP, LEVEL_GAP, LIST_GAP = 12, 26, 7
MARGIN = 10
LEAN = 420
"""How far right of its first child a parent may stand, so that the root of a wide tree shows without scrolling."""
LINE_CHARACTERS = 19
HANGING_SIZE = 9
"""Subtrees of at most this many nodes, or of two levels, hang as a list."""
CHAIN, ABREAST = 4, 5
"""From so many nodes on a chain runs from left to right, so many in a row."""

STYLE = """
.bt-tree{font:12px system-ui,-apple-system,"Segoe UI","Liberation Sans","DejaVu Sans",sans-serif}
.bt-tree text{fill:var(--ink,#1c2330)}
.bt-tree .edge{fill:none;stroke:var(--line,#9aa4b2);stroke-width:1.4}
.bt-tree .shape{fill:var(--idle-fill,#f3f5f8);stroke:var(--idle,#8a94a3);stroke-width:1.4}
.bt-tree .kind,.bt-tree .sign{font-weight:700;text-anchor:middle}
.bt-tree .name{font-weight:600}
.bt-tree .what{font-size:11px}
.bt-tree .sign{font-size:15px}
.bt-tree .success .shape{fill:var(--ok-fill,#dff3ec);stroke:var(--ok,#00795a)}
.bt-tree .success .sign{fill:var(--ok,#00795a)}
.bt-tree .failure .shape{fill:var(--bad-fill,#fbe6d8);stroke:var(--bad,#b84a00)}
.bt-tree .failure .sign{fill:var(--bad,#b84a00)}
.bt-tree .running .shape{fill:var(--busy-fill,#dcebf8);stroke:var(--busy,#005f9e);stroke-width:2.6}
.bt-tree .running .sign{fill:var(--busy,#005f9e)}
"""


class _Spot(NamedTuple):
    """A node and the upper left corner of its shape, in pixels; `edge` leads there from its parent."""

    node: Document
    x: float
    y: float
    edge: str


def markup(text: object) -> str:
    """Return `text` safe to stand in HTML or XML, between tags or in a quoted attribute."""
    return escape(UNPRINTABLE.sub("", str(text)))


def walk(root: Document) -> Iterator[Document]:
    """Yield every node, parents before children, left before right."""
    yield root
    for child in _children(root):
        yield from walk(child)


def readable_kind(kind: str) -> str:
    """Say in a few words what a kind of node does."""
    return LOOKS[kind].words if kind in LOOKS else kind


def _look(node: Document) -> _Look:
    kind = str(node.get("kind") or "")
    other = LOOKS["decorator"] if len(_children(node)) == 1 else _Look("box", "", kind)
    return LOOKS.get(kind, other)


def tree_svg(root_document: Document, statuses: Mapping[str, str] | None = None) -> str:
    """Draw a tree.

    Args:
        root_document: The root: ``id``, ``name``, ``kind`` (see `LOOKS`), ``children``, ``what``.
        statuses: State of each node by id: success, failure, running or invalid (also for nodes not listed).

    Returns:
        A standalone ``<svg>`` element, which may also stand in an HTML page. Each node is a ``<g>`` with its id in
        ``data-id`` and its state as a class.
    """
    spots: list[_Spot] = []
    _place(root_document, MARGIN, MARGIN, spots)
    width = max(spot.x for spot in spots) + WIDTH + MARGIN
    height = max(spot.y for spot in spots) + HEIGHT + MARGIN
    states = statuses or {}
    name = markup(root_document.get("name", "tree"))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="bt-tree" role="group" width="{width:g}"'
            f' height="{height:g}" viewBox="0 0 {width:g} {height:g}">',
            f"<title>Behaviour tree: {name}</title><desc>{_description(spots, states)}</desc>",
            f"<style>{STYLE}</style>",
            *(f'<path class="edge" d="{spot.edge}"/>' for spot in spots if spot.edge),
            *(_node(spot, states.get(str(spot.node.get("id")), "invalid")) for spot in spots),
            "</svg>",
        )
    )


def _children(node: Document) -> list[Document]:
    return list(node.get("children") or ())


def _levels(node: Document) -> int:
    return 1 + max(map(_levels, _children(node)), default=0)


def _place(node: Document, left: float, top: float, spots: list[_Spot]) -> float:
    """Lay out a subtree in the column that starts at `left`; return its right edge."""
    if _levels(node) <= 2 or sum(1 for _ in walk(node)) <= HANGING_SIZE:
        return _hang(node, left, top, spots)[0]
    chain = _chain(node)
    if len(chain) >= CHAIN:
        return _in_rows(chain, left, top, spots)
    at = len(spots)
    right = left - SIDE_GAP
    heads: list[int] = []
    for child in _children(node):
        heads.append(len(spots))
        right = _place(child, right + SIDE_GAP, top + HEIGHT + LEVEL_GAP, spots)
    x = min((spots[heads[0]].x + spots[heads[-1]].x) / 2, spots[heads[0]].x + LEAN)
    for head in heads:
        spots[head] = spots[head]._replace(edge=_fork(x, top, spots[head]))
    spots.insert(at, _Spot(node, x, top, ""))
    return max(right, x + WIDTH)


def _chain(node: Document) -> list[Document]:
    """Return the chain of nodes from this node down as long as each has one child."""
    chain = []
    while len(_children(node)) == 1:
        chain.append(node)
        node = _children(node)[0]
    return chain


def _in_rows(chain: list[Document], left: float, top: float, spots: list[_Spot]) -> float:
    """Lay out a chain from left to right with its subtree below; return the right edge."""
    x = y = 0.0
    for number, node in enumerate(chain):
        row, column = divmod(number, ABREAST)
        before, x, y = (x, y), left + column * (WIDTH + SIDE_GAP), top + row * (HEIGHT + LEVEL_GAP)
        spot = _Spot(node, x, y, "")
        edge = f"M{before[0] + WIDTH:g} {y + HEIGHT / 2:g}H{x:g}" if column else _fork(*before, spot)
        spots.append(spot._replace(edge=edge if number else ""))
    head = len(spots)
    right = _place(_children(chain[-1])[0], left, y + HEIGHT + LEVEL_GAP, spots)
    spots[head] = spots[head]._replace(edge=_fork(x, y, spots[head]))
    return max(right, left + min(len(chain), ABREAST) * (WIDTH + SIDE_GAP) - SIDE_GAP)


def _fork(x: float, y: float, child: _Spot) -> str:
    start, end = x + WIDTH / 2, child.x + WIDTH / 2
    return f"M{start:g} {y + HEIGHT:g}V{y + HEIGHT + LEVEL_GAP / 2:g}H{end:g}V{child.y:g}"


def _hang(node: Document, left: float, top: float, spots: list[_Spot], edge: str = "") -> tuple[float, float]:
    """Lay out a subtree as an indented list; return its right and lower edge."""
    spots.append(_Spot(node, left, top, edge))
    right, low = left + WIDTH, top + HEIGHT
    for child in _children(node):
        x, y = left + INDENT, low + LIST_GAP
        down = f"M{left + INDENT / 2:g} {top + HEIGHT:g}V{y + HEIGHT / 2:g}H{x:g}"
        widest, low = _hang(child, x, y, spots, down)
        right = max(right, widest)
    return right, low


def _description(spots: list[_Spot], states: Mapping[str, str]) -> str:
    spot_states = [states.get(str(spot.node.get("id")), "invalid") for spot in spots]
    counts = (f"{spot_states.count(state)} {state}" for state in ("success", "running", "failure", "invalid"))
    return f"{len(spots)} nodes: {', '.join(counts)}."


def _node(spot: _Spot, state: str) -> str:
    node, x, y = spot.node, spot.x, spot.y
    name, kind, what = (str(node.get(key) or "") for key in ("name", "kind", "what"))
    look = _look(node)
    state = state if state in SIGNS else "invalid"
    title = "\n".join(part for part in (name, what if what != name else "", f"({readable_kind(kind)})") if part)
    return (
        f'<g class="node {state}" data-id="{markup(node.get("id", ""))}" tabindex="0">'
        f"<title>{markup(title)}</title>{_shape(look.outline, x, y)}{_label(node, look, x, y)}"
        f'<text class="sign" x="{x + WIDTH - 14:g}" y="{y + HEIGHT / 2 + 5:g}">{SIGNS[state]}</text></g>'
    )


def _shape(outline: str, x: float, y: float) -> str:
    middle, foot, right = y + HEIGHT / 2, y + HEIGHT, x + WIDTH
    if outline == "ellipse":
        return f'<ellipse class="shape" cx="{x + WIDTH / 2:g}" cy="{middle:g}" rx="{WIDTH / 2:g}" ry="{HEIGHT / 2:g}"/>'
    if outline == "hexagon":
        corners = ((x, middle), (x + 14, y), (right - 14, y), (right, middle), (right - 14, foot), (x + 14, foot))
        return f'<polygon class="shape" points="{" ".join(f"{a:g},{b:g}" for a, b in corners)}"/>'
    round_by = 3 if outline == "box" else 10
    return f'<rect class="shape" x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="{round_by}"/>'


def _label(node: Document, look: _Look, x: float, y: float) -> str:
    """Write the name and below it what it is about, or a long name on two lines."""
    name, what = (str(node.get(key) or "") for key in ("name", "what"))
    about = what[len(name) + 2 : -1] if what.startswith(f"({name} ") else what
    if name.endswith(")") and name.find("(") > 0:
        name, _, about = name[:-1].partition("(")
    room = LINE_CHARACTERS - (1 if look.outline == "ellipse" else 0)
    lines = textwrap.wrap(name, room, max_lines=2, placeholder=" …") or [""]
    styles = ["name", "name"]
    if about and about != name:
        lines, styles = [lines[0], about], ["name", "what"]
    first = y + HEIGHT / 2 + (4 if len(lines) == 1 else -4)
    mark = f'<text class="kind" x="{x + 17:g}" y="{y + HEIGHT / 2 + 4:g}">{look.sign}</text>' if look.sign else ""
    rows = (
        (style, first + 15 * row, _clip(line, room + (3 if style == "what" else 0)))
        for row, (line, style) in enumerate(zip(lines, styles, strict=False))
    )
    written = (f'<text class="{style}" x="{x + 29:g}" y="{low:g}">{markup(line)}</text>' for style, low, line in rows)
    return mark + "".join(written)


def _clip(line: str, room: int) -> str:
    return line if len(line) <= room else line[: room - 1] + "…"
