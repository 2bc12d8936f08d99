"""The body for Minigrid in ``examples/minigrid``: some seeds, what it may know, and how missions become goals."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from domains import load_domain, load_scene

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "minigrid"
OWN = ("body", "known_map", "missions", "run")
SOME = (
    "BabyAI-OpenTwoDoors-v0",
    "BabyAI-PutNextLocal-v0",
    "BabyAI-KeyInBox-v0",
    "MiniGrid-BlockedUnlockPickup-v0",
    "MiniGrid-KeyCorridorS3R3-v0",
)

needs_minigrid = pytest.mark.skipif(
    importlib.util.find_spec("minigrid") is None,
    reason="the package minigrid of the development group is not installed: pip install minigrid",
)


@pytest.fixture(autouse=True)
def _modules_of_the_example(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    yield
    for name in OWN:
        sys.modules.pop(name, None)


@pytest.fixture
def things():
    return load_scene(load_domain(str(FOLDER / "world")), "rooms").things


def ran(program, *words):
    return subprocess.run(
        [sys.executable, str(FOLDER / program), *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=FOLDER.parents[1],
    )


@needs_minigrid
def test_a_run_tells_its_mission_its_plans_and_its_success():
    done = ran("run.py", "BabyAI-UnlockLocal-v0", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "mission: open the door" in done.stdout
    assert "(take robot0 red_key1), (unlock robot0 red_door1 red_key1)" in done.stdout
    assert done.stdout.endswith("success in 14 steps\n")


@needs_minigrid
def test_the_body_passes_the_conformance_suite():
    words = ["check", "run:unlock_local", "--domain", str(FOLDER / "world"), "--try", "pick up red_key1"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(FOLDER.parents[1]), str(FOLDER)))}
    done = subprocess.run(
        [sys.executable, "-m", "graftwork", *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "11 met" in done.stdout


@needs_minigrid
def test_some_seeds_succeed(tmp_path):
    done = ran("measure.py", *SOME, "--seeds", "1", "--csv", str(tmp_path / "episodes.csv"))
    assert done.returncode == 0, done.stderr
    assert "| all | 5/5 |" in done.stdout
    assert len((tmp_path / "episodes.csv").read_text().splitlines()) == 6


@needs_minigrid
def test_a_door_that_was_opened_too_early_is_opened_again(things):
    import gymnasium
    from body import MinigridBody
    from missions import goals_of
    from run import opened, pursue

    body = MinigridBody(gymnasium.make("BabyAI-OpenTwoDoors-v0"), 2, [name for name in things if "_" in name])
    _, second = goals_of(body.mission, body.things)
    with opened(body, tell=False) as session:
        session.handle(goal=second.goal)
        assert not body.over
        pursue(session, body, tell=False)
    assert body.over
    assert body.reward > 0


class Sealed:
    """An environment of which a body can only use `reset` and `step`."""

    def __init__(self, environment):
        self.reset, self.step = environment.reset, environment.step


@needs_minigrid
def test_the_body_knows_only_what_its_view_has_shown(things):
    import gymnasium
    from body import MinigridBody

    environment = gymnasium.make("BabyAI-GoToObjMaze-v0", disable_env_checker=True)
    body = MinigridBody(Sealed(environment), 7, [name for name in things if "_" in name])
    assert len(body.map.cells) <= 49
    inside = environment.unwrapped
    start = inside.agent_pos
    for _ in range(60):
        action = body.map.next_look(body.pose)
        if action is None:
            break
        body.act(action)
        here = (start[0] + body.position[0], start[1] + body.position[1])
        assert here == tuple(inside.agent_pos)
        assert body.direction == inside.agent_dir
    for (x, y), cell in body.map.cells.items():
        true = inside.grid.get(start[0] + x, start[1] + y)
        assert cell.kind == ("empty" if true is None else true.type)
    assert len(body.map.cells) < inside.width * inside.height


@needs_minigrid
def test_a_command_that_cannot_be_done_has_failed_already(things):
    import gymnasium
    from body import MinigridBody

    from semantics.logic.state import Command

    body = MinigridBody(gymnasium.make("BabyAI-UnlockLocal-v0"), 1, [name for name in things if "_" in name])
    assert "no such primitive" in body.start(Command("fly", "robot0", {})).poll().feedback.why
    assert "to is missing" in body.start(Command("go", "robot0", {})).poll().feedback.why
    assert "no no_such_thing" in body.start(Command("go", "robot0", {"to": "no_such_thing"})).poll().feedback.why
    motion = body.start(Command("explore", "robot0", {"for": "red_key1"}))
    assert "still under way" in body.start(Command("look", "robot0", {})).poll().feedback.why
    body.stop()
    assert motion.poll().feedback.code == "cancelled"


@pytest.mark.parametrize(
    ("mission", "goals"),
    [
        ("go to the red ball", ["(or (facing robot0 red_ball1) (facing robot0 red_ball2))"]),
        ("pick up a grey box", ["(or (inhand grey_box1 robot0) (inhand grey_box2 robot0))"]),
    ],
)
def test_a_mission_becomes_a_goal(mission, goals, things):
    from missions import goals_of

    assert [clause.goal for clause in goals_of(mission, things)] == goals


def test_what_a_mission_wants_first_comes_first(things):
    from missions import goals_of

    both = ["open the red door", "go to a blue key"]
    assert [clause.words for clause in goals_of(", then ".join(both), things)] == both
    assert [clause.words for clause in goals_of(" after you ".join(reversed(both)), things)] == both


def test_a_mission_that_cannot_be_read_is_an_error(things):
    from missions import goals_of

    with pytest.raises(ValueError, match="'dance with the red ball' cannot be read"):
        goals_of("dance with the red ball", things)
