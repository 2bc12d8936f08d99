"""The interval of an observed proportion."""

import pytest

from semantics.proportion import wilson_interval


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [  # from R: prop.test(part, whole, correct = FALSE)$conf.int
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_the_interval_is_that_of_the_tables(part, whole, low, high):
    assert wilson_interval(part, whole) == pytest.approx((low, high), abs=5e-5)
