"""How sure a belief is by now, and what is done with one that has faded."""

from dataclasses import replace
from math import inf

import pytest

from affordances.confidence import doubts, half_life, present_confidence, time_ago
from affordances.scene import Belief, Scene, inventory
from affordances.watcher import REVIEW_SECONDS, Watcher
from domains.model import PredicateModel
from graftwork.cli.scene import in_words
from robots.motion import VirtualClock
from semantics.body.observation import HeardFact
from semantics.logic.atoms import Literal
from semantics.logic.vocabulary import Predicate
from tests.affordances.room import DOMAIN, TABLE_TOP, THINGS, atom, block, scene_file, seen

ON_TABLE = atom("on milk0 table0")
IN_FRIDGE = atom("in milk0 fridge0")
MILK = block("milk0", 0.5, 0.5, TABLE_TOP)
HOUR = 3600.0


class Eyes:
    """A body that only senses, at times that the test chooses."""

    name = "eyes"

    def __init__(self):
        self._latest = seen(number=0)
        self.clock = VirtualClock()

    def show(self, *sightings, after=1.0, **kwargs):
        self.clock.sleep(after)
        self._latest = replace(seen(*sightings, number=self._latest.number + 1, **kwargs), time=self.clock.now())

    def observation(self):
        return self._latest


@pytest.fixture
def eyes():
    return Eyes()


def watching(eyes, *shown, domain=DOMAIN, **stated):
    """Return a watcher that has sensed what is shown first."""
    watcher = Watcher(eyes, Scene.start(scene_file(**stated), domain))
    eyes.show(*shown)
    watcher.refresh()
    return watcher


def placed(watcher):
    """Return the facts that say where the milk is, also those that follow from others."""
    return [fact for fact in watcher.state.atoms if fact.args[0] == "milk0" and len(fact.args) > 1]


def test_furniture_never_fades_and_what_is_carried_fades_as_its_class_or_kinds_say():
    domain = replace(DOMAIN, moves_every={"cup": 600.0, "drink": 1200.0, "food": 900.0, "fridge": 60.0, "plate": inf})
    milk = replace(THINGS["milk0"], kinds=frozenset({"drink", "food"}))
    assert half_life(THINGS["fridge0"], domain) == inf
    assert half_life(THINGS["cup0"], domain) == 600.0
    assert half_life(replace(THINGS["cup0"], kinds=frozenset({"food"})), domain) == 600.0
    assert half_life(milk, domain) == 900.0
    assert half_life(THINGS["plate0"], domain) == inf
    assert half_life(THINGS["apple0"], domain) == HOUR
    assert half_life(THINGS["human0"], domain) < HOUR


def test_confidence_halves_with_each_time_from_what_it_was_when_sensed():
    apple, belief = THINGS["apple0"], Belief(atom("on apple0 table0"), "sensed", 1.0, 10.0, 0.8)
    assert present_confidence(belief, apple, DOMAIN, 10.0) == 0.8
    assert present_confidence(belief, apple, DOMAIN, 10.0 + HOUR) == pytest.approx(0.4)
    assert present_confidence(belief, apple, DOMAIN, 10.0 + 2 * HOUR) == pytest.approx(0.2)


def test_what_was_never_sensed_fades_from_when_it_was_told_and_what_a_thing_is_like_does_not():
    apple = THINGS["apple0"]
    told = Belief(atom("on apple0 table0"), "told", HOUR)
    assert present_confidence(told, apple, DOMAIN, 2 * HOUR) == pytest.approx(0.5)
    assert present_confidence(Belief(atom("chopped apple0"), "sensed", 0.0, 0.0), apple, DOMAIN, 9 * HOUR) == 1.0


def test_what_was_seen_too_long_ago_is_kept_in_mind_and_not_relied_on(eyes):
    watcher = watching(eyes, MILK)
    eyes.show(after=HOUR / 2)
    assert watcher.refresh() is False
    assert ON_TABLE in watcher.state.atoms
    eyes.show(after=HOUR)
    before = watcher.revision
    assert watcher.refresh() is True
    assert watcher.revision == before + 1
    assert placed(watcher) == []
    assert watcher.sensed(Literal(ON_TABLE)) is None
    assert watcher.sensed(Literal(ON_TABLE, False)) is None
    assert watcher.scene.faded[ON_TABLE].seen == 1.0
    assert watcher.last_place("milk0") == (ON_TABLE, 1.0)
    assert watcher.contradictions == ()


@pytest.mark.parametrize("shown", [(MILK,), (block("milk0", 3.3, 0.3, 0.4),)])
def test_what_has_faded_is_known_again_when_the_thing_is_seen(eyes, shown):
    watcher = watching(eyes, MILK)
    eyes.show(after=2 * HOUR)
    watcher.refresh()
    eyes.show(*shown)
    assert watcher.refresh() is True
    assert not watcher.scene.faded
    assert watcher.sensed(Literal(ON_TABLE)) is (shown == (MILK,))


def test_what_has_faded_ends_when_its_place_is_seen_without_it(eyes):
    watcher = watching(eyes, MILK)
    eyes.show(after=2 * HOUR)
    watcher.refresh()
    eyes.show(searched={"table0"})
    watcher.refresh()
    assert not watcher.scene.faded
    assert watcher.sensed(Literal(ON_TABLE)) is False


def test_a_statement_of_the_scene_fades_too_and_furniture_does_not(eyes):
    watcher = watching(eyes, beliefs={IN_FRIDGE: "last seen there"})
    assert IN_FRIDGE in watcher.state.atoms
    eyes.show(after=2 * HOUR)
    watcher.refresh()
    assert IN_FRIDGE not in watcher.state.atoms
    assert IN_FRIDGE in watcher.scene.faded
    assert atom("opened fridge0") in watcher.state.atoms


def test_how_sure_a_world_asks_for_and_how_sure_it_was_seen_count(eyes):
    sure = watching(eyes, replace(MILK, confidence=0.9), domain=replace(DOMAIN, least_confidence=0.85))
    eyes.show(after=HOUR / 4)
    sure.refresh()
    assert ON_TABLE not in sure.state.atoms


def test_what_is_in_view_stays_as_sure_as_it_is_seen(eyes):
    watcher = watching(eyes, MILK)
    for _ in range(5):
        eyes.show(MILK, after=HOUR)
        watcher.refresh()
    assert ON_TABLE in watcher.state.atoms
    assert doubts(watcher.scene.beliefs, watcher.world, watcher.scene.time) == {}


def test_doubts_are_told_in_steps_and_not_of_what_is_sure(eyes):
    watcher = watching(eyes, MILK, block("apple0", 0.2, 0.2, TABLE_TOP))
    eyes.show(block("apple0", 0.2, 0.2, TABLE_TOP), after=HOUR / 2)
    watcher.refresh()
    assert doubts(watcher.scene.beliefs, watcher.world, watcher.scene.time) == {ON_TABLE: 0.7}


def test_recalled_beliefs_are_judged_at_once(eyes):
    watcher = watching(eyes)
    eyes.show(after=REVIEW_SECONDS / 2)
    watcher.refresh()
    watcher.recall({ON_TABLE: Belief(ON_TABLE, "sensed", -2 * HOUR, -2 * HOUR)})
    assert ON_TABLE not in watcher.state.atoms
    assert ON_TABLE in watcher.scene.faded


def test_the_inventory_tells_how_sure_it_is_by_now(eyes):
    watcher = watching(eyes, MILK)
    eyes.show(after=2 * HOUR)
    watcher.refresh()
    (row,) = [row for row in inventory(watcher.scene) if row.thing.name == "milk0"]
    (relation,) = row.as_dict(watcher.scene.time)["relations"]
    assert (relation["fact"], relation["confidence"], relation["confidence_now"]) == (str(ON_TABLE), 1.0, 0.25)
    assert "confidence 1.00, by now 0.25" in in_words(row, watcher.scene.time, {})


def test_what_is_seen_too_unsurely_can_be_named_and_nothing_of_it_is_sensed(eyes):
    chopped = atom("chopped milk0")
    told = PredicateModel(Predicate("chopped", ("carry",), "chopped"), told=True)
    domain = replace(DOMAIN, predicates={**DOMAIN.predicates, "chopped": told})
    watcher = watching(eyes, domain=domain)
    eyes.show(replace(MILK, confidence=0.49), told={chopped: True})
    watcher.refresh()
    assert "milk0" in watcher.world.objects
    assert placed(watcher) == []
    assert chopped not in watcher.state.atoms
    for fact in (ON_TABLE, chopped, atom("reachable milk0 table0")):
        assert watcher.sensed(Literal(fact)) is not True
    assert (watcher.met("milk0"), watcher.sightings.keys() & {"milk0"}) == (None, set())
    eyes.show(replace(MILK, confidence=0.5), told={chopped: True})
    watcher.refresh()
    assert watcher.sensed(Literal(ON_TABLE)) is watcher.sensed(Literal(chopped)) is True
    assert watcher.scene.beliefs[chopped].confidence == watcher.scene.beliefs[ON_TABLE].confidence == 0.5


def test_what_a_skill_says_of_an_unsure_thing_is_told_and_not_sensed(eyes):
    watcher = watching(eyes)
    eyes.show(replace(MILK, confidence=0.3), heard={IN_FRIDGE: HeardFact(True, 2.0)})
    watcher.refresh()
    assert watcher.scene.beliefs[IN_FRIDGE].source == "told"
    assert watcher.scene.beliefs[IN_FRIDGE].seen is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (20, "20 seconds ago"),
        (60, "a minute ago"),
        (240, "four minutes ago"),
        (13 * 60, "13 minutes ago"),
        (3600, "an hour ago"),
        (7500, "two hours ago"),
        (86400, "a day ago"),
        (20 * 86400, "20 days ago"),
    ],
)
def test_a_time_is_told_in_words(seconds, words):
    assert time_ago(seconds) == words
