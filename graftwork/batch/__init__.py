"""Batches: the same request with many seeds, or many requests, each run in a process of its own."""

from graftwork.batch.folder import BatchFolder
from graftwork.batch.model import BatchRequest, BatchResult, BatchRun, BatchSummary, batch_runs, csv_of, summary_of
from graftwork.batch.processes import batch_results
from graftwork.batch.requests import RequestFile, read_requests, seeds_in, world_of

__all__ = [
    "BatchFolder",
    "BatchRequest",
    "BatchResult",
    "BatchRun",
    "BatchSummary",
    "RequestFile",
    "batch_results",
    "batch_runs",
    "csv_of",
    "read_requests",
    "seeds_in",
    "summary_of",
    "world_of",
]
