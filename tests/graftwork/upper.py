"""Rooms for the upper rungs: a kitchen with a cupboard, and things that are elsewhere or gone."""

from pathlib import Path

from bt import Entries
from graftwork import Limits, Session

CUPBOARD = "  cupboard0: {class: fridge, pose: [-0.6, -1.9, 1.5708], size: [0.6, 0.55, 1.2], opened: false}\n"
SMALL = Path(__file__).parents[2] / "domains" / "kitchen" / "scenes" / "small.yaml"


def scene(folder: Path, *changes: tuple[str, str], more: str = "") -> str:
    """Write the small kitchen with a cupboard, with `changes` of its text and `more` things; return its path."""
    text = SMALL.read_text(encoding="utf-8")
    for old, new in (("pose: [0.0, -2.1", "pose: [0.3, -2.1"), *changes):
        assert old in text
        text = text.replace(old, new)
    file = folder / "room.yaml"
    file.write_text(text.replace("  trash0:", f"{CUPBOARD}{more}  trash0:"), encoding="utf-8")
    return str(file)


def opened(scene: str, **given) -> tuple[Session, Entries]:
    """Open a session with the fake body in a scene, with nothing but the planner and the rungs to help."""
    journal = Entries()
    ladder = given.pop("ladder", {})
    given = {"robot": "fake", "memory": None, "limits": Limits(ladder=ladder), **given}
    return Session(scene=scene, journals=(journal,), **given), journal


def take_away(session: Session, name: str) -> None:
    """Take a thing out of the world, as somebody who leaves with it."""
    robot = session.environment.robot
    for known in (robot.world.shapes, robot.world.spots, robot.world.carriers):
        known.pop(name)


def errands(journal: Entries) -> list[str]:
    """Return the places that were looked at, in order."""
    told = [event for event in journal.of("turn") if event["errand"] is not None]
    return [str(event["said"]).split(": ")[1].split(" is looked")[0] for event in told]
