"""Names that only bodies know: slips are told, names of one's own are not."""

from pathlib import Path

import pytest

from graftwork.checks import check_paths
from tests.checking.shed import shed

TIDY = '  tidy: {parameters: [support], say: "{0} is tidy", bookkeeping: true}\n'
TAKEN = "effect: (and (inhand ?o ?a) (hand_occupied ?a) (not (on ?o ?from)))"


def told(folder: Path, *changes: tuple[str, str]) -> list[tuple[str, str, str]]:
    domain = shed(folder) / "domain.yaml"
    text = domain.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    domain.write_text(text)
    return [(str(one.severity), one.code, one.culprit) for one in check_paths([str(domain)]).problems]


def test_bookkeeping_that_effects_keep_is_allowed(tmp_path: Path):
    kept = ("effect: (and (on ?o ?to) ", "effect: (and (on ?o ?to) (tidy ?to) ")
    problems = told(tmp_path, ("predicates:\n", f"predicates:\n{TIDY}"), kept)
    assert not [one for one in problems if one[1] == "unknown-bookkeeping-predicate" or one[0] == "error"]


def test_bookkeeping_that_nobody_does_is_a_warning(tmp_path: Path):
    problems = told(tmp_path, ("predicates:\n", f"predicates:\n{TIDY}"))
    assert ("warning", "unknown-bookkeeping-predicate", "tidy") in problems


@pytest.mark.parametrize(
    ("written", "codes"), [("pik", ["unknown-primitive"]), ("fly", []), ("pick", ["missing-role"])]
)
def test_a_motion_of_few_letters_that_is_misspelt_is_told(tmp_path: Path, written: str, codes: list[str]):
    problems = told(tmp_path, (TAKEN, f"{TAKEN}\n    primitive: {written}\n    roles: {{object: o, source: from}}"))
    assert [code for _, code, _ in problems] == codes


@pytest.mark.parametrize(("written", "culprits"), [("tabel", ["tabel"]), ("lamp", []), ("table", [])])
def test_a_model_that_is_misspelt_is_told(tmp_path: Path, written: str, culprits: list[str]):
    problems = told(tmp_path, ("model: table", f"model: {written}"))
    assert [name for _, code, name in problems if code == "unknown-furniture-model"] == culprits


def test_where_nothing_affords_what_is_asked_the_message_says_so(tmp_path: Path):
    scene = shed(tmp_path) / "scenes" / "good.yaml"
    bench = "bench0: {class: bench, pose: [0, 0, 0], size: [1, 1, 1]}"
    scene.write_text(f"domain: shed\nthings:\n  {bench}\n  saw0: {{class: saw, in: bench0}}\n")
    problems = check_paths([str(scene)]).problems
    message = next(one.message for one in problems if one.code == "lacks-affordance")
    assert message.endswith("does not afford contain; nothing here affords contain")
