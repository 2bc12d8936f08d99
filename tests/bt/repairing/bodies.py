"""Whole runs with the lower rungs: a world, a body in it, and plans that are wrong or meet with mishaps."""

from collections.abc import Sequence

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Entries, Runner
from bt.repairing import Mender, Obstacles, Rungs, pursue_mending
from domains.model import Domain, SceneFile
from domains.reading import load_domain, load_scene
from graftwork.staging.embodying import symbolic_robot
from planning import solve
from robots.fake import FakeRobot
from semantics.atoms import dnf
from semantics.goal import CheckedGoal, Goal
from semantics.parsing import parse_formula
from semantics.state import Action, Plan


class Bar:
    """A scene with a body in it, and what is believed."""

    def __init__(self, world: str, scene: str, change=None) -> None:
        self.domain: Domain = load_domain(world)
        self.scene: SceneFile = load_scene(self.domain, scene)
        placed = self.scene.layout is not None
        self.robot = FakeRobot(self.scene.layout) if placed else symbolic_robot(self.domain, self.scene)
        if change is not None:
            change(self.robot)
        watcher = Watcher(self.robot, Scene.start(self.scene, self.domain), self.domain)
        watcher.refresh()
        self.obstacles = Obstacles(watcher, self.domain, self.robot.clock)
        self.journal = Entries()
        self.mender = Mender(self.domain.repairs, self.domain, self.scene.things)
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
            return solve(checked, state, self.scene.things, domain, planner=planner)

        return replan

    def run(self, plan: Plan, rungs: Rungs | None = None, seconds: float = 900.0):
        root = pursue_mending(
            plan, rungs or Rungs(self.mender), obstacles=self.obstacles, robot=self.robot, journal=self.journal
        )
        self.root = root
        return Runner(root, self.robot, self.obstacles).run(seconds)

    def plans(self):
        return [event["steps"] for event in self.journal.of("plan")]

    def uses(self):
        return [(use["rung"], use["code"], use["solved"]) for use in self.journal.of("rung")]
