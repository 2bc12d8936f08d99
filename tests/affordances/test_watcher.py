from dataclasses import replace

import pytest

from affordances.scene import SENSED, TOLD, Scene
from affordances.watcher import Watcher
from domains.model import PredicateModel
from robots.motion import VirtualClock
from semantics.body.observation import HeardFact
from semantics.body.protocols import Beliefs, LocatingBeliefs
from semantics.geometry.geometry import Box, PlanarPose
from semantics.logic.atoms import Literal
from semantics.logic.vocabulary import Predicate
from tests.affordances.room import DOMAIN, FRIDGE, TABLE, TABLE_TOP, atom, block, fridge, scene_file, seen

IN_FRIDGE = atom("in milk0 fridge0")
ON_TABLE = atom("on milk0 table0")
MILK_ON_TABLE = block("milk0", 0.5, 0.5, TABLE_TOP)
MILK_IN_FRIDGE = block("milk0", 3.3, 0.3, 0.4)


class Eyes:
    """A body that only senses: what it is told, one sensing per second."""

    name = "eyes"

    def __init__(self):
        self._latest = seen(number=0)
        self.clock = VirtualClock()

    def show(self, *sightings, **kwargs):
        self._latest = seen(*sightings, number=self._latest.number + 1, **kwargs)
        self.clock.sleep(self._latest.time - self.clock.now())

    def observation(self):
        return self._latest


@pytest.fixture
def eyes():
    return Eyes()


@pytest.fixture
def watcher(eyes):
    return Watcher(eyes, Scene.start(scene_file(beliefs={IN_FRIDGE: "last seen there"}), DOMAIN))


def test_it_is_what_a_tree_asks_for_beliefs(watcher):
    assert isinstance(watcher, Beliefs)


def test_before_the_first_sensing_the_stated_beliefs_hold_and_nothing_is_sensed(watcher):
    assert watcher.refresh() is False
    assert IN_FRIDGE in watcher.state.atoms
    assert watcher.sensed(Literal(IN_FRIDGE)) is None
    assert watcher.sensed(Literal(atom("free milk0"))) is None


def test_the_revision_grows_only_when_the_state_changes(eyes, watcher):
    eyes.show(fridge(0.0))
    assert watcher.refresh() is True
    assert watcher.revision == 1
    assert watcher.refresh() is False
    eyes.show(fridge(0.0))
    assert watcher.refresh() is False
    assert watcher.revision == 1
    eyes.show(FRIDGE)
    assert watcher.refresh() is True
    assert watcher.revision == 2


def test_the_state_is_the_same_object_while_nothing_changes(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    before = watcher.state
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    assert watcher.state is before


def test_a_fact_that_is_seen_is_sensed_true_and_its_opposite_false(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE)) is True
    assert watcher.sensed(Literal(ON_TABLE, False)) is False


def test_a_negative_fact_is_sensed_once_the_thing_is_sensed_elsewhere(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    eyes.show(held={"robot0": ("milk0",)})
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE, False), since=2.0) is True
    assert watcher.sensed(Literal(atom("inhand milk0 robot0")), since=2.0) is True
    assert watcher.sensed(Literal(IN_FRIDGE, False)) is True


def test_a_sensing_before_the_asked_time_does_not_count(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    eyes.show()
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE), since=1.0) is True
    assert watcher.sensed(Literal(ON_TABLE), since=1.5) is None


def test_what_was_last_seen_in_the_fridge_is_still_what_the_last_sensing_showed(eyes, watcher):
    eyes.show(MILK_IN_FRIDGE)
    watcher.refresh()
    eyes.show(fridge(0.0))
    watcher.refresh()
    assert watcher.sensed(Literal(IN_FRIDGE)) is True
    assert watcher.sensed(Literal(IN_FRIDGE), since=2.0) is None
    assert watcher.sensed(Literal(atom("closed fridge0")), since=2.0) is True


def test_a_searched_place_without_the_thing_denies_it(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    eyes.show(searched=["table0"])
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE)) is False
    assert watcher.sensed(Literal(ON_TABLE, False), since=2.0) is True


def test_a_search_that_could_miss_the_thing_neither_shows_nor_denies_it(eyes, watcher):
    small = {"table0": frozenset({"milk0"})}
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    for _ in range(2):
        eyes.show(searched=["table0"], undetectable=small)
        watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE)) is True
    assert watcher.sensed(Literal(ON_TABLE), since=2.0) is None
    eyes.show(searched=["table0"])
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE), since=4.0) is False
    eyes.show(searched=["table0"], undetectable=small)
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE), since=4.0) is False
    assert watcher.sensed(Literal(ON_TABLE), since=5.0) is None


def test_an_empty_hand_is_sensed_without_seeing_what_it_held(eyes, watcher):
    eyes.show(held={"robot0": ("milk0",)})
    watcher.refresh()
    eyes.show()
    watcher.refresh()
    assert watcher.sensed(Literal(atom("inhand milk0 robot0"), False), since=2.0) is True


def test_bookkeeping_follows_the_last_sensing(eyes, watcher):
    eyes.show(held={"robot0": ("milk0",)})
    watcher.refresh()
    assert watcher.sensed(Literal(atom("hand_occupied robot0")), since=1.0) is True
    assert watcher.sensed(Literal(atom("hand_occupied robot0")), since=1.5) is None


def test_what_no_test_can_sense_is_never_sensed(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    assert watcher.sensed(Literal(atom("clean milk0"))) is None


def test_a_stated_belief_that_is_denied_is_kept_for_the_report(eyes, watcher):
    eyes.show(fridge(0.0))
    watcher.refresh()
    assert watcher.contradictions == ()
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    (found,) = watcher.contradictions
    assert found.belief.atom == IN_FRIDGE
    assert found.belief.source == "last seen there"
    assert found.sensed == (ON_TABLE,)
    assert found.time == 2.0


def test_a_belief_denied_by_searching_says_that_nothing_else_was_sensed_of_it(eyes, watcher):
    eyes.show(FRIDGE, searched=["fridge0"])
    watcher.refresh()
    assert [found.sensed for found in watcher.contradictions] == [()]


def test_a_confirmed_belief_is_never_a_contradiction_afterwards(eyes, watcher):
    eyes.show(MILK_IN_FRIDGE)
    watcher.refresh()
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    assert watcher.contradictions == ()


def test_a_thing_is_met_when_it_is_seen_and_when_it_is_only_felt(eyes, watcher):
    assert watcher.met("milk0") is None
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    eyes.show(held={"robot0": ("milk0",)})
    watcher.refresh()
    assert watcher.met("milk0") == 2.0
    eyes.show()
    watcher.refresh()
    assert watcher.met("milk0") == 2.0


def test_what_is_in_view_is_where_it_is_seen(eyes, watcher):
    assert not watcher.sightings
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    assert watcher.sightings["milk0"] is MILK_ON_TABLE
    eyes.show(MILK_IN_FRIDGE)
    watcher.refresh()
    assert watcher.sightings["milk0"] is MILK_IN_FRIDGE
    assert isinstance(watcher, LocatingBeliefs)


def test_what_is_out_of_view_is_where_it_was_seen_last(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    eyes.show()
    watcher.refresh()
    assert watcher.sightings["milk0"] is MILK_ON_TABLE


def test_what_is_not_where_it_was_seen_last_is_nowhere(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    eyes.show(searched=["table0"])
    watcher.refresh()
    assert "milk0" not in watcher.sightings
    assert "table0" in watcher.sightings


def test_what_was_felt_in_a_hand_since_is_not_where_it_was_seen(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    eyes.show(held={"robot0": ("milk0",)})
    watcher.refresh()
    assert "milk0" not in watcher.sightings


def test_an_agent_is_where_it_stands(eyes, watcher):
    eyes.show(pose=PlanarPose(1.0, 2.0))
    watcher.refresh()
    assert watcher.sightings["robot0"].box == Box((1.0, 2.0, 0.0), (1.0, 2.0, 0.0))


def test_what_is_only_said_has_no_place(watcher):
    assert IN_FRIDGE in watcher.state.atoms
    assert "milk0" not in watcher.sightings


def test_what_is_forgotten_is_believed_no_more_until_it_is_sensed_again(eyes, watcher):
    eyes.show(FRIDGE, MILK_ON_TABLE)
    watcher.refresh()
    assert ON_TABLE in watcher.state.atoms
    revision = watcher.revision
    watcher.forget([ON_TABLE])
    assert ON_TABLE not in watcher.state.atoms
    assert watcher.revision == revision + 1
    eyes.show(FRIDGE, MILK_ON_TABLE)
    watcher.refresh()
    assert ON_TABLE in watcher.state.atoms


def test_what_a_skill_tells_does_not_outweigh_what_is_seen(eyes, watcher):
    eyes.show(MILK_ON_TABLE, heard={IN_FRIDGE: HeardFact(True, 0.5), ON_TABLE: HeardFact(False, 0.5)})
    watcher.refresh()
    assert ON_TABLE in watcher.state.atoms
    assert watcher.sensed(Literal(ON_TABLE)) is True
    assert IN_FRIDGE not in watcher.state.atoms


def test_what_a_skill_tells_counts_until_something_looks_and_says_where_it_is_from(eyes, watcher):
    eyes.show(heard={ON_TABLE: HeardFact(True, 0.5), IN_FRIDGE: HeardFact(False, 0.5)})
    watcher.refresh()
    assert watcher.scene.beliefs[ON_TABLE].source == TOLD
    assert watcher.sensed(Literal(ON_TABLE)) is True
    assert watcher.sources([Literal(ON_TABLE), Literal(IN_FRIDGE, False)]) == {
        TOLD: (Literal(IN_FRIDGE, False), Literal(ON_TABLE))
    }
    eyes.show(MILK_IN_FRIDGE, heard={ON_TABLE: HeardFact(True, 0.5), IN_FRIDGE: HeardFact(False, 0.5)})
    watcher.refresh()
    assert ON_TABLE not in watcher.state.atoms
    assert watcher.scene.beliefs[IN_FRIDGE].source == SENSED
    assert watcher.sources([Literal(IN_FRIDGE)]) == {}


def test_a_report_of_the_body_that_its_own_geometry_contradicts_does_not_count(eyes, watcher):
    eyes.show(MILK_ON_TABLE, told={IN_FRIDGE: True, ON_TABLE: False})
    watcher.refresh()
    assert ON_TABLE in watcher.state.atoms
    assert IN_FRIDGE not in watcher.state.atoms
    assert watcher.sensed(Literal(ON_TABLE)) is True
    assert watcher.sensed(Literal(IN_FRIDGE)) is False


def test_what_is_hardly_seen_is_not_seen(eyes, watcher):
    eyes.show(replace(MILK_ON_TABLE, confidence=0.4))
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE)) is None
    assert IN_FRIDGE in watcher.state.atoms


UNSURE_TABLE = replace(TABLE, confidence=0.3)
NEAR = PredicateModel(Predicate("near", ("carry", "object"), "near"), sensed="near")


def test_an_unsure_table_leaves_the_beliefs_about_what_stands_on_it(eyes):
    domain = replace(DOMAIN, predicates={**DOMAIN.predicates, "near": NEAR})
    watcher = Watcher(eyes, Scene.start(scene_file(), domain))
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    before = watcher.scene.beliefs
    eyes.show(MILK_ON_TABLE, UNSURE_TABLE)
    watcher.refresh()
    assert watcher.scene.beliefs[ON_TABLE] == before[ON_TABLE]
    assert not [fact for fact in watcher.state.atoms if fact.predicate == "near"]
    assert watcher.sensed(Literal(ON_TABLE)) is True
    assert watcher.sensed(Literal(ON_TABLE), since=2.0) is None


def test_what_surely_left_an_unsure_table_is_no_longer_on_it(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    watcher.refresh()
    eyes.show(MILK_IN_FRIDGE, UNSURE_TABLE)
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE)) is False
    assert watcher.sensed(Literal(IN_FRIDGE)) is True


def test_a_world_says_how_sure_a_sighting_has_to_be(eyes):
    watcher = Watcher(eyes, Scene.start(scene_file(), replace(DOMAIN, least_confidence=0.2)))
    eyes.show(replace(MILK_ON_TABLE, confidence=0.3))
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE)) is True


def test_an_old_observation_is_no_sensing(eyes, watcher):
    eyes.show(MILK_ON_TABLE)
    eyes.clock.sleep(1.5)
    assert watcher.refresh() is False
    assert watcher.sensed(Literal(ON_TABLE)) is None
