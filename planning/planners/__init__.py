"""The planners behind one small protocol: Fast Downward in its worker process, and any engine of unified-planning."""
