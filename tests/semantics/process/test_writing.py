"""What is written whole is there whole or not at all, wherever the disk fails."""

import errno
import os

import pytest

from semantics.process.writing import append_whole, replace_whole
from tests.failing_disk import FailingWrites, disk_full_at


@pytest.mark.parametrize("taken", [0, 1, 5])
def test_what_is_appended_is_there_whole_or_taken_back(tmp_path, monkeypatch, taken):
    path = tmp_path / "file"
    path.write_bytes(b"before\n")
    file = os.open(path, os.O_WRONLY | os.O_APPEND)
    with monkeypatch.context() as patched:
        patched.setattr("semantics.process.writing.os", FailingWrites(0, errno.ENOSPC, taken))
        with pytest.raises(OSError, match="No space left"):
            append_whole(file, b"after\n", 7)
    assert path.read_bytes() == b"before\n"
    append_whole(file, b"after\n", 7)
    os.close(file)
    assert path.read_bytes() == b"before\nafter\n"


@pytest.mark.parametrize("size", range(0, 30_000, 3000))
def test_what_replaces_a_file_is_there_whole_or_the_old_one_stays(tmp_path, size):
    path = tmp_path / "file"
    path.write_text("before")
    with disk_full_at(size), pytest.raises(OSError, match="File too large"):
        replace_whole(path, "after" * 10_000)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    replace_whole(path, "after" * 10_000)
    assert path.read_text() == "after" * 10_000
