"""The command line in a process of its own, begun as a copy of one that has its modules loaded: that saves a second."""

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection, Mapping
from multiprocessing.process import BaseProcess
from pathlib import Path

__all__ = ["begun", "commanded"]

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        "pytest",
        "openai",
        "graftwork.__main__",
        "graftwork.cli.app",
        "graftwork.cli.run",
        "graftwork.cli.beliefs",
        "robots.fake",
    ]
)


def commanded(
    words: tuple[str, ...],
    folder: Path,
    environment: Mapping[str, str],
    seconds: float = 300.0,
    without: Collection[str] = (),
) -> subprocess.CompletedProcess[str]:
    """Run ``graftwork`` with these words in a folder, with nobody at the terminal, and return how that ended.

    The modules `without` are not there.

    Raises:
        TimeoutError: It does not end.
    """
    with tempfile.TemporaryDirectory() as place:
        told = [str(Path(place, name)) for name in ("out", "err")]
        process = begun(words, folder, environment, (os.devnull, *told), without)
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutError(f"graftwork {' '.join(words)}")
        out, err = (Path(file).read_text(encoding="utf-8") for file in told)
    return subprocess.CompletedProcess(words, process.exitcode, out, err)


def begun(
    words: tuple[str, ...],
    folder: Path,
    environment: Mapping[str, str],
    streams: tuple[str, str, str],
    without: Collection[str] = (),
) -> BaseProcess:
    """Begin ``graftwork`` with three files as its streams; a terminal among them becomes its own."""
    process = CONTEXT.Process(target=_be, args=(words, folder, dict(environment), streams, without))
    process.start()
    return process


def _be(
    words: tuple[str, ...],
    folder: Path,
    environment: Mapping[str, str],
    streams: tuple[str, str, str],
    without: Collection[str],
) -> None:
    """Be the command, and end as a Python that was begun with it ends."""
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for stream, place in enumerate(streams):
        opened = os.open(place, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, stream)
        os.close(opened)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())
    sys.argv = ["graftwork", *words]
    sys.path[:] = [each for each in sys.path if each]
    sys.modules.update(dict.fromkeys(without))
    from graftwork.__main__ import main

    code: object = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))
