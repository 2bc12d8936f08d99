"""What one can do with things: the table ``uses`` of a world."""

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from semantics.words.description import use_in
from semantics.words.names import NameIndex, Resolved
from tests.domains.toy import DOMAIN, SCENE, write

USES = "uses: {carry-on: [tray], put_on: support, eat: [fruit, tray]}\n"


def read(folder, uses=USES):
    return load_domain(write(folder, "toy/domain.yaml", DOMAIN + uses))


def test_uses_are_read_as_words_with_sorts_of_things(tmp_path):
    assert read(tmp_path).uses == {"carry on": ("tray",), "put on": ("support",), "eat": ("fruit", "tray")}


def test_a_sort_that_nothing_is_of_is_reported(tmp_path):
    with pytest.raises(DomainFileError, match="unknown affordance, kind or class 'fruits'"):
        read(tmp_path, "uses: {eat: fruits}\n")


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("something to carry the apple on", ("tray0",)),
        ("something one can carry on", ("tray0",)),
        ("a thing that i can carry it on", ("tray0",)),
        ("the pippin to eat", ("apple0",)),
        ("something to put the tray on", ("chest0", "table0", "tray0")),
    ],
)
def test_a_use_names_the_things_of_its_sorts(tmp_path, words, names):
    domain = read(tmp_path)
    write(tmp_path, "toy/scenes/a.yaml", SCENE)
    scene = load_scene(domain, "a")
    found = NameIndex(domain.vocabulary(scene.things, scene.speaker)).resolve(words)
    assert isinstance(found, Resolved), found
    assert found.names == names
    assert "by what one can" in found.note


@pytest.mark.parametrize(
    "words", ["something to", "to carry on", "something to eat it quickly now", "something to sing on", "something"]
)
def test_other_words_say_no_use(words):
    assert use_in(tuple(words.split()), {"carry on": ("tray",), "eat": ("fruit",)}) is None
