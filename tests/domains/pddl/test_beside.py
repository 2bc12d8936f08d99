"""A YAML file beside a PDDL domain adds what PDDL cannot say; its mistakes are told like any others."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import available_scenes, load_domain, load_scene
from tests.domains.pddl.worlds import ROADS

BESIDE = """\
pddl: domain.pddl
kinds: {vehicle: [wheels]}
classes:
  car: {kinds: [vehicle], words: [automobile]}
predicates:
  at: {say: "{0} is parked at {1}"}
fluents:
  length: {unit: km, planned: false}
capabilities:
  drive: {agent: c, primitive: drive, roles: {to: b}, say: "{c} drives to {b}", aliases: [go]}
agents:
  car: {capabilities: [drive], cost: 3}
phrases:
  - {pattern: "drive {car} to {place}", goal: "(at {car} {place})"}
"""


def world(folder: Path, beside: str | None = BESIDE) -> Path:
    (folder / "domain.pddl").write_text(ROADS.domain, encoding="utf-8")
    (folder / "problems").mkdir()
    (folder / "problems" / "trip.pddl").write_text(ROADS.problem, encoding="utf-8")
    if beside is not None:
        (folder / "domain.yaml").write_text(beside, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["", "domain.yaml", "domain.pddl"])
def test_what_stands_beside_is_added(name: str, tmp_path: Path):
    domain = load_domain(world(tmp_path) / name)
    drive = domain.capabilities["drive"]
    assert (drive.agentless, drive.primitive, drive.aliases) == (False, "drive", ("go",))
    assert domain.capabilities["wash"].agentless
    assert domain.agents["car"].cost == 3
    assert domain.predicates["at"].predicate.description == "{0} is parked at {1}"
    assert (domain.fluents["length"].unit, domain.fluents["length"].planned) == ("km", False)
    assert domain.kinds == {"vehicle": frozenset({"car"})}
    assert [phrase.goal for phrase in domain.phrases] == ["(at {car} {place})"]


def test_without_it_everything_is_done_by_nobody(tmp_path: Path):
    domain = load_domain(world(tmp_path, None))
    assert all(one.agentless for one in domain.capabilities.values())


def test_problems_are_scenes_by_name(tmp_path: Path):
    domain = load_domain(world(tmp_path))
    assert available_scenes(domain) == ("trip",)
    assert load_scene(domain, "trip").things["red"].class_name == "car"


@pytest.mark.parametrize(
    ("right", "wrong", "place", "nearest"),
    [
        ("  at: {say", "  att: {say", (6, 3), "at"),
        ("  drive: {agent", "  drvie: {agent", (10, 3), "drive"),
        ("agent: c", "agent: d", (10, 18), None),
        ("[drive]", "[dive]", (12, 24), "drive"),
        ("  length:", "  lenght:", (8, 3), "length"),
        ("  car: {kinds", "  cat: {kinds", (4, 3), "car"),
    ],
)
def test_an_unknown_name_is_told(right: str, wrong: str, place: tuple[int, int], nearest: str | None, tmp_path: Path):
    assert right in BESIDE
    with pytest.raises(DomainFileError) as caught:
        load_domain(world(tmp_path, BESIDE.replace(right, wrong, 1)))
    problems = {(one.line, one.column): one for one in caught.value.problems}
    assert place in problems
    assert nearest is None or nearest in problems[place].nearest


def test_a_pddl_file_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(DomainFileError, match=r"no file 'domian\.pddl'"):
        load_domain(world(tmp_path, BESIDE.replace("domain.pddl", "domian.pddl")) / "domain.yaml")


def test_mistakes_in_the_pddl_file_are_told_there(tmp_path: Path):
    folder = world(tmp_path)
    (folder / "domain.pddl").write_text(ROADS.domain.replace("(washed ?c)", "(washd ?c)", 1), encoding="utf-8")
    with pytest.raises(DomainFileError) as caught:
        load_domain(folder)
    assert all(one.file.endswith("domain.pddl") for one in caught.value.problems)


COLOURED = BESIDE.replace(
    "classes:\n  car: {",
    "attributes:\n  colour: {values: [red, blue]}\nclasses:\n  car: {attributes: {colour: blue}, ",
    1,
)


def test_classes_have_values(tmp_path: Path):
    domain = load_domain(world(tmp_path, COLOURED))
    assert load_scene(domain, "trip").things["red"].values("colour") == ("blue",)
    assert "colour" not in domain.predicates


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("{colour: blue}", "{colour: bleu}", "unknown value 'bleu'; expected one of blue, red; did you mean blue?"),
        ("values: [red, blue]", "values: [red, blue], sensed: true", "a problem in PDDL tells no body its values"),
        ("  colour: {", "  at: {", "'at' is already a predicate; expected another name for the attribute"),
    ],
)
def test_a_wrong_attribute_beside_is_told(right: str, wrong: str, why: str, tmp_path: Path):
    with pytest.raises(DomainFileError) as caught:
        load_domain(world(tmp_path, COLOURED.replace(right, wrong, 1)))
    assert any(why in one.message for one in caught.value.problems), caught.value
