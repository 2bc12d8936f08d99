"""`batch_results`: does the runs of a batch, each in a process of its own, several at once.

A process does one run and is then ended, so that no run depends on another one: with its seed alone it is the same. A
run recalls nothing, because it has no memory, and nobody answers its questions. If the lines of a file are one
conversation, a process does all of them on one body, and a line may answer the question of the line before. What takes
too long or too much memory ends alone. The processes are those of `semantics.process`: they end with the batch, however
that ends.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from graftwork.batch.model import BatchRequest, BatchResult, BatchRun
from graftwork.record.episode import Episode, Outcome
from graftwork.record.log import log_fault
from graftwork.run.past import folder_beside
from graftwork.run.run import Run
from graftwork.session import Session
from graftwork.setup.bodies import SERVED
from graftwork.setup.settings import Settings, session_arguments
from semantics.errors import OutsideError, UsageError
from semantics.process.child import ANSWER, SPENT
from semantics.process.pool import Pool, Ticket
from semantics.process.seat import CalledOffError, DiedError, LateError, WorkerReply, WorkerSpec

MEMORY = 4 << 30  # how much memory each process of a run may use, bytes; planning has a limit of its own
SECONDS = 600.0  # how long a run may take on the wall clock
TRIES = 3  # how many processes a run may ask that do not listen


class RunQuestion(NamedTuple):
    """What a process is to do: the arguments of a session, what is wanted in order, and the folder of each record."""

    arguments: Mapping[str, Any]
    requests: Sequence[BatchRequest]
    records: Sequence[str | None]


class AnyLedger:
    """A process knows nothing of other runs."""

    def tell(self, question: RunQuestion) -> RunQuestion:
        """Return the question."""
        return question


def worker() -> Callable[[RunQuestion], list[dict[str, Any]]]:
    """Return the function that does one run, or those of a conversation."""

    def answer(question: RunQuestion) -> list[dict[str, Any]]:
        folders, done = deque[Path](), list[tuple[Run, dict[str, Any]]]()
        with Session(**question.arguments, record=folders) as session:
            say = session.converse if question.arguments["conversation"] else session.start
            clock, (_, *following) = session.environment.robot.clock, (*question.requests, BatchRequest())
            for wanted, record, after in zip(question.requests, question.records, following, strict=True):
                began = clock.now()
                folders.extend([] if record is None else [Path(record)])
                if wanted.program is not None:
                    run = session.program(Path(wanted.program))
                else:
                    run = say(wanted.instruction) if wanted.instruction else session.start(goal=wanted.goal)
                told = {"record": done[-1][1]["record"] if folders else record}  # left over: it answered a question
                folders.clear()
                if not (after.instruction and run.wait() and run.question):
                    run.finish()
                done.append((run, {**told, "body_seconds": round(clock.now() - began, 3)}))
        return [fields | _told(run.finish()) for run, fields in done]

    return answer


def _told(episode: Episode) -> dict[str, Any]:
    return {
        "outcome": episode.outcome,
        "message": episode.message,
        "ticks": episode.ticks,
        "repairs": len(episode.rungs),
        "solved": sum(use.solved for use in episode.rungs),
        "cost": episode.cost,
    }


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
        futures = [executor.submit(batch.results, talk) for talk in _talks(runs, settings)]
        yield (result for future in as_completed(futures) for result in future.result())
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

    def results(self, runs: Sequence[BatchRun]) -> list[BatchResult]:
        """Do runs in one process, one after the other, and wait for their end."""
        began, records = time.monotonic(), list(map(self._record, runs))
        tries = (self._tried(runs, records) for _ in range(TRIES))
        told = next(filter(None, tries), None) or _all(Outcome.FAULT, "No process listened to what it is to do.")
        seconds = round((time.monotonic() - began) / len(runs), 3)
        each = zip(runs, records, cycle(told), strict=False)
        return [BatchResult(run, **{"record": record, "seconds": seconds, **fields}) for run, record, fields in each]

    def _tried(self, runs: Sequence[BatchRun], records: Sequence[str | None]) -> list[dict[str, Any]] | None:
        """Do runs; return None if the machine is so busy that their process did not begin."""
        try:
            return _fields_of(self._reply(runs, records))
        except LateError:
            return _all(Outcome.FAILED, f"It took longer than {self.seconds * len(runs):g} s and was ended.")
        except CalledOffError:
            return _all(Outcome.STOPPED, "The batch was stopped.")
        except DiedError as error:
            return None if isinstance(error.__cause__, LateError) else _all(Outcome.FAULT, _died(error))

    def _record(self, run: BatchRun) -> str | None:
        if self.record is None:
            return None
        folder = self.record / run.name
        return str(folder_beside(folder) if folder.exists() else folder)

    def _reply(self, runs: Sequence[BatchRun], records: Sequence[str | None]) -> WorkerReply:
        """Ask a new process, and end it.

        Raises:
            LateError, DiedError, CalledOffError: There is no reply.
        """
        requests, seconds = [run.request for run in runs], self.seconds * len(runs)
        scene = requests[0].scene or self.settings.scene
        arguments = session_arguments(replace(self.settings, seed=runs[0].seed, memory=None, scene=scene))
        arguments.pop("record")
        ticket = Ticket(seconds)
        with self.pool.asking(ticket):
            seat = self.pool.take(ticket)
            if seat is None:
                raise CalledOffError if ticket.off else DiedError(killed=True)
            try:
                return seat.ask(RunQuestion(arguments, requests, records), time.monotonic() + seconds)
            finally:
                self.pool.drop(seat)


def _talks(runs: Sequence[BatchRun], settings: Settings) -> list[list[BatchRun]]:
    """Return the runs that each process does: one, or those of a conversation with one seed in one scene."""
    if not settings.conversation:
        return [[run] for run in runs]
    talks: dict[tuple[int, str | None], list[BatchRun]] = {}
    for run in runs:
        talks.setdefault((run.seed, run.request.scene), []).append(run)
    return list(talks.values())


def _all(outcome: Outcome, message: str) -> list[dict[str, Any]]:
    """Return how all runs of a process ended."""
    return [{"outcome": outcome, "message": message}]


def _fields_of(reply: WorkerReply) -> list[dict[str, Any]]:
    if reply.kind == ANSWER:
        return list(reply.value)
    if reply.kind == SPENT:
        return _all(Outcome.FAULT, f"It needed more than {MEMORY >> 20} MiB of memory and was ended.")
    if isinstance(reply.value, UsageError):
        raise reply.value
    if isinstance(reply.value, OutsideError):
        return _all(Outcome.UNAVAILABLE, str(reply.value))
    return _all(Outcome.FAULT, f"A fault of this program, sorry; {log_fault(reply.value)}.")


def _died(error: DiedError) -> str:
    """Return words for a process that ended; the log gets what it wrote to its standard error."""
    why = "Its process ended before it had a result"
    return f"{why}; {log_fault(RuntimeError(error.notes))}." if error.notes else f"{why}."
