"""Laws of evidence: what speaks for a pair never lowers its probability, and order is nothing."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given, strategies as st

from affordances.mapping import Evidence, EvidenceSource, ObjectAffordances
from affordances.mapping.evidence import PRIOR_NO, PRIOR_YES, counts, probability, weight
from semantics.errors import UsageError
from tests.affordances.mapping.drawn import NOON, about_a_cup, pieces

CUP = ("cup", "pour")


@given(about_a_cup)
def test_what_worked_once_more_never_lowers_a_probability(evidence):
    before = ObjectAffordances(evidence)
    after = before.with_evidence(Evidence.worked(*CUP, body="fake", at=NOON))
    assert after.probability(*CUP) >= before.probability(*CUP)


@given(about_a_cup)
def test_what_failed_once_more_never_raises_a_probability(evidence):
    before = ObjectAffordances(evidence)
    after = before.with_evidence(Evidence.failed(*CUP, body="fake", at=NOON))
    assert after.probability(*CUP) <= before.probability(*CUP)


@given(about_a_cup, st.randoms())
def test_the_order_of_evidence_is_nothing(evidence, random):
    shuffled = list(evidence)
    random.shuffle(shuffled)
    assert ObjectAffordances(evidence) == ObjectAffordances(shuffled)


@given(about_a_cup)
def test_a_probability_is_never_certain(evidence):
    assert 0.0 < probability(evidence) < 1.0
    yes, no = counts(evidence)
    assert yes >= PRIOR_YES
    assert no >= PRIOR_NO


@given(pieces(), pieces())
@example(
    Evidence("cup", "carry", EvidenceSource.AUTHORED, 0.0, times=1),
    Evidence("cup", "carry", EvidenceSource.FAILED, 0.0, times=2),
)
def test_joining_two_pieces_of_one_voice_has_no_first_one(one, other):
    share = one.share if one.source.adds_up else other.share
    other = other._replace(source=one.source, by=one.by, how=one.how, share=share)
    other = other._replace(class_name=one.class_name, affordance=one.affordance)
    assert one.with_another(other) == other.with_another(one)


def test_nothing_known_is_the_prior():
    assert probability(()) == pytest.approx(0.2)


def test_one_answer_weighs_by_its_strategy():
    p = {
        how: probability([Evidence.asked(*CUP, True, model="m", strategy=how, at=NOON)])
        for how in ("list", "yes-no", "logic")
    }
    assert p == {"list": pytest.approx(0.733, abs=1e-3), "yes-no": pytest.approx(0.8), "logic": pytest.approx(0.84)}


def test_a_strategy_of_ones_own_weighs_like_a_plain_question():
    assert weight(Evidence.asked(*CUP, True, model="m", strategy="by hand", at=NOON)) == 3.0


def test_two_models_together_do_not_overrule_an_author():
    said = [Evidence.asked(*CUP, True, model=name, strategy="logic", at=NOON) for name in ("a", "b")]
    assert probability([Evidence.authored(*CUP, False, "me"), *said]) < 0.5


def test_an_author_is_overruled_by_ten_failures_without_a_success():
    author = Evidence.authored(*CUP, True, "me")
    assert probability([author, Evidence.failed(*CUP, body="b", times=9)]) >= 0.5
    assert probability([author, Evidence.failed(*CUP, body="b", times=10)]) < 0.5


@pytest.mark.parametrize(("confidence", "counts_as_yes"), [(0.6, False), (0.65, True), (1.0, True), (0.0, False)])
def test_a_guess_counts_from_a_confidence_of_two_thirds_on(confidence, counts_as_yes):
    guess = Evidence.guessed(*CUP, confidence, after="mug, glass", at=NOON)
    assert (probability([guess]) >= 0.5) is counts_as_yes


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
def test_a_confidence_is_a_share(confidence):
    with pytest.raises(UsageError, match="from 0 to 1"):
        Evidence.guessed(*CUP, confidence, after="mug")


def test_a_later_answer_of_the_same_voice_replaces_the_earlier_one():
    early = Evidence.asked(*CUP, True, model="m", strategy="list", at=NOON)
    late = Evidence.asked(*CUP, False, model="m", strategy="list", at=NOON.replace(hour=13))
    assert ObjectAffordances([late, early]).evidence(*CUP) == (late,)


def test_what_was_seen_adds_up_body_by_body():
    seen = [Evidence.worked(*CUP, body=body, at=NOON) for body in ("fake", "fake", "pybullet")]
    found = ObjectAffordances(seen).evidence(*CUP)
    assert [(piece.by, piece.times) for piece in found] == [("fake", 2), ("pybullet", 1)]


def test_a_time_without_a_zone_is_utc_and_whole():
    at = Evidence.worked(*CUP, body="b", at=datetime(2026, 11, 20, 12, 0, 0, 7)).at
    assert at == NOON
    assert at.tzinfo is UTC


def test_a_piece_is_plain_data_for_json():
    piece = Evidence.guessed(*CUP, 0.7, after="mug", at=NOON)
    assert piece.as_dict() == {
        "class_name": "cup",
        "affordance": "pour",
        "source": "guessed",
        "share": 0.7,
        "by": "mug",
        "how": "",
        "times": 1,
        "at": "2026-11-20T12:00:00+00:00",
    }


def test_only_what_was_seen_adds_up():
    assert {source for source in EvidenceSource if source.adds_up} == {EvidenceSource.WORKED, EvidenceSource.FAILED}
