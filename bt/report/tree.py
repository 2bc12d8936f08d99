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

import textwrap
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bt.display import SIGNS, Document, children_of, walk
from bt.report.template import rendered
from bt.report.words import LOOKS, NodeStyle

WIDTH, HEIGHT = 182, 44
INDENT = 14
SIDE_GAP, LEVEL_GAP, LIST_GAP = 12, 26, 7
MARGIN = 10
LEAN = 420
"""How far right of its first child a parent may stand, so that the root of a wide tree shows without scrolling."""
LINE_CHARACTERS = 19
HANGING_SIZE = 9  # subtrees of at most this many nodes, or of two levels, hang as a list
CHAIN, ABREAST = 4, 5  # from so many nodes on a chain runs from left to right, so many in a row


class _Spot(NamedTuple):
    """A node and the upper left corner of its shape, in pixels; `edge` leads there from its parent."""

    node: Document
    x: float
    y: float
    edge: str


class _DrawnNode(NamedTuple):
    """A node as it is drawn: its place, its state, its look, and its lines, each with the class of its text."""

    x: float
    y: float
    id: object
    state: str
    title: str
    look: NodeStyle
    lines: list[tuple[str, str]]


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
    nodes = [_node(spot, statuses or {}) for spot in spots]
    return rendered(
        "tree.html",
        name=root_document.get("name", "tree"),
        spots=spots,
        nodes=nodes,
        states=[node.state for node in nodes],
        right=max(spot.x for spot in spots) + WIDTH + MARGIN,
        low=max(spot.y for spot in spots) + HEIGHT + MARGIN,
        width=WIDTH,
        height=HEIGHT,
        signs=SIGNS,
    )


def _levels(node: Document) -> int:
    return 1 + max(map(_levels, children_of(node)), default=0)


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
    for child in children_of(node):
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
    while len(children_of(node)) == 1:
        chain.append(node)
        node = children_of(node)[0]
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
    right = _place(children_of(chain[-1])[0], left, y + HEIGHT + LEVEL_GAP, spots)
    spots[head] = spots[head]._replace(edge=_fork(x, y, spots[head]))
    return max(right, left + min(len(chain), ABREAST) * (WIDTH + SIDE_GAP) - SIDE_GAP)


def _fork(x: float, y: float, child: _Spot) -> str:
    start, end = x + WIDTH / 2, child.x + WIDTH / 2
    return f"M{start:g} {y + HEIGHT:g}V{y + HEIGHT + LEVEL_GAP / 2:g}H{end:g}V{child.y:g}"


def _hang(node: Document, left: float, top: float, spots: list[_Spot], edge: str = "") -> tuple[float, float]:
    """Lay out a subtree as an indented list; return its right and lower edge."""
    spots.append(_Spot(node, left, top, edge))
    right, low = left + WIDTH, top + HEIGHT
    for child in children_of(node):
        x, y = left + INDENT, low + LIST_GAP
        down = f"M{left + INDENT / 2:g} {top + HEIGHT:g}V{y + HEIGHT / 2:g}H{x:g}"
        widest, low = _hang(child, x, y, spots, down)
        right = max(right, widest)
    return right, low


def _node(spot: _Spot, statuses: Mapping[str, str]) -> _DrawnNode:
    node = spot.node
    name, kind, what = (str(node.get(key) or "") for key in ("name", "kind", "what"))
    look = LOOKS.get(kind) or (LOOKS["decorator"] if len(children_of(node)) == 1 else NodeStyle("box", "", kind))
    state = statuses.get(str(node.get("id")), "invalid")
    words = LOOKS[kind].words if kind in LOOKS else kind
    title = "\n".join(part for part in (name, what if what != name else "", f"({words})") if part)
    lines = list(_lines(name, what, LINE_CHARACTERS - (look.outline == "ellipse")))
    return _DrawnNode(spot.x, spot.y, node.get("id", ""), state if state in SIGNS else "invalid", title, look, lines)


def _lines(name: str, what: str, room: int) -> Iterator[tuple[str, str]]:
    """Yield the name and then what it is about, or a long name as two lines, each with its class."""
    about = what[len(name) + 2 : -1] if what.startswith(f"({name} ") else what
    if name.endswith(")") and name.find("(") > 0:
        name, _, about = name[:-1].partition("(")
    first, *more = textwrap.wrap(name, room, max_lines=2, placeholder=" …") or [""]
    yield "name", _clip(first, room)
    if about and about != name:
        yield "what", _clip(about, room + 3)
    else:
        yield from (("name", _clip(line, room)) for line in more)


def _clip(line: str, room: int) -> str:
    return line if len(line) <= room else line[: room - 1] + "…"
