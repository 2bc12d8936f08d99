from hypothesis import given, settings, strategies as st
from py_trees import behaviours, composites, decorators
from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status

from bt.examination import outcomes
from bt.node import walk

S, F, R = Status.SUCCESS, Status.FAILURE, Status.RUNNING
WRAPS = (
    decorators.Inverter,
    decorators.RunningIsFailure,
    decorators.RunningIsSuccess,
    decorators.FailureIsSuccess,
    decorators.FailureIsRunning,
    decorators.SuccessIsFailure,
    decorators.SuccessIsRunning,
    decorators.PassThrough,
    decorators.Count,
)
POLICIES = (ParallelPolicy.SuccessOnAll, ParallelPolicy.SuccessOnOne)


class Changing(Behaviour):
    """A leaf of a kind that nobody knows: it goes through the statuses that it was given."""

    def __init__(self, statuses: list[Status]) -> None:
        super().__init__("changing")
        self.statuses = statuses
        self.count = 0

    def update(self) -> Status:
        self.count += 1
        return self.statuses[self.count % len(self.statuses)]


leaves = st.one_of(
    st.builds(lambda: behaviours.Success("s")),
    st.builds(lambda: behaviours.Failure("f")),
    st.builds(lambda: behaviours.Running("r")),
    st.builds(lambda every: behaviours.SuccessEveryN("n", every), st.integers(1, 3)),
    st.builds(lambda ticks, end: behaviours.TickCounter("t", ticks, end), st.integers(0, 3), st.sampled_from([S, F])),
    st.builds(Changing, st.lists(st.sampled_from([S, F, R]), min_size=1, max_size=5)),
)


def grown(children: st.SearchStrategy[Behaviour]) -> st.SearchStrategy[Behaviour]:
    several = st.lists(children, max_size=4)
    return st.one_of(
        st.builds(lambda memory, some: composites.Sequence("seq", memory, some), st.booleans(), several),
        st.builds(lambda memory, some: composites.Selector("sel", memory, some), st.booleans(), several),
        st.builds(lambda policy, some: composites.Parallel("par", policy(), some), st.sampled_from(POLICIES), several),
        st.builds(lambda kind, child: kind(name="wrap", child=child), st.sampled_from(WRAPS), children),
        st.builds(lambda child, times: decorators.Repeat("again", child, times), children, st.sampled_from([-1, 1, 3])),
        st.builds(lambda child, times: decorators.Retry("retry", child, times), children, st.integers(1, 3)),
        st.builds(lambda child, end: decorators.Condition("until", child, end), children, st.sampled_from(Status)),
    )


@settings(max_examples=300, deadline=None)
@given(st.recursive(leaves, grown, max_leaves=12))
def test_whatever_a_node_returns_was_told_before(root: Behaviour):
    told = outcomes(root)
    for _ in range(12):
        for node in root.tick():
            assert node.status in told[node], f"{node.name} of {[one.name for one in walk(root)]}"


def test_what_can_be_told_is_told():
    ok, no, goes_on = behaviours.Success("s"), behaviours.Failure("f"), behaviours.Running("r")
    selector = composites.Selector("or", memory=False, children=[no, ok])
    sequence = composites.Sequence("and", memory=True, children=[selector, goes_on])
    told = outcomes(sequence)
    assert (told[selector], told[sequence]) == ({S}, {R})


def test_a_subclass_of_a_known_kind_with_an_update_of_its_own_may_return_anything():
    class Own(behaviours.Success):
        def update(self):
            return F

    class Named(behaviours.Success):
        pass

    own, named = Own("own"), Named("named")
    assert outcomes(own)[own] == {S, F, R}
    assert outcomes(named)[named] == {S}


def test_a_tree_of_two_thousand_levels_is_told():
    root: Behaviour = behaviours.Success("leaf")
    for _ in range(2000):
        root = decorators.Inverter("not", root)
    assert outcomes(root)[root] == {S}
