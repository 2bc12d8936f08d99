"""Evidence that is saved in a file of a person's own: nothing of it is lost, and what cannot be kept is told early."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from affordances.mapping import Evidence, load_mapping
from graftwork.cli.inquiry import keeper
from semantics.errors import UsageError


def guessed(name: str) -> list[Evidence]:
    return [Evidence.guessed(name, "carry", 0.9, after="cup")]


@pytest.mark.parametrize("name", ["mine.yaml", "mine.sqlite"])
def test_what_several_save_at_once_is_all_kept(tmp_path: Path, name: str):
    file = tmp_path / name
    savers = [keeper(file) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: savers[number](guessed(f"thing{number}")), range(4)))
    assert list(load_mapping(file).classes) == [f"thing{number}" for number in range(4)]
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["mine.yaml", "mine.sqlite"])
def test_a_folder_that_cannot_be_written_is_told_before_anybody_is_asked(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
):
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(UsageError, match="nothing can be written"):
        keeper(tmp_path / name)
    tmp_path.chmod(0o700)


def test_no_file_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    keeper(None)(guessed("thing"))
    keeper(Path("mine.yaml"))([])
    assert not list(tmp_path.iterdir())
