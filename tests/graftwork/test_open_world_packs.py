"""Files of classes that change or are wrong while a session is open, and classes that a scene needs and nobody has."""

from dataclasses import replace
from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from domains.worlds import WORLDS
from graftwork import Outcome, Session
from robots.fake import FakeRobot
from semantics.body.layout import MovableObject

PACK = """
pack: mine
licence: CC0-1.0
sources: [myself]
affordances: {grasp: A hand takes hold of it., carry: It can be carried.}
kinds: {fruit: {}}
classes:
  pomelo: {kinds: [fruit], affordances: [grasp, carry], shape: {form: sphere, size: [0.08, 0.08, 0.08]}}
  damson: {kinds: [no_such_kind], affordances: [grasp], shape: {form: sphere, size: [0.05, 0.05, 0.05]}}
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Return a kitchen that uses a pack, one class of which cannot be used."""
    (tmp_path / "mine.yaml").write_text(PACK, encoding="utf-8")
    folder = tmp_path / "mykitchen"
    (folder / "scenes").mkdir(parents=True)
    (folder / "domain.yaml").write_text("name: mykitchen\nextends: kitchen\nclasses: {use: [../mine.yaml]}\n")
    scene = (WORLDS / "kitchen" / "scenes" / "small.yaml").read_text(encoding="utf-8")
    (folder / "scenes" / "mine.yaml").write_text(
        scene.replace("domain: kitchen", "domain: mykitchen"), encoding="utf-8"
    )
    return folder


def opened(world: Path, *labels: str, **given) -> Session:
    kitchen = load_domain("kitchen")
    layout = load_scene(kitchen, "small").layout
    orange = kitchen.classes["orange"].shape
    pieces = [
        MovableObject(f"thing{number}", orange, "on", "counter0", (0.3 - 0.3 * number, 0.0), label=label)
        for number, label in enumerate(labels)
    ]
    robot = FakeRobot(replace(layout, pieces=(*layout.pieces, *pieces)))
    return Session(world / "domain.yaml", "mine", robot=robot, memory=None, **given)


@pytest.mark.parametrize(
    "text", [None, "", "pack: [", PACK.replace("pomelo", "pumelo")], ids=["gone", "empty", "bad", "other"]
)
def test_a_pack_that_changes_on_disk_changes_nothing_in_an_open_session(world: Path, text, tmp_path: Path):
    with opened(world) as session:
        pack = tmp_path / "mine.yaml"
        pack.unlink() if text is None else pack.write_text(text, encoding="utf-8")
        robot = session.environment.robot
        robot.add_piece(
            MovableObject(
                "late", load_domain("kitchen").classes["orange"].shape, "on", "counter0", (0.3, 0.0), label="pomelo"
            )
        )
        robot.clock.sleep(0.3)
        session.environment.watcher.refresh()
        assert session.environment.world.origins["pomelo0"].source == "pack"
        episode = session.handle("put the pomelo on the table")
        assert episode.outcome is Outcome.ACHIEVED, episode.message


def test_a_class_of_a_pack_that_cannot_be_used_is_as_good_as_none(world: Path, tmp_path: Path):
    with opened(world, "damson", record=tmp_path / "one") as session:
        assert session.environment.world.unknown == ("damson0",)
        assert session.handle("put the apple on the counter").outcome is Outcome.ACHIEVED
        episode = session.handle("put the damson on the table", lambda _: "yes")
        assert episode.outcome in (Outcome.ACHIEVED, Outcome.REFUSED), episode.message


def test_a_scene_of_a_class_that_is_gone_is_refused_with_the_name_of_the_class(world: Path):
    scene = world / "scenes" / "mine.yaml"
    text = scene.read_text(encoding="utf-8").replace("apple0: {class: apple,", "apple0: {class: pomelo,")
    assert "pomelo" in text
    scene.write_text(text, encoding="utf-8")
    with opened(world) as session:
        assert session.environment.world.objects["apple0"].class_name == "pomelo"
    pack = world.parent / "mine.yaml"
    pack.write_text(PACK.replace("pomelo", "pumelo"), encoding="utf-8")
    with pytest.raises(DomainFileError, match="pomelo"), opened(world):
        pass
