"""The page that leads to a real robot is followed word by word, from a world to a body that is served at a socket."""

from tests.docs.blocks import DOCS
from tests.docs.links import Walk, steps_of


def test_the_page_leads_from_a_world_to_a_served_arm(tmp_path):
    walk = Walk(tmp_path)
    for step in steps_of(DOCS / "on-your-robot.md"):
        walk.take(step)
    assert walk.code == 0
