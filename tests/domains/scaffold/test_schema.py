"""The schemas for editors and the readers agree: on every file that ships, and on every key."""

from pathlib import Path
from typing import Any

import pytest

import domains.reader
from domains.errors import DomainFileError
from domains.reader import load_domain
from domains.reader.keys import TABLES, THINGS
from domains.reader.nodes.document import Listing, Node, TableNode, read_document
from domains.reader.nodes.fields import NUMBER
from domains.scaffold import domain_schema, scene_schema
from graftwork.cases.case_file import KEYS, case_schema
from tests.domains.reader import adl
from tests.domains.scaffold.schemas import faults
from tests.domains.toy import DOMAIN, SCENE, changed, write

WORLDS = Path(domains.reader.__file__).parents[1]
DOMAINS = sorted((*WORLDS.glob("*/domain.yaml"), *WORLDS.glob("scaffold/world/domain.yaml")))
SCENES = sorted(WORLDS.glob("**/scenes/*.yaml"))
CASES = sorted(WORLDS.glob("**/cases/*.yaml"))


def document(text: str, folder: Path) -> Any:
    """Read YAML as an editor does."""
    node, _ = read_document(write(folder, "read.yaml", text), "read.yaml")
    return plain(node)


def plain(node: Node) -> Any:
    """Return what a node is in YAML 1.2, where ``on`` is a text."""
    if isinstance(node, TableNode):
        return {key.text: plain(value) for key, value in node.entries}
    if isinstance(node, Listing):
        return [plain(item) for item in node.items]
    if node.style:
        return node.text
    if NUMBER.fullmatch(node.text):
        return float(node.text) if set(node.text) & set(".eE") else int(node.text)
    return {"true": True, "false": False, "null": None, "~": None, "": None}.get(node.text, node.text)


def names(path: Path) -> str:
    return str(path.relative_to(WORLDS))


@pytest.mark.parametrize("path", DOMAINS, ids=names)
def test_every_world_is_as_the_schema_says(path: Path, tmp_path: Path):
    assert faults(document(path.read_text(encoding="utf-8"), tmp_path), domain_schema(), domain_schema()) == []


@pytest.mark.parametrize("path", SCENES, ids=names)
def test_every_scene_is_as_the_schema_says(path: Path, tmp_path: Path):
    assert faults(document(path.read_text(encoding="utf-8"), tmp_path), scene_schema(), scene_schema()) == []


@pytest.mark.parametrize("path", CASES, ids=names)
def test_every_case_is_as_the_schema_says(path: Path, tmp_path: Path):
    assert faults(document(path.read_text(encoding="utf-8"), tmp_path), case_schema(), case_schema()) == []


@pytest.mark.parametrize("text", [DOMAIN, adl.DOMAIN], ids=["plain", "rich"])
def test_a_toy_domain_is_as_the_schema_says(text: str, tmp_path: Path):
    assert faults(document(text, tmp_path), domain_schema(), domain_schema()) == []


@pytest.mark.parametrize("text", [SCENE, adl.SCENE], ids=["plain", "rich"])
def test_a_toy_scene_is_as_the_schema_says(text: str, tmp_path: Path):
    assert faults(document(text, tmp_path), scene_schema(), scene_schema()) == []


BROKEN = [
    ("cost: 100", "cost: many"),
    ("bookkeeping: true", "bookkeeping: 3"),
    ("form: sphere", "form: ball"),
    ("size: [0.06, 0.06, 0.06]", "size: [0.06, 0.06]"),
    ("kinds: [fruit]", "sort: [fruit]"),
    ("affordances: [carry]\n", "affordance: [carry]\n"),
    ("roles: {to: end}", "roles: [to, end]"),
    ("hint: Keep one.", "hints: Keep one."),
]


@pytest.mark.parametrize(("old", "new"), BROKEN)
def test_what_the_schema_refuses_the_reader_refuses_too(tmp_path: Path, old: str, new: str):
    text = changed(DOMAIN, old, new)
    assert faults(document(text, tmp_path), domain_schema(), domain_schema())
    with pytest.raises(DomainFileError):
        load_domain(write(tmp_path, "domain.yaml", text))


TOPS = {"domain": domain_schema, "scene": scene_schema}


@pytest.mark.parametrize("table", [table for table in TABLES if table not in (*THINGS, "thing")])
def test_the_schema_has_the_keys_of_the_reader(table: str):
    schema = TOPS[table]() if table in TOPS else domain_schema()["$defs"][table]
    assert set(schema["properties"]) == set(TABLES[table].all)
    assert schema["required"] == list(TABLES[table].required)


def test_the_schema_of_a_thing_has_the_keys_of_every_sort_of_thing():
    assert set(scene_schema()["$defs"]["thing"]["properties"]) == {key for keys in THINGS.values() for key in keys.all}


def test_the_schema_of_cases_has_the_keys_of_the_reader():
    assert set(case_schema()["$defs"]["case"]["properties"]) == {"name", *KEYS}
