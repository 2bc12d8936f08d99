"""`Exclusive`: a subtree that runs only while it holds something that one holder has at a time, such as a body."""

from __future__ import annotations

import contextlib
import sys
from typing import Protocol

from py_trees.behaviour import Behaviour
from py_trees.blackboard import Client
from py_trees.common import Access, Status

from bt.node import Guard, failure_of, leaves_first
from semantics.body.foreign import FAULTS, describe_error
from semantics.logic.feedback import Code, Feedback

KEYS = ("goal", "outcome", "feedback")


class Permit(Protocol):
    """What a subtree needs before it may run; one holder has it at a time."""

    goal: str  # what the subtree pursues, as text

    @property
    def is_held(self) -> bool:
        """Whether the subtree holds it; it may be lost between two ticks."""

    def take(self) -> Feedback | None:
        """Take it; return why that is impossible, or None."""

    @property
    def waits(self) -> bool:
        """Whether the subtree is held, with its motions stopped, because a person said to wait."""

    def begin_tick(self) -> Feedback | None:
        """Prepare a tick of the subtree; return why the subtree must end now, or None."""

    def end_tick(self) -> None:
        """Note that a tick of the subtree has ended."""

    def end(self, succeeded: bool, feedback: Feedback | None) -> str:
        """Give it back, if it is held; return the outcome of the subtree in one word.

        Args:
            succeeded: Whether the subtree has succeeded.
            feedback: Why it failed; None if it succeeded or was stopped.
        """


class Exclusive(Guard):
    """Takes what its child needs when it begins, and gives it back when it ends, is stopped, or an error leaves it.

    It fails at once if that cannot be had, and at the next tick when it must end, whoever ticks it. If it was lost
    between two ticks, the child is stopped and begins anew, as soon as it can be had again; so too after a wait.

    It may write keys to the blackboard: ``goal`` when it begins (the text of the permit), ``outcome`` and ``feedback``
    when it ends. While it runs, both are None.

    Args:
        child: The subtree.
        permit: What it needs.
        name: The name of the node; by default that of the child.
        namespace: The namespace of the keys, such as ``fetch`` for ``/fetch/outcome``; empty for no keys.
    """

    kind = "exclusive"

    def __init__(self, child: Behaviour, permit: Permit, name: str = "", namespace: str = "") -> None:
        super().__init__(name or child.name, child)
        self._permit = permit
        self._refusal: Feedback | None = None
        self._begun = False
        self._board: Client | None = None
        if namespace:
            self._board = self.attach_blackboard_client(name=self.name, namespace=namespace)
            for key in KEYS:
                self._board.register_key(key, access=Access.WRITE)
            self._tell(self._permit.goal, None, None)

    def initialise(self) -> None:
        """Take it."""
        super().initialise()
        self._begin()

    def settled(self) -> Status | None:
        """Do not tick the child if it could not be taken, must end, or waits."""
        if self._refusal is None and not self._permit.is_held:
            self.decorated.stop(Status.INVALID)
            self._begin()
        refusal = self._refusal or self._permit.begin_tick()
        if refusal is not None:
            return self.fail(refusal)
        if self._permit.waits:
            if self.decorated.status == Status.RUNNING:
                self.decorated.stop(Status.INVALID)
            self._permit.end_tick()
            return Status.RUNNING
        return None

    def update(self) -> Status:
        """Return the status of the child."""
        self._permit.end_tick()
        return Status(self.decorated.status)

    def terminate(self, new_status: Status) -> None:
        """Give it back."""
        failed = new_status == Status.FAILURE
        self._end(new_status, (self.feedback or failure_of(self.decorated)) if failed else None)

    def broken(self) -> None:
        """End every running node below, leaves first, and give it back: nothing may go on behind an error."""
        why = describe_error(sys.exception())
        for node in leaves_first(self.decorated):
            if node.status == Status.RUNNING:
                with contextlib.suppress(*FAULTS):  # the others have to be ended all the same
                    node.stop(Status.INVALID)
        self._end(Status.INVALID, Feedback(Code.EXCEPTION, self.name, why, recoverable=False))

    def _begin(self) -> None:
        self._begun = True
        self._tell(self._permit.goal, None, None)
        self._refusal = self._permit.take()

    def _end(self, status: Status, feedback: Feedback | None) -> None:
        if self._begun:
            self._begun = False
            self._tell(self._permit.goal, self._permit.end(status == Status.SUCCESS, feedback), feedback)

    def _tell(self, *values: object) -> None:
        if self._board is not None:
            for key, value in zip(KEYS, values, strict=True):
                self._board.set(key, value)
