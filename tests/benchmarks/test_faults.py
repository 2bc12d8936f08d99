from dataclasses import replace
from random import Random

import pytest
from rich.console import Console

from benchmarks.faults.judging import RoomJudge, StateJudge
from benchmarks.faults.models import CARRYING, ModelHands
from benchmarks.faults.runs import WORLDS, Job, Row, conduct, jobs
from benchmarks.faults.suite import misses, run_all, table_of, told
from benchmarks.mishaps import MishapKind
from domains.reader import load_domain, load_scene
from graftwork.setup.model_body import symbolic_robot
from robots.fake import FakeRobot
from semantics.logic.atoms import Atom, Literal

CHANCES = dict.fromkeys(MishapKind, 0.2)
SCENES = [
    ("blocks", "sussman"),
    ("blocks", "towers"),
    ("tabletop", "four"),
    ("tabletop", "tower"),
    ("barman", "counter"),
    ("pizza", "corner"),
]
CHANGING = (MishapKind.DROPPED, MishapKind.MOVED, MishapKind.SHUT, MishapKind.OCCUPIED)


@pytest.fixture(scope="module")
def given():
    return jobs(15)


@pytest.fixture(scope="module")
def rows(given):
    return run_all(given[:12], lambda job: conduct(job, CHANCES), workers=1)


def test_twelve_runs_of_all_worlds_reach_their_goals_although_things_go_wrong(rows):
    assert {row.job.world for row in rows} == set(WORLDS)
    assert [told(row) for row in rows if row.verdict != "achieved"] == []
    assert sum(len(row.happened) for row in rows) >= 24
    assert {one.kind for row in rows for one in row.happened} >= {
        MishapKind.MOVED,
        MishapKind.BLIND,
        MishapKind.REFUSED,
    }


def test_one_seed_gives_one_run(rows):
    again = conduct(rows[2].job, CHANCES)
    assert again == replace(rows[2], wall=again.wall)


def test_the_table_has_a_line_for_each_world_and_one_for_all(rows):
    console = Console(width=150, record=True)
    with console.capture() as captured:
        console.print(table_of(rows))
    assert all(name in captured.get() for name in (*WORLDS, "all"))


def test_every_job_has_a_seed_of_its_own_and_the_worlds_take_turns(given):
    assert [job.world for job in given] == list(WORLDS) * 3
    assert [job.seed for job in given] == list(range(1, 16))
    assert all(job.instruction or job.goal for job in given)


JOB = Job("kitchen", "small", "a case", "bring me the milk", "", 1)


def row(outcome, judged, codes=()):
    return Row(JOB, outcome, judged, dict.fromkeys(codes, 1), {}, {}, 1, 1.0, 1.0, "")


def test_only_what_is_so_counts_as_achieved():
    assert row("achieved", True).verdict == "achieved"
    assert row("achieved", False).verdict == "wrong"
    assert row("already", False).verdict == "wrong"
    assert row("failed", True).verdict == "failed"
    assert row("failed", False, ["timeout"]).verdict == "stuck"


def test_what_falls_short_is_told():
    good = [row("achieved", True)] * 19
    assert misses([*good, row("failed", False)], 0.95) == []
    assert misses([*good[1:], *[row("failed", False)] * 2], 0.95) == ["18 of 20 achieved, at least 95% asked"]
    assert misses([*good, row("achieved", False)], 0.95) == ["1 wrong, none asked"]
    assert misses([*good, row("failed", False, ["timeout"])], 0.95) == ["1 stuck, none asked"]


@pytest.mark.parametrize(("world", "scene"), SCENES)
def test_hands_leave_a_state_that_could_be(world, scene):
    domain = load_domain(world)
    written = load_scene(domain, scene)
    robot = symbolic_robot(domain, written)
    carrying = CARRYING[world]
    hands, random, done = ModelHands(robot, written.things, carrying), Random(1), set()
    for _ in range(300):
        kind = random.choice(CHANGING)
        if hands.do(kind, frozenset(written.things), random) is not None:
            done.add(kind)
        assert wrong_with(robot.state.atoms, carrying, written.things) == []
    assert done >= {MishapKind.DROPPED, MishapKind.MOVED, MishapKind.OCCUPIED}


def wrong_with(facts, carrying, things):
    """Say what could not be: a thing in two places, a hand that is full and free, something under two things."""
    held, *_ = carrying.held.split()
    free, *_ = carrying.free.split()
    lies = {pattern.split()[0] for pattern in carrying.lies}
    index = carrying.held.split().index("?x") - 1
    wrong = []
    places = {}
    for atom in facts:
        if atom.predicate in lies:
            places.setdefault(atom.args[0], []).append(atom)
        if atom.predicate == held:
            places.setdefault(atom.args[index], []).append(atom)
            hand = tuple(arg for number, arg in enumerate(atom.args) if number != index)
            wrong += [f"{atom} and {free}"] if Atom(free, hand) in facts else []
    wrong += [f"{name} in {found}" for name, found in places.items() if len(found) > 1]
    stacked = [atom.args[1] for found in places.values() for atom in found if atom.predicate == "on"]
    narrow = {name for name in stacked if "stack" in things[name].affordances}
    wrong += [f"two things on {name}" for name in narrow if stacked.count(name) > 1]
    if carrying.clear is not None:
        bare = {atom.args[0] for atom in facts if atom.predicate == carrying.clear.split()[0]}
        wrong += [f"{name} is clear and not" for name in bare & set(stacked)]
    return wrong


def test_nothing_behind_a_shut_door_is_moved_and_an_open_one_is_shut():
    domain = load_domain("barman")
    written = load_scene(domain, "counter")
    robot = symbolic_robot(domain, written)
    hands = ModelHands(robot, written.things, CARRYING["barman"])
    milk = frozenset({"milk_bottle"})
    assert hands.do(MishapKind.MOVED, milk, Random(1)) is None
    robot.change(deleted=[Atom("closed", ("cooler",))])
    assert hands.do(MishapKind.MOVED, milk, Random(1)) is not None
    assert hands.do(MishapKind.SHUT, milk, Random(1)) == "cooler is shut"
    assert Atom("closed", ("cooler",)) in robot.state.atoms
    assert hands.do(MishapKind.SHUT, milk, Random(1)) is None


def test_the_judge_of_a_room_looks_at_the_room():
    scene = load_scene(load_domain("kitchen"), "small")
    robot = FakeRobot(scene.arrangement)
    judge = RoomJudge(robot)
    on = frozenset({Literal(Atom("on", ("apple0", "counter0")))})
    shut = frozenset({Literal(Atom("closed", ("fridge0",)))})
    given = frozenset({Literal(Atom("inhand", ("apple0", "human0")))})
    assert (judge.holds(on), judge.holds(shut), judge.holds(given)) == (False, True, False)
    robot.move_piece("apple0", "on", "counter0")
    robot.set_door("fridge0", 0.2)
    assert (judge.holds(on), judge.holds(shut)) == (True, False)
    robot.world.hold("apple0", "human0")
    assert (judge.holds(on), judge.holds(given)) == (False, True)
    assert judge.holds(frozenset({Literal(Atom("at", ("robot0", "table0")), positive=False)}))


def test_the_judge_of_a_model_looks_at_its_state():
    domain = load_domain("blocks")
    robot = symbolic_robot(domain, load_scene(domain, "sussman"))
    judge = StateJudge(robot)
    free = Literal(Atom("handempty"))
    assert judge.holds(frozenset({free}))
    robot.change(deleted=[free.atom])
    assert not judge.holds(frozenset({free}))
    assert judge.holds(frozenset({Literal(free.atom, positive=False)}))
