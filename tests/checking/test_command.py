"""``graftwork check`` as a person meets it: what is printed and the exit code."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graftwork import __main__ as command
from graftwork.cli import check as check_module
from tests.checking.shed import shed
from tests.commands import commanded

LINE = re.compile(r"[^:]+:\d+:\d+: (error|warning): [a-z-]+: .+")


def check(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return commanded(("check", *words), cwd, os.environ)


def test_a_world_without_mistakes_ends_with_0(tmp_path: Path):
    ended = check(".", cwd=shed(tmp_path))
    assert (ended.returncode, ended.stdout) == (0, "no mistakes in 3 files\n")


def test_each_mistake_is_a_line_with_its_place_and_code(tmp_path: Path):
    scene = shed(tmp_path) / "scenes" / "good.yaml"
    scene.write_text(scene.read_text().replace("on: bench0", "on: bnch0"))
    ended = check(".", cwd=tmp_path)
    *lines, summary = ended.stdout.splitlines()
    assert ended.returncode == 2
    assert lines
    assert all(LINE.fullmatch(line) for line in lines)
    assert summary.endswith("in 3 files")
    assert "\x1b" not in ended.stdout


def test_warnings_end_with_2_only_when_strict(tmp_path: Path):
    domain = shed(tmp_path) / "domain.yaml"
    domain.write_text(domain.read_text().replace("  tool: [implement]", "  tool: [implement]\n  toy: []"))
    assert check(".", cwd=tmp_path).returncode == 0
    ended = check(".", "--strict", "--json", cwd=tmp_path)
    told = json.loads(ended.stdout)
    assert ended.returncode == 2
    assert (told["version"], told["errors"], told["warnings"]) == (1, 0, 1)
    assert told["problems"][0]["code"] == "empty-kind"
    assert told["problems"][0]["culprit"] == "toy"


def test_files_of_an_unusable_domain_are_one_line_after_its_cause(tmp_path: Path):
    domain = shed(tmp_path) / "domain.yaml"
    for number in range(9):
        shutil.copy(tmp_path / "scenes" / "good.yaml", tmp_path / "scenes" / f"s{number}.yaml")
    domain.write_text(domain.read_text().replace("capabilities:", "capabilites:", 1))
    *lines, summary = check(".", cwd=tmp_path).stdout.splitlines()
    assert all("unusable-domain" not in line and line.startswith("domain.yaml:") for line in lines)
    assert "missing-key" in lines[0]
    assert lines[-1] == "domain.yaml: cannot be used, so 11 files of it could not be looked at"
    assert summary.endswith("in 12 files")


def test_help_shows_an_example(tmp_path: Path):
    assert "Example:" in check("--help", cwd=tmp_path).stdout


def test_an_interruption_ends_with_4(monkeypatch: pytest.MonkeyPatch):
    def interrupted(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(check_module, "check_command", interrupted)
    monkeypatch.setattr(sys, "argv", ["graftwork", "check", "kitchen"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 4
