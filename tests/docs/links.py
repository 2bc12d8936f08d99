"""A page as somebody follows it: files are written where it says so, commands are run, and what they print is compared.

A file is a line with its path in backticks and a block below it. A block ``console`` holds commands after ``$ `` and
what each prints; ``…`` stands for anything.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r"(?:^`(?P<file>[^`\n]+)`\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


class File(NamedTuple):
    path: str
    text: str


class Command(NamedTuple):
    words: str
    printed: str


def steps_of(page: Path) -> Iterator[File | Command]:
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["file"]:
            yield File(block["file"], block["text"])
        elif block["kind"] == "console":
            for part in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
                words, _, printed = part.partition("\n")
                yield Command(words, printed)


class Walk:
    """Follows a page in `folder`; nothing of the person's own settings and memory is seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = 0
        self._bin = folder / "bin"
        self._bin.mkdir()
        for name, module in (("graftwork", "-m graftwork "), ("python", "")):
            command = self._bin / name
            command.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module}"$@"\n', encoding="utf-8")
            command.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAFTWORK_")}
        homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))
        self._environment = kept | homes | {"PATH": f"{self._bin}:{os.environ['PATH']}", "COLUMNS": "120"}

    def take(self, step: File | Command) -> None:
        if isinstance(step, File):
            path = self.folder / step.path
            assert path.parent.is_dir(), f"{path.parent} is not there"
            path.write_text(step.text, encoding="utf-8")
            return
        printed = self._print(step.words)
        pattern = re.escape(step.printed).replace(re.escape("…"), ".*?")
        assert re.fullmatch(pattern, printed, re.DOTALL), f"$ {step.words}\n{printed}"

    def _print(self, words: str) -> str:
        if words == "echo $?":
            return f"{self.code}\n"
        ran = subprocess.run(
            words,
            shell=True,
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        self.code = ran.returncode
        return ran.stdout
