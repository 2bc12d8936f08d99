from collections.abc import Iterator

import pytest
from py_trees import behaviours, composites, decorators
from py_trees.behaviour import Behaviour
from py_trees.blackboard import Blackboard
from py_trees.common import Access, ParallelPolicy

from bt import compile_plan
from bt.examination import FlawKind, examine
from bt.execution.step import Step
from semantics.logic.state import Operator
from tests.bt.toy import MILK, OPEN, ToyBeliefs, ToyRobot, move, operator


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    Blackboard.clear()
    yield
    Blackboard.clear()


def told(root: Behaviour, given: tuple[str, ...] = ()) -> list[tuple[FlawKind, str]]:
    return [(flaw.sort, flaw.path) for flaw in examine(root, given=given)]


def step(what: Operator) -> Step:
    robot = ToyRobot([what])
    return Step(what, beliefs=ToyBeliefs(robot), robot=robot, skills={}, patience=1.0)


def check(name: str) -> Behaviour:
    return behaviours.SuccessEveryN(name, 2)


def test_what_follows_an_always_success_in_a_selector_is_never_reached():
    sure = decorators.FailureIsSuccess("sure", check("look"))
    root = composites.Selector("or", memory=False, children=[check("first"), sure, check("never"), check("nor this")])
    (first, second) = examine(root)
    assert (first.sort, first.path, first.culprits) == (FlawKind.UNREACHABLE, "or/never", ("sure",))
    assert "'sure' before it never fails" in str(first)
    assert second.path == "or/nor this"


def test_what_follows_an_always_failure_in_a_sequence_is_never_reached():
    root = composites.Sequence("and", memory=True, children=[behaviours.Failure("no"), check("never")])
    assert told(root) == [(FlawKind.UNREACHABLE, "and/never")]


def test_what_a_wait_without_end_keeps_from_being_reached_is_told():
    root = composites.Sequence("and", memory=True, children=[behaviours.Running("wait"), check("never")])
    assert told(root) == [(FlawKind.UNREACHABLE, "and/never")]


@pytest.mark.parametrize("times", [-1, 0, 10**9])
def test_a_repetition_without_a_bound_is_told(times: int):
    assert told(decorators.Repeat("loop", check("c"), times)) == [(FlawKind.UNBOUNDED, "loop")]


def test_a_time_limit_above_bounds_a_loop():
    assert told(decorators.Timeout("limit", decorators.Repeat("loop", check("c"), -1), 5.0)) == []


def test_trying_a_motion_again_for_ever_is_told_and_waiting_for_a_fact_is_not():
    assert told(decorators.FailureIsRunning("again", step(OPEN))) == [(FlawKind.UNBOUNDED, "again")]
    assert told(decorators.FailureIsRunning("until", check("seen"))) == []


def test_a_bounded_loop_is_fine():
    assert told(decorators.Repeat("loop", decorators.Retry("retry", check("c"), 3), 5)) == []


def test_a_key_that_nothing_writes_is_told_with_the_nearest_one():
    wrote = behaviours.SetBlackboardVariable("set", "target", 1, overwrite=True)
    read = behaviours.CheckBlackboardVariableExists("look", "tarqet.name")
    root = composites.Sequence("and", memory=True, children=[wrote, read])
    (flaw,) = examine(root)
    assert (flaw.sort, flaw.path, flaw.culprits) == (FlawKind.UNKNOWN_KEY, "and/look", ("/tarqet",))
    assert flaw.how == "Did you mean /target?"


def test_a_key_is_known_that_is_given_or_stands_there_already():
    read = behaviours.CheckBlackboardVariableExists("look", "goal")
    assert told(read) == [(FlawKind.UNKNOWN_KEY, "look")]
    assert told(read, ("goal",)) == told(read, ("/goal",)) == []
    Blackboard.set("/goal", 1)
    assert told(read) == []


def test_the_keys_of_a_loop_over_things_count():
    each = decorators.ForEach("each", behaviours.CheckBlackboardVariableExists("it", "one"), "all", "one")
    assert told(each) == [(FlawKind.UNKNOWN_KEY, "each")]
    assert told(each, ("all",)) == []


def test_a_step_with_bookkeeping_alone_can_never_be_known_to_work():
    rest = operator("rest robot0", "busy robot0", "!busy robot0", "busy robot0")
    (flaw,) = examine(step(rest))
    assert (flaw.sort, flaw.culprits) == (FlawKind.NOTHING_TO_SENSE, ("rest",))


def test_two_motions_of_one_agent_at_a_time_are_told():
    policy = ParallelPolicy.SuccessOnAll()
    root = composites.Parallel("both", policy, [step(OPEN), step(move("table0", "fridge0"))])
    (flaw,) = examine(root)
    assert (flaw.sort, flaw.culprits) == (FlawKind.ONE_BODY, ("robot0",))
    other = operator("move human0 a b", "at human0 a", "at human0 b, !at human0 a")
    assert told(composites.Parallel("both", policy, [step(OPEN), step(other)])) == []


def test_a_node_that_stands_in_two_places_is_told():
    shared = check("twice")
    root = composites.Sequence("and", memory=True, children=[shared])
    root.children.append(shared)
    assert (FlawKind.SHARED, "and/twice") in told(root)


def test_an_empty_composite_is_told():
    assert told(composites.Selector("or", memory=False)) == [(FlawKind.EMPTY, "or")]


def test_the_tree_of_a_plan_is_without_flaws():
    robot = ToyRobot(MILK.steps)
    assert told(compile_plan(MILK, beliefs=ToyBeliefs(robot), robot=robot)) == []


def test_nothing_is_ticked():
    leaf = behaviours.TickCounter("count", 3, behaviours.common.Status.SUCCESS)
    examine(leaf)
    assert leaf.counter == 0


class Told(composites.Selector):
    """A selector that only adds a hook."""

    def initialise(self) -> None:
        self.feedback_message = "begun"


class Backwards(composites.Selector):
    """A selector that ticks its children the other way round."""

    def tick(self) -> Iterator[Behaviour]:
        for child in reversed(self.children):
            yield from child.tick()
        yield self


def test_a_class_of_ones_own_is_seen_through_unless_it_ticks_in_its_own_way():
    def children() -> list[Behaviour]:
        return [behaviours.Success("sure"), check("never")]

    assert told(Told("or", False, children())) == [(FlawKind.UNREACHABLE, "or/never")]
    assert told(Backwards("or", False, children())) == []
    own = composites.Selector("or", False, children())
    own.tick = own.tick  # type: ignore[method-assign]
    assert told(own) == []


def test_a_time_limit_that_never_comes_bounds_nothing():
    loop = decorators.Repeat("loop", check("c"), -1)
    assert told(decorators.Timeout("late", loop, float("inf"))) == [(FlawKind.UNBOUNDED, "late/loop")]


def test_a_key_is_the_one_that_it_is_mapped_to():
    reader, writer = check("reader"), check("writer")
    reader.attach_blackboard_client("r").register_key("cup", Access.READ, remap_to="/scene/cup")
    writer.attach_blackboard_client("w").register_key("/scene/cup", Access.WRITE)
    assert told(composites.Sequence("both", False, [writer, reader])) == []
    assert told(reader) == [(FlawKind.UNKNOWN_KEY, "both/reader")]


def test_two_hands_of_one_body_may_work_at_a_time():
    robot = ToyRobot([OPEN, move("table0", "fridge0")])
    hands = {"open": {"robot0.left"}, "move": {"robot0.right"}}
    robot.occupies = lambda operator: hands[operator.action.name]  # type: ignore[attr-defined]
    beliefs = ToyBeliefs(robot)
    steps = [
        Step(one, beliefs=beliefs, robot=robot, skills={}, patience=1.0) for one in (OPEN, move("table0", "fridge0"))
    ]
    both = composites.Parallel("both", ParallelPolicy.SuccessOnAll(), steps)
    assert told(both) == []
    hands["move"] = {"robot0.left"}
    again = composites.Parallel("both", ParallelPolicy.SuccessOnAll(), [one.another(one.operator) for one in steps])
    assert told(again) == [(FlawKind.ONE_BODY, "both/move")]
