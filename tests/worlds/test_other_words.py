"""In a kitchen whose words are all different, whatever works by convention works as in the kitchen."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from affordances.scene import Scene
from bt import Entries
from domains.conventions import CONVENTIONS, STANDARD
from domains.model import Domain
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from domains.repairs import Spending
from domains.world import World
from graftwork import Limits, Outcome, Session
from graftwork.checks import check_paths
from graftwork.setup.limits import Weights
from graftwork.setup.plans import alike
from graftwork.setup.prices import pricing
from planning.reasons import explain
from planning.relevance import relevant
from robots.fake import FakeRobot, InjectedFault
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code
from tests.affordances.room import whereabouts
from tests.graftwork.upper import errands, scene as cupboard_scene, take_away
from tests.worlds.otherwords import CONVENTIONAL, PREDICATES, in_kitchen_words, scene_text, written

IN_CUPBOARD = ("milk0: {class: milk, in: fridge0", "milk0: {class: milk, in: cupboard0")
WALL_CLOCK = ("seconds", "wall", "date", "clock", "took")
PART = re.compile(r"\([^()]*\)|[^\s()\[\]{},]+")
"""A fact or an action, else a word."""


@pytest.fixture(scope="module")
def cuisine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("cuisine"))


@pytest.fixture(scope="module")
def other(cuisine: Path) -> Domain:
    return load_domain(cuisine)


@pytest.fixture(scope="module")
def kitchen() -> Domain:
    return load_domain("kitchen")


def told(journal: Entries) -> list[list[str]]:
    """Return what a run told, in the words of the kitchen: of each event its parts, in an order that no word changes.

    What the wall clock did is left out, and so is the start, which names the files of the world.
    """
    texts = (json.dumps(_still(event), default=str) for event in journal.events if event["e"] != "start")
    return [sorted(PART.findall(in_kitchen_words(text))) for text in texts]


def _still(value: object) -> object:
    if isinstance(value, dict):
        return {key: _still(one) for key, one in value.items() if not any(word in key for word in WALL_CLOCK)}
    return [_still(one) for one in value] if isinstance(value, list | tuple) else value


def conduct(domain: str, scene: str, sentence: str, *faults: InjectedFault, gone: str = "", **given) -> tuple:
    """Carry a sentence out on the fake body; return the episode, what was told, and the journal."""
    journal = Entries()
    limits = Limits(ladder=given.pop("ladder", {}))
    given = {"robot": "fake", "memory": None, "limits": limits, "journals": (journal,), **given}
    with Session(domain=domain, scene=scene, **given) as session:
        for fault in faults:
            session.environment.robot.add_fault(fault)
        if gone:
            take_away(session, gone)
        episode = session.handle(sentence)
    return episode, journal


def both(cuisine: Path, sentence: str, *faults: InjectedFault, text: str = "", **given) -> Iterator[tuple]:
    """Carry a sentence out in both worlds."""
    yield conduct("kitchen", text or "small", sentence, *faults, **given)
    scene = "small" if not text else str(scene_text(cuisine, Path(text).read_text(encoding="utf-8"), "room"))
    yield conduct(str(cuisine), scene, sentence, *faults, **given)


def test_every_word_is_another_one(other: Domain):
    assert other.conventions == STANDARD.with_names({**CONVENTIONAL, "hand": "", "part_of": ""})
    names = {*other.affordances, *other.predicates, *other.classes}
    assert not names & CONVENTIONS.keys()
    assert set(CONVENTIONAL.values()) <= names


def test_no_check_has_a_note_and_nothing_of_the_conventions_is_wrong(cuisine: Path):
    report = check_paths([str(cuisine / "domain.yaml")])
    assert report.notes == ()
    assert report.errors == 0


@pytest.mark.parametrize(
    "sentence",
    [
        "bring me the milk",
        "put the apple on the shelf",
        "put the apple in the fridge and close it",
        "throw the banana away",
        "open the fridge for me",
        "go to the sink",
        "take the cup off the table",
    ],
)
def test_a_sentence_is_carried_out_in_the_same_way(cuisine: Path, sentence: str):
    (expected, one), (episode, two) = both(cuisine, sentence)
    assert (expected.outcome, episode.outcome) == (Outcome.ACHIEVED, Outcome.ACHIEVED)
    assert told(two) == told(one)


def test_planning_leaves_out_the_same_things(kitchen: Domain, other: Domain):
    found = []
    for domain in (kitchen, other):
        scene = load_scene(domain, "small")
        state = Scene.as_written(scene, domain).state
        goal = frozenset({Literal(Atom(domain.conventions.inhand, ("milk0", "human0")))})
        found.append(set(map(in_kitchen_words, relevant(Problem(domain, scene.things, state, (goal,))).things)))
    assert found[0] == found[1]
    assert "milk0" in found[0]
    assert "apple0" not in found[0]


def test_what_is_nowhere_is_told_with_the_same_reason(kitchen: Domain, other: Domain):
    reasons = []
    for domain in (kitchen, other):
        scene = load_scene(domain, "small")
        state = Scene.as_written(scene, domain).state
        lost = state.with_atoms(deleted=[atom for atom in state.atoms if "apple0" in atom.args])
        goal = frozenset({Literal(Atom(domain.conventions.inhand, ("apple0", "robot0")))})
        reasons.append(explain(Problem(domain, scene.things, lost, (goal,))))
    assert [(one.kind, one.what, one.why) for one in reasons[:1]] == [
        (one.kind, one.what, one.why) for one in reasons[1:]
    ]
    assert reasons[0].feedback.code is Code.WHEREABOUTS_UNKNOWN


def test_what_is_not_where_it_was_believed_is_looked_for_at_the_same_places(cuisine: Path, tmp_path: Path):
    text = cupboard_scene(tmp_path, IN_CUPBOARD)
    (expected, one), (episode, two) = both(cuisine, "bring me the milk", text=text)
    assert (expected.outcome, episode.outcome) == (Outcome.ACHIEVED, Outcome.ACHIEVED)
    assert told(two) == told(one)
    assert errands(two) == errands(one) == ["cupboard0"]


def test_what_is_nowhere_is_looked_for_at_every_place_once(cuisine: Path, tmp_path: Path):
    text, never = cupboard_scene(tmp_path), {"substitute": "never", "part": "never"}
    (expected, one), (episode, two) = both(cuisine, "bring me the milk", text=text, gone="milk0", **never)
    assert (expected.outcome, episode.outcome) == (Outcome.FAILED, Outcome.FAILED)
    assert told(two) == told(one)
    assert in_kitchen_words(episode.message) == expected.message
    assert errands(two) == errands(one) == ["cupboard0"]


def test_a_rule_parks_what_stands_in_the_way_at_the_nearest_place(cuisine: Path):
    fault = {"code": Code.OBSTRUCTED, "primitive": "pick", "roles": {"object": "apple0"}, "culprits": ("cup0",)}
    faults = [
        InjectedFault(fault["code"], fault["primitive"], fault["roles"], culprits=fault["culprits"]) for _ in range(2)
    ]
    expected, one = conduct("kitchen", "small", "put the apple on the shelf", faults[0])
    episode, two = conduct(str(cuisine), "small", "put the apple on the shelf", faults[1])
    assert (expected.outcome, episode.outcome) == (Outcome.ACHIEVED, Outcome.ACHIEVED)
    assert told(two) == told(one)
    (parked,) = (step for step in two.of("plan")[1]["steps"] if step.startswith("(place robot0 cup0"))
    assert parked == "(place robot0 cup0 counter0)"  # the nearest piece of furniture, and not the ground
    assert [event["why"] for event in two.of("plan")] == [event["why"] for event in one.of("plan")] == ["first", "rule"]


def test_what_cannot_be_had_is_replaced_and_the_rest_is_gone_for(cuisine: Path, tmp_path: Path):
    text = cupboard_scene(tmp_path)
    sentence, allowed = "put the apple on the shelf and bring me the milk", {"substitute": "allow", "part": "allow"}
    (expected, one), (episode, two) = both(cuisine, sentence, text=text, gone="milk0", **allowed)
    assert told(two) == told(one)
    assert in_kitchen_words(episode.message) == expected.message
    turns = [[in_kitchen_words(str(event["said"])) for event in journal.of("turn")] for journal in (one, two)]
    assert turns[0] == turns[1]
    assert turns[0]


def test_a_run_of_which_a_motion_fails_is_told_in_the_same_way(cuisine: Path):
    ladder = {"rule": None, "replan": Spending(tries=1)}
    runs = [
        conduct(
            world,
            "small",
            "bring me the milk",
            *(InjectedFault(Code.NOT_GRASPED, "pick") for _ in range(4)),
            ladder=ladder,
        )
        for world in ("kitchen", str(cuisine))
    ]
    assert [in_kitchen_words(one.message) for one, _ in runs] == [runs[0][0].message] * 2


def test_alike_robots_share_the_work(kitchen: Domain, other: Domain):
    for domain in (kitchen, other):
        robot, scene = domain.conventions.robot, load_scene(domain, "small")
        things = {**scene.things, "robot1": domain.thing("robot1", robot)}
        assert tuple(alike(domain, things)) == (("robot0", "robot1"),)


def test_ways_cost_the_same(kitchen: Domain, other: Domain):
    models = []
    for domain in (kitchen, other):
        scene = load_scene(domain, "small")
        seen = FakeRobot(scene.arrangement).observation()
        model = pricing(Weights(per_metre=1.0), World.of(scene, domain), seen).model
        assert model is not None
        models.append({in_kitchen_words(name): place for name, place in model.places.items()})
    assert models[0] == models[1]
    assert "floor0" in models[0]


def test_a_belief_gives_way_to_what_is_sensed_of_the_same_thing(other: Domain):
    scene = load_scene(other, "small")
    believed = Scene.start(scene, other)
    assert whereabouts(believed, "milk0", other.conventions).atom == Atom(PREDICATES["in"], ("milk0", "fridge0"))
    seen = believed.updated(FakeRobot(scene.arrangement).observation())
    assert whereabouts(seen, "apple0", other.conventions).atom == Atom(PREDICATES["on"], ("apple0", "table0"))
    assert Atom(PREDICATES["closed"], ("fridge0",)) in seen.beliefs
    assert {atom.predicate for atom in seen.beliefs} <= other.predicates.keys()


class _TwoAtOnce(FakeRobot):
    """A body that tells what a step keeps busy of it."""

    def __init__(self) -> None:
        super().__init__(load_scene(load_domain("kitchen"), "small").arrangement)

    def occupies(self, command):
        return frozenset({command.agent})
