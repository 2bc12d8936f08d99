"""`RunContext`, the immutable services that all runs of a session share, and `RunState`, the mutable state of one run.

Each run has a new `RunState`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bt import Entries, Runner, Tree
from bt.background import Cancellation
from bt.listeners import Requests
from bt.record import Journal, Journals
from bt.recovery import NewGoal, Obstacles, UserPrompt
from bt.stages import Stages
from domains.model import RepairRule
from domains.planned_values import valued
from graftwork.decision import Decision, DecisionContext, PlanDecision, decide
from graftwork.language.interpretation import ModelUse
from graftwork.memory import Memory
from graftwork.memory.evidence import EvidenceRecorder, Trials, store_beside
from graftwork.record.episode import Stopwatch
from graftwork.record.recorder import Records, RunRecord
from graftwork.recovery.accepted_rules import accepted
from graftwork.recovery.consent import changed_goal
from graftwork.recovery.context import RecoveryContext
from graftwork.recovery.tree import PLANNED_SECONDS, build_tree
from graftwork.run.past import about
from graftwork.run.stages import GoalsInOrder, only_first
from graftwork.setup.limits import Budgets, Consent, joined_budgets
from graftwork.setup.plans import Plans, choice_told
from graftwork.setup.settings import Limits
from graftwork.setup.stage import Stage
from semantics.atoms import Atom
from semantics.embedding import SentenceEmbedder
from semantics.errors import UsageError
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal, Goal
from semantics.motion import Hold
from semantics.protocols import Clock, CountingModel, Interlocked, LanguageModel, Skill

__all__ = ["RunContext", "RunState", "persons_of", "record_goal", "run_context", "shared_out", "tree_of"]


@dataclass(frozen=True, slots=True)
class RunContext:
    """The services of every run of a session.

    Attributes:
        stage: The world with a body in it.
        plans: Calls the planner, and distributes plans among the hands of the body.
        decision: The context of decisions.
        records: Creates the record of each run.
        beliefs: The beliefs, with the obstacles that the body has met.
        limits: The time limits.
        budgets: The budget of each recovery strategy.
        skills: Skills by capability name, which replace the domain's motion primitives.
        names: Fields of an episode that name the world, the body and the model.
        about: Fields of a record's first event that resuming the run needs.
        hold: Whether a person lets the body move.
        process: The process that opened the session.
    """

    stage: Stage
    plans: Plans
    decision: DecisionContext
    records: Records
    beliefs: Obstacles
    limits: Limits
    budgets: Budgets
    skills: Mapping[str, Skill]
    names: Mapping[str, Any]
    about: Mapping[str, Any]
    process: int = field(default_factory=os.getpid)

    def must_be_here(self) -> None:
        """Refuse to work in a copy of the process that opened the session, made by ``fork``: it has no threads of it.

        Raises:
            UsageError: This is another process.
        """
        if os.getpid() != self.process:
            raise UsageError("the session belongs to the process that opened it; open another one after a fork")

    @property
    def hold(self) -> Hold:
        """Whether a person lets the body move; it is the same for all sessions with this body."""
        robot = self.stage.robot
        assert isinstance(robot, Interlocked)
        return robot.motion_interlock.hold

    @property
    def clock(self) -> Clock:
        """The body's clock."""
        return self.stage.robot.clock

    @property
    def repairs(self) -> tuple[RepairRule, ...]:
        """The repair rules of the world, and those that a person has accepted."""
        domain = self.stage.domain
        return (*domain.repairs, *(() if self.decision.memory is None else accepted(self.decision.memory.path, domain)))


def run_context(
    stage: Stage,
    plans: Plans,
    model: LanguageModel | None,
    memory: Memory | None,
    consents: tuple[Consent, Consent],
    records: Records,
    limits: Limits,
    skills: Mapping[str, Skill],
    asked: Mapping[str, Any],
) -> RunContext:
    """Return the services of the runs of a session with the arguments `asked`.

    Decisions sense, and search for missing objects if the ladder allows it. They do not distribute the steps among
    several hands; see `RunContext.plans`. The consents are to substitutes and to parts of a goal.
    """
    domain = stage.domain
    budgets = joined_budgets(domain.ladder, limits.ladder)
    looks = budgets["explore"] is not None and budgets["replan"] is not None
    decision = replace(
        DecisionContext.of(
            replace(plans, sharing=None), stage.scene_file.speaker, model, SentenceEmbedder(), stage.rules
        ),
        memory=memory,
        sensed=stage.watcher.sensed,
        related=stage.watcher.related,
        viewer=lambda: stage.watcher.viewer,
        arrangement=lambda: stage.watcher.arrangement,
        model_tries=limits.model_tries,
        consent=consents[0],
        part=consents[1],
        lookout=stage if looks else None,
        unlimited=stage.unlimited,
    )
    names = {"domain": domain.name, "scene": stage.scene_file.name, "robot": stage.body}
    names |= {name: asked[name] for name in ("model", "seed")}
    beliefs = Obstacles(stage.watcher, domain)
    return RunContext(
        stage, plans, decision, records, beliefs, limits, budgets, skills, names, about(stage, asked, limits)
    )


@dataclass(slots=True)
class RunState:
    """The state of one run.

    Attributes:
        watch: Measures the time of each stage.
        record: Its record; None before `Run.begin`.
        events: The events that its journal got, in order.
        numbers: The numbers of the world at its start.
        journal: Gets the events of the tree and of corrections; it has no journals before `Run.begin`.
        trials: Counts the results of its steps.
        desk: Holds the open question to a person.
        turns: The changed goals, oldest first.
        use: The use of the language model.
        cancellation: Tells its tree whether the run is cancelled.
        calls_before: The model's own count of requests before the run.
        goal: The goal that is pursued now, if it is no longer that of the decision.
        tell: Called with the decision of each goal that is begun after another one.
    """

    watch: Stopwatch = field(default_factory=Stopwatch)
    record: RunRecord | None = None
    events: Entries = field(default_factory=Entries)
    numbers: Mapping[Atom, float] = field(default_factory=dict)
    journal: Journal = field(default_factory=Journals)
    trials: Trials = field(default_factory=Trials)
    desk: UserPrompt = field(default_factory=UserPrompt)
    turns: list[NewGoal] = field(default_factory=list)
    use: ModelUse = field(default_factory=ModelUse)
    cancellation: Cancellation = field(default_factory=Cancellation)
    calls_before: int = 0
    goal: CheckedGoal | None = None
    tell: Callable[[PlanDecision], None] = lambda _: None

    def turn(self, turn: NewGoal) -> None:
        """Record that another goal is pursued from now on."""
        goal = changed_goal(turn)
        if goal is not None:
            self.turns.append(turn)
            self.goal = goal
            if self.record is not None:
                self.record.goal(goal, goal.dropped)

    def model_calls(self, context: RunContext) -> int:
        """Return the number of requests to the model; its own count, if it has one, includes failed requests."""
        model = context.decision.model
        return model.calls - self.calls_before if isinstance(model, CountingModel) else self.use.calls

    def runner(self, context: RunContext, tree: Tree) -> Runner:
        """Return the runner of a tree, with all listeners."""
        stage, things = context.stage, context.plans.things
        listeners = () if self.record is None else self.record.listeners()
        memory = context.decision.memory
        evidence = None if memory is None else store_beside(memory.path)
        learning = () if evidence is None else (EvidenceRecorder(evidence, stage.domain, things, stage.body),)
        watching = (*listeners, Requests(self.journal, persons_of(context)), self.trials, *learning)
        return Runner(
            tree, stage.robot, context.beliefs, listeners=watching, cancellation=self.cancellation, hold=context.hold
        )


def persons_of(context: RunContext) -> frozenset[str]:
    """Return the names of the agents that are asked to do their steps: every agent other than the robot.

    In a scene without a robot, each agent is the body itself, and nobody is asked.
    """
    domain, things = context.stage.domain, context.plans.things
    classes, robot = {thing.class_name for thing in things.values()}, domain.conventions.robot
    asked = classes & domain.agents.keys() - {robot} if robot in classes else frozenset()
    return frozenset(name for name, thing in things.items() if thing.class_name in asked)


def shared_out(decision: PlanDecision, context: RunContext) -> PlanDecision:
    """Return a decision with its plan distributed among the hands of the body, unless it is only a part or a search."""
    if decision.partly is not None or decision.looks_for:
        return decision
    plan = context.plans.shared(decision.plan, decision.state)
    return replace(decision, plan=valued(context.stage.domain, plan, decision.goal.goal))


def record_goal(record: RunRecord, context: RunContext, ready: PlanDecision) -> None:
    """Record a goal that is begun, and its plan."""
    record.goal(ready.goal, dict.fromkeys((*ready.goal.dropped, *ready.plan.dropped)))
    if ready.looks_for:
        record.note(f"there is no plan before {ready.looks_for} is found")
    if ready.looks_for or not ready.plan.steps:
        return
    choice = choice_told(context.plans.service.name, context.stage.domain)
    record.plan(ready.plan, "recalled" if ready.recalled else "first", choice)
    patience = context.plans.patience
    if patience and not ready.plan.optimal and ready.plan.seconds >= patience:
        record.note(f"no plan was proved cheapest within {patience:g} s; this is the best so far")


def tree_of(context: RunContext, decision: PlanDecision, run: RunState) -> Tree | Feedback:
    """Compile a decision into a tree with recovery, or return where its plan breaks.

    The goals that come later get their trees when their turn comes; see `Stages`.
    """
    if decision.goal.goal.later:
        first = tree_of(context, only_first(decision), run)
        return first if isinstance(first, Feedback) else stages_of(first, decision, context, run)
    if decision.obstacles:
        context.beliefs.believe(decision.obstacles)
    decider = replace(context.decision, plans=context.plans)
    seconds, price = context.limits.answer_seconds, context.limits.model_price
    helpers = RecoveryContext(decider, run.events, run.desk, seconds, price, run.turn, run.use)
    return build_tree(
        decision,
        context.stage,
        helpers,
        context.beliefs,
        context.budgets,
        context.repairs,
        context.skills,
        run.journal,
        run.cancellation,
    )


def stages_of(first: Tree, decision: PlanDecision, context: RunContext, run: RunState) -> Stages[Decision]:
    """Return the tree of goals that are to be reached one after the other; `first` is the tree of the first one."""
    # A goal is exact, so it gets no substitute; a part is offered by its tree, when it fails.
    decider = replace(context.decision, consent=Consent.NEVER, part=Consent.NEVER, memory=None)

    def decided(goal: Goal) -> Callable[[], Decision]:
        context.stage.begin_goal()
        state, called_off = context.stage.watcher.state, run.cancellation
        return lambda: decide(decider, goal, state, cancelled=lambda: called_off.is_cancelled)

    def begun(ready: PlanDecision) -> Tree | Feedback:
        shared = shared_out(ready, context)
        run.goal = shared.goal
        run.tell(shared)
        return tree_of(context, only_first(shared), run)

    goals = GoalsInOrder(decision.goal, decided, begun, lambda: run.goal)
    delay = PLANNED_SECONDS if context.clock.simulated else None
    what = f"{len(decision.goal.goal.stages)} goals, one after the other"
    return Stages(first, goals, context.clock, delay, run.cancellation, what)
