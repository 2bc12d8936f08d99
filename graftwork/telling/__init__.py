"""Who is told of what happens in a run: the record, the log, the counts of what was tried."""
