import pytest

from robots.limits import THICKEST, fits_hand
from semantics.body.layout import Shape


@pytest.mark.parametrize(
    ("form", "size", "fits"),
    [
        ("box", (0.3, THICKEST, 0.1), True),
        ("box", (0.3, THICKEST + 0.001, 0.02), False),
        ("cylinder", (0.07, 0.07, 0.3), True),
        ("sphere", (0.08, 0.08, 0.08), False),
        ("open-box", (0.3, 0.3, 0.1), True),
    ],
)
def test_a_thing_fits_the_hand_by_its_narrower_side(form: str, size: tuple[float, float, float], fits: bool):
    assert fits_hand(Shape(form, size)) == fits
