"""What planning takes at most, measured on a small problem."""

import pytest

from benchmarks.any import limits


@pytest.mark.slow
def test_a_small_problem_is_measured(capsys, monkeypatch):
    monkeypatch.setattr(limits, "MOMENTS", (0.1,))
    monkeypatch.setattr(limits, "SIZES", 1)
    assert limits.main(["--families", "ferry", "--seconds", "3"]) == 0
    told = capsys.readouterr().out
    assert "SHORT" not in told
    assert "ferry" in told


def test_a_family_without_so_small_a_problem_is_named(monkeypatch):
    monkeypatch.setattr(limits, "SIZES", 1)
    with pytest.raises(SystemExit, match="no size of hanoi has at most 0"):
        limits.main(["--families", "hanoi", "--actions", "0"])
