from collections.abc import Callable

import pytest
from py_trees import composites, decorators
from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status

from benchmarks.trees.facts import Asks, FactBase
from benchmarks.trees.twins import run_trace
from bt.errors import TreeError
from bt.ticking import Believed, Ticker
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import State
from tests.bt.toy import ToyBeliefs, ToyRobot, atom

DOOR, LAMP = Atom("open", ("door",)), Atom("lit", ("lamp",))


class Counted(Asks):
    """A condition that counts how often it was asked."""

    asked = 0

    def update(self) -> Status:
        self.asked += 1
        return super().update()


class Works(Behaviour):
    """An action that runs until it is told to end."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.calls: list[str] = []
        self.answer = Status.RUNNING

    def initialise(self) -> None:
        self.calls.append("start")

    def update(self) -> Status:
        self.calls.append("update")
        return self.answer

    def terminate(self, new_status: Status) -> None:
        self.calls.append(new_status.value)


def asks(facts: FactBase, *atoms: Atom) -> Counted:
    return Counted(" ".join(map(str, atoms)), frozenset(map(Literal, atoms)), facts)


@pytest.mark.parametrize("seed", range(60))
def test_a_random_tree_is_ticked_as_py_trees_ticks_it(seed: int):
    assert run_trace(seed, 40, edits=False, calm=True) == []


@pytest.mark.parametrize("seed", range(1000, 1060))
def test_so_is_one_that_is_edited_and_whose_leaves_raise(seed: int):
    assert run_trace(seed, 40) == []


def test_only_conditions_whose_facts_changed_are_asked_again():
    facts = FactBase([DOOR, LAMP])
    door, lamp = asks(facts, DOOR), asks(facts, LAMP)
    work = Works("work")
    ticker = Ticker(composites.Sequence("all", False, [door, lamp, work]), facts)
    for _ in range(5):
        assert ticker.tick() is Status.RUNNING
    assert (door.asked, lamp.asked) == (1, 1)
    facts.set(LAMP, False)
    assert ticker.tick() is Status.FAILURE
    assert (door.asked, lamp.asked) == (1, 2)
    assert work.calls == ["start", *["update"] * 5, "INVALID"]


def test_a_tick_in_which_nothing_can_have_changed_comes_to_no_node():
    facts = FactBase([DOOR])
    ticker = Ticker(composites.Selector("any", False, [asks(facts, LAMP), asks(facts, DOOR)]), facts)
    ticker.tick()
    ticker.tick()
    assert ticker.touched == []


def test_what_a_leaf_changes_is_seen_by_a_later_condition_of_the_same_tick():
    facts = FactBase()

    class Lights(Behaviour):
        def update(self) -> Status:
            facts.set(LAMP, DOOR in facts)
            return Status.SUCCESS

    lamp = asks(facts, LAMP)
    ticker = Ticker(composites.Sequence("all", False, [Lights("light"), lamp]), facts)
    assert ticker.tick() is Status.FAILURE
    facts.set(DOOR)
    assert ticker.tick() is Status.SUCCESS


def test_a_tree_deeper_than_recursion_goes_is_ticked_and_stopped():
    work = Works("work")
    root: Behaviour = work
    wraps: tuple[Callable[[Behaviour], Behaviour], ...] = (
        lambda child: composites.Sequence("s", True, [child]),
        lambda child: composites.Selector("f", False, [child]),
        lambda child: decorators.Inverter("i", child),
        lambda child: composites.Parallel("p", ParallelPolicy.SuccessOnAll(), [child]),
    )
    for level in range(1200):
        root = wraps[level % len(wraps)](root)
    with pytest.raises(RecursionError):
        root.tick_once()
    ticker = Ticker(root)
    assert ticker.tick() is Status.RUNNING
    work.answer = Status.SUCCESS
    assert ticker.tick() is Status.SUCCESS
    work.answer = Status.RUNNING
    ticker.tick()
    ticker.stop()
    assert (root.status, work.status, work.calls[-1]) == (Status.INVALID, Status.INVALID, "INVALID")


def test_a_stop_at_the_root_is_noticed():
    facts = FactBase([DOOR])
    door, work = asks(facts, DOOR), Works("work")
    root = composites.Sequence("all", True, [door, work])
    ticker = Ticker(root, facts)
    ticker.tick()
    root.stop(Status.INVALID)
    ticker.tick()
    assert door.asked == 2
    assert work.calls == ["start", "update", "INVALID", "start", "update"]


def test_an_inserted_child_is_noticed():
    facts = FactBase([DOOR])
    root = composites.Sequence("all", False, [asks(facts, DOOR)])
    ticker = Ticker(root, facts)
    assert ticker.tick() is Status.SUCCESS
    lamp = asks(facts, LAMP)
    root.insert_child(lamp, 0)
    assert ticker.tick() is Status.FAILURE
    root.remove_child(lamp)
    assert ticker.tick() is Status.SUCCESS
    facts.set(LAMP)
    ticker.tick()
    assert lamp.asked == 1


def test_released_children_are_plain_lists():
    root = composites.Sequence("all", False, [Works("work")])
    ticker = Ticker(root)
    ticker.release()
    assert type(root.children) is list


def test_reads_that_are_no_set_of_facts_are_refused():
    leaf = Works("work")
    leaf.reads = "open"  # type: ignore[attr-defined]
    with pytest.raises(TreeError, match="reads"):
        Ticker(leaf)


def test_a_node_of_another_tree_cannot_be_invalidated():
    with pytest.raises(TreeError, match="other"):
        Ticker(Works("work")).invalidate(Works("other"))


def test_beliefs_tell_what_has_changed():
    robot = ToyRobot([])
    beliefs = ToyBeliefs(robot)
    facts = Believed(beliefs)
    before = facts.revision
    robot.change(added=[atom("lit lamp")], deleted=[atom("closed fridge0")])
    beliefs.refresh()
    assert facts.changes_since(before) == {atom("lit lamp"), atom("closed fridge0")}
    assert facts.changes_since(facts.revision) == frozenset()
    assert atom("lit lamp") in facts


def test_a_changed_number_is_a_change():
    beliefs = ToyBeliefs(ToyRobot([]))
    facts = Believed(beliefs)
    before = facts.revision
    beliefs.state = State(beliefs.state.atoms, {atom("level cup"): 2.0})
    beliefs.revision += 1
    assert facts.changes_since(before) == {atom("level cup")}


def test_who_asks_late_is_told_of_every_fact():
    facts = FactBase([DOOR], keep=2)
    for number in range(9):
        facts.set(LAMP, number % 2 == 0)
    assert facts.changes_since(0) == {DOOR, LAMP}
    assert list(facts.changes_since(facts.revision - 1)) == [LAMP]


def test_a_selector_whose_running_child_was_taken_out_says_so_instead_of_ticking_another():
    last = Works("last")
    root = composites.Selector("any", True, [Works("first"), last])
    ticker = Ticker(root)
    ticker.tick()
    root.remove_child(root.children[0])
    with pytest.raises(TreeError, match="any: its running child was taken out"):
        ticker.tick()
    assert last.calls == []
    root.stop(Status.INVALID)
    assert ticker.tick() is Status.RUNNING


def test_a_parallel_that_raises_as_it_begins_anew_leaves_its_children_stopped():
    facts = FactBase([DOOR])
    door, lamp = asks(facts, DOOR), asks(facts, LAMP)
    both = composites.Parallel("both", ParallelPolicy.SuccessOnSelected([door]), [door, lamp])
    ticker = Ticker(composites.Sequence("all", False, [both]), facts)
    ticker.tick()
    both.remove_child(door)
    with pytest.raises(RuntimeError, match="not children"):
        ticker.tick()
    assert (both.status, lamp.status) == (Status.INVALID, Status.INVALID)
