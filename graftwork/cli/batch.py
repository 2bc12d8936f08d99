"""``graftwork run`` with several seeds or a file of instructions: does all runs, and prints their figures."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from graftwork.batch import (
    BatchFolder,
    BatchRequest,
    BatchResult,
    BatchRun,
    BatchSummary,
    batch_results,
    batch_runs,
    csv_of,
    read_requests,
    seeds_in,
    summary_of,
    world_of,
)
from graftwork.batch.processes import SECONDS
from graftwork.cli.options import echo, print_json, progress
from graftwork.cli.run import Manner
from graftwork.record.episode import Outcome
from graftwork.record.log import keep_log
from graftwork.setup.settings import Settings, command_settings
from semantics.errors import UsageError
from semantics.plain_text import counted, plain, shortened
from semantics.process.writing import replace_whole

STOPPED = 4


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """The options of the command line that only a batch has."""

    seeds: str | None = None  # the seeds as text, such as ``1..20``
    instructions: Path | None = None  # a file of instructions
    parallel: int | None = None  # how many runs go on at once
    timeout: float | None = None  # time limit of each run, in seconds of the wall clock
    csv: Path | None = None  # a file for the results as CSV


@dataclass(slots=True)
class BatchTally:
    """The results so far."""

    runs: Sequence[BatchRun]  # all runs of the batch
    results: list[BatchResult] = field(default_factory=list)  # the results, with those of before
    interrupted: bool = False  # whether a person stopped the command

    @property
    def exit_code(self) -> int:
        """4 when a person stopped it, 70, 5 or 6 when a run has no result, 1 when one did not succeed."""
        if self.interrupted:
            return STOPPED
        outcomes = {result.outcome for result in self.results}
        for outcome in (Outcome.FAULT, Outcome.UNAVAILABLE, Outcome.UNUSABLE_REPLY):
            if outcome in outcomes:
                return outcome.exit_code
        return int(not all(result.succeeded for result in self.results))

    def in_order(self) -> list[BatchResult]:
        """Return the results in the order of the batch."""
        order = {run: number for number, run in enumerate(self.runs)}
        return sorted(self.results, key=lambda result: order[result.run])

    def by_request(self) -> Iterator[tuple[BatchRequest, BatchSummary]]:
        """Yield each request that has results, in the order of the batch, with its figures."""
        for request, results in groupby(self.in_order(), lambda result: result.run.request):
            yield request, summary_of(list(results))


def batch_command(
    instruction: str | None,
    goal: str | None,
    program: Path | None,
    chosen: Mapping[str, object],
    manner: Manner,
    options: BatchOptions,
) -> int:
    """Do the runs of a batch, print their figures, and return the exit code.

    Raises:
        UsageError: A name, a file or a setting is wrong; also while runs go on, whose results are kept.
        OutsideError: The disk does not take the results.
    """
    keep_log(verbose=manner.verbose)
    _check(chosen, manner, options)
    wanted = BatchRequest(instruction, goal, None if program is None else str(program))
    runs, settings = _asked(wanted, chosen, options)
    world = world_of(list(dict.fromkeys(run.request for run in runs)), settings)
    path = manner.record or settings.record or Path("runs") / f"batch-{datetime.now():%Y%m%d-%H%M%S}"
    with BatchFolder(path, settings, world) as folder:
        tally = BatchTally(runs, folder.results(runs))
        if tally.results:
            echo(f"{counted(len(tally.results), 'run')} of {len(runs)} done before", err=True)
        try:
            _carry_out(tally, settings, options, folder, loud=not manner.as_json)
        except KeyboardInterrupt:
            tally.interrupted = True
    if options.csv is not None:
        replace_whole(options.csv, csv_of(tally.in_order()))
    if manner.as_json:
        print_json(_document(tally, path))
    else:
        _print_table(tally)
        echo(f"records in {path}")
    if tally.interrupted:
        done = f"stopped: {len(tally.results)} of {counted(len(runs), 'run')} done"
        echo(f"{done}. Go on with: {_again(path)}", err=True)
    return tally.exit_code


def _check(chosen: Mapping[str, object], manner: Manner, options: BatchOptions) -> None:
    """Refuse options that do not go together."""
    others = {
        "--resume": manner.resume is not None,
        "--dry-run": manner.dry_run,
        "--confirm": manner.confirm,
        "--video": manner.video is not None,
    }
    if options.seeds is None and options.instructions is None:
        raise UsageError(
            "--parallel, --timeout and --csv are for several runs: add --seeds 1..20, or --instructions FILE"
        )
    if wrong := [name for name, is_given in others.items() if is_given]:
        raise UsageError(f"{wrong[0]} is for one run: leave out --seeds and --instructions")
    if options.seeds is not None and chosen.get("seed") is not None:
        raise UsageError("--seed is one seed and --seeds are several: give one of them")
    if chosen.get("memory"):
        raise UsageError("runs of a batch have no memory, so that none depends on another: leave out --memory")
    if options.csv is not None and not options.csv.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {options.csv.parent} for --csv")


def _asked(
    wanted: BatchRequest, chosen: Mapping[str, object], options: BatchOptions
) -> tuple[list[BatchRun], Settings]:
    """Return the runs of a batch, and their settings."""
    if sum(given is not None for given in (wanted.instruction, wanted.goal, wanted.program, options.instructions)) > 1:
        raise UsageError("say what is wanted, in words, as --goal, --program or --instructions: one of them")
    settings = command_settings(chosen)
    requests: tuple[BatchRequest, ...] = (wanted,)
    if options.instructions is not None:
        found = read_requests(options.instructions)
        requests = found.requests
        if found.domain is not None:
            settings = replace(settings, domain=found.domain)
        if found.left_out:
            echo(
                f"{counted(found.left_out, 'case')} left out: no body can carry them out, because they expect no plan, "
                "change facts of the scene or have answers of a model",
                err=True,
            )
    return batch_runs(requests, [settings.seed] if options.seeds is None else seeds_in(options.seeds)), settings


def _carry_out(
    tally: BatchTally, settings: Settings, options: BatchOptions, folder: BatchFolder, *, loud: bool
) -> None:
    """Do the runs that have no result, and tell each result as it arrives."""
    done = {result.run for result in tally.results}
    left = [run for run in tally.runs if run not in done]
    if settings.conversation:  # one that is not complete begins anew
        cut = {run.seed for run in left}
        left = [run for run in tally.runs if run.seed in cut]
        tally.results = [result for result in tally.results if result.run.seed not in cut]
    if not left:
        return
    width = max(len(run.name) for run in left)
    parallel, seconds = options.parallel or 1, options.timeout or SECONDS
    results = batch_results(left, settings, parallel=parallel, seconds=seconds, record=folder.path)
    stream = sys.stdout if loud else sys.stderr
    with results as arriving, progress("runs", len(left), stream) as advance:
        for result in arriving:
            folder.add(result)
            tally.results.append(result)
            if loud:
                echo(_row(result, width))
            advance()


def _row(result: BatchResult, width: int) -> str:
    figures = f"{result.run.name:{width}}  {result.outcome:11}  {result.body_seconds:7.1f} s"
    repairs = f"  {counted(result.repairs, 'repair')}" if result.repairs else ""
    why = "" if result.succeeded else f"  {plain(shortened(result.message, 200))}"
    return figures + repairs + why


def _print_table(tally: BatchTally) -> None:
    """Print the figures of each request, and of all where there are several."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("wanted", "succeeded", "95 % interval", "seconds", "wall", "repairs", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    figures = list(tally.by_request())
    rows: Iterable[tuple[object, BatchSummary]] = figures
    if len(figures) > 1:
        rows = (*figures, ("all", summary_of(tally.results)))
    for name, summary in rows:
        table.add_row(Text(plain(str(name))), *_cells(summary))
    console = Console(file=sys.stdout, highlight=False)
    console.print()
    console.print(table)


def _cells(summary: BatchSummary) -> Iterator[str]:
    yield f"{summary.succeeded} of {summary.runs}"
    yield f"{100 * summary.low:.0f} to {100 * summary.high:.0f} %"
    for seconds in (summary.body_seconds, summary.seconds):
        yield "-" if seconds is None else f"{seconds:.1f}"
    yield f"{summary.repairs} ({summary.solved} helped)" if summary.repairs else "0"


def _document(tally: BatchTally, path: Path) -> dict[str, Any]:
    """Return everything as data for JSON."""
    return {
        "outcome": "stopped" if tally.interrupted else "done",
        "exit": tally.exit_code,
        "asked": len(tally.runs),
        "record": str(path),
        "go_on": _again(path) if tally.interrupted else None,
        "summary": summary_of(tally.results).as_dict(),
        "requests": [
            {"request": request.name, "wanted": str(request), **summary.as_dict()}
            for request, summary in tally.by_request()
        ],
        "runs": [result.as_dict() for result in tally.in_order()],
    }


def _again(path: Path) -> str:
    """Return the command that goes on with the batch."""
    run, *words = sys.argv[1:]
    own = [] if any(word.partition("=")[0] == "--record" for word in words) else ["--record", str(path)]
    return shlex.join(["graftwork", run, *own, *words])
