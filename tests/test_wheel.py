"""The wheel has every file that the packages have, and works in a fresh virtual environment."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("semantics", "domains", "robots", "affordances", "planning", "bt", "graftwork")
NO_NETWORK = ("NewConnectionError", "Temporary failure in name resolution", "ProxyError", "ReadTimeoutError")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    source, place = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")  # building writes beside it
    for name in ("pyproject.toml", "README.md", "LICENSE", *PACKAGES):
        (source / name).symlink_to(ROOT / name)
    build = ("pip", "wheel", source, "--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", place)
    ended = subprocess.run([sys.executable, "-m", *map(str, build)], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    (built,) = place.glob("*.whl")
    return built


def test_the_wheel_has_every_file_of_the_packages(wheel: Path):
    files = {
        file.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.name != "README.md"
    }
    assert files - set(zipfile.ZipFile(wheel).namelist()) == set()


@pytest.mark.slow
def test_the_wheel_runs_in_a_fresh_environment(wheel: Path, tmp_path: Path):
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    install = [python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--retries", "1", wheel]
    ended = subprocess.run(list(map(str, install)), capture_output=True, text=True, check=False)
    if ended.returncode and any(sign in ended.stderr for sign in NO_NETWORK):
        pytest.skip("no network: the dependencies of the wheel cannot be installed")
    assert ended.returncode == 0, ended.stderr
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GRAFTWORK_", "PYTHON"))}
    homes = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_STATE_HOME": str(tmp_path / "state")}

    def graftwork(*words: str) -> str:
        command = [str(python.parent / "graftwork"), *words]
        result = subprocess.run(command, cwd=tmp_path, env=kept | homes, capture_output=True, text=True, check=False)
        assert result.returncode == 0, (words, result.stdout, result.stderr)
        return result.stdout

    assert "kitchen" in graftwork("domains")
    assert "no mistakes" in graftwork("check", "kitchen", "blocks")
    graftwork("domain", "new", "garage")
    assert "3 passed" in graftwork("test", "./garage")
    record = ("--record", "run")
    assert "achieved" in graftwork("run", "bring me the milk", "--scene", "small", "--robot", "fake", *record)
    assert "<html" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
