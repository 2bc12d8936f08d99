"""What `graftwork plan` imports, and what it starts before the world is read."""

import subprocess
import sys

import pytest

from graftwork.cli import plan
from graftwork.cli.plan_decision import plan_context
from graftwork.setup.settings import Settings
from semantics.errors import UsageError

COUNTED = "import sys\n{}\nsys.stderr.write(f'{{len(sys.modules)}}')"
PLANNED = (
    "sys.argv[1:] = ['plan', 'bring me the milk', '--scene', 'small']\n"
    "from graftwork.__main__ import main\n"
    "try:\n    main()\nexcept SystemExit:\n    pass"
)


@pytest.mark.parametrize(("code", "most"), [(PLANNED, 400), ("import graftwork.setup.settings", 150)])
def test_a_process_imports_few_modules(code, most):
    done = subprocess.run([sys.executable, "-c", COUNTED.format(code)], capture_output=True, text=True, check=True)
    assert ("5 steps" in done.stdout) == (code is PLANNED)
    assert int(done.stderr.split()[-1]) <= most  # a slow machine tells first that it is planning


def test_the_planner_starts_before_the_world_is_read(monkeypatch):
    happened = []

    class Started(plan.OwnProcess):
        def warm_up(self):
            happened.append("planner")

        def close(self):
            happened.append("closed")
            super().close()

    def read(name):
        happened.append(name)
        raise UsageError("this is enough")

    monkeypatch.setattr(plan, "OwnProcess", Started)
    monkeypatch.setattr("domains.reader.load_domain", read)
    with pytest.raises(UsageError, match="this is enough"):
        plan.plan_command(
            "open the fridge", None, {"domain": "blocks"}, tree=False, as_json=False, quiet=False, pddl=False
        )
    assert happened == ["planner", "blocks", "closed"]


@pytest.mark.parametrize(
    ("settings", "patience"),
    [
        (Settings(memory=None), None),
        (Settings(memory=None, patience=1.5), 1.5),
        (Settings(memory=None, search="first"), 0.0),
        (Settings(memory=None, search="optimal", planning_seconds=7.0), 7.0),
    ],
)
def test_only_an_optimal_plan_is_waited_for_longer_than_its_search_took(settings, patience, kitchen):
    world, service = kitchen
    from graftwork.setup.prices import Prices

    assert plan_context(settings, world, Prices(), service).plans.options.patience == patience


@pytest.fixture(scope="module")
def kitchen():
    from domains.reader import load_domain, load_scene
    from domains.world import World
    from planning.service import OwnProcess

    domain = load_domain("kitchen")
    scene = load_scene(domain, "small")
    return World.of(scene, domain), OwnProcess()
