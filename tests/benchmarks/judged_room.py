"""A small room in PyBullet, built by hand, in which a test makes ends that the judge has to tell apart."""

import math
from collections.abc import Callable, Sequence

import pybullet as p

from benchmarks.judge import Track, Watch

STEP, STEPS_A_LOOK = 1 / 240, 4
TOP = 0.80
"""Height of the counter."""

Box = tuple[Sequence[float], Sequence[float]]
"""Size and middle of a box."""


def open_box(width: float, depth: float, height: float, wall: float = 0.008) -> list[Box]:
    """Return a box without a lid whose middle is its origin."""
    return [
        ((width, depth, wall), (0, 0, -height / 2 + wall / 2)),
        *[((wall, depth, height), (side * (width - wall) / 2, 0, 0)) for side in (-1, 1)],
        *[((width - 2 * wall, wall, height), (0, side * (depth - wall) / 2, 0)) for side in (-1, 1)],
    ]


class Room:
    """A floor, what a test puts in, and a hand of three bodies that is the robot."""

    def __init__(self, *things: str) -> None:
        self.client = p.connect(p.DIRECT)
        p.setGravity(0, 0, -9.81, physicsClientId=self.client)
        self.names: dict[str, int | tuple[int, ...]] = {}
        self.time = 0.0
        self.watch: Watch | None = None
        plane = p.createCollisionShape(p.GEOM_PLANE, physicsClientId=self.client)
        self.names["floor0"] = p.createMultiBody(0, plane, physicsClientId=self.client)
        sizes = ((0.04, 0.12, 0.02), (0.03, 0.01, 0.06), (0.03, 0.01, 0.06))
        self.hand = tuple(self.body(f"hand{i}", 0, [(size, (0, 0, 0))], (4 + i, 4, 2)) for i, size in enumerate(sizes))
        for i in range(3):
            del self.names[f"hand{i}"]
        self.names["robot0"] = self.hand
        for thing in things:
            getattr(self, thing.rstrip("0123456789"))(thing)

    def close(self) -> None:
        p.disconnect(self.client)

    # What there is.

    def body(self, name: str, mass: float, boxes: Sequence[Box], at: Sequence[float], yaw: float = 0.0) -> int:
        shape = p.createCollisionShapeArray(
            shapeTypes=[p.GEOM_BOX] * len(boxes),
            halfExtents=[[side / 2 for side in size] for size, _ in boxes],
            collisionFramePositions=[list(middle) for _, middle in boxes],
            physicsClientId=self.client,
        )
        turn = p.getQuaternionFromEuler((0, 0, yaw))
        self.names[name] = p.createMultiBody(mass, shape, -1, at, turn, physicsClientId=self.client)
        return self.names[name]

    def counter(self, name: str) -> None:
        self.body(name, 0, [((0.4, 0.8, 0.77), (0, 0, 0.385)), ((0.4, 0.8, 0.03), (0, 0, 0.785))], (0, 0, 0))

    def shelf(self, name: str) -> None:
        boards = [((0.3, 0.6, 0.03), (0, 0, height - 0.015)) for height in (0.4, 0.8, 1.2)]
        sides = [((0.3, 0.02, 1.2), (0, side * 0.29, 0.6)) for side in (-1, 1)]
        self.body(name, 0, [*boards, *sides, ((0.015, 0.6, 1.2), (-0.1425, 0, 0.6))], (2, 0, 0))

    def bin(self, name: str) -> None:
        self.body(name, 0, open_box(0.36, 0.36, 0.22, 0.03), (1, 1, 0.11))

    def human(self, name: str) -> None:
        tray = [(size, (x + 0.5, y, z + 0.92)) for size, (x, y, z) in open_box(0.28, 0.48, 0.03)]
        self.body(name, 0, [((0.22, 0.4, 1.5), (0, 0, 0.75)), *tray], (0, -2, 0))

    def fridge(self, name: str) -> None:
        walls = [
            ((0.5, 0.6, 0.4), (0, 0, 0.2)),
            ((0.5, 0.6, 0.03), (0, 0, 1.185)),
            ((0.03, 0.6, 0.8), (-0.235, 0, 0.8)),
            *[((0.5, 0.03, 0.8), (0, side * 0.285, 0.8)) for side in (-1, 1)],
        ]
        self._hinged(
            name, walls, ((0.03, 0.58, 0.8), (0.015, 0.29, 0.8)), (-2, 0, 0), (0.26, -0.29, 0), p.JOINT_REVOLUTE
        )

    def drawer(self, name: str) -> None:
        boxes = open_box(0.4, 0.5, 0.2, 0.012)
        self._hinged(name, [], boxes, (0, 2, 0.5), (0, 0, 0), p.JOINT_PRISMATIC)

    def _hinged(self, name, walls, leaf, at, hinge, kind):
        boxes = [leaf] if isinstance(leaf, tuple) else leaf
        shape = -1
        if walls:
            self.body("walls", 0, walls, (9, 9, 9))
            p.removeBody(self.names.pop("walls"), physicsClientId=self.client)
            shape = self._shape(walls)
        self.names[name] = p.createMultiBody(
            0,
            shape,
            -1,
            at,
            linkMasses=[1.0],
            linkCollisionShapeIndices=[self._shape(boxes)],
            linkVisualShapeIndices=[-1],
            linkPositions=[hinge],
            linkOrientations=[(0, 0, 0, 1)],
            linkInertialFramePositions=[(0, 0, 0)],
            linkInertialFrameOrientations=[(0, 0, 0, 1)],
            linkParentIndices=[0],
            linkJointTypes=[kind],
            linkJointAxis=[(0, 0, 1) if kind == p.JOINT_REVOLUTE else (1, 0, 0)],
            physicsClientId=self.client,
        )

    def _shape(self, boxes: Sequence[Box]) -> int:
        return p.createCollisionShapeArray(
            shapeTypes=[p.GEOM_BOX] * len(boxes),
            halfExtents=[[side / 2 for side in size] for size, _ in boxes],
            collisionFramePositions=[list(middle) for _, middle in boxes],
            physicsClientId=self.client,
        )

    def block(self, name: str) -> None:
        self.body(name, 0.1, [((0.05, 0.05, 0.05), (0, 0, 0))], self._spare())

    def brick(self, name: str) -> None:
        self.body(name, 0.2, [((0.12, 0.05, 0.03), (0, 0, 0))], self._spare())

    def sponge(self, name: str) -> None:
        self.body(name, 0.05, [((0.1, 0.06, 0.04), (0, 0, 0))], self._spare())

    def plate(self, name: str) -> None:
        self.body(name, 0.3, open_box(0.2, 0.2, 0.03), self._spare())

    def pan(self, name: str) -> None:
        self.body(name, 0.6, open_box(0.16, 0.16, 0.06), self._spare())

    def ball(self, name: str) -> None:
        shape = p.createCollisionShape(p.GEOM_SPHERE, radius=0.03, physicsClientId=self.client)
        self.names[name] = p.createMultiBody(0.1, shape, -1, self._spare(), physicsClientId=self.client)
        p.changeDynamics(self.names[name], -1, rollingFriction=0.01, physicsClientId=self.client)

    def cup(self, name: str) -> None:
        """Make a cup as a solid cylinder."""
        shape = p.createCollisionShape(p.GEOM_CYLINDER, radius=0.033, height=0.085, physicsClientId=self.client)
        self.names[name] = p.createMultiBody(0.2, shape, -1, self._spare(), physicsClientId=self.client)

    def bowl(self, name: str) -> None:
        """Make a round bowl of twelve convex pieces, whose walls lean outwards, and a floor."""
        pieces = 12
        shapes, turns = [], []
        for i in range(pieces):
            angle = 2 * math.pi * i / pieces
            shapes.append(((0.008, 0.044, 0.07), (0.07 * math.cos(angle), 0.07 * math.sin(angle), 0.0)))
            turns.append(p.getQuaternionFromEuler((0, math.radians(15), angle)))
        shape = p.createCollisionShapeArray(
            shapeTypes=[p.GEOM_BOX] * pieces + [p.GEOM_CYLINDER],
            halfExtents=[[side / 2 for side in size] for size, _ in shapes] + [[0, 0, 0]],
            radii=[0.0] * pieces + [0.065],
            lengths=[0.0] * pieces + [0.008],
            collisionFramePositions=[middle for _, middle in shapes] + [(0, 0, -0.031)],
            collisionFrameOrientations=[*turns, (0, 0, 0, 1)],
            physicsClientId=self.client,
        )
        self.names[name] = p.createMultiBody(0.3, shape, -1, self._spare(), physicsClientId=self.client)

    def _spare(self) -> tuple[float, float, float]:
        return (-4.0, 0.5 * len(self.names), 0.05)

    # What happens.

    def put(self, name: str, *at: float, turn: Sequence[float] = (0, 0, 0)) -> None:
        """Place a thing at once: the middle, metres, and Euler angles."""
        ids = self.names[name]
        p.resetBasePositionAndOrientation(ids, at, p.getQuaternionFromEuler(turn), physicsClientId=self.client)
        p.resetBaseVelocity(ids, (0, 0, 0), (0, 0, 0), physicsClientId=self.client)

    def place(self, name: str) -> tuple[float, float, float]:
        return p.getBasePositionAndOrientation(self.names[name], physicsClientId=self.client)[0]

    def grip(self, name: str, half_width: float) -> None:
        """Put the fingers on both sides of a thing along y, so that they just touch it."""
        x, y, z = self.place(name)
        for body, side in ((self.hand[1], 1), (self.hand[2], -1)):
            at = (x, y + side * (half_width + 0.005), z)
            p.resetBasePositionAndOrientation(body, at, (0, 0, 0, 1), physicsClientId=self.client)
        p.resetBasePositionAndOrientation(self.hand[0], (x, y, z + 0.2), (0, 0, 0, 1), physicsClientId=self.client)

    def leave(self) -> None:
        for i, body in enumerate(self.hand):
            p.resetBasePositionAndOrientation(body, (4 + i, 4, 2), (0, 0, 0, 1), physicsClientId=self.client)

    def tie(self, name: str, other: str | None) -> None:
        """Fix a thing where it is, to something or to the world."""
        parent = self.names[name]
        other_id = -1 if other is None else self.names[other] if other != "robot0" else self.hand[0]
        at, turn = p.getBasePositionAndOrientation(parent, physicsClientId=self.client)
        local, local_turn = at, turn
        if other is not None:
            base = p.getBasePositionAndOrientation(other_id, physicsClientId=self.client)
            local, local_turn = p.multiplyTransforms(*p.invertTransform(*base), at, turn)
        p.createConstraint(
            parent, -1, other_id, -1, p.JOINT_FIXED, (0, 0, 0), (0, 0, 0), local, (0, 0, 0, 1), local_turn, self.client
        )

    def begin(self) -> None:
        """Let everything settle and begin the watch."""
        for _ in range(240):
            p.stepSimulation(physicsClientId=self.client)
        self.watch = Watch(self.client, self.names, "robot0")

    def live(self, seconds: float, act: Callable[[float], None] | None = None) -> None:
        """Go on; `act` is called before each step with a share from 0 to 1."""
        steps = round(seconds / STEP)
        for step in range(steps):
            if act is not None:
                act((step + 1) / steps)
            p.stepSimulation(physicsClientId=self.client)
            self.time += STEP
            if step % STEPS_A_LOOK == STEPS_A_LOOK - 1:
                self.watch.look(self.time)

    def finish(self, after: Callable[[float], None] | None = None) -> Track:
        self.live(STEPS_A_LOOK * STEP)
        self.watch.mark_end(self.time)
        self.live(1.0, after)
        return self.watch.end()
