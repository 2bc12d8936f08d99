"""What a metre, a second and a risk cost, from the settings to the plan and back to the person's units."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from affordances.mapping import Evidence, ObjectAffordances
from bt import Entries
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.memory import Memory
from graftwork.record.episode import Tried
from graftwork.setup.limits import Weights, weights_from
from graftwork.setup.prices import pricing
from robots.fake import FakeRobot
from semantics.body.observation import Observation
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.errors import UnknownNameError, UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, State

DOMAIN = load_domain("kitchen")
SMALL = load_scene(DOMAIN, "small")
WORLD = World.of(SMALL, DOMAIN)
SEEN = FakeRobot(SMALL.layout).observation()
OPEN = Action("open", ("robot0", "fridge0", "fridge0"))


def model(weights, **more):
    return pricing(weights, WORLD, SEEN, **more).model


@pytest.mark.parametrize(
    "said",
    ["per_metre=0.5,risk=3", ["per_metre=0.5", "risk=3"], {"per_metre": 0.5, "risk": 3}, ["per_metre=0.5,risk=3"]],
)
def test_weights_are_read_from_text_and_tables(said):
    assert weights_from(said) == Weights(per_metre=0.5, risk=3.0)


def test_a_weight_that_is_none_is_named_or_refused():
    with pytest.raises(UnknownNameError, match="per_metre"):
        weights_from("per_meter=1")
    with pytest.raises(UsageError, match="not below zero"):
        weights_from("risk=-1")
    for wrong in ("risk", "risk=", 3, {"risk": True}):
        with pytest.raises((TypeError, ValueError)):
            weights_from(wrong)


def test_without_weights_actions_cost_what_the_world_says():
    assert model(Weights()) is None


def test_places_are_where_a_robot_works_at_them_and_the_floor_is_where_it_stood():
    places = model(Weights(per_metre=1)).places
    assert places["fridge0"] == (SEEN.sightings["fridge0"].stand.x, SEEN.sightings["fridge0"].stand.y)
    assert places["floor0"] == (0.0, 0.0)
    assert {"human0", "table0", "sink0"} <= places.keys()
    assert pricing(Weights(per_metre=1), WORLD, Observation()).model.places == {}


def test_no_way_over_the_floor_is_shorter_than_the_straight_one():
    costs = pricing(Weights(per_metre=1), WORLD, SEEN)
    problem = WORLD.problem(State(), costs=costs.model)

    def price(start, end):
        return problem.ground(Action("move", ("robot0", start, end))).cost

    assert price("table0", "shelf0") < price("table0", "floor0") + price("floor0", "shelf0")


def test_durations_are_the_worlds_or_else_measured_and_driving_is_its_distance():
    move = Action("move", ("robot0", "floor0", "fridge0"))
    heat = Action("boil", ("robot0", "kettle0", "water0", "table0"))
    tried = (Tried(OPEN, worked=2, failed=1, seconds=8.0), Tried(move, 3, 0, 9.0), Tried(heat, 1, 0, 99.0))
    durations = model(Weights(per_second=1), tried=tried).durations
    assert (durations["open"], durations["boil"]) == (4.0, 5.0)
    assert "move" not in durations


def test_tries_count_for_the_capability_and_for_actions_of_this_scene():
    elsewhere = Action("open", ("robot0", "fridge9", "fridge9"))
    record = model(
        Weights(risk=1), tried=(Tried(OPEN, 1, 3), Tried(elsewhere, 5, 0), Tried(Action("fly"), 1, 1))
    ).record
    assert record["open"] == (6, 3)
    assert record[OPEN] == (1, 3)
    assert not {elsewhere, "fly"} & record.keys()


def test_what_was_learned_of_a_class_makes_it_surer_and_what_is_said_of_a_thing_is_certain():
    evidence = ObjectAffordances([Evidence.failed("apple", "carry", body="fake") for _ in range(3)])
    sure = model(Weights(risk=1), evidence=evidence).sure
    assert sure["apple0", "carry"] < sure["banana0", "carry"] < 1
    said = replace(SMALL.things["apple0"], gains=frozenset({"carry"}))
    things = {**SMALL.things, "apple0": said}
    assert ("apple0", "carry") not in pricing(
        Weights(risk=1), replace(WORLD, objects=things), SEEN, evidence
    ).model.sure


class Stuck:
    """A motion that fails as often as it is told."""

    def __init__(self, times):
        self.times = times

    def start(self, operator, robot):
        if not self.times:
            return robot.start(operator.command)
        self.times -= 1
        return self

    def poll(self):
        return MotionProgress(MotionStatus.FAILED, 0.0, Feedback(Code.STUCK, "the door", "it does not move"))

    def cancel(self):
        pass


def test_each_try_is_kept_with_its_episode_and_makes_the_next_plan_dearer(tmp_path):
    memory = tmp_path / "memory.sqlite"
    weights = Weights(risk=2)
    with Session(scene="small", robot="fake", memory=memory, weights=weights, skills={"open": Stuck(1)}) as session:
        first = session.handle("open the fridge")
    assert first.outcome is Outcome.ACHIEVED
    (tried,) = (one for one in first.tried if one.action == OPEN)
    assert (tried.worked, tried.failed) == (1, 1)
    assert tried.seconds > 0
    assert tried in Memory(memory).tried("kitchen")
    assert Memory(memory).tried("blocks") == ()
    with Session(scene="small", robot="fake", memory=memory, weights=weights) as session:
        second = session.handle("open the fridge")
    assert second.costs[-1]["risk"] > first.costs[-1]["risk"]
    assert Memory(memory).forget() == 2
    assert Memory(memory).tried("kitchen") == ()


def test_costs_are_told_in_the_persons_units_with_their_parts(tmp_path):
    journal = Entries()
    with Session(
        scene="small", robot="fake", memory=None, weights=Weights(per_metre=0.5, risk=3), journals=(journal,)
    ) as session:
        episode = session.handle("bring me the milk")
    assert len(episode.costs) == len(episode.plan)
    total = sum(sum(shares.values()) for shares in episode.costs)
    assert episode.cost == pytest.approx(total, abs=0.005 * len(episode.plan))  # the planner counts hundredths
    assert {name for name, share in episode.costs[0].items() if share} == {"agent", "distance", "risk"}
    assert journal.of("plan")[0]["cost"] == episode.cost


def test_a_remembered_plan_is_made_anew_where_costs_are_the_persons_own(tmp_path):
    memory = tmp_path / "memory.sqlite"
    with Session(scene="small", robot="fake", memory=memory) as session:
        assert session.handle("open the fridge").outcome is Outcome.ACHIEVED
    with Session(scene="small", robot="fake", memory=memory, weights=Weights(per_metre=1)) as session:
        run = session.start("open the fridge")
        run.wait()
        assert run.recalled
        assert run.plan.planner != "memory"
        assert run.finish().outcome is Outcome.ACHIEVED
    with Session(scene="small", robot="fake", memory=memory) as session:
        run = session.start("open the fridge")
        run.wait()
        assert run.plan.planner == "memory"
        assert not run.plan.optimal  # it was proved cheapest at other costs
        run.cancel()


def test_distance_decides_where_the_world_alone_does_not():
    goal = "(or (on apple0 counter0) (on apple0 shelf0))"
    given = ["plan", "--goal", goal, "--scene", "small", "--search", "optimal"]
    dear = CliRunner().invoke(app, [*given, "--weights", "per_metre=1", "--json"])
    document = json.loads(dear.stdout)
    assert document["optimal"]
    assert document["plan"][-1] == "(place robot0 apple0 counter0)"
    assert document["costs"][0]["distance"] > 0
    told = CliRunner().invoke(app, [*given, "--weights", "per_metre=1"]).stdout
    assert " = 1 agent + " in told


def test_a_misspelt_weight_is_a_usage_error_with_the_nearest_name(tmp_path):
    wrong = CliRunner().invoke(app, ["plan", "open the fridge", "--weights", "riks=1"])
    assert isinstance(wrong.exception, UsageError)
    assert "risk" in str(wrong.exception)
