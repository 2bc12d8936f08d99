from dataclasses import replace

import pytest

from affordances.bookkeeping import derive
from affordances.facts import TESTS, sense, settles, settling
from affordances.support import View, with_hidden_supports
from semantics.errors import UnknownNameError
from semantics.geometry.geometry import Box, PlanarPose
from tests.affordances.room import TABLE_TOP, THINGS, atom, block, bowl, fridge, seen, tray


def facts(observation, name):
    return {str(found)[1:-1] for found in TESTS[name](View(observation, THINGS))}


@pytest.mark.parametrize("gap", [-0.015, 0.0, 0.025])
def test_a_thing_at_the_height_of_a_top_is_on_it(gap):
    assert facts(seen(block("milk0", 0.5, 0.5, TABLE_TOP + gap)), "on") == {"on milk0 table0"}


@pytest.mark.parametrize("gap", [-0.1, 0.06, 0.3])
def test_a_thing_above_or_below_a_top_is_not_on_it(gap):
    assert facts(seen(block("milk0", 0.5, 0.5, TABLE_TOP + gap)), "on") == set()


def test_a_thing_may_stick_out_over_the_edge_and_not_stand_beside_it():
    assert facts(seen(block("milk0", 1.01, 0.5, TABLE_TOP)), "on") == {"on milk0 table0"}
    assert facts(seen(block("milk0", 1.05, 0.5, TABLE_TOP)), "on") == set()


def test_contact_makes_up_for_a_leaning_thing():
    leaning = block("milk0", 0.5, 0.5, TABLE_TOP + 0.045)
    assert facts(seen(leaning), "on") == set()
    assert facts(seen(leaning, contacts=[("milk0", "table0")]), "on") == {"on milk0 table0"}


@pytest.mark.parametrize("top", [0.4, 0.8, 1.2])
def test_every_board_of_a_shelf_carries(top):
    assert facts(seen(block("milk0", 0.5, 3.2, top)), "on") == {"on milk0 shelf0"}


def test_an_apple_on_a_tray_on_a_table_is_on_the_tray():
    observation = seen(tray("tray0", 0.5, 0.5, TABLE_TOP), block("apple0", 0.5, 0.5, TABLE_TOP + 0.01))
    assert facts(observation, "on") == {"on apple0 tray0", "on tray0 table0"}


def test_what_stands_beside_a_turned_tray_within_its_bounds_is_on_the_table():
    things = tray("tray0", 0.5, 0.5, TABLE_TOP), block("apple0", 0.57, 0.57, TABLE_TOP)
    assert "on apple0 table0" in facts(seen(*things), "on")


def test_what_touches_goes_before_what_is_nearer_in_height():
    things = tray("tray0", 0.5, 0.5, TABLE_TOP), block("apple0", 0.5, 0.5, TABLE_TOP + 0.01)
    assert "on apple0 table0" in facts(seen(*things, contacts=[("apple0", "table0")]), "on")


def test_what_is_on_and_in_nothing_is_near_what_it_touches_else_near_what_is_nearest():
    across = bowl("bowl0", 0.5, 0.5, TABLE_TOP), block("milk0", 0.5, 0.5, TABLE_TOP + 0.07, (0.2, 0.04, 0.04))
    assert facts(seen(*across), "on") | facts(seen(*across), "in") == {"on bowl0 table0"}
    assert facts(seen(*across, contacts=[("milk0", "bowl0")]), "near") == {"near milk0 bowl0"}
    assert facts(seen(block("apple0", 0.5, 2.4, 0.5)), "near") == {"near apple0 shelf0"}


def test_what_is_on_or_in_something_or_in_a_hand_is_near_nothing():
    placed = block("milk0", 0.5, 0.5, TABLE_TOP), bowl("bowl0", 0.2, 0.2, TABLE_TOP), block("apple0", 0.5, 0.5, 2.0)
    assert facts(seen(*placed, held={"robot0": ("apple0",)}), "near") == set()


def test_of_tops_at_one_height_the_smaller_carries():
    board = block("plate0", 0.5, 0.5, TABLE_TOP - 0.05, (0.2, 0.2, 0.05))
    assert "on apple0 plate0" in facts(seen(board, block("apple0", 0.5, 0.5, TABLE_TOP)), "on")


def test_things_stack_without_carrying_each_other():
    flat = (0.2, 0.2, 0.015)
    observation = seen(
        block("plate0", 0.5, 0.5, TABLE_TOP, flat),
        block("plate1", 0.5, 0.5, TABLE_TOP + 0.015, flat),
        block("cup0", 0.5, 0.5, TABLE_TOP + 0.03),
    )
    assert facts(observation, "on") == {"on plate0 table0", "on plate1 plate0", "on cup0 plate1"}


def test_a_thing_without_support_affordance_carries_nothing():
    observation = seen(block("cup0", 0.5, 0.5, TABLE_TOP), block("apple0", 0.5, 0.5, TABLE_TOP + 0.1))
    assert facts(observation, "on") == {"on cup0 table0"}


def test_what_lies_on_the_ground_is_on_the_floor():
    assert facts(seen(block("apple0", 2.0, 2.0, 0.001)), "on") == {"on apple0 floor0"}


def test_what_is_in_a_fridge_is_in_it_and_on_nothing():
    observation = seen(block("milk0", 3.3, 0.3, 0.4))
    assert facts(observation, "in") == {"in milk0 fridge0"}
    assert facts(observation, "on") == set()


def test_what_stands_on_a_fridge_is_not_in_it():
    assert facts(seen(block("milk0", 3.3, 0.3, 1.2)), "in") == set()


def test_a_tall_thing_in_a_bowl_is_in_the_bowl_and_not_on_the_table():
    observation = seen(
        bowl("bowl0", 0.5, 0.5, TABLE_TOP), block("milk0", 0.5, 0.5, TABLE_TOP + 0.01, (0.05, 0.05, 0.3))
    )
    assert facts(observation, "in") == {"in milk0 bowl0"}
    assert facts(observation, "on") == {"on bowl0 table0"}


def test_an_apple_in_a_bowl_in_a_fridge_is_in_the_bowl():
    observation = seen(bowl("bowl0", 3.3, 0.3, 0.4), block("apple0", 3.3, 0.3, 0.41))
    assert facts(observation, "in") == {"in apple0 bowl0", "in bowl0 fridge0"}


def test_a_held_thing_is_neither_on_nor_in_anything():
    things = block("milk0", 0.5, 0.5, TABLE_TOP), block("apple0", 3.3, 0.3, 0.4)
    observation = seen(*things, held={"robot0": ("milk0",), "human0": ("apple0",)})
    assert facts(observation, "on") | facts(observation, "in") == set()
    assert facts(observation, "inhand") == {"inhand milk0 robot0", "inhand apple0 human0"}


@pytest.mark.parametrize(
    ("pose", "place"),
    [
        (PlanarPose(0.5, -0.5), "table0"),
        (PlanarPose(0.5, -1.35), "table0"),
        (PlanarPose(3.3, -0.6), "fridge0"),
        (PlanarPose(0.5, -1.5), "floor0"),
        (PlanarPose(1.9, -0.6), "floor0"),
    ],
)
def test_a_robot_is_at_the_place_whose_stand_is_near_or_else_at_the_floor(pose, place):
    assert f"at robot0 {place}" in facts(seen(pose=pose), "at")


def test_of_two_stands_within_reach_the_nearer_wins():
    other = replace(seen().sightings["table0"], name="table1", stand=PlanarPose(1.1, -0.5))
    assert "at robot0 table0" in facts(seen(other, pose=PlanarPose(0.7, -0.5)), "at")
    assert "at robot0 table1" in facts(seen(other, pose=PlanarPose(0.9, -0.5)), "at")


def test_a_person_is_at_the_floor_and_not_at_itself():
    person = replace(block("human0", 8, 8, 0), stand=PlanarPose(8.0, 7.4))
    found = facts(seen(person, pose=PlanarPose(8.0, 7.4)), "at")
    assert found == {"at robot0 human0", "at human0 floor0"}


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        (0.0, "closed"),
        (0.05, "closed"),
        (0.06, "ajar"),
        (0.5, "ajar"),
        (0.74, "ajar"),
        (0.75, "opened"),
        (1.1, "opened"),
    ],
)
def test_a_door_is_closed_ajar_or_opened_and_never_two_of_them(opening, expected):
    observation = seen(fridge(opening))
    found = sense(observation, THINGS, ("ajar", "closed", "opened"))
    assert found == {atom(f"{expected} fridge0")}


def test_every_test_makes_atoms_of_its_own_name_about_known_things():
    observation = seen(
        block("milk0", 0.5, 0.5, TABLE_TOP),
        block("apple0", 3.3, 0.3, 0.4),
        held={"robot0": ("cup0",)},
        pose=PlanarPose(0.5, -0.5),
    )
    for name, test in TESTS.items():
        for found in test(View(observation, THINGS)):
            assert found.predicate == name
            assert set(found.args) <= THINGS.keys()


def test_what_nobody_knows_is_no_fact():
    stranger = block("ghost0", 0.5, 0.5, TABLE_TOP)
    assert facts(seen(stranger), "on") == set()


def test_a_test_that_does_not_exist_is_refused_by_name():
    with pytest.raises(UnknownNameError, match="sensing test 'onn'"):
        sense(seen(), THINGS, ("onn",))
    with pytest.raises(UnknownNameError, match="bookkeeping predicate 'freee'"):
        derive((), THINGS, ("freee",))


def test_a_sensed_fact_is_always_settled_by_the_sensing_that_showed_it():
    observation = seen(
        tray("tray0", 0.5, 0.5, TABLE_TOP),
        block("milk0", 3.3, 0.3, 0.4),
        held={"robot0": ("cup0",)},
        pose=PlanarPose(0.5, -0.5),
    )
    found = sense(observation, THINGS, TESTS)
    assert len(found) == 20
    assert all(any(settles(observation, key) for key in settling(fact)) for fact in found)


def derived(name, *texts):
    return {str(found)[1:-1] for found in derive([atom(text) for text in texts], THINGS, [name])}


def test_the_hand_of_a_robot_that_holds_something_is_occupied_and_a_persons_never():
    assert derived("hand_occupied", "inhand milk0 robot0") == {"hand_occupied robot0"}
    assert derived("hand_occupied", "inhand milk0 human0") == set()


def test_a_movable_thing_with_something_on_it_is_not_free_and_furniture_always_is():
    found = derived("free", "on apple0 tray0", "on tray0 table0", "in cup0 bowl0")
    assert "free tray0" not in found
    assert {"free table0", "free apple0", "free bowl0", "free milk0", "free robot0"} <= found


def test_what_stands_on_a_place_is_reachable_there_through_stacks_and_not_through_containers():
    found = derived(
        "reachable", "on apple0 tray0", "on tray0 table0", "in milk0 fridge0", "in cup0 bowl0", "on bowl0 shelf0"
    )
    assert {"reachable apple0 table0", "reachable tray0 table0", "reachable bowl0 shelf0"} <= found
    assert {"reachable table0 table0", "reachable human0 human0", "reachable floor0 floor0"} <= found
    assert not [text for text in found if text.split()[1] in {"milk0", "cup0"}]


def test_what_is_two_or_more_levels_above_is_indirectly_on():
    found = derived("indirect_on", "on cup0 plate0", "on plate0 tray0", "on tray0 table0")
    assert found == {"indirect_on cup0 tray0", "indirect_on cup0 table0", "indirect_on plate0 table0"}


def test_facts_that_go_round_in_a_ring_end():
    assert derived("indirect_on", "on plate0 plate1", "on plate1 plate0") == {
        "indirect_on plate0 plate0",
        "indirect_on plate1 plate1",
    }


def test_a_box_is_over_a_slab_of_any_thickness():
    thin = replace(seen().sightings["table0"], surfaces=(Box((0, 0, 0.699), (1, 1, TABLE_TOP)),))
    assert facts(seen(thin, block("milk0", 0.5, 0.5, TABLE_TOP)), "on") == {"on milk0 table0"}


def test_what_lies_on_the_contents_of_a_bowl_alone_is_in_the_bowl():
    small, on_both = (0.04, 0.04, 0.04), [("milk0", "apple0"), ("milk0", "apple1")]
    observation = seen(
        bowl("bowl0", 0.5, 0.5, TABLE_TOP),
        block("apple0", 0.46, 0.5, TABLE_TOP + 0.05, small),
        block("apple1", 0.54, 0.5, TABLE_TOP + 0.05, small),
        block("milk0", 0.5, 0.5, TABLE_TOP + 0.09, (0.05, 0.05, 0.1)),
        contacts=[("bowl0", "apple0"), ("bowl0", "apple1"), *on_both],
    )
    assert "in milk0 bowl0" in facts(observation, "in")
    assert facts(observation, "near") == set()
    on_the_rim = replace(observation, contacts=observation.contacts | {frozenset(("milk0", "bowl0"))})
    assert "in milk0 bowl0" not in facts(on_the_rim, "in")


def test_what_is_wedged_between_the_contents_and_the_rim_of_a_bowl_is_not_in_it():
    small, contacts = (0.06, 0.06, 0.06), [("bowl0", "apple0"), ("bowl0", "milk0"), ("milk0", "apple0")]
    bottoms = {"apple0": TABLE_TOP + 0.01, "milk0": TABLE_TOP + 0.045}
    things = [block(name, 0.47 + 0.06 * (name == "milk0"), 0.5, z, small) for name, z in bottoms.items()]
    observation = seen(bowl("bowl0", 0.5, 0.5, TABLE_TOP), *things, contacts=contacts)
    assert facts(observation, "in") == {"in apple0 bowl0"}


def test_what_stands_on_a_thing_in_a_bowl_is_on_this_thing():
    observation = seen(
        bowl("bowl0", 0.5, 0.5, TABLE_TOP),
        block("plate0", 0.5, 0.5, TABLE_TOP + 0.01, (0.06, 0.06, 0.06)),
        block("apple0", 0.5, 0.5, TABLE_TOP + 0.07, (0.04, 0.04, 0.04)),
        contacts=[("bowl0", "plate0"), ("apple0", "plate0")],
    )
    assert (facts(observation, "in"), facts(observation, "on")) == (
        {"in plate0 bowl0"},
        {"on apple0 plate0", "on bowl0 table0"},
    )


SIZED = {**THINGS, "bowl0": replace(THINGS["bowl0"], size=(0.16, 0.16, 0.07))}


def overturned(observation):
    return {found.args[0] for found in TESTS["overturned"](View(observation, SIZED))}


def test_what_is_turned_from_upright_is_overturned():
    standing = bowl("bowl0", 0.5, 0.5, TABLE_TOP)
    assert overturned(seen(replace(standing, tilt=0.05))) == set()
    assert overturned(seen(replace(standing, tilt=1.57))) == {"bowl0"}
    assert overturned(seen(replace(standing, tilt=3.14))) == {"bowl0"}
    assert overturned(seen(replace(standing, tilt=1.57), held={"robot0": ("bowl0",)})) == set()


def test_without_an_orientation_the_height_tells_whether_a_thing_lies():
    on_its_side = block("bowl0", 0.5, 0.5, TABLE_TOP, (0.16, 0.07, 0.16))
    assert overturned(seen(on_its_side)) == {"bowl0"}
    assert overturned(seen(bowl("bowl0", 0.5, 0.5, TABLE_TOP), block("milk0", 0.2, 0.2, TABLE_TOP))) == set()


@pytest.mark.parametrize(
    ("up", "aside", "found"), [(0.0, 0.0, {"on apple0 tray0", "on tray0 table0"}), (0.1, 0.0, set()), (0.0, 0.5, set())]
)
def test_what_is_hidden_and_holds_up_something_in_view_is_where_it_was(up, aside, found):
    raised = tray("tray0", 0.5, 0.5, TABLE_TOP)
    top = raised.surfaces[0].high[2] if raised.surfaces else raised.box.high[2]
    on_it = block("apple0", 0.5 + aside, 0.5, top + 0.06 + up)
    lifted = replace(raised, box=moved(raised.box), surfaces=tuple(map(moved, raised.surfaces)))
    now = with_hidden_supports(seen(on_it), THINGS, {"tray0": lifted})
    assert ("tray0" in now.sightings) is bool(found)
    assert "on apple0 tray0" in facts(now, "on") or not found


def moved(box):
    return Box((*box.low[:2], box.low[2] + 0.06), (*box.high[:2], box.high[2] + 0.06))


def test_what_is_hidden_under_nothing_stays_out_of_view():
    before = {"tray0": tray("tray0", 0.5, 0.5, TABLE_TOP)}
    observation = seen(block("apple0", 0.2, 0.2, TABLE_TOP))
    assert with_hidden_supports(observation, THINGS, before) is observation
