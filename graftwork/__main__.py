"""The command ``graftwork``: turns what a command raises into an exit code and one line for a person.

A caller's mistake or a bad file is 2, an interruption 4, something outside that is not there 5, a fault of our own 70.
"""

from __future__ import annotations

import sys

from semantics.errors import OutsideError, UsageError

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit."""
    from graftwork.cli.app import app

    try:
        app()
    except UsageError as error:
        _leave(2, str(error))
    except OutsideError as error:
        _leave(5, str(error))
    except KeyboardInterrupt:
        _leave(4, "interrupted")
    except Exception:  # the last resort: say where the trace is
        from graftwork.logbook import log_fault

        _leave(70, f"a fault of this program, sorry; the details are in {log_fault()}")


def _leave(code: int, message: str) -> None:
    sys.stderr.write(f"graftwork: {message}\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
