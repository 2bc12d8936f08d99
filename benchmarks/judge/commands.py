"""What a robot was commanded: speed, acceleration and jerk of each joint, against limits.

`CommandWatch` stands in for the functions of PyBullet that command motors. The commands of one body of one client
are kept with the number of simulation steps before them; all calls go on unchanged.

**Why a perfect profile passes.** Targets are sampled once a control period T (the target in force stays so until
the next command). Of a smooth profile f, the n-th difference quotient of samples at a distance T is the mean of its
n-th derivative over n periods, weighted by a B-spline: (f(t+T)-f(t))/T averages f' over one period,
(f(t+2T)-2f(t+T)+f(t))/T² averages f'' over two, and so on. A mean never exceeds the largest value, so a profile
within its limits has no quotient beyond them, and a jump of one tick has. A vector's quotient is a mean of vectors,
whose norm is at most the largest norm. Rounding of targets to double precision shifts the jerk by less than 1e-9 of
the metre or radian per s³. What happens between two samples is checked too: the change from one command to the next
must not exceed that of one period at full speed. A robot that sends no command for a while keeps its target; a jump
after it is a jump within one period.

A function that was imported by its name before the watch began is not seen; `worst` refuses to judge a run without
commands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import pairwise
from types import TracebackType
from typing import Any, Self

import numpy as np
import pybullet as p

from benchmarks.judge.bodies import Array, JudgeError

__all__ = ["CommandWatch", "Limits", "Worst"]

_Target = float | Sequence[float] | None
KINDS = ("speed", "acceleration", "jerk")
Limits = tuple[float, float, float]
"""The greatest speed, acceleration and jerk: m or rad, per s, s² and s³."""
PERIOD = 1 / 60
TRUSTED = 1.0 + 1e-6
"""The ratio up to which a limit counts as kept."""


@dataclass(frozen=True, slots=True)
class Worst:
    """The worst value of one kind.

    Attributes:
        kind: "speed", "acceleration", "jerk", "speed between samples" or "measured speed".
        joint: The joint, or the two joints of a planar base as "x+y".
        value: m or rad, per s, s² or s³.
        limit: What was allowed.
        time: Simulated seconds since the watch began.
    """

    kind: str
    joint: str
    value: float
    limit: float
    time: float

    @property
    def ratio(self) -> float:
        """The value as a share of its limit."""
        return self.value / self.limit

    @property
    def holds(self) -> bool:
        """Whether the limit was kept."""
        return self.ratio <= TRUSTED

    def __str__(self) -> str:
        return f"{self.kind} of {self.joint}: {self.value:.3f} of {self.limit:g} at {self.time:.3f} s"


@dataclass
class _Orders:
    """The commands of one joint: the step before which each came, and its target."""

    steps: list[int] = field(default_factory=list)
    targets: list[float] = field(default_factory=list)
    speed_steps: list[int] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)


def _first(target: _Target) -> float:
    """Return a target as a number: joints of several degrees of freedom have lists, and none means 0."""
    values = np.atleast_1d(np.array(0.0 if target is None else target, float))
    return float(values[0]) if len(values) else 0.0


class CommandWatch:
    """Keeps the motor commands of a body while it is active.

    Args:
        client: The physics client.
        body: The robot's body.
        period: The control period, seconds: how far samples lie apart.
        base: The two prismatic joints of a planar base; found where not given.
    """

    def __init__(self, client: int, body: int, *, period: float = PERIOD, base: tuple[str, str] | None = None) -> None:
        self._client, self._body, self._period = client, body, period
        infos = [
            p.getJointInfo(body, link, physicsClientId=client)
            for link in range(p.getNumJoints(body, physicsClientId=client))
        ]
        self._joints = {info[0]: info[1].decode() for info in infos if info[2] in (p.JOINT_REVOLUTE, p.JOINT_PRISMATIC)}
        self.base = base or self._find_base(infos)
        self._step = p.getPhysicsEngineParameters(physicsClientId=client)["fixedTimeStep"]
        self._steps = 0
        self._orders = {name: _Orders() for name in self._joints.values()}
        self._measured: list[list[float]] = []
        self._originals: dict[str, Callable[..., object]] = {}
        self.teleports: list[tuple[str, float]] = []

    @staticmethod
    def _find_base(infos: Sequence[Sequence[Any]]) -> tuple[str, str] | None:
        """Return the first two prismatic joints, one on the other, that move along the ground."""
        for first, second in pairwise(infos):
            sliding = first[2] == second[2] == p.JOINT_PRISMATIC and second[16] == first[0]
            if sliding and abs(first[13][2]) < 1e-6 > abs(second[13][2]) and abs(np.dot(first[13], second[13])) < 1e-6:
                return first[1].decode(), second[1].decode()
        return None

    def __enter__(self) -> Self:
        """Begin to keep commands."""
        for name, keep in {
            "setJointMotorControl2": self._keep_one,
            "setJointMotorControl": self._keep_old,
            "setJointMotorControlArray": self._keep_many,
            "setJointMotorControlMultiDof": self._keep_one,
            "setJointMotorControlMultiDofArray": self._keep_many,
            "resetJointState": self._keep_reset,
            "stepSimulation": self._keep_step,
        }.items():
            self._originals[name] = getattr(p, name)
            setattr(p, name, self._wrapped(self._originals[name], keep, first=name == "stepSimulation"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put PyBullet's own functions back."""
        for name, original in self._originals.items():
            setattr(p, name, original)
        self._originals.clear()

    def _wrapped(
        self, original: Callable[..., object], keep: Callable[..., None], *, first: bool
    ) -> Callable[..., object]:
        @wraps(original)
        def call(*args: object, **kwargs: object) -> object:
            answer = original(*args, **kwargs)
            client = kwargs.get("physicsClientId", args[0] if first and args else 0)
            body = kwargs.get("bodyUniqueId", kwargs.get("bodyIndex", args[0] if args else None))
            if client == self._client and (first or body == self._body):
                keep(args, kwargs)
            return answer

        return call

    def _keep_one(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        given = dict(
            zip(("bodyUniqueId", "jointIndex", "controlMode", "targetPosition", "targetVelocity"), args, strict=False)
        )
        given.update(kwargs)
        self._keep(given["jointIndex"], given["controlMode"], given.get("targetPosition"), given.get("targetVelocity"))

    def _keep_old(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Keep a command of the old function, whose fourth argument is a position or a speed."""
        mode, target = args[2], args[3] if len(args) > 3 else 0.0
        at = (target, None) if mode == p.POSITION_CONTROL else (None, target)
        self._keep(args[1], mode, *at)

    def _keep_many(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        names = ("bodyUniqueId", "jointIndices", "controlMode", "targetPositions", "targetVelocities")
        given = dict(zip(names, args, strict=False)) | kwargs
        links = given["jointIndices"]
        rows = [given.get(key) for key in ("targetPositions", "targetVelocities")]
        positions, speeds = ([None] * len(links) if row is None else row for row in rows)
        for link, position, speed in zip(links, positions, speeds, strict=True):
            self._keep(link, given["controlMode"], position, speed)

    def _keep(self, link: int, mode: int, position: _Target, speed: _Target) -> None:
        if link not in self._joints:
            return
        orders = self._orders[self._joints[link]]
        if mode == p.VELOCITY_CONTROL:
            orders.speed_steps.append(self._steps)
            orders.speeds.append(_first(speed))
        elif mode in (p.POSITION_CONTROL, p.PD_CONTROL, p.STABLE_PD_CONTROL):
            if not orders.targets:
                # Where the joint is: the first target must not be far from it.
                state = p.getJointState(self._body, link, physicsClientId=self._client)
                orders.steps.append(self._steps - 1)
                orders.targets.append(float(state[0]))
            if orders.steps[-1] == self._steps:  # only the last command before a step takes effect
                del orders.steps[-1], orders.targets[-1]
            orders.steps.append(self._steps)
            orders.targets.append(_first(position))

    def _keep_reset(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        link = kwargs.get("jointIndex", args[1] if len(args) > 1 else -1)
        self.teleports.append((self._joints.get(link, f"link {link}"), self._steps * self._step))

    def _keep_step(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._steps += 1
        states = p.getJointStates(self._body, list(self._joints), physicsClientId=self._client)
        self._measured.append([state[1] for state in states])

    def worst(self, limits: Mapping[str, Limits]) -> list[Worst]:
        """Return the worst value of each kind and joint, the one farthest beyond its limit first.

        Args:
            limits: Of each joint that is judged. Of a planar base, the limits of its first joint hold for the vector of
                both, and those of the second, where given, for it alone.

        Raises:
            JudgeError: A limit is for an unknown joint, or none of these joints was commanded.
        """
        if unknown := set(limits) - set(self._orders):
            raise JudgeError(f"no joint {', '.join(sorted(unknown))}; the joints: {', '.join(self._orders)}")
        if not any(self._orders[joint].targets or self._orders[joint].speeds for joint in limits):
            raise JudgeError("none of these joints was commanded while the watch was active")
        rows = [row for joint, bounds in limits.items() for row in self._judge((joint,), bounds)]
        if self.base is not None and self.base[0] in limits:
            rows = [row for row in rows if row.joint != self.base[0]] + self._judge(self.base, limits[self.base[0]])
        return sorted(rows, key=lambda row: -row.ratio)

    def _judge(self, joints: tuple[str, ...], limits: Limits) -> list[Worst]:
        label = "+".join(joints)
        names = list(self._joints.values())
        rows = []
        if self._measured:
            speeds = np.array(self._measured)[:, [names.index(joint) for joint in joints]]
            rows.append(self._worst("measured speed", label, speeds, limits[0], self._step, 1))
        between = [self._jumps(joint) for joint in joints]
        if all(len(jumps) for jumps in between):
            rows.append(self._worst("speed between samples", label, np.column_stack(between), limits[0], self._step, 0))
        samples = self._samples(joints) if any(self._orders[joint].targets for joint in joints) else np.zeros((0, 1))
        for order, (kind, limit) in enumerate(zip(KINDS, limits, strict=True), start=1):
            values = np.diff(samples, n=order, axis=0) / self._period**order
            if len(values):
                rows.append(self._worst(kind, label, values, limit, self._period, order))
        if any(self._orders[joint].speeds for joint in joints):
            rows += self._judge_speeds(joints, limits)
        return rows

    def _worst(self, kind: str, label: str, values: Array, limit: float, spacing: float, shift: float) -> Worst:
        sizes = np.linalg.norm(values, axis=1)
        at = int(sizes.argmax())
        return Worst(kind, label, float(sizes[at]), limit, (at + shift) * spacing)

    def _jumps(self, joint: str) -> Array:
        """Return how fast each change of the target would be within a period, for each step."""
        orders, jumps = self._orders[joint], np.zeros(self._steps + 1)
        if orders.targets:
            held = orders.targets[0]
            for step, target in zip(orders.steps[1:], orders.targets[1:], strict=True):
                jumps[step] += abs(target - held) / self._period
                held = target
        return jumps

    def _held(self, steps: list[int], values: list[float], grid: Array, before: float) -> Array:
        index = np.searchsorted(np.array(steps), grid, side="right") - 1
        return np.where(index >= 0, np.array(values)[np.maximum(index, 0)], before)

    def _grid(self) -> Array:
        return np.arange(0, self._steps + 1, max(1, round(self._period / self._step)))

    def _samples(self, joints: tuple[str, ...]) -> Array:
        """Return the commanded positions in force at each period, shape (n, joints); those without commands rest."""
        columns = []
        for joint in joints:
            orders = self._orders[joint]
            # The measured position before the first command says nothing about a profile: sag would look like jerk.
            steps, targets = orders.steps[1:], orders.targets[1:]
            columns.append(
                self._held(steps, targets, self._grid(), targets[0]) if targets else np.zeros(len(self._grid()))
            )
        return np.column_stack(columns)

    def _judge_speeds(self, joints: tuple[str, ...], limits: Limits) -> list[Worst]:
        """Judge joints that are driven by speed: the target is a speed already."""
        columns = []
        for joint in joints:
            orders = self._orders[joint]
            columns.append(
                self._held(orders.speed_steps, orders.speeds, self._grid(), 0.0) if orders.speeds else 0 * self._grid()
            )
        samples, label = np.column_stack(columns), "+".join(joints)
        rows = []
        for order, kind in enumerate(KINDS):
            values = np.diff(samples, n=order, axis=0) / self._period**order
            if len(values):
                rows.append(self._worst(kind, label, values, limits[order], self._period, order))
        return rows
