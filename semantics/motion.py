"""Motions of a body: how far each is, and which have to come to rest before others begin."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from semantics.feedback import Feedback

__all__ = ["Motion", "MotionInterlock", "MotionProgress", "MotionStatus"]


class MotionStatus(StrEnum):
    """Whether a motion still runs, and how it ended."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class MotionProgress:
    """A motion's state when polled: `fraction` done from 0 to 1, and why it failed if it did."""

    stage: MotionStatus
    fraction: float = 0.0
    feedback: Feedback | None = None


@runtime_checkable
class Motion(Protocol):
    """A started motion. It advances by itself (or as the clock sleeps); polling never blocks."""

    def poll(self) -> MotionProgress:
        """Return how far it is."""
        ...

    def cancel(self) -> None:
        """Stop it where it is, at once and without error when it has already ended."""
        ...


@dataclass(slots=True)
class _Begun:
    """A motion that was begun, with the agents and hands that it keeps busy, and whose they are."""

    motion: Motion
    busy: frozenset[str]
    agent: str
    is_cancelled: bool = False

    def meets(self, busy: frozenset[str], agent: str) -> bool:
        """Return whether it moves anything of `busy`; a whole agent has each of its hands."""
        return not (self.busy.isdisjoint(busy | {agent}) and busy.isdisjoint(self.busy | {self.agent}))


class MotionInterlock:
    """Keeps the motions of one body apart: what was begun stays noted until it reports that it has come to rest.

    A tree may turn to something else anywhere: a selector begins what is more urgent before it stops what it did, a
    time limit or the end of a run stops everything, and what comes next may be another tree. So the interlock belongs
    to the body and outlives the trees that drive it.
    """

    def __init__(self) -> None:
        self._begun: list[_Begun] = []

    def begin(self, motion: Motion, busy: frozenset[str], agent: str) -> None:
        """Note a motion.

        Args:
            motion: What was begun.
            busy: The agents and hands that it keeps busy.
            agent: Whose hands they are.
        """
        self._begun.append(_Begun(motion, busy, agent))

    def cancel(self, motion: Motion) -> None:
        """Cancel a motion, which stays noted until it has come to rest."""
        for begun in self._begun:
            begun.is_cancelled = begun.is_cancelled or begun.motion is motion
        motion.cancel()

    def blocks(self, busy: frozenset[str], agent: str) -> tuple[bool, bool]:
        """Return whether anything of `busy` still moves, and whether all that moves it was cancelled."""
        self._begun = [begun for begun in self._begun if begun.motion.poll().stage is MotionStatus.RUNNING]
        met = [begun for begun in self._begun if begun.meets(busy, agent)]
        return bool(met), all(begun.is_cancelled for begun in met)
