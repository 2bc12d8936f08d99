"""Two trees like those of sessions in two worlds that are alike: one is ticked by py_trees, the other by `Ticker`."""

from __future__ import annotations

import random
from dataclasses import replace

from py_trees import composites, decorators
from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status

from bt import Entries, compile_plan, pursue
from bt.correction import exchange
from bt.errors import TreeError
from bt.execution.execute import Execute
from bt.execution.step import Condition
from bt.node import walk
from bt.recovery import (
    Ask,
    Budget,
    Detour,
    NewGoal,
    NewPlan,
    Nothing,
    Repeat,
    Replan,
    Retry,
    Scope,
    Strategy,
    UserPrompt,
)
from bt.ticking import Believed, Ticker
from bt.ticking.cells import Foreign
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Question
from semantics.logic.state import Plan, State
from tests.bt.toy import ToyBeliefs, ToyRobot, conjunct, literal, operator

AGENTS = ("robot0", "robot1")
PLACES = ("left", "middle", "right")
THINGS = ("cup", "jug")
SECONDS = 0.25
AROUND = ("all", "any", "asks", "both", "not", "retry", "then")
"""The names of the nodes around the tree of a session."""
MISHAPS = (Code.NOT_GRASPED, Code.STUCK, Code.OBSTRUCTED, Code.DROPPED)


def drawn_goal(draw):
    things = draw.sample(THINGS, draw.randint(1, len(THINGS)))
    return conjunct(*(f"lies {thing} {draw.choice(PLACES)}" for thing in things))


class BrokenError(Exception):
    """What a body of these worlds raises."""


def take(agent, thing, place):
    after = f"held {thing} {agent}, !free {agent}, !lies {thing} {place}"
    return operator(f"take {agent} {thing} {place}", f"free {agent}, lies {thing} {place}", after)


def lay(agent, thing, place):
    before, after = f"held {thing} {agent}, opened gate", f"lies {thing} {place}, free {agent}, !held {thing} {agent}"
    return operator(f"lay {agent} {thing} {place}", before, after)


def unlock(agent):
    return operator(f"open {agent} gate", f"free {agent}, !opened gate", "opened gate")


STEPS = (
    *(make(agent, thing, place) for make in (take, lay) for agent in AGENTS for thing in THINGS for place in PLACES),
    *map(unlock, AGENTS),
)
FACTS = sorted({fact for step in STEPS for fact in step.added})


class Body(ToyRobot):
    """A toy body with several agents, which notes what is asked of it and fails or raises at random."""

    def __init__(self, atoms, chance, clumsy, raises):
        super().__init__(STEPS, atoms)
        self.log: list[tuple[str, str]] = []
        self.chance, self.clumsy, self.raises = chance, clumsy, raises

    def occupies(self, step):
        return frozenset({step.action.args[0]})

    def start(self, command):
        self.log.append(("start", str(command)))
        if self.chance.random() < self.raises:
            raise BrokenError(str(command))
        if self.chance.random() < self.clumsy:
            code = self.chance.choice(MISHAPS)
            self.failures[command.primitive] = [Feedback(code, str(command), "bad luck", culprits=(command.primitive,))]
        motion = super().start(command)
        poll, cancel = motion.poll, motion.cancel
        motion.poll = lambda: self.polled(command) or poll()
        motion.cancel = lambda: self.log.append(("cancel", str(command))) or cancel()
        return motion

    def polled(self, command):
        self.log.append(("poll", str(command)))
        if self.raises and self.chance.random() < self.raises / 4:
            raise BrokenError(str(command))


class Exact(ToyBeliefs):
    """Beliefs of a body whose sensing never errs."""

    exact_within = 0.05


class Chance(Strategy):
    """A strategy that draws its answer: on a thread of its own, and so from a lot that was drawn before."""

    def __init__(self, name, scope, twin):
        self.name, self._scope, self._twin = name, scope, twin
        self.seconds = twin.random.choice([0.0, 0.1, 0.6])

    @property
    def scope(self):
        return self._scope

    def applies(self, request):
        if self._twin.draw() < 0.2:  # in the middle of a tick, as with what was learned from a failure
            self._twin.learn(self._twin.chance.choice(FACTS))
        self._lot = random.Random(self._twin.draw())
        return self._twin.draw() < 0.8

    def propose(self, request):
        makes = [self._nothing, self._detour, self._plan]
        if self._scope is Scope.RUN:
            makes += [self._repeat, self._ask, self._goal]
        lot = self._lot
        return lot.choice(makes)(request, lot)

    def _nothing(self, request, lot):
        return Nothing(Feedback(Code.STUCK, self.name, "it knows none"))

    def _repeat(self, request, lot):
        return Repeat("Once more.", after=lot.choice([0.0, 0.7]))

    def _plan(self, request, lot):
        plan = self._twin.plan_from(request.state, request.plan.goal if request.plan else self._twin.goal)
        owed = conjunct("opened gate") if lot.random() < 0.3 else frozenset()
        return Nothing.of(plan) if isinstance(plan, NoPlan) else NewPlan(plan, owed=owed)

    def _detour(self, request, lot):
        goals = [conjunct("opened gate"), conjunct(f"lies cup {lot.choice(PLACES)}")]
        plans = [self._twin.plan_from(request.state, lot.choice(goals)) for _ in range(lot.choice([1, 1, 2]))]
        if any(isinstance(plan, NoPlan) for plan in plans):
            return Repeat()
        until = lot.choice([None, lambda state: literal("opened gate").atom in state.atoms])
        return Detour(tuple(plans), tuple(plans[:1]) if lot.random() < 0.3 else (), until, said="Something else.")

    def _goal(self, request, lot):
        goals = drawn_goal(lot), drawn_goal(lot)
        plan = self._twin.plan_from(request.state, goals[0])
        known = None if isinstance(plan, NoPlan) or lot.random() < 0.5 else plan
        return NewGoal(goals, known, "Something else will do.")

    def _ask(self, request, lot):
        return Ask(Question("What now?", ("go on",)), lambda words, request: Repeat(words))


class Cheaper:
    """A search that has a cheaper plan at once."""

    done = True

    def __init__(self, answer):
        self._answer = answer

    def best(self):
        return self._answer

    def wait(self):
        return self._answer

    def cancel(self):
        pass


class Twin:
    """One of two worlds that are alike, with a tree that is to change it.

    Args:
        seed: Gives the world, the tree, and all that happens.
        raises: How likely the body raises when a motion is to begin.
    """

    def __init__(self, seed: int, raises: float = 0.0) -> None:
        self.random = random.Random(seed)
        self.chance = random.Random(seed + 1)  # of strategies and the body: drawn in the order in which they are asked
        draw = self.random
        self.robot = Body(self.layout(), self.chance, draw.choice([0.0, 0.1, 0.4]), raises)
        self.robot.braking = draw.choice([0.0, 0.0, 0.6])
        self.beliefs = draw.choice([Exact, ToyBeliefs])(self.robot)
        self.journal, self.desk = Entries(), UserPrompt()
        self.calm = draw.choice([0.6, 0.9, 1.0])
        self.goal = drawn_goal(draw)
        self.root = self.surrounded(self.tree())

    def learn(self, fact):
        """Believe something else, until the next sensing."""
        self.beliefs.state = State(self.beliefs.state.atoms ^ {fact})
        self.beliefs.revision += 1

    def draw(self):
        return self.chance.random()

    def layout(self):
        """Return where everything may be while nobody does anything."""
        facts = {f"free {agent}" for agent in AGENTS}
        facts |= {f"lies {thing} {self.random.choice(PLACES)}" for thing in THINGS}
        facts |= {"opened gate"} if self.random.random() < 0.5 else set()
        return frozenset(literal(one).atom for one in facts)

    def plan_from(self, state, goal, extra=0):
        """Return a plan by hand; with steps that are of no use, if `extra` asks for that."""
        steps, lacking = [], sorted(state.missing(goal))
        draw = random.Random(f"{sorted(state.atoms)} {lacking}")  # it is called from several threads
        gate = literal("opened gate").atom
        if lacking and gate not in state.atoms:
            free = [agent for agent in AGENTS if literal(f"free {agent}").atom in state.atoms]
            steps += [unlock(draw.choice(free))] if free else []
        for one in lacking:
            if one.atom == gate:
                continue
            thing, place = one.atom.args
            start = next((fact for fact in sorted(state.atoms) if fact.args[:1] == (thing,)), None)
            if start is None:
                return NoPlan(Feedback(Code.NO_PLAN, "the goal", f"{thing} is nowhere"))
            if start.predicate == "held":
                steps.append(lay(start.args[1], thing, place))
                continue
            agent = draw.choice(AGENTS)
            steps += [take(agent, thing, start.args[1])]
            steps += [lay(agent, thing, place), take(agent, thing, place)] * extra
            steps += [lay(agent, thing, place)]
        return Plan(tuple(steps), goal, optimal=not extra, planner="by hand")

    def tree(self) -> Behaviour:
        """Make the tree of a plan with strategies, or without."""
        draw = self.random
        extra = draw.choice([0, 0, 1])
        plan = self.plan_from(self.beliefs.state, self.goal, extra)
        assert isinstance(plan, Plan)
        together = draw.choice([None, True, False])
        improver = (lambda state: Cheaper(self.plan_from(state, self.goal))) if extra and draw.random() < 0.7 else None
        means = {"beliefs": self.beliefs, "robot": self.robot, "journal": self.journal, "effect_patience": 0.5}
        if draw.random() < 0.1:
            return compile_plan(plan, together=together, improver=improver, **means)
        strategies = [
            Retry(),
            Chance("rule", Scope.STEP, self),
            Replan(lambda request: self.plan_from(request.state, request.plan.goal if request.plan else self.goal)),
            Chance("explore", Scope.RUN, self),
            Chance("ask", Scope.RUN, self),
        ]
        chosen = [strategy for strategy in strategies if draw.random() < 0.7]
        replans = any(isinstance(strategy, Replan) for strategy in chosen)
        return pursue(
            None if replans and draw.random() < 0.3 else plan,
            chosen,
            {strategy.name: Budget(tries=draw.randint(1, 5), same=draw.randint(1, 3)) for strategy in chosen},
            goals=(self.goal,),
            together=together,
            improver=improver,
            desk=self.desk,
            answer_seconds=3.0,
            **means,
        )

    def surrounded(self, tree: Behaviour) -> Behaviour:
        """Put a tree among nodes of py_trees, half of the time."""
        draw = self.random
        memory = draw.random() < 0.5
        asks = Condition("asks", frozenset({literal(str(draw.choice(FACTS))[1:-1])}), self.beliefs)
        then = Condition("then", frozenset({literal(str(draw.choice(FACTS))[1:-1])}), self.beliefs)
        kind = draw.randrange(14)
        if kind == 0:
            return composites.Sequence("all", memory, [asks, tree, then])
        if kind == 1:
            return composites.Selector("any", memory, [asks, tree, then])
        if kind == 2:
            return decorators.Retry("retry", composites.Sequence("all", memory, [then, tree]), 3)
        if kind == 3:
            return composites.Parallel("both", ParallelPolicy.SuccessOnOne(), [asks, tree])
        if kind == 4:
            return composites.Selector("any", memory, [composites.Sequence("all", memory, [asks, then]), tree])
        if kind == 5:
            return composites.Sequence("all", memory, [decorators.Inverter("not", asks), tree])
        return tree

    def disturb(self) -> list[Behaviour]:
        """Let time pass and other things happen; return the nodes that were stopped below the root."""
        draw = self.random
        self.robot.clock.sleep(SECONDS)
        if self.root.status == Status.SUCCESS:
            self.robot.change(self.layout(), self.robot.atoms)
        while draw.random() > self.calm:
            fact = draw.choice(FACTS)
            self.robot.change([fact] if draw.random() < 0.5 else [], [fact] if draw.random() < 0.5 else [])
        if draw.random() < 0.05:
            hidden = self.beliefs.hidden
            self.beliefs.hidden = frozenset() if hidden else frozenset(draw.sample(FACTS, 2))
        if draw.random() < 0.3:
            self.desk.answer("go on")
        self.beliefs.refresh()
        if draw.random() < 0.05:
            self._exchange()
        kind = draw.random()
        if kind < 0.02:
            self.root.stop(Status.INVALID)
        elif kind < 0.04:
            node = draw.choice(list(walk(self.root)))
            node.stop(Status.INVALID)
            return [node]
        return []

    def _exchange(self) -> None:
        """Correct the plan under way, as a person does."""
        goals = [node.plan.goal for node in walk(self.root) if isinstance(node, Execute)]
        plan = self.plan_from(self.beliefs.state, goals[0]) if goals else None
        if isinstance(plan, Plan) and plan.steps:
            try:
                exchange(self.root, replace(plan, planner="a correction"), self.beliefs)
            except TreeError as error:
                self.robot.log.append(("refused", str(error)))

    def seen(self) -> list[tuple[object, ...]]:
        """Return everything that can be seen of the tree."""
        return [
            (
                node.name,
                getattr(node, "what", ""),
                node.status,
                node.feedback_message,
                getattr(node, "feedback", None),
                current.name if (current := getattr(node, "current_child", None)) else None,
                node.parent.name if node.parent else None,
                getattr(node, "point", None),
            )
            for node in walk(self.root)
        ]


def compared(seed: int, ticks: int, raises: float = 0.0) -> dict[str, int]:
    """Tick two trees side by side and compare everything after each tick; return what has happened, how often."""
    plain, spare = Twin(seed, raises), Twin(seed, raises)
    ticker = Ticker(spare.root, Believed(spare.beliefs))
    for number in range(ticks):
        plain.disturb()
        for node in spare.disturb():
            ticker.invalidate(node)
        visited, raised = _ticked(lambda: list(plain.root.tick()))
        _, also = _ticked(ticker.tick)
        where = f"seed {seed}, tick {number}"
        assert raised == also, where
        assert plain.seen() == spare.seen(), where
        assert plain.journal.events == spare.journal.events, where
        assert plain.robot.log == spare.robot.log, where
        assert plain.chance.getstate() == spare.chance.getstate(), where
        cells = ticker.cells()
        assert [cell.node for cell in cells] == list(walk(spare.root)), where
        assert not any(isinstance(cell, Foreign) for cell in cells), where
        if not raised:
            _must_be_part(ticker.touched, visited, where)
    events = [event["e"] for event in spare.journal.events]
    return {event: events.count(event) for event in set(events)}


def _ticked(tick):
    try:
        return tick(), ""
    except BrokenError as error:
        return None, str(error)


def _must_be_part(touched, visited, where):
    """Check that all nodes of the session were come to that a plain tick comes to, in its order, and no other node."""
    ours, plain = ([(node.name, node.status) for node in nodes] for nodes in (touched, visited))
    rest = iter(plain)
    assert all(node in rest for node in ours), where
    assert [node for node in ours if node[0] not in AROUND] == [node for node in plain if node[0] not in AROUND], where
