"""A batch: one request with several seeds, each run in a process of its own, and how surely it succeeds.

A seed moves the things of the scene a little. The same on the command line, with a record of every run:
``graftwork run "put the apple on the counter" --scene small --robot fake --seeds 1..4 --parallel 2``.
"""

from graftwork import Settings
from graftwork.batch import BatchRequest, batch_results, batch_runs, summary_of

settings = Settings(scene="small", robot="fake")
runs = batch_runs([BatchRequest("put the apple on the counter")], seeds=range(1, 5))
with batch_results(runs, settings, parallel=2) as arriving:
    results = sorted(arriving, key=lambda result: result.run.seed)  # each arrives when its run has ended

for result in results:
    print(result.run.name, result.outcome, result.cost)
summary = summary_of(results)
print(f"{summary.succeeded} of {summary.runs}; 95 % interval {summary.low:.0%} to {summary.high:.0%}")
