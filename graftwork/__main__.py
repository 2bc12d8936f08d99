"""The command ``graftwork``: turns each exception of a command into an exit code and one line for a person.

The exit code is 2 for a mistake of the caller or a bad file, 4 for an interruption, 5 for an outside service that is
missing, and 70 for a fault of this program; 130 for an interruption before there is a command, while the program is
still being loaded. With ``--json``, standard output also gets the error as one object.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # importing the module `typing` for it would take as long as everything else here
if TYPE_CHECKING:
    import typer

__all__ = ["main"]

VERSION = 1
INTERRUPTED = 130
"""The code that typer returns for a Ctrl-C inside a command."""


def main() -> None:
    """Run the command line and exit."""
    app = _loaded()
    import typer

    from semantics.errors import OutsideError, UsageError

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:
            _leave(4, "interrupted")
        sys.stdout.flush()
        sys.exit(code or 0)
    except UsageError as error:
        _leave(2, str(error))
    except (KeyboardInterrupt, typer.Abort):
        _leave(4, "interrupted")
    except (OutsideError, OSError) as error:
        _leave(5, str(error))
    except Exception as error:
        _leave_otherwise(error)


def _loaded() -> typer.Typer:
    """Import the commands; a Ctrl-C meanwhile ends the program, without a traceback of whatever is being imported."""
    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heard:
        signal.signal(signal.SIGINT, _leave_at_once)
    from graftwork.cli.app import app

    if is_heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return app


def _leave_at_once(number: int, frame: object) -> None:
    """End the program; nothing is open before there is a command."""
    os._exit(INTERRUPTED)


def _interrupt(number: int, frame: object) -> None:
    """Treat SIGTERM and SIGHUP as Ctrl-C; while a tree runs, the runner's own handler replaces this one."""
    raise KeyboardInterrupt


def _leave_otherwise(error: Exception) -> None:
    """Exit after a mistake on the command line, which typer prints itself, or after a fault of this program."""
    show = getattr(error, "show", None)
    if show is not None:
        show()
        code = getattr(error, "exit_code", 2)
        _tell(code, getattr(error, "format_message", error.__str__)())
        sys.exit(code)
    from graftwork.record.log import log_fault

    _leave(70, f"a fault of this program, sorry; {log_fault(error)}")


def _leave(code: int, message: str) -> None:
    from semantics.plain_text import plain_lines

    sys.stderr.write(f"graftwork: {plain_lines(message)}\n")
    _tell(code, message)
    sys.exit(code)


def _tell(code: int, message: str) -> None:
    """Print the error as JSON if the command line has ``--json``, for every command."""
    words = sys.argv[1:]
    if "--json" not in words[: words.index("--") if "--" in words else None]:
        return
    import json
    from contextlib import suppress

    document = {"version": VERSION, "outcome": "error", "exit": code, "error": message}
    with suppress(OSError):  # standard output may be closed; that may even be the error
        sys.stdout.write(f"{json.dumps(document, indent=2)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
