"""Problems of a worker who pushes boxes over a grid with walls."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from random import Random

from benchmarks.any.writing import Point, Written, grown, written

__all__ = ["sokoban"]

SOKOBAN = """\
(define (domain sokoban)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    cell direction - object
  )
  (:predicates
    (next ?a ?b - cell ?d - direction)
    (worker-at ?c - cell)
    (box-at ?c - cell)
  )
  (:action step
    :parameters (?from ?to - cell ?d - direction)
    :precondition (and (worker-at ?from) (next ?from ?to ?d) (not (box-at ?to)))
    :effect (and (not (worker-at ?from)) (worker-at ?to))
  )
  (:action push
    :parameters (?from ?via ?to - cell ?d - direction)
    :precondition (and
      (worker-at ?from)
      (next ?from ?via ?d)
      (next ?via ?to ?d)
      (box-at ?via)
      (not (box-at ?to))
    )
    :effect (and (not (worker-at ?from)) (not (box-at ?via)) (worker-at ?via) (box-at ?to))
  )
)
"""

TRIES = 6
"""How many starts are made, of which the best is taken."""
WAYS = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}


def sokoban(size: int, random: Random) -> Written:
    """Write a problem of boxes that are pushed to marked cells.

    It is solvable, because the start is made from the goal: the boxes stand on the marked cells, and the worker pulls
    them away by random pulls. The pushes that undo these pulls, in the opposite order, are a plan. Walls leave all free
    cells joined. Of several such starts the one is taken whose boxes are farthest from the marked cells.
    """
    side, boxes = grown(5, 14, size), grown(2, 14, size)
    cells = _grid(side, side * side // 5, random)
    best = -1
    worker, marked, standing = cells[0], cells[:0], set(cells[:0])
    while best <= 0:
        for _ in range(TRIES):
            ends = random.sample(cells, boxes)
            start, boxes_then = _pulled(cells, ends, 12 * boxes, random)
            if _far(boxes_then, ends) > best:
                best, worker, marked, standing = _far(boxes_then, ends), start, ends, boxes_then
    facts = [f"(worker-at {_name(worker)})"]
    facts += [f"(box-at {_name(cell)})" for cell in sorted(standing)]
    free = set(cells)
    for way, (dx, dy) in WAYS.items():
        pairs = [((x, y), (x + dx, y + dy)) for x, y in cells]
        facts += [f"(next {_name(a)} {_name(b)} {way})" for a, b in pairs if b in free]
    goal = [f"(box-at {_name(cell)})" for cell in sorted(marked)]
    objects = {"cell": [_name(cell) for cell in cells], "direction": list(WAYS)}
    return written(SOKOBAN, "sokoban", objects, facts, goal)


def _name(cell: Point) -> str:
    return f"c{cell[0]}-{cell[1]}"


def _far(boxes: Iterable[Point], marked: Iterable[Point]) -> int:
    """Return the steps from each box to the nearest marked cell, added up, as if there were no walls."""
    ends = list(marked)
    return sum(min(abs(x - u) + abs(y - v) for u, v in ends) for x, y in boxes)


def _beside(cell: Point, free: Collection[Point]) -> list[Point]:
    """Return the free cells beside a cell, in a fixed order."""
    around = [(cell[0] + dx, cell[1] + dy) for dx, dy in WAYS.values()]
    return [one for one in around if one in free]


def _reached(start: Point, free: Collection[Point]) -> set[Point]:
    """Return the cells that the worker reaches from a cell without a push."""
    found, edge = {start}, [start]
    while edge:
        for cell in _beside(edge.pop(), free):
            if cell not in found:
                found.add(cell)
                edge.append(cell)
    return found


def _grid(side: int, walls: int, random: Random) -> list[Point]:
    """Return the free cells of a square, which stay joined when walls are put in one by one."""
    free = {(x, y) for x in range(side) for y in range(side)}
    for cell in random.sample(sorted(free), len(free)):
        rest = free - {cell}
        if walls and len(_reached(min(rest), rest)) == len(rest):
            free, walls = rest, walls - 1
    return sorted(free)


def _pulled(cells: list[Point], marked: list[Point], pulls: int, random: Random) -> tuple[Point, set[Point]]:
    """Return the worker's cell and the boxes' after random pulls that begin at the marked cells."""
    boxes = set(marked)
    worker = random.choice([cell for cell in cells if cell not in boxes])
    for _ in range(pulls):
        free = set(cells) - boxes
        reached = _reached(worker, free)
        options = []
        for x, y in sorted(boxes):
            for dx, dy in WAYS.values():
                beside, behind = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if beside in reached and behind in free:
                    options.append(((x, y), beside, behind))
        if not options:
            break
        away = [option for option in options if _far([option[1]], marked) > _far([option[0]], marked)]
        box, beside, worker = random.choice(away if away and random.random() < 0.6 else options)
        boxes = (boxes - {box}) | {beside}
    return worker, boxes
