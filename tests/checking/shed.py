"""A small world in its own folder, for tests that break it."""

import shutil
from pathlib import Path

WORLD = Path(__file__).parent.parent / "domains" / "broken_worlds"
FILES = ("domain.yaml", "scenes/good.yaml", "cases/good.yaml")
PARCELS = ("pddl/good/domain.pddl", "pddl/good/problem.pddl")


def shed(folder: Path, files: tuple[str, ...] = FILES) -> Path:
    """Copy the world that is as it should be into `folder`."""
    for name in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(WORLD / name, target)
    return folder
