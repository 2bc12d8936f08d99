"""Every mistake in the richer keys is told with its place, its code and what is meant."""

from pathlib import Path

import pytest

from domains.errors import Diagnostic, DomainFileError
from domains.reader import load_domain, load_scene
from tests.domains.codes import CODES
from tests.domains.reader.adl import DOMAIN, PACK, SCENE
from tests.domains.toy import changed, write


def told(tmp_path: Path, domain: str = DOMAIN, scene: str = SCENE, pack: str = PACK) -> tuple[Diagnostic, ...]:
    write(tmp_path, "rules.pl", pack)
    try:
        adl = load_domain(write(tmp_path, "domain.yaml", domain))
        load_scene(adl, write(tmp_path, "scenes/all.yaml", scene))
    except DomainFileError as error:
        return error.problems
    return ()


def place(text: str, part: str) -> tuple[int, int]:
    """Return where the only `@` of a changed part stands in the whole text."""
    at = text.index(part) + part.index("@")
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


DOMAINS = [
    ("parameters: {x: block}", "parameters: {x: @blok}", "unknown-affordance"),
    ("parameters: {x: block}\n", "parameters: @[block]\n", "keys-contradict"),
    ("has: {parameters: [container, level]", "has: {parameters: @{c: container, l: level}", "keys-contradict"),
    ("- on: [x, y]", "- @onn: [x, y]", "unknown-predicate"),
    ("- on: [x, y]", "- on: [x, @w]", "unknown-name"),
    ("- on: [x, y]", "- @on: [x]", "wrong-arity"),
    ("- exists: {z: block}", "- exists: {z: @blok}", "unknown-affordance"),
    ("- exists: {z: block}", "- exists: {@x: block, z: block}", "named-twice"),
    ("holds: {on: [x, z], above: [z, y]}", "then: {on: [x, z], above: [z, y]}", "unreadable-formula"),
    ("derived: (forall", "derived: (@forall ?y", "unreadable-formula"),
    ("(not (above ?x ?y))", "(not (lowest ?x))", "derived-from-denial"),
    ('say: "{0} is lowest"', 'sensed: s\n    say: "{0} is lowest"', "keys-contradict"),
    ("has: {parameters", "@when: {parameters", "reserved-name"),
    ('"{0} holds {value} l"', '@"{0} holds {valu} l"', "bad-sentence"),
    ("distance: {parameters", "@on: {parameters", "named-twice"),
    ("default: 0", "default: @none", "wrong-kind"),
    ("planned: false", "planned: @no", "wrong-kind"),
    ("agent: none", "agent: @nobody", "unknown-value"),
    ("- clear: o", "- clear: [@p]", "unknown-name"),
    ("- clear: o", "- @{clear: o, not: {empty: []}, holds: x}", "unreadable-formula"),
    ("- clear: o", "- {@Clear: o}", "unreadable-formula"),
    ('- not: {"=": [o, to]}', '- not: {"=": [o, @tu]}', "unknown-name"),
    ("(not (on ?o ?to))", "(not (on ?o @?tu))", "unknown-parameter"),
    ("then: [{clear: x}", "then: [{above: [o, x]}, {clear: x}", "derived-changed"),
    ("cost: (distance ?o ?to)", "cost: (@distanse ?o ?to)", "unknown-number"),
    ("cost: (distance ?o ?to)", "cost: (@distance ?o)", "wrong-arity"),
    ("cost: (distance ?o ?to)", "cost: @[1, 2]", "not-a-number"),
    ("(< (volume ?c) 1)", "(< (@volum ?c) 1)", "unknown-number"),
    ("(< (volume ?c) 1)", "(< (volume ?c) @x)", "unreadable-formula"),
    ("- increase: {volume: [c]}", "- increase: {@volum: [c]}", "unknown-number"),
    ("then: (not (has ?c level0))", "then: (@or (has ?c level0))", "not-an-effect"),
    ("duration: 3.5", "duration: @-1", "out-of-range"),
    ("resources: [c]", "resources: [@d]", "unknown-parameter"),
    ('say: "{a} fills {c}"', 'say: @"{a} fills {d}"', "unknown-parameter"),
    ("aliases: [refill, top_up]", "aliases: [refill, @stack]", "named-twice"),
    ("level0: {class: level}", "level0: {class: @levl}", "unknown-class"),
    ("lacks: [level]", "lacks: [@levl]", "unknown-affordance"),
    (
        "jug: {affordances: [container], abstract: true}",
        "jug: {affordances: [container], abstract: @yes}",
        "wrong-kind",
    ),
    (
        "jug: {affordances: [container], abstract: true}",
        "jug: {affordances: [container], model: @shelf, abstract: true}",
        "keys-contradict",
    ),
    ("code: obstructed", "code: @obstruct", "unknown-code"),
    ("capability: stack\n", "capability: @stak\n", "unknown-capability"),
    ("variables: {x: block, free: block}", "variables: {x: block, free: block, @o: block}", "named-twice"),
    ('["(stack ?x ?free)"]', '["(@stak ?x ?free)"]', "unknown-capability"),
    ('["(stack ?x ?free)"]', '["(@stack ?x)"]', "wrong-arity"),
    ("after: [stack: [x, to]]", "after: [stack: [x, @tu]]", "unknown-name"),
    ("file: rules.pl", "file: @../rules.pl", "bad-rule-pack"),
    ("file: rules.pl", "file: @rule.pl", "bad-rule-pack"),
    ("when: over(X, X)", "when: @ovr(X, X)", "bad-rule"),
    ("when: over(X, X)", "when: @over(X)", "bad-rule"),
]


@pytest.mark.parametrize(("old", "new", "code"), DOMAINS)
def test_a_mistake_in_a_domain_is_told_at_its_place(tmp_path: Path, old: str, new: str, code: str):
    marked = changed(DOMAIN, old, new)
    found = {(one.line, one.column, one.code) for one in told(tmp_path, marked.replace("@", "", 1))}
    if "@" in new:
        assert (*place(marked, new), code) in found
    assert code in {one[2] for one in found}


SCENES = [
    ("jug0: {class: jug}", "jug0: {class: @jugg}", "unknown-class"),
    ("count: 2", "count: @0", "out-of-range"),
    ("top: {class: block, lacks", "@b1: {class: block, lacks", "named-twice"),
    ("top: {class: block, lacks", "@level0: {class: block, lacks", "named-twice"),
    ("lacks: [block]", "lacks: [@blok]", "unknown-affordance"),
    ("affords: [container]", "affords: [container, block]", "contradiction"),
    ("- (on b1 b2)", "- (on b1 @b3)", "unknown-name"),
    ("- (on b1 b2)", "- (@onn b1 b2)", "unknown-predicate"),
    ("- (on b1 b2)", "- (@above b1 b2)", "derived-stated"),
    ("- (on b1 b2)", "- (not @(on b1 b2))", "unreadable-formula"),
    ("- clear: [b1]", "- @clear: [jug0]", "lacks-affordance"),
    ("(volume jug0): 0.25", "(@volum jug0): 0.25", "unknown-number"),
    ("(volume jug0): 0.25", "(volume @jug1): 0.25", "unknown-name"),
    ("(volume jug0): 0.25", "(volume jug0): @much", "wrong-kind"),
    ("(volume jug0): 0.25", "@volume: 0.25", "unreadable-formula"),
    ("  (distance b1 b2): 4\n", "", "no-value"),
    ("jug0: {class: jug}", "jug0: {class: jug, @pose: [0, 0, 0]}", "unknown-key"),
]


@pytest.mark.parametrize(("old", "new", "code"), SCENES)
def test_a_mistake_in_a_scene_is_told_at_its_place(tmp_path: Path, old: str, new: str, code: str):
    marked = changed(SCENE, old, new)
    found = {(one.line, one.column, one.code) for one in told(tmp_path, scene=marked.replace("@", "", 1))}
    if "@" in new:
        assert (*place(marked, new), code) in found
    assert code in {one[2] for one in found}


PACKS = [
    ("over(X, Y) :-", "@:- halt.\nover(X, Y) :-", "a directive"),
    ("over(X, Y) :-", "@member(X, Y) :-", "'member' is there already"),
    ("holds(on, [X, Y]),\n", "@shell(ls),\n", "'shell' may not be asked"),
    ("path(Y, Z, [Y | Seen])", "@path(Y, Z)", "'path' has 2 arguments; expected 3"),
    ("memberchk(Y, Seen),", "memberchk(Y, @Seen,", "is not closed"),
    ("path(X, Y, [X]).", "path(X, Y, [X])@", "the last clause does not end"),
    ("holds(on, [X, Y]),\n", "holds(on, [X, Y])\n", "expected ',' between"),
    ("path(X, Y, _)", "path(X, @f(Y), _)", "may not stand in a head"),
]


@pytest.mark.parametrize(("old", "new", "message"), PACKS)
def test_a_mistake_in_a_pack_is_told_in_its_file(tmp_path: Path, old: str, new: str, message: str):
    marked = PACK.replace(old, new, 1) if new != "path(X, Y, [X])@" else "over(X, Y) :- path(X, Y, [X])"
    problems = [one for one in told(tmp_path, pack=marked.replace("@", "", 1)) if one.file.endswith("rules.pl")]
    assert any(message in one.message for one in problems), [str(one) for one in problems]
    assert {one.code for one in problems} == {"bad-rule-pack"}
    if "@" in marked and "not closed" not in message:
        assert place(marked, new) in {(one.line, one.column) for one in problems}


def test_every_mistake_has_a_code_of_the_list(tmp_path: Path):
    for old, new, code in DOMAINS:
        if code:
            text = changed(DOMAIN, old, new).replace("@", "", 1)
            assert {one.code for one in told(tmp_path, text)} <= set(CODES)


def test_an_unknown_name_is_told_with_the_nearest_and_all_that_are_valid(tmp_path: Path):
    (problem,) = told(tmp_path, changed(DOMAIN, "cost: (distance ?o ?to)", "cost: (distanse ?o ?to)"))
    assert (problem.culprit, problem.nearest, problem.valid) == ("distanse", ("distance",), ("distance", "volume"))
