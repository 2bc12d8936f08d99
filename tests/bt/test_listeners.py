from itertools import pairwise

from bt import Replan, Runner, pursue
from bt.listeners import Watch
from bt.record import Journals, Recorder, read_record
from bt.runner import Ending
from semantics.body.observation import AgentView, Observation, Sighting
from semantics.geometry.geometry import Box, PlanarPose
from semantics.logic.feedback import Code
from tests.bt.recovery.test_recover import FETCH, SLIPPED
from tests.bt.toy import MILK, START, ToyBeliefs, ToyRobot


def recorded(tmp_path, prepare=lambda robot: None, limit=60, camera=None):
    robot = ToyRobot((*MILK.steps, *FETCH.steps))
    prepare(robot)
    beliefs = ToyBeliefs(robot)
    with Recorder(tmp_path) as recorder:
        root = pursue(
            MILK, [Replan(lambda request: FETCH)], beliefs=beliefs, robot=robot, journal=Journals((recorder,))
        )
        end = Runner(
            root, robot, beliefs, listeners=[Watch(recorder, keep_picture=recorder.picture, camera=camera)]
        ).run(limit)
    return end, read_record(tmp_path)


def of(events, kind):
    return [event for event in events if event["e"] == kind]


def moved(robot):
    robot.at(2.5, ["on milk0 table0"], ["in milk0 fridge0"])
    robot.failures["take_out"] = [SLIPPED]


def nodes(tree):
    yield tree
    for child in tree["children"]:
        yield from nodes(child)


def test_statuses_in_the_record_add_up_to_those_of_the_tree(tmp_path):
    end, events = recorded(tmp_path)
    assert end.status is Ending.SUCCESS
    (tree,) = of(events, "tree")
    named = {node["id"]: node for node in nodes(tree["root"])}
    final = {}
    for tick in of(events, "tick"):
        final |= tick.get("status", {})
    assert set(final) == set(named)
    assert set(final.values()) == {"success"}
    kinds = [node["kind"] for node in named.values()]
    assert kinds[:4] == ["goal", "recover", "execute", "step"]
    assert {"condition", "act", "effect"} <= set(kinds)


def test_only_changes_are_written(tmp_path):
    end, events = recorded(tmp_path)
    ticks = of(events, "tick")
    assert [tick["n"] for tick in ticks] == list(range(1, end.ticks + 1))
    assert sum("status" in tick for tick in ticks) < len(ticks) / 2
    assert [tick["resume"] for tick in ticks if "resume" in tick] == [0, 1, 2, 3, 4, 5]


def test_facts_in_the_record_add_up_to_what_is_believed(tmp_path):
    _, events = recorded(tmp_path)
    facts = set()
    for tick in of(events, "tick"):
        change = tick.get("facts", {"+": [], "-": []})
        facts = (facts - set(change["-"])) | set(change["+"])
    state = START
    for step in MILK.steps:
        state = (state - step.deleted) | step.added
    assert facts == set(map(str, state))


def test_a_new_tree_is_sent_again_with_the_old_ids_for_the_nodes_that_stay(tmp_path):
    _, events = recorded(tmp_path, moved)
    first, second = of(events, "tree")
    old, new = [{node["id"]: node["name"] for node in nodes(tree["root"])} for tree in (first, second)]
    assert [node["id"] for node in list(nodes(second["root"]))[:2]] == ["n1", "n2"]
    assert len(old.keys() & new.keys()) == 2
    assert [event["why"] for event in of(events, "plan")] == ["replan"]
    assert of(events, "feedback")[0]["feedback"]["code"] == "not-grasped"
    assert [event["solved"] for event in of(events, "rung")] == [True]


def test_every_jump_of_the_resume_point_is_in_the_record(tmp_path):
    _, events = recorded(tmp_path, lambda robot: robot.at(2.5, ["closed fridge0"], ["opened fridge0"]))
    assert (2, 1) in [(event["from"], event["to"]) for event in of(events, "resume")]


def test_an_end_from_outside_is_told(tmp_path):
    _, events = recorded(tmp_path, limit=1.0)
    assert of(events, "feedback")[-1]["feedback"]["code"] == str(Code.TIMEOUT)


def test_what_is_seen_is_written_when_it_changes(tmp_path):
    def prepare(robot):
        fridge = Sighting("fridge0", Box((0, 0, 0), (1, 1.00049, 2)), opening=0.5)
        held = AgentView(PlanarPose(1, 2, 0.5), ("milk0",))
        robot.observation = lambda: Observation(
            0.0, 1 + int(robot.clock.now()), {"fridge0": fridge}, agents={"robot0": held}
        )

    _, events = recorded(tmp_path, prepare)
    (view,) = of(events, "view")
    assert view["things"] == {"fridge0": [0, 0, 0, 1, 1.0, 2]}
    assert (view["robot"], view["held"], view["doors"]) == ([1, 2, 0.5], ["milk0"], {"fridge0": 0.5})


def test_views_are_thinned_out_but_the_last_one_is_there(tmp_path):
    def prepare(robot):
        def observation():
            pose = PlanarPose(robot.clock.now(), 0.0)
            return Observation(robot.clock.now(), 1 + round(robot.clock.now() * 20), agents={"robot0": AgentView(pose)})

        robot.observation = observation

    end, events = recorded(tmp_path, prepare, limit=1.0)
    views = of(events, "view")
    assert 10 <= len(views) <= 12
    assert views[-1]["robot"] == [end.seconds, 0, 0]


def test_pictures_come_at_their_period_and_at_the_end(tmp_path):
    end, events = recorded(tmp_path, camera=lambda: b"png")
    times = [event["t"] for event in of(events, "picture")]
    assert len(times) >= end.seconds / 2.0
    assert max(after - before for before, after in pairwise([0.0, *times, end.seconds])) <= 2.06


def test_each_end_of_a_step_has_its_picture(tmp_path):
    _, events = recorded(tmp_path, camera=lambda: b"png")
    steps = {node["id"] for tree in of(events, "tree") for node in nodes(tree["root"]) if node["kind"] == "step"}
    ended = [
        event["t"]
        for event in of(events, "tick")
        for name, status in event.get("status", {}).items()
        if name in steps and status in ("success", "failure")
    ]
    assert ended
    assert set(ended) <= {event["t"] for event in of(events, "picture")}


def test_a_camera_without_a_picture_is_no_trouble(tmp_path):
    end, events = recorded(tmp_path, camera=lambda: None)
    assert end.status is Ending.SUCCESS
    assert of(events, "picture") == []
