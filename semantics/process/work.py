"""`WorkerSpec`: what the processes of a pool do, and what they may use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Ledger", "WorkerSpec"]

MOST_ANSWER = 1 << 30


class Ledger(Protocol):
    """The sender's record of what one process knows already."""

    def tell(self, question: Any) -> object:  # noqa: ANN401  # what the work takes as a question
        """Return the question as it is sent, without what the process knows, and record what it will know."""


@dataclass(frozen=True)
class WorkerSpec:
    """What the processes of a pool do, and what they may use.

    Attributes:
        worker: An importable function, as ``module:name``. Each process calls it once with `arguments`; it returns the
            function that answers a question, and both run in the main thread of the process. In place of the answer,
            this function may return a function without arguments that computes it.
        arguments: The arguments of the worker.
        ledger: Makes the record of what one process knows.
        unavailable: Returns the error to raise when no process can be started; its argument is half a sentence.
        memory: How much memory a process may use, bytes.
        answer: The size of the largest answer, bytes.
        niceness: How much lower the priority of the processes is while the pool gives way.
        is_tied: Whether the kernel kills a process together with the program. Otherwise only the end of its pipe ends
            it, and it ends the processes below it first.
        is_interruptible: Whether such a function bears that an exception ends it anywhere. A question that is called
            off is then ended in this way, and otherwise with its process.
        has_notes: Whether what a process writes to its standard error is kept, so that it can be read when the process
            has failed.
    """

    worker: str
    arguments: tuple[str, ...]
    ledger: Callable[[], Ledger]
    unavailable: Callable[[str], Exception]
    memory: int
    answer: int = MOST_ANSWER
    niceness: int = 0
    is_tied: bool = True
    is_interruptible: bool = False
    has_notes: bool = False
