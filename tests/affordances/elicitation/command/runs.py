"""The commands ``affordances`` and ``bench affordances`` in processes of their own, with a server to ask."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from tests.commands import commanded
from tests.loopback import LoopbackServer

COMMAND = (sys.executable, "-m", "graftwork")
ASK = ("affordances", "ask")
EVALUATE = ("bench", "affordances")
BY_WORDS = ("sentence_transformers",)
"""The modules that are missing without the extra ``embeddings``."""
TRUTH = Path(__file__).with_name("truth.csv")
LISTED = '{"affordances": ["carry", "contain", "drink", "grasp", "liquid-contain"]}'


def environment(folder: Path, server: LoopbackServer | None = None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GRAFTWORK_", "OPENAI_"))}
    places = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    address = {} if server is None else {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "some-key"}
    return kept | places | address


def ran(
    *words: str, folder: Path, server: LoopbackServer | None = None, without: Collection[str] = ()
) -> subprocess.CompletedProcess[str]:
    return commanded(words, folder, environment(folder, server), without=without)


@contextlib.contextmanager
def started(*words: str, folder: Path, server: LoopbackServer) -> Iterator[subprocess.Popen[str]]:
    """Start a command, and wait until every answer is kept and the first request without one is under way."""
    with subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(folder, server),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        end = time.monotonic() + 60
        kept = folder / "cache" / "graftwork" / "affordances" / "answers.jsonl"
        wanted = len(server.answers) - 1
        while time.monotonic() < end:
            if server.count > wanted and kept.exists() and kept.read_bytes().count(b"\n") == wanted:
                break
            time.sleep(0.01)
        yield process
        process.kill()
