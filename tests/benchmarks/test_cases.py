from collections import Counter
from random import Random

from benchmarks.cases import choices, refusals, refusing
from domains.reader import load_domain, load_scene
from semantics.logic.atoms import dnf
from semantics.logic.parsing import parse_formula

DOMAIN = load_domain("kitchen")
SCENE = load_scene(DOMAIN, "full")


def test_generated_cases_are_refusals_of_every_kind_and_come_out_as_expected(tmp_path):
    cases = list(refusals(DOMAIN, SCENE, 24, Random(1)))
    codes = {"contradiction": 12, "unknown-name": 3, "unknown-predicate": 3, "wrong-arity": 3, "wrong-affordance": 3}
    assert Counter(case["refused"] for case in cases) == codes
    processor, clock = refusing(DOMAIN, SCENE, 24, tmp_path)
    assert processor > 0
    assert clock > 0


def test_every_choice_has_64_disjuncts():
    assert [len(dnf(parse_formula(text))) for text in choices(SCENE).values()] == [64, 64, 64]
