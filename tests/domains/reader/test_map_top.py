"""The axis that points to the top of the map: read, and refused with the valid ones."""

import pytest

from domains.errors import DomainFileError
from domains.page import page
from domains.reader import load_domain
from tests.domains.toy import DOMAIN


def read(folder, line):
    path = folder / "domain.yaml"
    path.write_text(DOMAIN + line, encoding="utf-8")
    return load_domain(path)


@pytest.mark.parametrize("axis", ["x", "y", "-x", "-y"])
def test_a_world_says_which_axis_points_to_the_top(tmp_path, axis):
    assert read(tmp_path, f"map_top: {axis}\n").map_top == axis


def test_without_it_the_y_axis_does(tmp_path):
    assert read(tmp_path, "").map_top == "y"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("z", "unknown axis 'z'; expected one of -x, -y, x, y"),
        ("left", "unknown axis 'left'"),
        ("[x, y]", "expected one axis"),
    ],
)
def test_another_axis_is_refused_with_the_valid_ones(tmp_path, said, message):
    with pytest.raises(DomainFileError) as caught:
        read(tmp_path, f"map_top: {said}\n")
    assert message in str(caught.value)


def test_the_page_of_a_world_tells_it():
    assert "The top of the map is where the axis `x` of its scenes points to." in page(load_domain("tabletop"), ())
