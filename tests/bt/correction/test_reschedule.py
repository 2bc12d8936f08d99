"""Plans of a bar with two hands, corrected at random in mid-motion: the rest is done as the edited plan says."""

import random
from collections import Counter

import pytest

from bt import Runner, compile_plan
from bt.correction import exchange
from bt.runner import Ending
from domains.problem import Problem
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.logic.correction import Correction, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.goal import Rejection
from semantics.logic.state import bits, first_failure
from tests.bt.correction.trial import correct_under_way
from tests.bt.recovery.bodies import Bar

HANDS = ("left_hand", "right_hand")
BRAKING = 0.4
CARRIED = {"soda_bottle": "rack", "apple_bottle": "rack", "tall_glass": "counter", "thimble": "counter"}


class Braked:
    """A motion that needs a while to come to rest when it is cancelled."""

    def __init__(self, motion, clock):
        self.motion, self.clock, self.operator = motion, clock, motion.operator
        self.began, self.ended, self.rests = clock.now(), None, None

    def poll(self):
        progress = self.motion.poll()
        if self.rests is not None and self.clock.now() < self.rests:
            return MotionProgress(MotionStatus.RUNNING, progress.fraction)
        if progress.stage is not MotionStatus.RUNNING and self.ended is None:
            self.ended = self.clock.now()
        return progress

    def cancel(self):
        if self.poll().stage is MotionStatus.RUNNING and self.rests is None:
            self.motion.cancel()
            self.rests = self.clock.now() + BRAKING


class Bartender:
    """A run of a plan whose steps are done at once, and every motion of it."""

    def __init__(self, tasks, seconds):
        self.bar = Bar("barman", "counter")
        self.robot, self.beliefs = self.bar.robot, self.bar.obstacles
        self.motions: list[Braked] = []
        start, self.robot._seconds_of = self.robot.start, seconds
        self.robot.start = lambda command: self.noted(start(command))
        self.begun = self.bar.state
        goal = " ".join(f"(on {thing} serving_tray)" for _, thing in tasks)
        self.plan = self.bar.plan(f"(and {goal})", [step for task in tasks for step in served(*task)])
        self.root = compile_plan(self.plan, beliefs=self.beliefs, robot=self.robot, together=True)
        self.work = self.root.decorated
        assert not self.work.order.total
        self.allowed = told(self.plan.steps)
        self.runner = Runner(self.root, self.robot, self.beliefs)

    def noted(self, motion):
        assert motion.poll().stage is MotionStatus.RUNNING, motion.poll().feedback
        braked = Braked(motion, self.robot.clock)
        for other in self.motions:
            if other.poll().stage is MotionStatus.RUNNING:
                assert not other.operator.resources & braked.operator.resources, str(other.operator)
        self.motions.append(braked)
        return braked

    def until(self, seconds):
        while self.runner.ended is None and self.robot.clock.now() < seconds:
            self.runner.step(600.0)

    def worked(self):
        return [one.operator for one in self.motions if one.poll().stage is MotionStatus.DONE]

    def tried(self, *edits):
        return correct_under_way(
            self.root, Correction(edits), Problem(self.bar.domain, self.bar.scene.things, self.beliefs.state)
        )


def served(hand, thing):
    return f"get robot0 {hand} {thing} {CARRIED[thing]}", f"put robot0 {hand} {thing} serving_tray"


def other(hand):
    return next(one for one in HANDS if one != hand)


def random_edits(rng, plan):
    """Return edits of a plan, some of which make no sense."""
    number = rng.randrange(len(plan.steps))
    _, hand, thing, _ = plan.steps[number].action.args
    steps = [(StatementPlace((n,)), one.action.args) for n, one in enumerate(plan.steps)]
    swapped = [Replace(spot, args[1], other(args[1])) for spot, args in steps if thing in args]
    mirrored = [Replace(spot, args[1], other(args[1])) for spot, args in steps]
    return rng.choice(
        [
            swapped,
            mirrored,
            mirrored,
            [Replace(StatementPlace((number,)), hand, other(hand))],
            [Remove(StatementPlace((number,)))],
            [Move(StatementPlace((number,)), StatementPlace((rng.randrange(len(plan.steps)),)))],
            [
                Insert(
                    StatementPlace((number,)),
                    f"put(robot0, {hand}, {thing}, blender)\nget(robot0, {hand}, {thing}, blender)",
                )
            ],
            [Insert(StatementPlace((number,)), f"get(robot0, {other(hand)}, milk_bottle, cooler)")],
            [Wrap(StatementPlace((number,)), "try:")],
            [Replace(StatementPlace((n,)), "serving_tray", "counter") for n in (number,)],
            [Remove(StatementPlace((number,))), Insert(StatementPlace((number,)), written(plan.steps[number]))],
        ]
    )


def written(step):
    return f"{step.action.name}({', '.join(step.action.args)})"


def random_run(rng):
    """Return a run of a random plan for both hands, each step of which takes as long as it likes."""
    things, hands = rng.sample(sorted(CARRIED), rng.randint(2, 4)), rng.sample(HANDS, 2)
    hands += [rng.choice(HANDS) for _ in things[2:]]
    took = {}
    tasks = list(zip(hands, things, strict=True))
    return Bartender(tasks, lambda step: took.setdefault(str(step), rng.choice([0.5, 1.3, 3.0])))


def try_one(run, rng, pause):
    """Correct a run at random, and judge what becomes of what runs; return what was exchanged, if anything was.

    The run goes on for some seconds while the correction is tried.
    """
    found = run.tried(*random_edits(rng, run.work.plan))
    run.until(run.robot.clock.now() + pause)
    running = [one for one in run.motions if one.poll().stage is MotionStatus.RUNNING and one.rests is None]
    nodes, done = list(run.work.children), told(run.worked())
    exchanged = found if isinstance(found, Rejection) else exchange(run.root, found[0], run.beliefs)
    if isinstance(exchanged, Rejection):
        assert run.work.children == nodes
        assert all(one.rests is None for one in running)
        return None
    plan = found[0]
    goes_on = told(one.operator for one in running if one.rests is None)
    assert goes_on <= told(exchanged.going_on) <= told(plan.steps)
    assert told(one.operator for one in running if one.rests is not None) <= told(exchanged.stopped)
    assert not told(exchanged.stopped) & told(plan.steps)
    run.allowed = done + goes_on + told(run.work.plan.steps[index] for index in bits(run.work.left))
    return exchanged


def told(steps):
    return Counter(map(str, steps))


def detours(steps):
    return any("blender" in one for one in steps)


@pytest.mark.parametrize("batch", range(2))
def test_corrected_at_random_the_rest_is_done_as_the_edited_plan_says(batch):
    seen = Counter()
    for seed in range(25):
        rng = random.Random(f"{batch} {seed}")
        run = random_run(rng)
        while run.runner.ended is None:
            run.until(run.robot.clock.now() + rng.uniform(0.05, 1.0))
            pause = rng.choice([0.0, 0.1, 0.7]) if run.runner.ended is None else None
            exchanged = try_one(run, rng, pause) if pause is not None and rng.random() < 0.7 else None
            if exchanged is not None:
                seen.update(accepted=1, stopped=bool(exchanged.stopped), both=len(exchanged.going_on) == 2)
        assert run.runner.ended.status is Ending.SUCCESS, run.runner.ended
        assert first_failure(run.worked(), run.begun, run.plan.goal) is None
        done = told(run.worked())
        assert done == run.allowed or (done < run.allowed and detours(run.allowed)), (batch, seed)
    assert min(seen["accepted"], seen["stopped"], seen["both"]) > 0, seen
