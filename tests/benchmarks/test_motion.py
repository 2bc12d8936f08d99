import pytest

from benchmarks.motion.pace import pace_of
from benchmarks.motion.paths import BOXES, path_trials
from benchmarks.motion.relations import THINGS_ON_TABLE, crowded_table, sampler_times, sensing_times
from benchmarks.motion.scenes import boxes_on_furniture, grasp_postures
from robots.pybullet.rig import Rig
from semantics.geometry.solids import gap


def test_one_seed_gives_one_scene():
    assert boxes_on_furniture(3, BOXES) == boxes_on_furniture(3, BOXES)
    assert boxes_on_furniture(3, BOXES) != boxes_on_furniture(4, BOXES)


def test_boxes_stand_apart_half_on_the_table_and_half_on_the_shelf():
    rig = Rig(boxes_on_furniture(3, BOXES))
    try:
        places = [piece.where for piece in rig.world.layout.pieces]
        assert (places.count("table0"), places.count("shelf0")) == (BOXES // 2, BOXES // 2)
        boxes = [rig.world.box(name) for name in rig.world.shapes]
        assert all(a is b or a.distance(b) > 0.0 for a in boxes for b in boxes)
    finally:
        rig.close()


def test_the_postures_at_the_boxes_are_free():
    rig = Rig(boxes_on_furniture(3, BOXES))
    try:
        postures = dict(grasp_postures(rig))
        assert len(postures) > BOXES / 2
        assert not any(rig.mirror.clashes(posture) for posture in postures.values())
    finally:
        rig.close()


def test_most_paths_are_found_and_none_touches_anything():
    trials = list(path_trials(3, 4))
    assert sum(trial.planned for trial in trials) >= 3
    assert not any(trial.touched for trial in trials)


@pytest.mark.parametrize("asleep", [False, True])
def test_the_pace_has_its_parts(asleep):
    pace = pace_of(1, asleep=asleep)
    assert pace.simulated > 10.0
    assert 0.0 < pace.pictures < pace.wall
    assert 0.0 < pace.planning < pace.wall - pace.pictures
    assert pace.processor > 0.0
    assert pace.times_of_processor == pytest.approx(pace.simulated / pace.processor)
    assert pace.times == pytest.approx(pace.simulated / (pace.wall - pace.pictures))


def test_a_crowded_table_has_all_its_things_apart():
    sightings = crowded_table(3).sightings.values()
    solids = [seen.solid for seen in sightings if seen.solid]
    assert len(solids) == THINGS_ON_TABLE
    assert all(a is b or gap(a, b) > 0.0 for a in solids for b in solids)


def test_most_places_are_found_and_some_statements_are_true():
    places, judged = list(sampler_times(3, 20)), list(sensing_times(3, 5))
    assert sum(each.count for each in places) >= 18
    assert all(0 < each.count < 50 for each in judged)
    assert all(each.seconds > 0.0 for each in (*places, *judged))
