from .folder import BatchFolder as BatchFolder
from .model import (
    BatchRequest as BatchRequest,
    BatchResult as BatchResult,
    BatchRun as BatchRun,
    BatchSummary as BatchSummary,
    batch_runs as batch_runs,
    csv_of as csv_of,
    summary_of as summary_of,
)
from .processes import batch_results as batch_results
from .requests import (
    read_requests as read_requests,
    seeds_in as seeds_in,
    world_of as world_of,
)
