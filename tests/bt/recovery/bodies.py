"""Whole runs with the lower rungs: a world, a body in it, and plans that are wrong or meet with mishaps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Entries, Runner, pursue
from bt.recovery import (
    BUDGETS,
    Answer,
    Budget,
    Obstacles,
    RepairSearch,
    Replan,
    Request,
    Retry,
    Rule,
    Scope,
    Strategy,
    UserPrompt,
)
from domains.model import Domain, SceneFile
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from graftwork.setup.model_body import symbolic_robot
from planning import solve
from robots.fake import FakeRobot
from semantics.logic.atoms import dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, Plan


class ByHand(Strategy):
    """A strategy beyond replanning whose answers are made by a function of a test."""

    scope = Scope.RUN

    def __init__(
        self,
        name: str,
        find: Callable[[Request], Answer],
        *,
        codes: frozenset[Code] | None = None,
        budget: Budget,
        desk: UserPrompt | None = None,
        answer_seconds: float = 60.0,
        seconds: float = 0.1,
    ) -> None:
        self.name, self.find, self.codes, self.budget = name, find, codes, budget
        self.desk, self.answer_seconds, self.seconds = desk, answer_seconds, seconds

    def applies(self, request: Request) -> bool:
        return self.codes is None or request.feedback.code in self.codes

    def propose(self, request: Request) -> Answer:
        return self.find(request)


@dataclass
class Rungs:
    """The strategies of a test, the cheapest first; a budget of None leaves one out.

    The replanner is given a state, a failure and a domain. The strategies above are of the kind `ByHand`.
    """

    mender: RepairSearch | None = None
    replanner: Callable[..., Any] | None = None
    again: Budget | None = BUDGETS["again"]
    rule: Budget | None = BUDGETS["rule"]
    replan: Budget | None = BUDGETS["replan"]
    together: bool | None = None
    above: Sequence[ByHand] = ()
    listener: Callable[[Answer], None] | None = None

    def tree(self, plan, bar, goals=()):
        """Make the tree of a plan, or of goals that have still to be planned for."""
        strategies: list[Strategy] = [Retry()]
        strategies += [Rule(self.mender)] if self.mender is not None else []
        if self.replanner is not None:
            replanner = self.replanner
            strategies.append(
                Replan(lambda request: replanner(request.state, request.feedback, request.learned.domain))
            )
        budgets = {"again": self.again, "rule": self.rule, "replan": self.replan}
        listener, desks = self.listener, [strategy for strategy in self.above if strategy.desk is not None]
        return pursue(
            plan,
            [*strategies, *self.above],
            budgets | {strategy.name: strategy.budget for strategy in self.above},
            beliefs=bar.obstacles,
            robot=bar.robot,
            goals=goals,
            journal=bar.journal,
            together=self.together,
            desk=desks[0].desk if desks else None,
            answer_seconds=desks[0].answer_seconds if desks else 60.0,
            listener=None if listener is None else lambda _, answer: listener(answer),
        )


class Bar:
    """A scene with a body in it, and what is believed."""

    def __init__(self, world: str, scene: str, change=None) -> None:
        self.domain: Domain = load_domain(world)
        self.scene: SceneFile = load_scene(self.domain, scene)
        placed = self.scene.layout is not None
        self.robot = FakeRobot(self.scene.layout) if placed else symbolic_robot(self.domain, self.scene)
        if change is not None:
            change(self.robot)
        watcher = Watcher(self.robot, Scene.start(self.scene, self.domain))
        watcher.refresh()
        self.obstacles = Obstacles(watcher)
        self.journal = Entries()
        self.mender = RepairSearch(self.domain.repairs)
        self.asked = 0

    @property
    def state(self):
        return self.obstacles.state

    def goal(self, text: str) -> CheckedGoal:
        formula = parse_formula(text)
        return CheckedGoal(Goal(formula), dnf(formula))

    def plan(self, goal: str, steps: Sequence[str]) -> Plan:
        (conjunct,) = self.goal(goal).conjuncts
        return Plan(tuple(self.step(step) for step in steps), conjunct, planner="by hand")

    def step(self, text: str):
        name, *args = text.split()
        return self.domain.ground(Action(name, tuple(args)), self.scene.things, self.state.numbers)

    def replanner(self, goal: str, planner):
        checked = self.goal(goal)

        def replan(state, feedback, domain):
            self.asked += 1
            return solve(Problem(domain, self.scene.things, state, checked.conjuncts), planner=planner)

        return replan

    def run(self, plan: Plan, rungs: Rungs | None = None, seconds: float = 900.0):
        root = (rungs or Rungs(self.mender)).tree(plan, self)
        self.root = root
        return Runner(root, self.robot, self.obstacles).run(seconds)

    def plans(self):
        return [event["steps"] for event in self.journal.of("plan")]

    def uses(self):
        return [(use["rung"], use["code"], use["solved"]) for use in self.journal.of("rung")]
