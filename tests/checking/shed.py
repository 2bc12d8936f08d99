"""A small world in its own folder, for tests that break it."""

import shutil
from pathlib import Path

WORLD = Path(__file__).parent.parent / "domains" / "broken_worlds"


def shed(folder: Path) -> Path:
    """Copy the world that is as it should be into `folder`."""
    for name in ("domain.yaml", "scenes/good.yaml", "cases/good.yaml"):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(WORLD / name, target)
    return folder
