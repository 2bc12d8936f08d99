"""The page in a real browser, where there is one: its script runs without a complaint and shows any moment."""

import re
import shutil
import subprocess

import pytest

from bt.report import write_report
from tests.bt.report.sample import write_sample

BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--enable-logging=stderr",
]

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium here to open the report with")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return write_report(write_sample(tmp_path_factory.mktemp("record")))


def opened(page, profile, moment):
    """Return the document after its script has run, and what the console was told."""
    where = [f"--user-data-dir={profile}", "--dump-dom", f"{page.as_uri()}#t={moment}"]
    done = subprocess.run([BROWSER, *QUIET, *where], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def state(document, ident):
    return re.search(rf'<g class="node ([a-z ]+)" data-id="{re.escape(ident)}"', document)[1]


def test_a_moment_half_way_is_shown_without_a_complaint(page, tmp_path):
    document, diagnostics = opened(page, tmp_path, 12.0)
    assert diagnostics == []
    assert '<html lang="en" class="js">' in document
    assert state(document, "a1") == "running"
    assert state(document, "a2") == "invalid"
    assert "At 12.0 s, step 2: (open robot0 fridge0 fridge0)" in document
    assert re.search(r'<figure class="tree current" data-chapter="0">', document)
