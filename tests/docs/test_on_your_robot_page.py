"""The page that leads to a real robot is followed word by word, from a world to a body that is served at a socket."""

import contextlib
import os
import signal

from tests.docs.blocks import DOCS
from tests.docs.links import Walk, steps_of


def test_the_page_leads_from_a_world_to_a_served_arm(tmp_path):
    walk = Walk(tmp_path)
    try:
        for step in steps_of(DOCS / "on-your-robot.md"):
            walk.take(step)
        assert walk.code == 0
    finally:
        if (served := tmp_path / "served.pid").exists():
            with contextlib.suppress(ProcessLookupError):  # the page has ended it
                os.kill(int(served.read_text(encoding="utf-8")), signal.SIGKILL)
