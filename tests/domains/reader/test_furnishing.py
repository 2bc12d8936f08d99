"""Parameters of furniture: read from a class and a thing, and refused where the model or the size does not fit."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from semantics.body.layout import Furniture

DOMAIN = """\
name: shop
affordances: {support: things stand on it, location: one can be there, actor: it acts}
classes:
  robot: {affordances: [actor]}
  rack: {affordances: [support, location], model: shelf, boards: 4}
  bench: {affordances: [support, location], model: table}
  lamp: {affordances: [support, location], model: chandelier, boards: 2}
predicates: {at: {parameters: [actor, location], say: "{0} is at {1}"}}
capabilities:
  go: {parameters: {a: actor, to: location}, precondition: [], effect: [at: [a, to]]}
agents: {robot: {capabilities: all}}
"""
THINGS = """\
domain: shop
things:
  robot0: {class: robot, pose: [0, 0, 0]}
  thing0: {class: CLASS, pose: [2, 0, 0], size: [1, 0.4, 1.6]MORE}
"""


def furniture(folder: Path, class_name: str, more: str = "", domain: str = DOMAIN) -> Furniture:
    (folder / "domain.yaml").write_text(domain)
    scene = folder / "scenes" / "room.yaml"
    scene.parent.mkdir(exist_ok=True)
    scene.write_text(THINGS.replace("CLASS", class_name).replace("MORE", more))
    layout = load_scene(load_domain(folder), scene).layout
    assert layout is not None
    (piece,) = layout.furniture
    return piece


def refused(folder: Path, class_name: str, more: str, domain: str = DOMAIN) -> tuple[str, str]:
    with pytest.raises(DomainFileError) as caught:
        furniture(folder, class_name, more, domain)
    (problem,) = caught.value.problems
    return problem.code, problem.message


def test_a_thing_has_the_parameters_of_its_class_and_its_own_come_first(tmp_path: Path):
    assert furniture(tmp_path, "rack").parameters == (("boards", 4.0),)
    assert furniture(tmp_path, "rack", ", boards: 2").parameters == (("boards", 2.0),)
    assert furniture(tmp_path, "rack", ", boards: [0.3, 1.0, 1.6]").parameters == (("boards", (0.3, 1.0, 1.6)),)


def test_a_model_of_ones_own_may_have_any_parameter(tmp_path: Path):
    assert furniture(tmp_path, "lamp", ", handle: 1").parameters == (("boards", 2.0), ("handle", 1.0))


def test_a_parameter_of_another_model_is_refused_and_its_models_are_named(tmp_path: Path):
    code, message = refused(tmp_path, "bench", ", boards: 3")
    assert code == "unknown-parameter"
    assert message.endswith("expected no parameter, or a model that has it: cabinet, fridge, shelf")


def test_a_parameter_without_a_model_is_refused(tmp_path: Path):
    broken = DOMAIN.replace("[support, location], model: shelf,", "[support, location],")
    code, message = refused(tmp_path, "rack", "", broken)
    assert code == "keys-contradict"
    assert "'boards' and no 'model'" in message


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (", boards: 0", "out-of-range", "from 1 to 20"),
        (", boards: 2.5", "out-of-range", "expected a whole number"),
        (", boards: []", "out-of-range", "expected from 1 to 20 of them"),
        (", boards: many", "wrong-kind", "expected a number"),
        (", boards: [0.5, 1.7]", "beyond-the-edge", "is 1.7, and it is 1.6 high"),
        (", boards: [0.5, 0.52]", "out-of-range", "such as 0.55"),
        (", boards: [1.0, 0.5]", "out-of-range", "heights that rise"),
    ],
)
def test_boards_that_cannot_be_are_refused(tmp_path: Path, more: str, code: str, said: str):
    found, message = refused(tmp_path, "rack", more)
    assert found == code
    assert said in message


def test_a_cabinet_has_doors_or_drawers_and_at_most_two_leaves(tmp_path: Path):
    locker = DOMAIN.replace("model: shelf, boards: 4", "model: cabinet, doors: 2")
    assert furniture(tmp_path, "rack", domain=locker).parameters == (("doors", 2.0),)
    code, message = refused(tmp_path, "rack", ", drawers: 3", locker)
    assert (code, "has both 'doors' and 'drawers'" in message) == ("keys-contradict", True)
    assert refused(tmp_path, "rack", ", doors: 3", locker)[0] == "out-of-range"
