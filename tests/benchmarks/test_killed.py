"""A few kills of the five hundred: each record readable, each run done at last, nothing done twice."""

import pytest

from benchmarks.killed.suite import main


@pytest.mark.slow
def test_runs_that_are_killed_end_achieved_and_do_nothing_twice(capsys: pytest.CaptureFixture[str]):
    assert main(["--kills", "6", "--lanes", "2", "--minutes", "5"]) == 0
    told = capsys.readouterr().out
    assert "nothing done twice" in told
    assert "ended achieved" in told
