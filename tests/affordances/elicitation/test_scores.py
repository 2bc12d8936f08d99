import pytest

from benchmarks.affordances.scores import evaluate, wilson
from semantics.errors import UsageError

NAMES = ("carry", "cut", "drink", "fly")
TRUTH = {"mug": frozenset({"carry", "drink"}), "knife": frozenset({"carry", "cut"}), "bee": frozenset({"fly"})}


def said(**classes: str) -> dict[str, dict[str, bool | None]]:
    return {name: {each: each in text.split() for each in NAMES} for name, text in classes.items()}


def test_right_answers_score_one():
    evaluation = evaluate(TRUTH, said(mug="carry drink", knife="carry cut", bee="fly"), NAMES)
    for score in (evaluation.micro, evaluation.macro, *evaluation.affordances.values()):
        assert (score.precision.value, score.recall.value, score.f1.value) == (1.0, 1.0, 1.0)
    assert evaluation.disagreements == ()


def test_the_figures_are_those_worked_out_by_hand():
    # carry 1 right, 1 missed; cut 1 right, 1 wrong; drink 1 right; fly 1 missed
    evaluation = evaluate(TRUTH, said(mug="carry drink cut", knife="cut", bee=""), NAMES)
    micro, macro = evaluation.micro, evaluation.macro
    assert (micro.right, micro.wrong, micro.missed) == (3, 1, 2)
    assert (micro.precision.value, micro.recall.value) == (3 / 4, 3 / 5)
    assert micro.f1.value == pytest.approx(2 / 3)
    assert macro.precision.value == pytest.approx((1 + 1 / 2 + 1 + 0) / 4)
    assert macro.recall.value == pytest.approx((1 / 2 + 1 + 1 + 0) / 4)
    assert macro.f1.value == pytest.approx((2 / 3 + 2 / 3 + 1 + 0) / 4)
    assert evaluation.affordances["fly"].precision.value is None
    assert [(each.class_name, each.affordance, each.how) for each in evaluation.disagreements] == [
        ("mug", "cut", "wrong"),
        ("knife", "carry", "missed"),
        ("bee", "fly", "missed"),
    ]


def test_an_unknown_is_not_a_yes_and_is_counted():
    answers = said(mug="carry drink", knife="carry cut", bee="")
    answers["bee"]["fly"] = None
    answers["mug"]["cut"] = None
    evaluation = evaluate(TRUTH, answers, NAMES)
    assert evaluation.unknown == 2
    assert [each.how for each in evaluation.disagreements] == ["unknown"]
    assert evaluation.micro.recall.value == 4 / 5


def test_a_class_without_answers_counts_as_good_for_nothing():
    evaluation = evaluate(TRUTH, said(mug="carry drink"), NAMES)
    assert evaluation.micro.missed == 3


def test_an_affordance_that_neither_has_nor_is_said_is_left_out():
    evaluation = evaluate({"mug": frozenset({"carry"})}, said(mug="carry"), NAMES)
    assert list(evaluation.affordances) == ["carry"]
    assert evaluation.macro.f1.value == 1.0


def test_wilsons_interval_is_the_published_one():
    # Newcombe 1998, table I: 15 of 148 gives 0.0624 to 0.1605, 0 of 20 gives 0 to 0.1611
    assert wilson(15, 148)[1:] == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20)[1:] == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(0, 0).value is None


def test_every_interval_holds_its_figure_and_is_the_same_each_time():
    answers = said(mug="carry drink cut", knife="cut", bee="")
    evaluation = evaluate(TRUTH, answers, NAMES)
    assert evaluation == evaluate(TRUTH, answers, NAMES)
    for score in (evaluation.micro, evaluation.macro):
        for figure in (score.precision, score.recall, score.f1):
            assert figure.low <= figure.value <= figure.high


def test_one_class_gives_no_interval_over_classes():
    evaluation = evaluate({"mug": frozenset({"carry", "cut"})}, said(mug="carry drink"), NAMES)
    assert evaluation.micro.f1.low is None
    assert evaluation.affordances["carry"].recall.low is not None


def test_nothing_to_compare_is_a_mistake():
    with pytest.raises(UsageError):
        evaluate({}, {}, NAMES)
