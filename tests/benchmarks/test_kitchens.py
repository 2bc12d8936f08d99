import math

import pytest

from benchmarks.planning.kitchens import KINDS, SIZES, make
from benchmarks.planning.measuring import moved, ours, theirs
from graftwork.cli import bench
from planning import FastDownward
from semantics.errors import UsageError
from semantics.logic.state import Action


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_a_kitchen_has_its_size_and_a_task_that_is_not_done(size, seed):
    kitchen = make(size, seed)
    assert len(kitchen.things) == size + 4  # the robot, the person and two liquids
    assert kitchen.kind == KINDS[seed]
    assert not any(kitchen.state.satisfies(goal) for goal in kitchen.goals)
    assert {arg for atom in kitchen.state.atoms for arg in atom.args} <= set(kitchen.things)


def test_the_same_seed_makes_the_same_kitchen_and_another_does_not():
    assert make(20, 1) == make(20, 1)
    assert make(20, 1) != make(20, 1 + len(KINDS))


def test_one_thing_is_moved():
    kitchen = make(20, 0)
    gone = {atom for atom in kitchen.state.atoms - moved(kitchen, 0).state.atoms if atom.predicate == "on"}
    assert len(gone) == 1


def test_the_kitchens_are_solved_with_proof():
    planner = FastDownward()
    answers = [ours(make(size, seed), planner, 1) for size in (10, 1000) for seed in range(len(KINDS))]
    planner.close()
    assert all(answer.optimal and answer.valid for answer in answers)
    assert all(4 <= answer.length <= 12 for answer in answers)


def test_every_planner_is_given_the_same_costs():
    kitchen = make(10, 0)
    move = Action("move", ("robot0", "floor0", "table0"))
    metres = math.dist(kitchen.costs.places["floor0"], kitchen.costs.places["table0"])
    assert kitchen.price(move) == round(10 * (1 + 0.5 * metres))
    own = FastDownward()
    mine = ours(kitchen, own, 1)
    own.close()
    assert theirs("lmcut", 10, 0, 60.0).cost == mine.cost


def test_an_unknown_suite_is_refused_and_so_is_an_installed_copy(monkeypatch, tmp_path):
    with pytest.raises(UsageError, match="planning"):
        bench.bench_command("nonsense", [])
    monkeypatch.setattr(bench, "__file__", str(tmp_path / "graftwork" / "cli" / "bench.py"))
    with pytest.raises(UsageError, match="checkout"):
        bench.bench_command("planning", [])
