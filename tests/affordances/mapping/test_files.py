"""A mapping as YAML: read, written, read again; every mistake has its place."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from affordances.mapping import Evidence, ObjectAffordances, ObjectKind, household, read_mapping, written
from affordances.ontology import AFFORDANCES
from domains.errors import DomainFileError
from domains.reader import load_domain
from tests.affordances.mapping.drawn import CLASSES, NAMES, NOON, pieces

kinds = st.builds(
    ObjectKind,
    st.frozensets(NAMES.filter(bool), max_size=2),
    st.lists(NAMES.filter(bool), max_size=2, unique=True).map(tuple),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mapping")


def read(folder: Path, text: str) -> ObjectAffordances:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return read_mapping(path)


@given(
    st.lists(pieces(affordances=("carry", "pour", "levitate")), max_size=15),
    st.dictionaries(st.sampled_from(CLASSES), kinds),
)
def test_what_is_written_reads_back_the_same(folder, evidence, classes):
    mapping = ObjectAffordances(evidence, classes)
    assert read(folder, written(mapping)) == mapping


@pytest.mark.parametrize(
    "mapping", [household(), ObjectAffordances.from_domain(load_domain("kitchen"))], ids=str.__class__
)
def test_whole_mappings_read_back_the_same(folder, mapping):
    assert read(folder, written(mapping)) == mapping


def test_a_class_lists_what_it_affords_and_denies_the_rest(folder):
    mapping = read(
        folder, "author: me\nclasses:\n  yo_yo: {affordances: [carry, grasp], kinds: [toy], words: [yo-yo]}\n"
    )
    assert mapping.affordances_of("yo_yo") == {"carry", "grasp"}
    assert mapping.evidence("yo_yo", "swing") == (Evidence.authored("yo_yo", "swing", False, "me"),)
    assert len(mapping) == len(AFFORDANCES)
    assert mapping.classes["yo_yo"] == ObjectKind(frozenset({"toy"}), ("yo-yo",))


def test_a_class_without_a_list_is_left_open_and_an_empty_list_denies_all(folder):
    mapping = read(folder, "classes:\n  ghost: {affordances: []}\n  mist: {kinds: [weather]}\n")
    assert mapping.evidence("mist", "carry") == ()
    assert mapping.evidence("ghost", "carry") == (Evidence.authored("ghost", "carry", False, "mine"),)


def test_a_file_may_name_affordances_of_its_own(folder):
    text = "affordances: [levitate]\nclasses: {broom: {affordances: [levitate]}}\n"
    assert read(folder, text).affords("broom", "levitate")


def test_rows_of_evidence_speak_of_several_affordances(folder):
    row = "{class: cup, source: worked, affordances: [carry, pour], by: fake, times: 3, at: 2026-11-20T12:00:00Z}"
    mapping = read(folder, f"classes: {{cup: {{}}}}\nevidence:\n  - {row}\n")
    assert mapping.evidence("cup", "pour") == (Evidence.worked("cup", "pour", body="fake", times=3, at=NOON),)


BROKEN = {
    "classes: {cup: {affordances: [gras]}}": [(1, 31, "unknown affordance 'gras'", "did you mean grasp")],
    "classes: {cup: {afordances: [grasp]}}": [(1, 17, "unknown key 'afordances'", "did you mean affordances")],
    "clases: {}": [(1, 1, "no 'classes'", ""), (1, 1, "unknown key 'clases'", "did you mean classes")],
    "classes: {}\nevidence: worked": [(2, 11, "evidence", "a list of rows")],
    "classes: {cup: {}}\nevidence: [{class: cup, source: seen, affordances: [pour]}]": [(2, 33, "seen", "worked")],
    "classes: {cup: {}}\nevidence: [{class: cup, source: worked, affordances: [pour], share: 0}]": [
        (2, 69, "all for or all against", "no share")
    ],
    "classes: {cup: {}}\nevidence: [{class: cup, source: asked, affordances: [pour]}]": [
        (2, 12, "no 'share'", "0 to 1")
    ],
    "classes: {cup: {}}\nevidence: [{class: cub, source: asked, affordances: [pour], share: 2, at: noon}]": [
        (2, 20, "unknown class 'cub'", "cup"),
        (2, 68, "share", "from 0 to 1"),
        (2, 75, "'noon'", "a time such as"),
    ],
    "classes: {cup: {}}\nevidence: [{class: cup}]": [(2, 12, "no 'source', 'affordances'", "")],
}


@pytest.mark.parametrize("text", BROKEN)
def test_each_mistake_is_told_with_its_place(folder, text):
    with pytest.raises(DomainFileError) as caught:
        read(folder, text)
    problems = caught.value.problems
    assert [(problem.line, problem.column) for problem in problems] == [place[:2] for place in BROKEN[text]]
    for problem, (_, _, culprit, valid) in zip(problems, BROKEN[text], strict=True):
        assert culprit in problem.message
        assert valid in problem.message
