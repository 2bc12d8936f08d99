"""Whether unified-planning's own validator accepts a plan of PDDL files: ``python -m benchmarks.any.judge``.

It takes a domain, a problem and a plan, each a file. Exit code 0: accepted, 1: rejected, 3: it does not read the files.
"""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["main"]

ACCEPTED, REJECTED, UNREAD = 0, 1, 3


def main(domain: str, problem: str, plan: str) -> int:
    """Judge, and return the exit code."""
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.environment import get_environment
    from unified_planning.io import PDDLReader

    get_environment().credits_stream = None
    reader = PDDLReader()
    try:
        parsed = reader.parse_problem(domain, problem)
        parsed.clear_quality_metrics()  # costs make no difference to a valid plan, and its validator refuses some
        written = reader.parse_plan_string(parsed, Path(plan).read_text(encoding="utf-8"))
        validator = SequentialPlanValidator()
        validator.skip_checks = True  # it knows not for all features whether it can judge them, and tries
        accepted = bool(validator.validate(parsed, written))
    except Exception as error:  # its reader raises many kinds of errors, also of its parser
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return UNREAD
    return ACCEPTED if accepted else REJECTED


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
