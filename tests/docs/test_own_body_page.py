"""The page about a body of one's own is followed word by word, and its Python is executed."""

import subprocess
import sys

from tests.docs.blocks import DOCS
from tests.docs.links import BLOCK, Walk, steps_of


def test_the_page_leads_to_a_body_that_passes_the_suite(tmp_path):
    walk = Walk(tmp_path)
    page = DOCS / "own-body.md"
    for step in steps_of(page):
        walk.take(step)
    assert walk.code == 0
    blocks = BLOCK.finditer(page.read_text(encoding="utf-8"))
    clock, served = [each["text"] for each in blocks if each["kind"] == "python" and not each["file"]]
    ran = subprocess.run(
        [sys.executable, "-c", clock + "assert clock.now() >= 0.05\n" + served],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.stdout.strip() == "achieved", ran.stderr
