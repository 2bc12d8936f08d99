"""Files as newcomers break them: each has its exact set of located messages, and none a traceback."""

from pathlib import Path

import pytest

from tests.checking.broken import WORLDS, broken_files, expected, found


def name(file: Path) -> str:
    return str(file.relative_to(WORLDS))


@pytest.mark.parametrize("file", broken_files(), ids=name)
def test_a_broken_file_is_told_all_its_mistakes(file: Path):
    assert found(file) == expected(file)


def test_there_are_fifty_of_them_and_each_has_an_answer():
    assert len(broken_files()) >= 50
    assert all(expected(file) for file in broken_files())
