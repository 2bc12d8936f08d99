"""The world of the page about the language that builds on the kitchen is one to work in."""

from pathlib import Path

import domains
from domains import load_domain, load_scene
from domains.reader import available_scenes
from graftwork import Outcome, Session
from tests.docs.blocks import DOCS
from tests.domains.toy import write

PAGE = (DOCS / "domains.md").read_text(encoding="utf-8")
TEXT, PACKED = (
    PAGE.split(f"<!-- {mark} -->\n```yaml\n")[1].split("```")[0] for mark in ("kitchenette", "packed kitchen")
)
SMALL = Path(domains.__file__).parent / "kitchen" / "scenes" / "small.yaml"


def test_the_kitchenette_differs_from_the_kitchen_as_the_page_says(tmp_path: Path):
    domain, kitchen = load_domain(write(tmp_path, "domain.yaml", TEXT)), load_domain("kitchen")
    assert {*domain.classes} ^ {*kitchen.classes} == {"egg", "trivet"}
    assert available_scenes(domain) == ("small",)
    assert load_scene(domain, "small").things["apple0"].size == (0.08, 0.08, 0.08)
    assert domain.words["healthy snack"] == "fruit"


def test_the_kitchenette_is_worked_in(tmp_path: Path):
    write(tmp_path, "domain.yaml", TEXT)
    with Session(domain=tmp_path, scene="small", robot="fake", memory=None) as session:
        assert session.handle("bring me a healthy snack").outcome is Outcome.ACHIEVED


def test_a_wok_of_the_household_is_put_away(tmp_path: Path):
    write(tmp_path, "domain.yaml", PACKED)
    small = SMALL.read_text(encoding="utf-8")
    wok = "  wok0: {class: wok, on: table0, offset: [0.0, -0.15]}\nbeliefs:"
    write(tmp_path, "scenes/wok.yaml", small.replace("beliefs:", wok))
    with Session(domain=tmp_path, scene="wok", robot="fake", memory=None) as session:
        for said in ("put the stir-fry pan on the counter", "put all the cookware on the table"):
            assert session.handle(said).outcome is Outcome.ACHIEVED
