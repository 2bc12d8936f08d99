"""The page about skills of one's own is followed word by word, from an empty folder to a skill and a sensor."""

from tests.docs.blocks import DOCS
from tests.docs.links import Walk, steps_of


def test_the_page_leads_to_a_skill_and_a_sensor_that_work(tmp_path):
    walk = Walk(tmp_path)
    for step in steps_of(DOCS / "own-skill.md"):
        walk.take(step)
    assert walk.code == 0
