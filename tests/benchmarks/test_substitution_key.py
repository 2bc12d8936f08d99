"""The shape of the substitution key. A failure names ids only, so that the held-out half stays unseen."""

import re
from pathlib import Path

import yaml

FOLDER = Path(__file__).parents[2] / "benchmarks" / "substitution"
SIZES = (5, 20, 70)
FIELDS = {"id", "request", "missing", "goal", "objects", "accept"}


def half(name):
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text())["situations"]


def situations():
    return half("tuned") + half("held_out")


def faulty(fault):
    return [one["id"] for one in situations() if fault(one)]


def at_some_size(fault):
    return faulty(lambda one: any(fault(one, size) for size in SIZES))


def test_each_half_has_fifteen_situations():
    assert [len(half(name)) for name in ("tuned", "held_out")] == [15, 15]


def test_no_two_situations_share_an_id_or_a_missing_class():
    assert len({one["id"] for one in situations()}) == 30
    assert len({one["missing"] for one in situations()}) == 30


def test_each_situation_has_the_agreed_fields_and_sizes():
    assert faulty(lambda one: set(one) != FIELDS) == []
    assert faulty(lambda one: tuple(one["objects"]) != SIZES or tuple(one["accept"]) != SIZES) == []


def test_a_scene_has_as_many_distinct_classes_as_its_size_says():
    assert at_some_size(lambda one, size: len(one["objects"][size]) != size) == []
    assert at_some_size(lambda one, size: len(set(one["objects"][size])) != size) == []


def test_a_larger_scene_holds_all_of_the_smaller_one():
    assert faulty(lambda one: not set(one["objects"][5]) < set(one["objects"][20]) < set(one["objects"][70])) == []


def test_what_is_accepted_is_present_and_stays_accepted_in_larger_scenes():
    assert at_some_size(lambda one, size: not set(one["accept"][size]) <= set(one["objects"][size])) == []
    final = {one["id"]: set(one["accept"][70]) for one in situations()}
    assert (
        at_some_size(lambda one, size: set(one["accept"][size]) != final[one["id"]] & set(one["objects"][size])) == []
    )


def test_the_missing_class_is_missing():
    assert at_some_size(lambda one, size: one["missing"] in one["objects"][size]) == []


def test_class_names_are_plain_words():
    plain = re.compile(r"[a-z]+(_[a-z]+)*")
    assert faulty(lambda one: not all(map(plain.fullmatch, [one["missing"], *one["objects"][70]]))) == []


def test_a_goal_is_balanced_and_its_placeholder_is_the_missing_class():
    assert faulty(lambda one: one["goal"].count("(") != one["goal"].count(")")) == []
    assert faulty(lambda one: not set(re.findall(r"{(.*?)}", one["goal"])) <= {one["missing"]}) == []


def test_both_halves_have_situations_without_a_substitute_among_five():
    empty = [sum(not one["accept"][5] for one in half(name)) for name in ("tuned", "held_out")]
    assert min(empty) >= 2


def test_a_guess_is_seldom_right():
    assert faulty(lambda one: len(one["accept"][20]) / 20 >= 0.25) == []
    assert faulty(lambda one: len(one["accept"][70]) / 70 >= 0.25) == []


def test_the_held_out_half_says_so_in_its_first_line():
    assert "HELD OUT" in (FOLDER / "held_out.yaml").read_text().splitlines()[0]
