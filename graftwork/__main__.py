"""The command ``graftwork``: turns each exception of a command into an exit code and one line for a person.

The exit code is 2 for a mistake of the caller or a bad file, 4 for an interruption, 5 for an outside service that is
missing, and 70 for a fault of this program; 130 for an interruption before there is a command, while the program is
still being loaded. With ``--json``, standard output also gets the error as one object.
"""

from __future__ import annotations

import io
import os
import signal
import sys

TYPE_CHECKING = False  # importing the module `typing` for it would take as long as everything else here
if TYPE_CHECKING:
    import typer

VERSION = 1
INTERRUPTED = 130  # the code that typer returns for a Ctrl-C inside a command


def main() -> None:
    """Run the command line and exit."""
    _open_streams()
    app = _loaded()
    try:
        _run(app)
    except KeyboardInterrupt:  # a second one, while the first is being told
        _leave(4, "interrupted")


def _run(app: typer.Typer) -> None:
    import typer

    from semantics.errors import OutsideError, UsageError

    for number in (signal.SIGTERM, signal.SIGHUP):  # while a tree runs, the runner's own handler replaces this one
        signal.signal(number, signal.default_int_handler)
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:
            _leave(4, "interrupted")
        sys.stdout.flush()
        _leave(code or 0)
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
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))  # nothing is open before there is a command
    from graftwork.cli.app import app

    if is_heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return app


def _open_streams() -> None:
    """Open what the caller has closed, and let a standard stream whose reader is gone take what nobody reads.

    A file that is opened next would otherwise be standard output; and the end of a reader says nothing of a robot.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            stream = open(number, "w" if number else "r", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
    for name, lost in (("stdout", BrokenPipeError), ("stderr", OSError)):
        out = getattr(sys, name)
        if type(out) is io.TextIOWrapper and not out.isatty():  # the old one stays open, as `sys.__stdout__`
            how = out.line_buffering, out.write_through
            setattr(sys, name, _Unread(out.buffer, out.encoding, out.errors, None, *how))
            getattr(sys, name).lost = lost


class _Unread(io.TextIOWrapper):
    """A standard stream that goes on when nobody reads it any more."""

    lost: type[OSError]

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except self.lost:
            self._drop()
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except self.lost:
            self._drop()

    def _drop(self) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


def _leave_otherwise(error: Exception) -> None:
    """Exit after a mistake on the command line, which typer prints itself, or after a fault of this program."""
    show = getattr(error, "show", None)
    if show is not None:
        show()
        code = getattr(error, "exit_code", 2)
        _tell(code, getattr(error, "format_message", error.__str__)())
        _leave(code)
    from graftwork.record.log import log_fault

    _leave(70, f"a fault of this program, sorry; {log_fault(error)}")


def _leave(code: int, message: str = "") -> None:
    """End the program; a signal that comes now changes nothing of how it ended."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    exec("")  # an interrupt that went through the code of a text is forgotten; else Python would kill itself at its end
    if message:
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
