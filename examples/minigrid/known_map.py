"""What the agent has seen of the rooms: cells by position, and the ways over them.

Positions are relative to the start. A pose is a position and a direction: 0 right, 1 down, 2 left, 3 up.
"""

from collections import deque
from heapq import heappop, heappush
from typing import NamedTuple

from minigrid.core.constants import IDX_TO_COLOR, IDX_TO_OBJECT

AHEAD = ((1, 0), (0, 1), (-1, 0), (0, -1))
VIEW = 7
KINDS = ("ball", "box", "key", "door")
OPEN, LOCKED = 0, 2
BLOCKED, UNSEEN = 30, 6  # what a step costs through a thing or a shut door, and over a cell that was not seen


class Cell(NamedTuple):
    """What was last seen on a cell; `state` is that of a door."""

    kind: str
    colour: str = ""
    state: int = 0

    @property
    def free(self):
        return self.kind in ("empty", "floor", "goal") or (self.kind == "door" and self.state == OPEN)

    @property
    def opaque(self):
        return self.kind == "wall" or (self.kind == "door" and self.state != OPEN)


EMPTY = Cell("empty")


def ahead(position, direction, steps=1):
    dx, dy = AHEAD[direction]
    return position[0] + steps * dx, position[1] + steps * dy


def neighbours(position):
    x, y = position
    return (x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)


def seen_in(image, position, direction):
    """Return the cells of a view of 7x7 by position, and what the agent holds: the view shows it at its own place."""
    (dx, dy), cells, held = AHEAD[direction], {}, None
    for right in range(VIEW):
        for row in range(VIEW):
            kind, colour, state = (int(number) for number in image[right][row])
            if IDX_TO_OBJECT[kind] == "unseen":
                continue
            name = IDX_TO_OBJECT[kind]
            cell = Cell(name, IDX_TO_COLOR[colour] if name in KINDS else "", state if name == "door" else 0)
            forward, aside = VIEW - 1 - row, right - VIEW // 2
            if forward == aside == 0:
                held = cell if cell.kind in KINDS and cell.kind != "door" else None
            else:
                cells[position[0] + forward * dx - aside * dy, position[1] + forward * dy + aside * dx] = cell
    return cells, held


class KnownMap:
    """The cells that were seen, and what follows from them."""

    def __init__(self):
        self.cells = {(0, 0): EMPTY}
        self.looked = set()  # poses from which the agent has looked since a cell was last found to be new
        self.edge = None  # the cells next to free ones that were not seen; None until they are asked for

    def take_in(self, cells, pose):
        """Keep the cells of a view from a pose."""
        if any(self.cells.get(position) != cell for position, cell in cells.items()):
            self.looked, self.edge = set(), None
            self.cells.update(cells)
        self.looked.add(pose)

    def free(self, position):
        return position in self.cells and self.cells[position].free

    def poses_from(self, pose, without=None):
        """Yield the poses that the agent can reach over free cells, the nearest first, each with the first action."""
        reached, queue = {pose}, deque([(pose, None, 0)])
        while queue:
            (position, direction), first, steps = queue.popleft()
            yield (position, direction), first, steps
            moves = [("left", (position, (direction - 1) % 4)), ("right", (position, (direction + 1) % 4))]
            target = ahead(position, direction)
            if self.free(target) and target != without:
                moves.insert(0, ("forward", (target, direction)))
            for action, after in moves:
                if after not in reached:
                    reached.add(after)
                    queue.append((after, first or action, steps + 1))

    def shows_unseen(self, pose):
        """Return whether a look from a pose may show a cell that borders on a free one and was not seen."""
        if self.edge is None:
            free = (position for position, cell in self.cells.items() if cell.free)
            self.edge = {beside for position in free for beside in neighbours(position) if beside not in self.cells}
        position, direction = pose
        (dx, dy), half = AHEAD[direction], VIEW // 2
        for forward in range(1, VIEW):
            for aside in range(-half, half + 1):
                target = position[0] + forward * dx - aside * dy, position[1] + forward * dy + aside * dx
                if target in self.edge and self._in_sight(position, target):
                    return True
        return False

    def _in_sight(self, start, end):
        length = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
        for step in range(1, length):
            x = start[0] + round((end[0] - start[0]) * step / length)
            y = start[1] + round((end[1] - start[1]) * step / length)
            if (x, y) not in self.cells or self.cells[x, y].opaque:
                return False
        return True

    def next_look(self, pose):
        """Return the first action of the shortest way to a look at something unseen; None if there is none."""
        for reached, first, _ in self.poses_from(pose):
            if reached not in self.looked and self.shows_unseen(reached):
                return first
        return None

    def in_the_way(self, start):
        """Return, for each cell, what of the cheapest way to it has to be cleared last.

        That is the position of a thing or of a shut door, ``unseen`` for cells that were not seen, or None. Cells that
        were not seen are entered from seen ones only, as far as the known ones reach.
        """
        last, costs, queue = {start: None}, {start: 0}, [(0, start)]
        left, right = min(x for x, _ in self.cells), max(x for x, _ in self.cells)
        low, high = min(y for _, y in self.cells), max(y for _, y in self.cells)
        while queue:
            cost, position = heappop(queue)
            if cost > costs[position]:
                continue
            here = self.cells.get(position)
            if here is None:
                carried_on = "unseen"
            elif here.free or position == start:
                carried_on = last[position]
            else:
                carried_on = position
            for beside in neighbours(position):
                cell = self.cells.get(beside)
                inside = left <= beside[0] <= right and low <= beside[1] <= high
                if (cell is None and not inside) or (cell is not None and cell.kind in ("wall", "lava")):
                    continue
                price = cost + (UNSEEN if cell is None else 1 if cell.free else BLOCKED)
                if price < costs.get(beside, 1e9):
                    costs[beside], last[beside] = price, carried_on
                    heappush(queue, (price, beside))
        return last, costs

    def loss(self, pose, position):
        """Return how much the agent could not reach any more if something lay at a position: cells, and things more."""
        return self._worth(pose[0]) - self._worth(pose[0], position)

    def _worth(self, start, without=None):
        reached, queue, beyond = {start}, [start], set()
        while queue:
            for beside in neighbours(queue.pop()):
                if beside == without or beside in reached:
                    continue
                if self.free(beside):
                    reached.add(beside)
                    queue.append(beside)
                elif beside not in self.cells or self.cells[beside].kind in KINDS:
                    beyond.add(beside)
        return len(reached) + 20 * len(beyond)
