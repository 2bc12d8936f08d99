"""A whole program for a goal: its plan's tree with the lower rungs around it, and planning anew above them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.compiling import EFFECT_PATIENCE, compile_plan
from bt.improving import Improver
from bt.reactive.judging import in_the_making
from bt.reactive.reach import Reach
from bt.record import Journal
from bt.repairing.again import TWICE, Again
from bt.repairing.anew import ANEW, Anew
from bt.repairing.budget import Budget
from bt.repairing.ladder import Ladder, Noting, Tally
from bt.repairing.obstacles import Obstacles
from bt.repairing.obstacles.believing import DomainReplanner
from bt.repairing.rules import Mender, Rule
from bt.repairing.turns import Desk, ErrandFirst, Finder, Slot, Turn, Turning, Unplanned
from semantics.atoms import Conjunct
from semantics.feedback import Code
from semantics.protocols import Beliefs, Robot, Skill
from semantics.state import Plan

__all__ = ["Kit", "Rungs", "Settling", "Upper", "pursue_mending", "turning"]


@dataclass(frozen=True)
class Rungs:
    """Which rungs there are, and what each may spend; a budget of None leaves a rung out.

    Attributes:
        mender: The rules; None leaves that rung out.
        replanner: Gives a plan in the domain with what was learned; None leaves that rung out.
        again: Of the rung that begins a step once more.
        rule: Of the rung of rules.
        replan: Of the rung that plans anew.
        delay: How long planning takes on a simulated clock, in its seconds.
        improver: Starts a search for a cheaper plan from a state; by default none is looked for.
        together: Which steps of every plan may be done at once, see `bt.compiling.compile_plan`.
        above: What answers when there is no plan: the upper rungs (`turning`) or ones of one's own, the cheapest first.
        turned: Is told of every turn that an upper rung takes, before anything is planned after it.
    """

    mender: Mender | None = None
    replanner: DomainReplanner | None = None
    again: Budget | None = TWICE
    rule: Budget | None = field(default_factory=Budget)
    replan: Budget | None = ANEW
    delay: float | None = 0.1
    improver: Improver | None = None
    together: bool | None = None
    above: Sequence[Upper] = ()
    turned: Callable[[Turn], None] | None = None


class Settling(Reach):
    """Succeeds when a goal is reached and what was disturbed on the way is restored, if that can be done.

    Args:
        goals: The conjuncts, any of which will do.
        child: The tree that brings one about.
        beliefs: What is held true.
        owes: Whether something has still to be restored.
    """

    def __init__(self, goals: Sequence[Conjunct], child: Behaviour, beliefs: Beliefs, owes: Callable[[], bool]) -> None:
        super().__init__(goals, child, beliefs)
        self._owes = owes

    def aim(self, goals: Sequence[Conjunct]) -> None:
        """Want something else from here on."""
        self.goals = tuple(goals)
        self.what = " or ".join(" ".join(map(str, sorted(goal))) for goal in goals)

    def settled(self) -> Status | None:
        """Look at the goal, unless something is still to be restored."""
        return None if self._owes() else super().settled()

    def update(self) -> Status:
        """Judge the child's end on the goal: what could not be restored does not undo it."""
        return Status.SUCCESS if self.decorated.status == Status.FAILURE and self._reached() else super().update()


def pursue_mending(
    plan: Plan | None,
    rungs: Rungs,
    *,
    obstacles: Obstacles,
    robot: Robot,
    goals: Sequence[Conjunct] = (),
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    effect_patience: float = EFFECT_PATIENCE,
) -> Settling:
    """Make the tree that carries out `plan`, and mends it by the cheapest means.

    Args:
        plan: The first plan; it need not be right. None: it is made when the tree is first ticked.
        rungs: What mends it.
        obstacles: What is held true; pass the same to `Runner`.
        robot: The body.
        goals: The conjuncts, any of which will do; by default the plan's.
        skills: By capability name, what gives the motion instead of the capability's primitive.
        journal: Where the tree writes what it decides.
        effect_patience: How long to wait for a step's effect to be sensed, in seconds of the body's clock.

    Raises:
        TreeError: Neither a plan nor a goal is given.
    """
    kit = Kit(rungs, obstacles, robot, skills, Tally(journal), effect_patience)
    kit.slot = Slot(kit.replanned(plan))
    root: Behaviour = kit.slot
    for upper in rungs.above:
        root = upper(root, kit)
    wanted = tuple(goals) or (() if plan is None else (plan.goal,))
    kit.top = Settling(wanted, Ladder(root, kit.tally), obstacles, kit.owes)
    return kit.top


@dataclass
class Kit:
    """Puts the rungs around the tree of a plan.

    Attributes:
        rule: The rung of rules that stands there now.
        slot: What the upper rungs stand around.
        top: What knows when the goal is reached.
    """

    rungs: Rungs
    obstacles: Obstacles
    robot: Robot
    skills: Mapping[str, Skill] | None
    tally: Tally
    patience: float
    rule: Rule | None = None
    slot: Slot | None = None
    top: Settling | None = None

    def once(self, plan: Plan, improver: Improver | None = None) -> Behaviour:
        """Return the tree of a plan whose failures are noted, with a second try."""
        made = compile_plan(
            plan,
            beliefs=self.obstacles,
            robot=self.robot,
            skills=self.skills,
            journal=self.tally,
            effect_patience=self.patience,
            improver=improver,
            delay=self.rungs.delay,
            together=self.rungs.together,
        )
        noted = Noting(made, clock=self.robot.clock, journal=self.tally, obstacles=self.obstacles)
        if self.rungs.again is None:
            return noted
        clock, budget = self.robot.clock, self.rungs.again
        return Again(noted, beliefs=self.obstacles, clock=clock, budget=budget, journal=self.tally)

    def ruled(self, plan: Plan, *, improved: bool = True) -> Behaviour:
        """Return that with the rules around it; what a rule puts in is not traded for something cheaper."""
        rungs, child = self.rungs, self.once(plan, self.rungs.improver if improved else None)
        if rungs.mender is None or rungs.rule is None:
            return child
        clock, budget = self.robot.clock, rungs.rule
        self.rule = Rule(
            child, rungs.mender, self.once, beliefs=self.obstacles, clock=clock, budget=budget, journal=self.tally
        )
        return self.rule

    def replanned(self, plan: Plan | None) -> Behaviour:
        """Return that with planning anew around it; without a plan, planning anew comes first."""
        rungs, child = self.rungs, Unplanned() if plan is None else self.ruled(plan)
        if rungs.replanner is None or rungs.replan is None:
            return child
        return Anew(
            child,
            self.obstacles.planner(rungs.replanner),
            self.ruled,
            beliefs=self.obstacles,
            clock=self.robot.clock,
            budget=rungs.replan,
            delay=rungs.delay,
            journal=self.tally,
        )

    def turn(self, turn: Turn) -> None:
        """Put what a turn says in the place of what has failed."""
        assert self.slot is not None
        assert self.top is not None
        if turn.goals is not None:
            self.top.aim(turn.goals)
        if self.rungs.turned is not None:
            self.rungs.turned(turn)
        if turn.goals is None and turn.plan is not None:
            self.rule = None
            errand = self.ruled(turn.plan, improved=False)
            self.slot.put(ErrandFirst(errand, self._onwards(), self.obstacles, turn.until))
        else:
            begun_again = turn.goals is None
            self.slot.put(self._onwards() if begun_again else self.replanned(turn.plan))

    def _onwards(self) -> Behaviour:
        """Return what plans for the goal from where the world is; where nothing does, the plan that has failed."""
        assert self.slot is not None
        plans = self.rungs.replanner is not None and self.rungs.replan is not None
        return self.replanned(None) if plans else self.slot.decorated

    def owes(self) -> bool:
        """Return whether something has still to be restored."""
        if self.rule is None:
            return False
        owed = self.rule.owed
        return not self.obstacles.state.satisfies(owed) or in_the_making(owed, self.rule)


Upper = Callable[[Behaviour, Kit], Behaviour]
"""Makes a rung around what plans anew; the kit makes trees of plans, with all the lower rungs."""


def turning(
    name: str,
    finder: Finder,
    *,
    codes: frozenset[Code] | None,
    budget: Budget,
    delay: float | None = 0.1,
    desk: Desk | None = None,
    answer_seconds: float = 60.0,
) -> Upper:
    """Return an upper rung for `Rungs.above`; the arguments are those of `Turning`."""

    def around(child: Behaviour, kit: Kit) -> Behaviour:
        return Turning(
            name,
            child,
            finder,
            kit.turn,
            beliefs=kit.obstacles,
            clock=kit.robot.clock,
            codes=codes,
            budget=budget,
            delay=delay,
            desk=desk,
            answer_seconds=answer_seconds,
            journal=kit.tally,
        )

    return around
