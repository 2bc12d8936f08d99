"""Steps with choices, conditional effects, numbers and derived facts, done at once by two agents, whatever happens."""

import random

import pytest

from bt.execution import Execute
from bt.execution.order import claim_of
from bt.execution.remaining import Remaining
from bt.execution.step import afterwards
from bt.runner import Ending
from semantics.body.protocols import MotionStatus
from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Compare, Not, Or
from semantics.logic.state import Action, Axioms, Change, Command, Operator, Plan, State, When, bits, first_failure
from tests.bt.execution.team import Team, key
from tests.bt.execution.test_order import closed_sets, outcome
from tests.bt.execution.test_properties import first
from tests.bt.toy import literal

FACTS = [Atom(name) for name in "abcdeh"]
LEVELS = [Atom("level", ("x",)), Atom("level", ("y",))]
RULES = Axioms(
    frozenset({"f", "g"}),
    (((Atom("f"), Atom("a")), (Atom("f"), Atom("b"))), ((Atom("g"), And((Atom("c"), Not(Atom("f"))))),)),
)


def some(rng, most):
    return frozenset(rng.sample(FACTS, rng.randint(0, most)))


def condition(rng):
    return rng.choice(
        [
            None,
            Compare(">=", rng.choice(LEVELS), 1.0),
            Or((Atom("f"), rng.choice(FACTS))),
            Not(Atom("g")),
            Compare("<", rng.choice(LEVELS), rng.choice(LEVELS)),
        ]
    )


def change(rng):
    how = rng.choice(["assign", "increase", "decrease"])
    return Change(how, rng.choice(LEVELS), rng.choice([1.0, 2.0, *LEVELS]))


def step(rng, number):
    agent = f"robot{number % 2}"
    asked = frozenset(literal(("" if rng.random() < 0.6 else "!") + one.predicate) for one in some(rng, 1))
    when = When(condition(rng) or rng.choice(FACTS), some(rng, 1), some(rng, 1), (change(rng),) * rng.randint(0, 1))
    return Operator(
        Action(f"do{number}", (agent,)),
        asked,
        some(rng, 2),
        some(rng, 1),
        command=Command(f"do{number}", agent),
        condition=condition(rng),
        conditional=(when,) * rng.randint(0, 1),
        changes=(change(rng),) * rng.randint(0, 1),
        axioms=RULES,
    )


def fits(one, state):
    try:
        return one.applicable(state) and one.apply(state) != state
    except UsageError:
        return False


def situation(rng):
    """Return a valid plan by a random walk over random steps, and where it starts."""
    numbers = {one: float(rng.randint(0, 2)) for one in LEVELS}
    start = state = RULES.close(State(some(rng, 4), numbers))
    steps = []
    for one in (step(rng, number) for number in range(40)):
        if len(steps) < 6 and fits(one, state):
            steps.append(one)
            state = one.apply(state)
    changed = sorted(state.atoms ^ start.atoms) or FACTS[:1]
    goal = frozenset(
        literal(("" if one in state.atoms else "!") + one.predicate)
        for one in rng.sample(changed, min(len(changed), 3))
    )
    return Plan(tuple(steps), goal), start


class RichJudge(Team):
    """Looks at every beginning of a step: whom it would get in the way of, and whether it serves the goal."""

    def __init__(self, plan, start, seconds) -> None:
        facts = [str(one)[1:-1] for one in start.atoms]
        super().__init__(plan, facts, seconds=seconds, numbers=start.numbers)
        self.robot._completed = RULES.close
        self.weave = next(node for node in self.root.iterate() if isinstance(node, Execute))

    def _note(self, command):
        step = self._known[key(command)]
        running = [one for one in self.weave.running if self.weave.children[one].operator != step]
        claim, state = claim_of(step, self.robot.occupies), self.beliefs.state
        assert step.applicable(state)
        for one in running:
            node = self.weave.children[one]
            assert not claim.clashes(claim_of(node.operator, self.robot.occupies))
            if node.status.name == "RUNNING":
                state = afterwards(node.expected, state)
        self.judge(step, state)
        return super()._note(command)

    def judge(self, step, state):
        rests = ([self.plan.steps[i] for i in bits(chosen)] for chosen in closed_sets(self.weave.order))
        assert any(outcome(first(step, rest), state, self.plan.goal) for rest in rests if step in rest), str(step)


def team_of(seed):
    """Return a run of a plan that leaves something open; None where it does not."""
    rng = random.Random(seed)
    plan, start = situation(rng)
    took = {str(one): rng.choice([0.3, 1.0, 2.7]) for one in plan.steps}
    try:
        return rng, start, RichJudge(plan, start, lambda one: took[str(one)])
    except StopIteration:
        return None


@pytest.fixture(scope="module")
def seeds():
    return [seed for seed in range(400) if team_of(seed) is not None][:60]


@pytest.mark.parametrize("few", [False, True])
def test_every_run_of_a_rich_plan_is_a_valid_plan(seeds, few, monkeypatch):
    if few:
        monkeypatch.setattr(Remaining.__init__, "__defaults__", (0,))
    assert len(seeds) == 60
    for seed in seeds:
        _, start, team = team_of(seed)
        assert team.run(60.0).status is Ending.SUCCESS, seed
        ends = [(one, motion.poll()) for one, motion in team.motions]
        done = [one for one, end in ends if end.stage is MotionStatus.DONE]
        assert first_failure(done, start, team.plan.goal) is None


def test_whatever_happens_to_facts_and_numbers_each_step_serves_the_goal(seeds):
    ends = []
    for seed in seeds:
        rng, _, team = team_of(seed)
        for _ in range(rng.randint(1, 3)):
            disturb(team, rng)
        end = team.run(60.0)
        assert end.status in (Ending.SUCCESS, Ending.FAILURE), (seed, end)
        assert (end.status is Ending.SUCCESS) <= team.robot.state.satisfies(team.plan.goal)
        assert team.moving() == []
        ends.append(end.status)
    assert {Ending.SUCCESS, Ending.FAILURE} == set(ends)


def disturb(team, rng):
    """Let it run for a while, then change facts and perhaps a number, between or during steps."""
    until = rng.uniform(0.0, 5.0)
    while team.runner.ended is None and team.robot.clock.now() < until:
        team.runner.step(60.0)
    if team.runner.ended is None:
        if rng.random() < 0.5:
            level = {rng.choice(LEVELS): float(rng.randint(0, 2))}
            team.robot.state = State(team.robot.state.atoms, {**team.robot.state.numbers, **level})
        team.robot.change(some(rng, 1), some(rng, 2))
