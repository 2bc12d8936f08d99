"""Our ladder on the same text: words set right, once more, rules, a new plan around obstacles, and the model last.

The text becomes a plan that need not be right; the tree does the rest (`bt.pursue`). A line that
means nothing, even with its words set right, is left out: before anything moves, the model of the world says whether
the rest still reaches the goal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from affordances.scene import Scene
from affordances.watcher import Watcher
from benchmarks.copal_ladder.running.checking import strange
from benchmarks.copal_ladder.running.sequencing import MOST_TEXTS, Ran
from benchmarks.copal_ladder.standin.line import Line
from bt import Entries, Runner, pursue
from bt.recovery import Answer, Budget, NewGoal, Obstacles, RepairSearch, Replan, Request, Retry, Rule, Scope, Strategy
from bt.runner import Ending
from domains.model import Domain, SceneFile
from domains.problem import Problem
from graftwork.decision.plan_text import read_line
from semantics.body.protocols import NoPlan, Robot
from semantics.logic.atoms import Conjunct
from semantics.logic.state import Operator, Plan, State

__all__ = ["Ours", "Reading", "read"]

RATE_HZ = 1.0
"""Ticks per second of the virtual clock: a step takes ten of its seconds."""
LONGEST = 7200.0
"""Seconds of the virtual clock, after which a run is given up."""

WRITING_SECONDS = 2.0
"""How long the model takes for a text, on the virtual clock."""

PlannerOf = Callable[[State, Domain], Plan | NoPlan]
"""Plans for the goal from a state, in a domain with what was learned."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as steps, and how many of its lines had to be set right, or were left out."""

    steps: tuple[Operator, ...]
    words: int
    left_out: int


def read(text: Sequence[Line], state: State, domain: Domain, scene: SceneFile) -> Reading:
    """Read a text as it is meant; what a line does not say is taken from what the lines before it would bring about."""
    steps: list[Operator] = []
    words = left_out = 0
    for line in text:
        step = read_line(line.text, Problem(domain, scene.things, state))
        if not isinstance(step, Operator):
            left_out += 1
            continue
        words += strange(line.text, scene.things) is not None
        steps.append(step)
        state = step.apply(state)
    return Reading(tuple(steps), words, left_out)


@dataclass
class Ours:
    """Carries out texts with the whole ladder.

    Attributes:
        domain: The world.
        scene: What is in it.
        robot: The body.
        planner: Plans for the goal.
        consult: Writes a new text from a state, where there is no plan; None when nobody can be asked.
    """

    domain: Domain
    scene: SceneFile
    robot: Robot
    planner: PlannerOf
    consult: Callable[[State], Sequence[Line]] | None = None
    answered: Counter[str] = field(default_factory=Counter)

    def run(self, text: Sequence[Line], goal: Conjunct) -> Ran:
        """Carry out a text for a goal."""
        watcher = Watcher(self.robot, Scene.start(self.scene, self.domain))
        watcher.refresh()
        obstacles = Obstacles(watcher)
        reading = read(text, obstacles.state, self.domain, self.scene)
        self.answered.update({"words": reading.words, "left out": reading.left_out})
        mender = RepairSearch(self.domain.repairs)
        journal = Entries()
        strategies = [Retry(), Rule(mender), Replan(self._planned)]
        consult = [] if self.consult is None else [_Rewrite(self, self.consult, goal)]
        plan = Plan(reading.steps, goal, planner="the text")
        root = pursue(
            plan,
            [*strategies, *consult],
            {"consult": Budget(tries=MOST_TEXTS)},
            beliefs=obstacles,
            robot=self.robot,
            journal=journal,
        )
        end = Runner(root, self.robot, obstacles, rate_hz=RATE_HZ).run(LONGEST)
        self._count(journal)
        good = end.status is Ending.SUCCESS
        self.answered["none"] += not good
        return Ran(good, self.answered, "" if good else str(end.reason or end.status))

    def _planned(self, request: Request) -> Plan | NoPlan:
        """Plan anew."""
        found = self.planner(request.state, self.domain if request.learned is None else request.learned.domain)
        self.answered["replan"] += isinstance(found, Plan)
        return found

    def _count(self, journal: Entries) -> None:
        """Count the failures that a rule, or doing it once more, was the answer to; one answer may mend several."""
        self.answered.update(use["rung"] for use in journal.of("rung") if use["rung"] in ("rule", "again"))


class _Rewrite(Strategy):
    """Asks the model for a new text, which the cheaper strategies mend as they did the first."""

    name = "consult"
    scope = Scope.RUN
    needs_goal = makes_plans = True
    seconds = WRITING_SECONDS

    def __init__(self, ours: Ours, consult: Callable[[State], Sequence[Line]], goal: Conjunct) -> None:
        self._ours, self._consult, self._goal = ours, consult, goal

    def applies(self, _: Request) -> bool:
        return True

    def propose(self, request: Request) -> Answer:
        ours = self._ours
        ours.answered["model"] += 1
        steps = read(self._consult(request.state), request.state, ours.domain, ours.scene).steps
        plan = Plan(steps, self._goal, planner="the model")
        return NewGoal((self._goal,), plan, "The model writes a new text.")
