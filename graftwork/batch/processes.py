"""`batch_results`: does the runs of a batch, each in a process of its own, several at once.

A process does one run and is then ended, so that no run depends on another one: with its seed alone it is the same. A
run recalls nothing, because it has no memory, and nobody answers its questions. One that takes too long or too much
memory ends alone. The processes are those of `semantics.process`: they end with the batch, however that ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from graftwork.batch.model import BatchRequest, BatchResult, BatchRun
from graftwork.record.episode import Outcome
from graftwork.record.log import log_fault
from graftwork.run.past import folder_beside
from graftwork.session import Session
from graftwork.setup.bodies import SERVED
from graftwork.setup.settings import Settings, session_arguments
from semantics.errors import OutsideError, UsageError
from semantics.process.child import ANSWER, SPENT
from semantics.process.pool import Pool, Ticket
from semantics.process.seat import CalledOffError, DiedError, LateError, WorkerReply, WorkerSpec

MEMORY = 4 << 30
"""How much memory each process of a run may use, bytes; planning has a limit of its own."""
SECONDS = 600.0
"""How long a run may take on the wall clock."""
TRIES = 3
"""How many processes a run may ask that do not listen."""


class RunQuestion(NamedTuple):
    """What a process is to do: the arguments of a session, and what is wanted."""

    arguments: Mapping[str, Any]
    request: BatchRequest


class AnyLedger:
    """A process knows nothing of other runs."""

    def tell(self, question: RunQuestion) -> RunQuestion:
        """Return the question."""
        return question


def worker() -> Callable[[RunQuestion], dict[str, Any]]:
    """Return the function that does one run."""

    def answer(question: RunQuestion) -> dict[str, Any]:
        with Session(**question.arguments) as session:
            clock = session.environment.robot.clock
            began = clock.now()
            wanted = question.request
            if wanted.program is None:
                run = session.start(wanted.instruction, goal=wanted.goal)
            else:
                run = session.program(Path(wanted.program))
            episode = run.finish()
            return {
                "outcome": episode.outcome,
                "message": episode.message,
                "body_seconds": round(clock.now() - began, 3),
                "ticks": episode.ticks,
                "repairs": len(episode.rungs),
                "solved": sum(use.solved for use in episode.rungs),
                "cost": episode.cost,
            }

    return answer


WORK = WorkerSpec("graftwork.batch.processes:worker", (), AnyLedger, OutsideError, MEMORY, has_notes=True)


@contextmanager
def batch_results(
    runs: Sequence[BatchRun],
    settings: Settings,
    *,
    parallel: int = 1,
    seconds: float = SECONDS,
    record: Path | None = None,
) -> Iterator[Iterator[BatchResult]]:
    """Yield the results of runs as they arrive; at the end of the block, end what still runs.

    Args:
        runs: The runs.
        settings: The settings of all of them; their memory, record and seed are not used.
        parallel: How many run at once.
        seconds: Time limit of each run, on the wall clock.
        record: A folder for the records, one folder each by the name of the run. If that exists, the record is in a
            new one beside it.

    Raises:
        UsageError: A name, a file or a setting is wrong, or the body is one that all runs would share; raised with the
            first result that needs it.
    """
    if settings.robot.startswith(SERVED):
        raise UsageError(f"a run of a batch needs a body of its own, and {settings.robot} is one for all")
    pool = Pool(WORK, parallel, int(len(runs) > parallel), min(parallel, len(runs)))
    batch = _Batch(settings, seconds, record, pool)
    executor = ThreadPoolExecutor(parallel, "batch")
    try:
        futures = [executor.submit(batch.result, run) for run in runs]
        yield (future.result() for future in as_completed(futures))
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        pool.close()
        executor.shutdown()


@dataclass(frozen=True)
class _Batch:
    """What all runs share."""

    settings: Settings
    seconds: float
    record: Path | None
    pool: Pool

    def result(self, run: BatchRun) -> BatchResult:
        """Do a run and wait for its end."""
        began = time.monotonic()
        tries = (self._tried(run) for _ in range(TRIES))
        result = next(filter(None, tries), None)
        if result is None:
            result = BatchResult(run, Outcome.FAULT, "No process listened to what it is to do.")
        return replace(result, seconds=round(time.monotonic() - began, 3))

    def _tried(self, run: BatchRun) -> BatchResult | None:
        """Do a run; return None if the machine is so busy that its process did not begin."""
        record = self._record(run)
        result = partial(BatchResult, run, record=record)
        try:
            return _result_of(self._reply(run, record), result)
        except LateError:
            return result(Outcome.FAILED, f"It took longer than {self.seconds:g} s and was ended.")
        except CalledOffError:
            return result(Outcome.STOPPED, "The batch was stopped.")
        except DiedError as error:
            return None if isinstance(error.__cause__, LateError) else result(Outcome.FAULT, _died(error))

    def _record(self, run: BatchRun) -> str | None:
        if self.record is None:
            return None
        folder = self.record / run.name
        return str(folder_beside(folder) if folder.exists() else folder)

    def _reply(self, run: BatchRun, record: str | None) -> WorkerReply:
        """Ask a new process, and end it.

        Raises:
            LateError, DiedError, CalledOffError: There is no reply.
        """
        settings = replace(self.settings, seed=run.seed, memory=None, scene=run.request.scene or self.settings.scene)
        question = RunQuestion(session_arguments(settings) | {"record": record}, run.request)
        ticket = Ticket(self.seconds)
        with self.pool.asking(ticket):
            seat = self.pool.take(ticket)
            if seat is None:
                raise CalledOffError if ticket.off else DiedError(killed=True)
            try:
                return seat.ask(question, time.monotonic() + self.seconds)
            finally:
                self.pool.drop(seat)


def _result_of(reply: WorkerReply, result: Callable[..., BatchResult]) -> BatchResult:
    if reply.kind == ANSWER:
        return result(**reply.value)
    if reply.kind == SPENT:
        return result(Outcome.FAULT, f"It needed more than {MEMORY >> 20} MiB of memory and was ended.")
    if isinstance(reply.value, UsageError):
        raise reply.value
    if isinstance(reply.value, OutsideError):
        return result(Outcome.UNAVAILABLE, str(reply.value))
    return result(Outcome.FAULT, f"A fault of this program, sorry; {log_fault(reply.value)}.")


def _died(error: DiedError) -> str:
    """Return words for a process that ended; the log gets what it wrote to its standard error."""
    why = "Its process ended before it had a result"
    return f"{why}; {log_fault(RuntimeError(error.notes))}." if error.notes else f"{why}."
