"""The scenes of the tabletop: by seed, as published, and readable as scenes of the world."""

import math
import re
from itertools import combinations

import pytest

from benchmarks.tabletop.board import (
    BLOCK,
    BOWL,
    COLOURS,
    DIRECTIONS,
    HALF,
    REGIONS,
    TABLE_TOP,
    TABLE_X,
    Pose,
    Spot,
    spot_of,
    world_of,
)
from benchmarks.tabletop.instances import instance
from benchmarks.tabletop.judge import CHECKS
from benchmarks.tabletop.templates import load_templates
from domains.reader import load_domain, load_scene
from robots.arrangement import arranged
from semantics.errors import UsageError
from tests.benchmarks.tabletop_ends import published_templates


@pytest.fixture(scope="module")
def templates():
    return published_templates()


@pytest.fixture(scope="module")
def world():
    return load_domain("tabletop")


def test_the_map_has_the_sizes_of_the_world(world):
    block, bowl = (world.classes[name].shape for name in ("block", "bowl"))
    assert block.size == (BLOCK, BLOCK, BLOCK)
    assert bowl.size == (BOWL[0], BOWL[0], BOWL[1])
    assert set(COLOURS) == set(world.attributes["colour"].values)


def test_the_map_has_the_regions_of_the_scenes(world):
    things = load_scene(world, "four").arrangement.furniture
    poses = {item.name: item.pose for item in things}
    assert (poses["table0"].x, poses["table0"].y) == (TABLE_X, 0.0)
    for name, place in REGIONS.items():
        assert spot_of(Pose(poses[name].x, poses[name].y, TABLE_TOP)).place == pytest.approx(place)


def test_left_is_the_arms_left_and_top_is_far_from_it():
    assert world_of(Spot(*DIRECTIONS["left"])).y > 0
    assert world_of(Spot(*DIRECTIONS["top"])).x > TABLE_X
    assert spot_of(world_of(Spot(0.1, -0.2, 0.02, 0.3))) == pytest.approx(Spot(0.1, -0.2, 0.02, 0.3))


@pytest.mark.parametrize("template", CHECKS)
def test_an_instance_is_as_published_and_its_scene_can_be_read(template, templates, world, tmp_path):
    for seed in range(2):
        given = instance(template, seed, templates)
        assert not re.search("[<>]", given.words)
        assert 1 <= len(given.blocks) <= 4
        assert 1 <= len(given.bowls) <= 4
        assert all(max(map(abs, spot.place)) <= HALF - 0.1 + 1e-9 for spot in given.spots.values())
        assert all(math.dist(a.place, b.place) >= 0.15 for a, b in combinations(given.spots.values(), 2))
        path = tmp_path / f"{template}-{seed}.yaml"
        path.write_text(given.scene)
        stands = arranged(load_scene(world, path).arrangement)
        assert set(stands) == set(given.spots)
        for name, spot in given.spots.items():
            assert (stands[name].x, stands[name].y) == pytest.approx(world_of(spot)[:2], abs=1e-4)


def test_a_scene_says_where_a_block_stands(templates, world, tmp_path):
    given = instance("S1", 0, templates)
    path = tmp_path / "scene.yaml"
    path.write_text(given.scene)
    facts = load_scene(world, path).facts
    assert {str(fact) for fact in facts} >= {f"(clear {block})" for block in given.blocks}


def test_a_seed_gives_one_instance_and_another_another(templates):
    one = instance("S8", 4, templates)
    assert instance("S8", 4, templates) == one
    assert instance("S8", 6, templates) != one


def test_even_seeds_have_seen_attributes_and_odd_ones_unseen(templates):
    assert instance("S3", 2, templates).attributes["corner/side"].startswith(("top", "left"))
    assert instance("S3", 3, templates).attributes["corner/side"].startswith("bottom")
    assert instance("S3", 3, templates, "seen").attributes["corner/side"].startswith(("top", "left"))


def test_words_name_the_attributes(templates):
    given = instance("S1", 0, templates)
    named = [given.text(name).replace("_", " ") for name in ("block:1", "block:2")]
    assert given.words == f"pick up the {named[0]} and place it on the {named[1]}"


def test_an_unknown_template_or_set_is_told_with_the_known_ones(templates):
    with pytest.raises(ValueError, match=r"no template 'S9'; the templates are S1, S2"):
        instance("S9", 0, templates)
    with pytest.raises(ValueError, match="the sets are seen and unseen"):
        instance("S1", 0, templates, "new")


def test_missing_data_are_told_with_the_option(tmp_path):
    with pytest.raises(UsageError, match=r"no cap_tabletop/templates\.json .*--data"):
        load_templates(tmp_path)
