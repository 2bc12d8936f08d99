"""The newcomer's page is followed word by word, from an empty folder to a passing case and a run."""

from tests.docs.blocks import DOCS
from tests.docs.links import Command, File, Walk, steps_of

PAGE = DOCS / "first-world.md"


def test_a_newcomer_gets_from_nothing_to_a_passing_case(tmp_path):
    walk = Walk(tmp_path)
    for step in steps_of(PAGE):
        walk.take(step)
    assert (tmp_path / "workshop" / "domain.yaml").is_file()
    drawn = [(tmp_path / name).read_bytes() for name in ("garage.png", "locker.png")]
    assert all(picture.startswith(b"\x89PNG") for picture in drawn)
    assert drawn[0] != drawn[1]
    assert (tmp_path / "garage.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_has_the_steps_it_should():
    steps = list(steps_of(PAGE))
    said = [step.words.split()[:2] for step in steps if isinstance(step, Command)]
    assert said[0] == ["graftwork", "domain"]
    assert {words[1] for words in said if words[0] == "graftwork"} == {
        "domain",
        "check",
        "test",
        "plan",
        "run",
        "scene",
    }
    assert [step.path for step in steps if isinstance(step, File)] == [
        "workshop/domain.yaml",
        "workshop/scenes/room.yaml",
        "workshop/cases/first.yaml",
        "garage/domain.yaml",
        "garage/scenes/room.yaml",
        "garage/locker.urdf",
    ]
