"""The command line in a process of its own, begun as a copy of one that has its modules loaded: that saves a second."""

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path

__all__ = ["commanded"]

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    ["pytest", "graftwork.__main__", "graftwork.cli.app", "graftwork.cli.run", "graftwork.cli.beliefs"]
)


def commanded(
    words: tuple[str, ...], folder: Path, environment: Mapping[str, str], seconds: float = 300.0
) -> subprocess.CompletedProcess[str]:
    """Run ``graftwork`` with these words in a folder, with nobody at the terminal, and return how that ended.

    Raises:
        TimeoutError: It does not end.
    """
    with tempfile.TemporaryDirectory() as place:
        told = [Path(place, name) for name in ("out", "err")]
        process = CONTEXT.Process(target=_be, args=(words, folder, dict(environment), *told))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutError(f"graftwork {' '.join(words)}")
        out, err = (file.read_text(encoding="utf-8") for file in told)
    return subprocess.CompletedProcess(words, process.exitcode, out, err)


def _be(words: tuple[str, ...], folder: Path, environment: Mapping[str, str], out: Path, err: Path) -> None:
    """Be the command, and end as a Python that was begun with it ends."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for stream, place in ((0, Path(os.devnull)), (1, out), (2, err)):
        opened = os.open(place, os.O_RDONLY if stream == 0 else os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, stream)
        os.close(opened)
    sys.argv = ["graftwork", *words]
    sys.path[:] = [each for each in sys.path if each]
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
