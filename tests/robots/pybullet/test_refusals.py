import pytest

from robots.pybullet.manipulation.pick import unreachable
from semantics.feedback import Code


@pytest.mark.parametrize(
    ("culprits", "said"),
    [
        ({"cup0"}, "cup0 is in the way"),
        ({"jam0", "cup0"}, "cup0 and jam0 are in the way"),
        ({"mug0", "jam0", "cup0"}, "cup0, jam0 and mug0 are in the way"),
    ],
)
def test_what_is_in_the_way_is_said_in_a_whole_sentence(culprits: set[str], said: str) -> None:
    feedback = unreachable("milk0", culprits | {"milk0"}).feedback
    assert feedback.code is Code.OBSTRUCTED
    assert said in str(feedback)
    assert feedback.culprits == tuple(sorted(culprits))


def test_with_nothing_in_the_way_it_is_out_of_reach() -> None:
    assert unreachable("milk0", {"milk0", "robot"}).feedback.code is Code.OUT_OF_REACH
