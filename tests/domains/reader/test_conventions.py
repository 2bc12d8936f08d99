"""What a world calls the things that code asks for in every world: declared, by default, or absent."""

from dataclasses import replace

import pytest
import yaml

from domains.conventions import CONVENTIONS, STANDARD, Conventions
from domains.errors import DomainFileError
from domains.files import domain_yaml
from domains.model import Domain
from domains.reader import load_domain
from graftwork.checks import check_paths

WORLD = """
name: cave
affordances: {porte: it can be carried, soutenir: things stand on it, acteur: it acts, lieu: one can be there}
classes:
  androide: {affordances: [acteur], abstract: true}
  table: {affordances: [soutenir, lieu], abstract: true}
  vin: {affordances: [porte], abstract: true}
predicates:
  chez: {parameters: [acteur, lieu], say: "{0} is at {1}"}
  sur: {parameters: [porte, soutenir], say: "{0} is on {1}"}
  pris: {parameters: [porte], say: "{0} is taken"}
capabilities:
  prendre:
    parameters: {a: acteur, o: porte, ou: [soutenir, lieu]}
    precondition: (and (chez ?a ?ou) (sur ?o ?ou))
    effect: (and (pris ?o) (not (sur ?o ?ou)))
  aller:
    parameters: {a: acteur, de: lieu, vers: lieu}
    distinct: [[de, vers]]
    precondition: (chez ?a ?de)
    effect: (and (chez ?a ?vers) (not (chez ?a ?de)))
agents: {androide: {capabilities: all}}
"""
PLAIN = WORLD.replace("acteur", "actor")
NAMES = "carry: porte, support: soutenir, actor: acteur, location: lieu, at: chez, on: sur, robot: androide"
DECLARED = f"conventions: {{{NAMES}}}\n"


def read(folder, text: str) -> Domain:
    (folder / "domain.yaml").write_text(text, encoding="utf-8")
    return load_domain(folder / "domain.yaml")


def told(folder, text: str) -> list[tuple[int, str]]:
    with pytest.raises(DomainFileError) as caught:
        read(folder, text)
    return [(problem.column, problem.message) for problem in caught.value.problems]


def test_a_world_with_the_default_names_declares_only_what_has_no_default():
    kitchen = load_domain("kitchen")
    assert kitchen.conventions == STANDARD.with_names({"hand": "", "near": "near", "part_of": ""})
    assert kitchen.conventions.declared(kitchen.names) == {"near": "near"}


def test_a_default_name_counts_only_where_the_world_has_it(tmp_path):
    absent = dict.fromkeys(CONVENTIONS.keys() - {"actor"}, "")
    assert read(tmp_path, PLAIN).conventions == STANDARD.with_names(absent)


def test_declared_names_take_the_place_of_the_default_ones(tmp_path):
    names = read(tmp_path, WORLD + DECLARED).conventions
    assert (names.carry, names.at, names.on, names.in_, names.robot) == ("porte", "chez", "sur", "", "androide")
    assert names.placing == {"chez", "sur"}
    assert names.structural == {"acteur", "lieu", "object", "viewpoint"}


def test_a_world_may_do_without_a_name_that_it_has(tmp_path):
    text = PLAIN.replace("porte", "carry")
    assert read(tmp_path, text).conventions.carry == "carry"
    assert read(tmp_path, f"{text}conventions: {{carry: none}}\n").conventions.carry == ""


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("{carry: port}", "unknown affordance 'port' for the convention 'carry'; expected one of"),
        ("{at: chz}", "did you mean chez?"),
        ("{robot: android}", "did you mean androide?"),
        ("{carri: porte}", "unknown key 'carri' in the table of conventions; did you mean carry?"),
        ("{at: pris}", "predicate 'pris' has 1 parameters; expected one of 2 for the convention 'at'"),
        ("porte", "the table of conventions is 'porte'; expected a table"),
    ],
)
def test_what_cannot_be_meant_is_told_with_its_place(tmp_path, declared, message):
    ((column, said),) = told(tmp_path, f"{PLAIN}conventions: {declared}\n")
    assert message in said
    assert column >= len("conventions: ")


def test_who_acts_must_afford_what_the_world_calls_it(tmp_path):
    wrong = WORLD.replace("androide: {affordances: [acteur]", "androide: {affordances: [lieu]") + DECLARED
    assert any("does not afford acteur" in message for _, message in told(tmp_path, wrong))


def test_conventions_are_written_and_read_again(tmp_path):
    domain = replace(read(tmp_path, WORLD + DECLARED), phrases=())
    text = domain_yaml(domain)
    assert yaml.safe_load(text)["conventions"]["carry"] == "porte"
    assert read(tmp_path, text).conventions == domain.conventions


def test_a_file_beside_pddl_declares_them_too(tmp_path):
    (tmp_path / "cave.pddl").write_text(
        "(define (domain cave) (:requirements :typing) (:types porte lieu androide)"
        " (:predicates (chez ?a - androide ?l - lieu))"
        " (:action aller :parameters (?a - androide ?d - lieu ?v - lieu)"
        " :precondition (chez ?a ?d) :effect (and (chez ?a ?v) (not (chez ?a ?d)))))",
        encoding="utf-8",
    )
    names = "{at: chez, location: lieu, carry: porte, robot: androide, actor: acteur}"
    agents = "capabilities: {aller: {agent: a}}\nagents: {androide: {capabilities: all}}\n"
    domain = read(tmp_path, f"pddl: cave.pddl\n{agents}conventions: {names}\n")
    assert (domain.conventions.at, domain.conventions.carry) == ("chez", "porte")
    assert "acteur" in domain.classes["androide"].affordances  # affords it by being an agent


def test_check_notes_what_does_not_work_and_finds_no_mistake(tmp_path):
    read(tmp_path, PLAIN)
    report = check_paths([str(tmp_path)])
    assert not [problem for problem in report.problems if problem.code == "absent-convention"]
    assert report.exit_code(strict=False) == 0
    assert {note.code for note in report.notes} == {"absent-convention"}
    assert {note.culprit for note in report.notes} == {"at", "carry", "robot"}
    assert "nobody goes and looks" in " ".join(note.message for note in report.notes)
    assert len(report.as_dict()["notes"]) == len(report.notes) == 4
    read(tmp_path, WORLD + DECLARED)
    assert check_paths([str(tmp_path)]).notes == ()


@pytest.mark.parametrize("world", ["barman", "blocks", "pizza", "tabletop"])
def test_notes_of_the_worlds_that_come_with_this_package_count_for_no_exit_code(world):
    report = check_paths([world])
    assert report.notes
    assert report.exit_code(strict=True) == 0


def test_conventions_cannot_be_changed():
    with pytest.raises(AttributeError):
        Conventions().carry = "porte"  # type: ignore[misc]
