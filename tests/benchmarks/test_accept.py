import pytest
from rich.console import Console

from benchmarks.accept import LEGEND, Row, circumstances, refuse, table_of
from benchmarks.judging import VERDICTS


def row(sentence: str, seed: int = 1, outcome: str = "achieved", judged: bool = True) -> Row:
    return Row(sentence, seed, outcome, judged, 100, 1, 25.0, 5.0, "Done.")


def test_each_sentence_stands_on_one_line_of_a_hundred_columns():
    console = Console(width=100)
    with console.capture() as capture:
        console.print(table_of([row(sentence, seed) for sentence in VERDICTS for seed in range(10)]))
    lines = capture.get().splitlines()
    assert max(map(len, lines)) <= 100
    for sentence in VERDICTS:
        assert [line for line in lines if sentence in line and "10 of 10" in line]


def test_below_the_table_stand_the_seeds_and_the_machine():
    assert len(LEGEND) <= 100
    assert circumstances([11, 12]).startswith("seeds 11 12; 20")
    assert "Python 3." in circumstances([11])
    assert circumstances([11]).endswith(" cores")


@pytest.mark.parametrize(
    ("outcome", "judged", "achieved", "false"),
    [
        ("achieved", True, True, False),
        ("achieved", False, False, True),
        ("already", False, False, True),
        ("failed", True, False, False),
    ],
)
def test_only_what_is_reported_and_so_is_achieved(outcome, judged, achieved, false):
    found = row("open the fridge", outcome=outcome, judged=judged)
    assert (found.achieved, found.false) == (achieved, false)


def test_a_robot_that_drives_where_nothing_may_move_is_seen():
    pytest.importorskip("pybullet", reason="the simulated body needs the extra 'sim'")
    refused, driven = refuse(["put the fridge on the table", "go to the sink"])
    assert (refused[1], refused[3]) == ("refused", frozenset())
    assert driven[3] == {"robot0"}
