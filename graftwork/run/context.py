"""`Services`, what a session has for all its runs and never changes, and `RunState`, what changes in one run."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from affordances.watcher import Watcher
from bt import Entries, Runner, Tree
from bt.background import Cancellation
from bt.listeners import Requests
from bt.record import Journal, Journals
from bt.recovery import NewGoal, Obstacles, UserPrompt
from bt.recovery.budget import Budgets, joined_budgets
from bt.stages import Stages
from domains.model import RepairRule
from domains.world import World
from graftwork.decision import Decision, DecisionContext, PlanDecision, decide
from graftwork.decision.exploration import last_seen
from graftwork.language.conversation import MOST_TURNS, Turn
from graftwork.memory import Memory
from graftwork.memory.evidence import EvidenceRecorder, Trials, store_beside
from graftwork.record.episode import Stopwatch
from graftwork.record.recorder import Records, RunRecord
from graftwork.recovery.accepted_rules import accepted
from graftwork.recovery.consent import changed_goal
from graftwork.recovery.context import RecoveryContext
from graftwork.recovery.tree import PLANNED_SECONDS, build_tree
from graftwork.run.stages import GoalsInOrder, only_first
from graftwork.setup.environment import Environment
from graftwork.setup.limits import Consent
from graftwork.setup.plans import PlanningOptions, Plans, choice_told
from graftwork.setup.settings import Limits, use_of_models
from semantics.body.exchange import ModelUse
from semantics.body.motion import Hold
from semantics.body.observation import Sighting
from semantics.body.protocols import Clock, Interlocked, LanguageModel, NotingModel
from semantics.errors import UsageError
from semantics.logic.atoms import literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Action, State
from semantics.words.embedding import Embedder, SentenceEmbedder

if TYPE_CHECKING:
    from graftwork.decision.model import Doings


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(Environment):
    """The services of every run of a session: a body in a world, with what plans, records and decides.

    Attributes:
        planning: How plans are made.
        records: Creates the record of each run.
        limits: The time limits.
        names: Fields of an episode that name the world, the body and the model.
        about: Fields of a record's first event that resuming the run needs.
        beliefs: The beliefs, with the obstacles that the body has met.
        model: A language model, or None for the offline interpreter.
        memory: The memory of earlier runs, or None.
        consent: Whether a substitute may replace a missing object.
        part: Whether the robot may pursue only a part of a goal.
        new_things: Whether a thing of an unknown class may be treated as one of a similar class.
        unsaid: Whether a model's goal may name what nobody has spoken of.
        learn: Whether what a person teaches is kept.
        embedder: Suggests names with a similar meaning for unknown words.
        said: What the language model has said that things are, see `DecisionContext.said`.
        doings: What the last run that moved something has done.
        conversation: What was said, meant and done in the last turns, oldest first.
        keeps_turns: Whether the memory keeps them, for the next session with it.
        process: The process that opened the session.
    """

    planning: PlanningOptions
    records: Records
    limits: Limits
    names: Mapping[str, Any]
    about: Mapping[str, Any]
    beliefs: Obstacles
    model: LanguageModel | None = None
    memory: Memory | None = None
    consent: Consent = Consent.ASK
    part: Consent = Consent.ASK
    new_things: Consent = Consent.ASK
    unsaid: Consent = Consent.ASK
    learn: Consent = Consent.ASK
    embedder: Embedder = field(default_factory=SentenceEmbedder)
    said: dict[str, tuple[str, float]] = field(default_factory=dict)
    doings: list[Doings] = field(default_factory=list)
    conversation: deque[Turn] = field(default_factory=lambda: deque(maxlen=MOST_TURNS))
    keeps_turns: bool = False
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
        robot = self.robot
        assert isinstance(robot, Interlocked)
        return robot.motion_interlock.hold

    @property
    def clock(self) -> Clock:
        """The body's clock."""
        return self.robot.clock

    @property
    def budgets(self) -> Budgets:
        """The budget of each recovery strategy."""
        return joined_budgets(self.world.domain.ladder, self.limits.ladder)

    @property
    def repairs(self) -> tuple[RepairRule, ...]:
        """The repair rules of the world, and those that a person has accepted."""
        domain = self.world.domain
        return (*domain.repairs, *(() if self.memory is None else accepted(self.memory.path, domain)))

    @property
    def plans(self) -> Plans:
        """The planning calls in the present world; plans are distributed among the hands of the body."""
        return self.planning.plans(self.world)

    def begin_record(self, fields: Mapping[str, Any]) -> RunRecord:
        """Begin the record of a run, whose first event has `fields`."""
        pricing = self.planning.prices.of(self.world)
        units = None if pricing.model is None else pricing.units
        return self.records.begin(self.watcher, self.robot, fields, units)

    def decide_in(self, world: World) -> DecisionContext:
        """Return what a decision in a world uses; it senses, and looks for missing objects if the ladder allows it."""
        budgets = self.budgets
        lessons = () if self.memory is None else self.memory.lessons(world.domain)
        if lessons and any(lesson.program for _, lesson in lessons):
            from graftwork.decision.taught_programs import programs_taught  # most robots are taught none

            world = world.with_taught(programs_taught(lessons))
        return DecisionContext(
            self.planning.plans(world),
            self.model,
            self.memory,
            self.embedder,
            self,
            self.limits.model_tries,
            self.consent,
            self.part,
            self.new_things,
            self.unsaid,
            looks=budgets["explore"] is not None and budgets["replan"] is not None,
            said=self.said,
            doings=self.doings,
            turns=tuple(self.conversation),
            lessons=lessons,
            learn=self.learn,
        )


NO_STATE = State()


@dataclass(slots=True)
class RunState:
    """The state of one run.

    Attributes:
        watch: Measures the time of each stage.
        record: Its record; None before `Run.begin`.
        events: The events that its journal got, in order.
        begun: What was believed at its start.
        seen: Where things were seen then.
        journal: Gets the events of the tree and of corrections; it has no journals before `Run.begin`.
        trials: Counts the results of its steps.
        desk: Holds the open question to a person.
        turns: The changed goals, oldest first.
        said: The turns of the conversation that it has added.
        use: The use of the language model.
        cancellation: Tells its tree whether the run is cancelled.
        noted: How many notes of the model are recorded.
        turns_told: How many answers of the model are recorded.
        decided_in: The world that the open decision is about.
        goal: The goal that is pursued now, if it is no longer that of the decision.
        tell: Called with the decision of each goal that is begun after another one.
    """

    watch: Stopwatch = field(default_factory=Stopwatch)
    record: RunRecord | None = None
    events: Entries = field(default_factory=Entries)
    begun: State = NO_STATE
    seen: Mapping[str, Sighting] = field(default_factory=dict)
    journal: Journal = field(default_factory=Journals)
    trials: Trials = field(default_factory=Trials)
    desk: UserPrompt = field(default_factory=UserPrompt)
    turns: list[NewGoal] = field(default_factory=list)
    said: list[Turn] = field(default_factory=list)
    use: ModelUse = field(default_factory=ModelUse)
    cancellation: Cancellation = field(default_factory=Cancellation)
    noted: int = 0
    turns_told: int = 0
    decided_in: World | None = None
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

    def begin_model(self, model: LanguageModel, limits: Limits) -> None:
        """Count what the run spends on the model, and remember what the model has noted before."""
        self.use = use_of_models(limits)
        self.noted = len(model.notes) if isinstance(model, NotingModel) else 0

    def note_model(self, model: LanguageModel | None) -> None:
        """Record what the model has answered since, and what it has noted of its server."""
        if self.record is None:
            return
        while self.turns_told < len(self.use.turns):
            from graftwork.language.prompts import PROMPT_VERSION  # there are prompts where there are answers

            turn, now = self.use.turns[self.turns_told].as_dict(), round(self.record.robot.clock.now(), 3)
            self.journal.write("reply", {"t": now, "prompt": PROMPT_VERSION, **turn})
            self.turns_told += 1
        if not isinstance(model, NotingModel):
            return
        for note in model.notes[self.noted :]:
            self.record.note(note)
        self.noted = len(model.notes)

    def write_replies(self, services: Services, replies: deque[dict[str, object]]) -> None:
        """Record what was replied to the person, and what the model has answered, since."""
        if services.model is not None:
            self.note_model(services.model)
        while replies:
            now = round(services.clock.now(), 3)
            self.journal.write("heard", {"t": now, **replies.popleft()})

    def runner(self, services: Services, tree: Tree) -> Runner:
        """Return the runner of a tree, with all listeners."""
        listeners = () if self.record is None else self.record.listeners()
        evidence = None if services.memory is None else store_beside(services.memory.path)
        learning = () if evidence is None else (EvidenceRecorder(evidence, services.watcher, services.body),)
        watching = (*listeners, Requests(self.journal, persons_of(services.world)), self.trials, *learning)
        return Runner(
            tree,
            services.robot,
            services.beliefs,
            listeners=watching,
            cancellation=self.cancellation,
            hold=services.hold,
        )


class Keeping(NamedTuple):
    """A journal that keeps the things in mind that a plan names which is made on the way."""

    watcher: Watcher

    def write(self, event: str, fields: Mapping[str, Any]) -> None:
        """Take note of a plan."""
        if event == "plan" and self.watcher.world.origins:
            self.watcher.keep({name for step in fields["steps"] for name in Action.read(step).args})


def persons_of(world: World) -> frozenset[str]:
    """Return the names of the agents that are asked to do their steps: every agent other than the robot.

    In a scene without a robot, each agent is the body itself, and nobody is asked.
    """
    domain, things = world.domain, world.objects
    classes, robot = {thing.class_name for thing in things.values()}, domain.conventions.robot
    asked = classes & domain.agents.keys() - {robot} if robot in classes else frozenset()
    return frozenset(name for name, thing in things.items() if thing.class_name in asked)


def record_goal(record: RunRecord, services: Services, ready: PlanDecision) -> None:
    """Record a goal that is begun, and its plan."""
    record.goal(ready.goal, dict.fromkeys((*ready.goal.dropped, *ready.plan.dropped)))
    if ready.looks_for:
        known = last_seen(ready.looks_for, services.watcher)
        record.note(f"there is no plan before {ready.looks_for} is found{known and f'; {known}'}")
    if ready.looks_for or not ready.plan.steps:
        return
    choice = choice_told(services.planning.service.name, services.world.domain)
    record.plan(ready.plan, "recalled" if ready.recalled else "first", choice)
    patience = services.planning.patience
    if patience and not ready.plan.optimal and ready.plan.seconds >= patience:
        record.note(f"no plan was proved cheapest within {patience:g} s; this is the best so far")


def tree_of(services: Services, decision: PlanDecision, run: RunState) -> Tree:
    """Compile a decision into a tree with recovery.

    The goals that come later get their trees when their turn comes; see `Stages`.
    """
    if services.world.origins:  # there are things that no file lists
        services.watcher.keep(names_needed(decision))
    if decision.goal.goal.later:
        return stages_of(tree_of(services, only_first(decision), run), decision, services, run)
    if decision.obstacles:
        services.beliefs.believe(decision.obstacles)
    helpers = RecoveryContext(
        services.decide_in, run.events, run.desk, services.limits.answer_seconds, run.turn, run.use
    )
    return build_tree(
        decision, services, helpers, services.beliefs, services.budgets, services.repairs, run.journal, run.cancellation
    )


def names_needed(decision: PlanDecision) -> set[str]:
    """Return the things of which a goal or its plan has the names."""
    atoms = {literal.atom for stage in decision.goal.goal.stages for literal in literals(stage.formula)}
    named = {name for atom in atoms for name in atom.args}
    return named.union(*(step.action.args for step in decision.plan.steps))


def changed_meanwhile(names: Iterable[str], then: World, now: World) -> str:
    """Return which of these things was forgotten, or is known as something else, since a decision; empty if none."""
    for name in sorted(names):
        if then.objects.get(name) != now.objects.get(name):
            return f"{name} {'is known otherwise' if name in now.objects else 'was forgotten'} since it was decided"
    return ""


def stages_of(first: Tree, decision: PlanDecision, services: Services, run: RunState) -> Stages[Decision]:
    """Return the tree of goals that are to be reached one after the other; `first` is the tree of the first one."""

    def decided(goal: Goal) -> Callable[[], Decision]:
        services.begin_goal()
        # A goal is exact, so it gets no substitute; a part is offered by its tree, when it fails.
        context = replace(services.decide_in(services.world), consent=Consent.NEVER, part=Consent.NEVER, memory=None)
        state, called_off, run.decided_in = services.watcher.state, run.cancellation, context.world
        return lambda: decide(context, goal, state, cancelled=lambda: called_off.is_cancelled)

    def begun(ready: PlanDecision) -> Tree | Feedback:
        then, run.decided_in = run.decided_in, None
        if then is not None and (why := changed_meanwhile(names_needed(ready), then, services.world)):
            return Feedback(Code.UNKNOWN_NAME, "the next goal", why, "Say again what is left.")
        run.goal = ready.goal
        run.tell(ready)
        return tree_of(services, only_first(ready), run)

    goals = GoalsInOrder(decision.goal, decided, begun, lambda: run.goal)
    delay = PLANNED_SECONDS if services.clock.simulated else None
    what = f"{len(decision.goal.goal.stages)} goals, one after the other"
    return Stages(first, goals, services.clock, delay, run.cancellation, what)
