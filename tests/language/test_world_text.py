"""How a prompt names the things of a scene and what it says of them."""

from dataclasses import replace

from hypothesis import given, strategies as st

from affordances.scene import Belief, Scene, Seen
from benchmarks.words.prompt_size import names_in, request_among
from domains.reader import load_domain, load_scene
from graftwork.language.prompts import PromptRequest, opening_messages
from graftwork.language.world_text import LONGEST_LISTING, MOST_DETAILS, short_names
from semantics.geometry.geometry import Box
from semantics.logic.atoms import Atom
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

KITCHEN = load_domain("kitchen")


def things(*names, class_name=""):
    return {name: Thing(name, class_name or name.rstrip("0123456789"), frozenset()) for name in names}


def short(*names, class_name=""):
    return short_names(names, things(*names, class_name=class_name))


def told(asked):
    return opening_messages(asked, ("goal",))[1].content.splitlines()


def kitchen(scene="full", words="tidy up"):
    believed = Scene.as_written(load_scene(KITCHEN, scene), KITCHEN)
    return PromptRequest(words, believed.world, believed.state)


def test_names_that_differ_in_their_number_are_one():
    assert short("cup3", "cup1", "cup2", "cup10", "mug0") == "cup1-3,10 mug0"


def test_a_name_without_a_number_or_with_zeros_before_it_stands_by_itself():
    assert short("cup", "cup1", class_name="cup") == "cup cup1"
    assert short("cup01", "cup1", class_name="cup") == "cup01 cup1"


def test_a_name_that_does_not_tell_the_class_has_it_beside():
    assert short("left_hand", "right_hand", class_name="hand") == "left_hand right_hand"
    assert short("thimble", class_name="glass") == "thimble(glass)"
    assert short("t1", "t2", class_name="glass") == "t1-2(glass)"


def test_things_of_one_name_and_several_classes_stay_apart():
    both = {**things("thing0", "thing1", class_name="mug"), **things("thing2", class_name="pan")}
    assert short_names(both, both) == "thing0-1(mug) thing2(pan)"


@given(st.sets(st.tuples(st.sampled_from(["cup", "water_bottle", "b-c"]), st.integers(0, 40)), max_size=30))
def test_no_name_is_lost_or_won_in_ranges(pairs):
    names = {f"{stem}{number}" for stem, number in pairs}
    text = short(*names)
    assert sorted(names_in(text)) == sorted(names)


def test_each_thing_stands_once_at_its_place():
    listing = "\n".join(told(kitchen())).partition("More about")[0].partition("\n")[2]
    for name in ("apple0", "can1", "mug0", "tray0", "spoon0"):
        assert list(names_in(listing)).count(name) == 1


def test_numbers_are_told_where_things_of_a_class_differ_in_them():
    asked = kitchen()
    can1 = replace(asked.world.objects["can1"], attributes=(("colour", "grey"), ("height", 14.0)))
    lines = told(replace(asked, words="the bigger can", world=asked.world.with_objects(can1)))
    assert "can0: grey steel size 10cm height 10cm weight 400g" in lines
    assert "can1: grey height 14cm" in lines


def test_numbers_are_not_told_where_things_of_a_class_are_alike_in_them():
    lines = told(kitchen(words="the mugs"))
    assert "mug0: green porcelain" in lines
    assert "mug1: red porcelain" in lines


def test_a_number_that_is_as_by_default_is_not_told():
    asked = kitchen()
    wiped = {Atom("wiped", ("table0",)): 80.0, Atom("wiped", ("counter0",)): 0.0}
    lines = told(replace(asked, words="the table, the counter", state=State(asked.state.atoms, wiped)))
    assert "table0: brown wood wiped 80%" in lines
    assert "counter0: white stone" in lines


def test_details_are_told_of_a_bounded_number_of_things():
    lines = told(request_among(300, "bring me an apple"))
    details = lines[lines.index("More about some:") + 1 :]
    details = details[: next(index for index, line in enumerate(details) if ":" not in line)]
    assert len(details) == MOST_DETAILS
    assert details[0] == "apple0: red"


def test_what_a_request_is_about_has_its_place_where_not_all_have_room():
    asked = request_among(1000, "bring me an apple")
    listing = "\n".join(told(asked)).partition("More about")[0]
    placed, _ = listing.split("elsewhere, to be looked up")
    apples = {name for name, thing in asked.world.objects.items() if thing.class_name == "apple"}
    assert apples <= {*names_in(placed)}
    assert {*names_in(listing)} >= asked.world.objects.keys()
    assert len(listing) < LONGEST_LISTING + 500


def test_what_a_body_tells_of_a_value_is_told():
    asked = kitchen()
    lines = told(replace(asked, state=asked.state.with_atoms([Atom("colour", ("cup0", "green"))])))
    assert "colour green: cup0" in lines


def test_relations_are_told_between_things_that_the_request_is_about_alone():
    asked = kitchen(words="the fork and the cup")
    near = [Atom("left_of", ("fork0", "cup0")), Atom("left_of", ("detergent0", "trash0"))]
    lines = told(replace(asked, state=asked.state.with_atoms(near)))
    assert "left_of cup0: fork0" in lines
    assert not any("left_of trash0" in line for line in lines)


def test_what_follows_from_other_facts_is_not_told():
    assert not any(line.startswith(("reachable", "free", "filled")) for line in told(kitchen()))


def test_what_a_person_calls_it_stands_beside_a_thing():
    assert 'can0: "soup" grey steel' in told(kitchen(words="some soup, please"))
    assert "can0: grey steel" in told(kitchen(words="a can of beans"))


def test_a_thing_of_which_nothing_but_its_lid_is_believed_is_nowhere():
    asked = kitchen()
    facts = {fact for fact in asked.state.atoms if fact != Atom("on", ("water_bottle0", "shelf0"))}
    assert "nobody knows where: water_bottle0" in told(replace(asked, state=State(frozenset(facts))))


def test_where_a_thing_was_seen_is_not_told_once_something_else_is_believed_of_it():
    asked = kitchen("small", "the cup and the mug")
    held = asked.state.with_atoms([Atom("inhand", ("cup0", "robot0"))], [Atom("on", ("cup0", "table0"))])
    beliefs = {fact: Belief(fact, "sensed", 0.0, 9.0 if fact.args[0] == "cup0" else 5.0) for fact in held.atoms}
    seen = {name: Seen(Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), 5.0) for name in ("cup0", "mug0")}
    lines = told(replace(asked, state=held, believed=Scene(asked.world, beliefs, 9.0, 1, seen)))
    assert "cup0: blue porcelain" in lines
    assert "mug0: green porcelain (0.5 0.5 0.5) 4s ago" in lines
