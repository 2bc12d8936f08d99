import pytest
from hypothesis import given, strategies as st

from affordances.mapping import Evidence, ObjectAffordances, ObjectKind
from domains.reader import load_domain
from tests.affordances.mapping.drawn import NOON, pieces

KITCHEN = load_domain("kitchen")
MAPPING = ObjectAffordances.from_domain(KITCHEN)


def test_a_world_says_of_each_class_what_its_author_listed_and_denies_the_rest():
    for name, found in KITCHEN.classes.items():
        assert MAPPING.affordances_of(name) == found.affordances - KITCHEN.conventions.structural
    assert MAPPING.evidence("cup", "cut") == (Evidence.authored("cup", "cut", False, "kitchen"),)


def test_kinds_and_words_come_along():
    assert MAPPING.classes["cup"] == ObjectKind(frozenset({"dishes"}), ("coffee cup", "tea cup", "teacup"))


def test_nothing_is_known_of_an_unknown_class():
    assert "unicorn" not in MAPPING
    assert MAPPING.affordances_of("unicorn") == frozenset()
    assert MAPPING.probability("unicorn", "carry") == pytest.approx(0.2)
    assert MAPPING.evidence("unicorn", "carry") == ()


def test_a_threshold_decides():
    asked = ObjectAffordances([Evidence.asked("yo_yo", "carry", True, model="m", strategy="list", at=NOON)])
    assert asked.affords("yo_yo", "carry")
    assert not asked.affords("yo_yo", "carry", 0.8)
    assert asked.affordances_of("yo_yo", 0.8) == frozenset()
    assert [name for name in asked.classes if asked.affords(name, "carry")] == ["yo_yo"]


@given(st.lists(pieces(), max_size=10), st.lists(pieces(), max_size=10))
def test_more_evidence_makes_another_mapping_and_leaves_this_one(some, more):
    before = ObjectAffordances(some)
    after = before.with_evidence(*more)
    assert before == ObjectAffordances(some)
    assert after == ObjectAffordances([*some, *more])
    assert before.with_mapping(ObjectAffordances(more)) == after


def test_of_two_descriptions_of_a_class_the_first_counts():
    one = ObjectAffordances((), {"cup": ObjectKind(words=("teacup",)), "mug": ObjectKind()})
    other = ObjectAffordances((), {"cup": ObjectKind(), "mug": ObjectKind(frozenset({"dishes"}))})
    assert one.with_mapping(other).classes == {
        "cup": ObjectKind(words=("teacup",)),
        "mug": ObjectKind(frozenset({"dishes"})),
    }


def test_why_something_is_believed_can_be_said():
    mapping = MAPPING.with_evidence(
        Evidence.asked("cup", "pour", True, model="gpt-x", strategy="logic", at=NOON),
        Evidence.worked("cup", "pour", body="fake", times=3, at=NOON),
        Evidence.failed("cup", "pour", body="pybullet", at=NOON),
    )
    assert mapping.explain("cup", "pour") == (
        "cup affords pour (a liquid can be poured from it): p = 0.91. 'kitchen' says yes; "
        "gpt-x said yes on 2026-11-20, asked by logic; worked 3 times with fake, last on 2026-11-20; "
        "failed once with pybullet, last on 2026-11-20. Counts 17.2 for, 1.8 against; "
        "16 failures without a success would end the belief."
    )


def test_what_is_not_known_is_said_to_be_the_prior():
    told = ObjectAffordances().explain("yo_yo", "swing")
    assert "does not afford swing" in told
    assert "nothing is known of the pair" in told
    assert "1 success without a failure would bring it about" in told


@given(st.lists(pieces(("cup",), ("pour",)), max_size=8), st.floats(0.05, 0.95))
def test_what_would_change_the_belief_does_and_one_outcome_less_does_not(evidence, threshold):
    mapping = ObjectAffordances(evidence)
    believed = mapping.affords("cup", "pour", threshold)
    told = mapping.explain("cup", "pour", threshold).split("against; ")[1]
    times = int(told.split()[0])
    outcome = Evidence.failed if believed else Evidence.worked
    turned = mapping.with_evidence(outcome("cup", "pour", body="new", times=times, at=NOON))
    assert turned.affords("cup", "pour", threshold) is not believed or _is_on_the_edge(turned, threshold)
    if times > 1:
        almost = mapping.with_evidence(outcome("cup", "pour", body="new", times=times - 1, at=NOON))
        assert almost.affords("cup", "pour", threshold) is believed or _is_on_the_edge(almost, threshold)


def _is_on_the_edge(mapping, threshold):
    return mapping.probability("cup", "pour") == pytest.approx(threshold, abs=1e-9)


def test_at_a_threshold_of_0_everything_is_believed_for_ever():
    assert ObjectAffordances().explain("yo_yo", "swing", 0.0).endswith("nothing would change it.")
