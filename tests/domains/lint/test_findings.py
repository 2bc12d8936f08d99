"""Each finding on a toy world with one thing changed, and nothing on what only looks like it."""

from pathlib import Path

import pytest

from graftwork.checks import check_paths
from tests.domains.lint.findings import findings, messages, new_findings
from tests.domains.toy import DOMAIN

GRASP = "effect:\n      - (inhand ?o ?a)"
RULE = "when: holds(on, [X, Y]), holds(on, [X, Z]), Y @< Z, Culprits = [X, Y, Z]"


def predicate(line: str) -> tuple[str, str]:
    return ("  free: {", f"  {line}\n  free: {{")


CASES = {
    "a predicate that nobody uses": (
        [predicate('dry: {parameters: [carry], say: "{0} is dry"}')],
        [("unused-predicate", "dry")],
    ),
    "a predicate that only sensing knows": (
        [predicate('dry: {parameters: [carry], say: "{0} is dry", sensed: dry}')],
        [],
    ),
    "a fact that never comes about": (
        [
            predicate('dry: {parameters: [carry], say: "{0} is dry"}'),
            ("           (free ?o))", "           (free ?o) (dry ?o))"),
        ],
        [("never-true", "dry"), ("unreachable-goal", "inhand")],
    ),
    "a fact that only a body tells": (
        [
            predicate('dry: {parameters: [carry], say: "{0} is dry", told: true}'),
            ("           (free ?o))", "           (free ?o) (dry ?o))"),
        ],
        [],
    ),
    "an affordance that nobody uses": (
        [("  open: it opens", "  open: it opens\n  heat: it is hot")],
        [("unused-affordance", "heat")],
    ),
    "an attribute that nothing has": (
        [("classes:\n", "attributes:\n  colour: {values: [red]}\nclasses:\n")],
        [("unused-attribute", "colour")],
    ),
    "a kind without a class": ([("  dishes: []", "  dishes: []\n  cutlery: []")], [("empty-kind", "cutlery")]),
    "a parameter that nothing is": (
        [("o: carry, from", "o: [carry, location], from")],
        [("no-candidate", "o"), ("unreachable-goal", "inhand")],
    ),
    "a parameter of no use": (
        [("at: location}\n    precondition: |", "at: location, by: location}\n    precondition: |")],
        [("unused-parameter", "by")],
    ),
    "a capability of nobody": (
        [("robot: {capabilities: all}", "robot: {capabilities: [move]}")],
        [("no-agent", "grasp")],
    ),
    "an effect that may cancel itself": (
        [("    distinct: [[start, end]]\n", "")],
        [("effect-may-cancel", "(not (at ?a ?start))")],
    ),
    "an effect that cannot cancel itself": (
        [
            ("    distinct: [[start, end]]\n", ""),
            ("precondition: (at ?a ?start)", "precondition: (and (at ?a ?start) (not (at ?a ?end)))"),
        ],
        [],
    ),
    "an effect that is there before": (
        [(GRASP, "effect:\n      - (free ?o)\n      - (inhand ?o ?a)")],
        [("idle-effect", "(free ?o)")],
    ),
    "a capability that changes nothing": (
        [("effect: (and (at ?a ?end) (not (at ?a ?start)))", "effect: (at ?a ?start)")],
        [("no-change", "move")],
    ),
    "facts that are never together": (
        [("           (free ?o))", "           (free ?o) (inhand ?o ?a))")],
        [
            ("impossible-precondition", "(inhand ?o ?a)"),
            ("idle-effect", "(inhand ?o ?a)"),
            ("unreachable-goal", "inhand"),
        ],
    ),
    "a support of which nothing can be taken": (
        [
            ("  open: it opens", "  open: it opens\n  steady: it stands still"),
            ("from: support, at: location", "from: [support, steady], at: location"),
            ("tray: {affordances: [carry, support]", "tray: {affordances: [carry, support, steady]"),
            ("table: {affordances: [support, location]", "table: {affordances: [support, location, steady]"),
        ],
        [("missing-affordance", "chest")],
    ),
    "a word of PDDL": (
        [predicate('domain: {parameters: [carry], say: "{0} is", sensed: dry}')],
        [("word-of-pddl", "domain")],
    ),
    "names that are alike": (
        [("  floor: {", "  table-top: {affordances: []}\n  table_top: {affordances: []}\n  floor: {")],
        [("alike-names", "table_top")],
    ),
    "a rule that names nothing": (
        [(RULE, RULE.replace("holds(on, [X, Y])", "holds(onto, [X, Y])"))],
        [("unknown-predicate", "onto")],
    ),
    "a rule of another arity": ([(RULE, RULE.replace("[X, Y])", "[X, Y, Q])", 1))], [("condition-never-holds", "on")]),
    "a rule with an open list": ([(RULE, RULE.replace("[X, Y])", "[X | _])", 1))], []),
    "a rule about bookkeeping": (
        [(RULE, "when: holds(free, [X]), Culprits = [X, X, X]")],
        [("condition-never-holds", "free")],
    ),
    "a rule about a class": ([(RULE, f"{RULE}, thing(X, pear)")], [("unknown-class", "pear")]),
    "a rule about an affordance": ([(RULE, f"{RULE}, affords(X, 'fly away')")], [("unknown-affordance", "fly away")]),
    "a rule that chooses": (
        [(RULE, f"{RULE}, member(P, [at, near]), holds(P, [X, _])")],
        [("unknown-predicate", "near")],
    ),
    "a comparison with itself": ([(RULE, RULE.replace("Y @< Z", "Y @< Y"))], [("condition-never-holds", "Y @< Y")]),
    "a pattern twice": (
        [("phrases:\n", 'phrases:\n  - {pattern: "bring me {thing}", goal: "(inhand {thing} {robot})"}\n')],
        [("duplicate-phrase", "bring me {thing}")],
    ),
    "a goal that nothing reaches": (
        [("phrases:\n", 'phrases:\n  - {pattern: "empty {thing}", goal: "(free {thing})"}\n')],
        [("unreachable-goal", "free")],
    ),
}


@pytest.mark.parametrize(("changes", "told"), CASES.values(), ids=CASES)
def test_a_finding_names_its_culprit(tmp_path: Path, changes: list[tuple[str, str]], told: list[tuple[str, str]]):
    assert new_findings(tmp_path, *changes) == told


def test_without_a_scene_nothing_is_said_of_what_may_hold(tmp_path: Path):
    changes = CASES["a fact that never comes about"][0]
    assert new_findings(tmp_path, *changes, scene=False) == []


def test_the_toy_world_has_what_is_wrong_with_it(tmp_path: Path):
    assert findings(tmp_path) == [("empty-kind", "dishes"), ("unreachable-goal", "on")]
    assert "dishes: []" in DOMAIN


def test_goals_that_no_scene_can_begin_are_told_once_and_the_scenes_are_blamed(tmp_path: Path):
    wanted = ("poured", "dry")
    phrases = "".join(f'  - {{pattern: "{word} {{thing}}", goal: "({word} {{thing}})"}}\n' for word in wanted)
    declared = "\n  ".join(f'{word}: {{parameters: [carry], say: "{{0}} is {word}"}}' for word in ("wet", *wanted))
    pour = """\
  pour:
    parameters: {a: actor, o: carry}
    precondition: (wet ?o)
    effect: (and (poured ?o) (dry ?o) (wet ?o))
    primitive: pour
    roles: {object: o}
"""
    changes = [predicate(declared), ("agents:\n", f"{pour}agents:\n"), ("phrases:\n", f"phrases:\n{phrases}")]
    new = [finding for finding in new_findings(tmp_path, *changes) if finding[0] == "unreachable-goal"]
    assert new == [("unreachable-goal", "poured")]
    (message,) = [text for text in messages(tmp_path, *changes) if "poured" in text]
    assert message == "no scene has what the goals about 'poured' and 'dry' begin with, so that they are never reached"


def test_a_relation_of_the_name_of_one_of_two_places_is_checked_as_any_other(tmp_path: Path):
    file = tmp_path / "lamps.pddl"
    file.write_text(
        "(define (domain lamps) (:requirements :strips :typing) (:types lamp)"
        " (:predicates (on ?l - lamp) (off ?l - lamp))"
        " (:action switch-on :parameters (?l - lamp) :precondition (off ?l) :effect (and (on ?l) (not (off ?l)))))"
    )
    assert check_paths([str(file)]).problems == ()
