"""What runs are conducted with: `RunContext`, the services that the runs of a session share, which never change.

`RunState` is what changes in one run, from its first word to its episode, and is made anew for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from affordances.mapping import EvidenceStore
from bt import Entries, Journal, Journals, Requests, Runner, Tree
from bt.background import Cancellation
from bt.recovery import NewGoal, Obstacles, UserPrompt
from domains.model import RepairRule
from graftwork.decision import DecisionContext, PlanDecision
from graftwork.language.conversation import ModelUse
from graftwork.memory import Memory
from graftwork.memory.evidence import EvidenceRecorder, Trials
from graftwork.record.episode import Stopwatch
from graftwork.record.recorder import Records, RunRecord
from graftwork.recovery.accepted_rules import accepted
from graftwork.recovery.consent import changed_goal
from graftwork.recovery.context import RecoveryContext
from graftwork.recovery.tree import build_tree
from graftwork.setup.limits import Budgets, Consents, Limits
from graftwork.setup.plans import Plans
from graftwork.setup.stage import Stage
from semantics.embedding import SentenceEmbedder
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import Clock, CountingModel, LanguageModel, Skill

__all__ = ["RunContext", "RunState", "decision_context", "shared_out", "tree_of"]


def decision_context(
    stage: Stage,
    plans: Plans,
    model: LanguageModel | None,
    memory: Memory | None,
    limits: Limits,
    consents: Consents,
    budgets: Budgets,
) -> DecisionContext:
    """Return what decisions on a stage are made with: what is sensed counts, and what is missing is looked for.

    Who of several hands does what is no matter of deciding, see `RunContext.plans`.
    """
    looks = budgets["explore"] is not None and budgets["replan"] is not None
    return DecisionContext.of(
        replace(plans, sharing=None),
        stage.scene_file.speaker,
        model=model,
        memory=memory,
        embedder=SentenceEmbedder(),
        sensed=stage.watcher.sensed,
        model_tries=limits.model_tries,
        consent=consents.instead,
        part=consents.part,
        lookout=stage if looks else None,
    )


@dataclass(frozen=True, slots=True)
class RunContext:
    """What every run of a session is conducted with.

    Attributes:
        stage: The world with a body in it.
        plans: Asks for plans, and shares them out among the hands of the body.
        decision: What decisions are made with.
        records: Begins the record of each run.
        beliefs: What is held true, with what the body has met in its way.
        limits: How long things may take.
        budgets: What each rung of the repair ladder may spend.
        skills: By capability name, what gives the motion instead of the domain's primitive.
        names: Fields of an episode that say who does it, and where.
        about: Fields of a record's first event that say what it takes to go on from it.
        evidence: Keeps what runs show of what things are good for, or None.
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
    evidence: EvidenceStore | None = None

    @property
    def clock(self) -> Clock:
        """The body's clock."""
        return self.stage.robot.clock

    @property
    def repairs(self) -> tuple[RepairRule, ...]:
        """What mends small mishaps: the rules of the world, and those that a person has accepted."""
        domain = self.stage.domain
        return (*domain.repairs, *(() if self.decision.memory is None else accepted(self.decision.memory.path, domain)))


@dataclass(slots=True)
class RunState:
    """What changes in one run.

    Attributes:
        watch: Takes the time of each stage.
        record: Its record; None before it was begun.
        events: What its tree has decided.
        story: Every event of it.
        journal: Who is told of what its tree decides; nobody before the record was begun.
        trials: Counts how often its steps worked.
        desk: Where its question waits for an answer.
        turns: Which other goals it was given, oldest first.
        use: What it has asked of the language model.
        cancellation: Tells its tree whether it was called off.
        calls_before: How often the model had been asked before, by its own count.
    """

    watch: Stopwatch = field(default_factory=Stopwatch)
    record: RunRecord | None = None
    events: Entries = field(default_factory=Entries)
    story: Entries = field(default_factory=Entries)
    journal: Journal = field(default_factory=Journals)
    trials: Trials = field(default_factory=Trials)
    desk: UserPrompt = field(default_factory=UserPrompt)
    turns: list[NewGoal] = field(default_factory=list)
    use: ModelUse = field(default_factory=ModelUse)
    cancellation: Cancellation = field(default_factory=Cancellation)
    calls_before: int = 0

    @property
    def goal(self) -> CheckedGoal | None:
        """The goal that it was given instead of the first one; None where that stands."""
        return changed_goal(self.turns[-1]) if self.turns else None

    def turn(self, turn: NewGoal) -> None:
        """Take note that it goes for another goal from here on."""
        goal = changed_goal(turn)
        if goal is not None:
            self.turns.append(turn)
            if self.record is not None:
                self.record.goal(goal)

    def model_calls(self, context: RunContext) -> int:
        """Return how often the model was asked; its own count, when it keeps one, has the failed requests too."""
        model = context.decision.model
        return model.calls - self.calls_before if isinstance(model, CountingModel) else self.use.calls

    def runner(self, context: RunContext, tree: Tree) -> Runner:
        """Make what ticks a tree, and tells of it."""
        stage, things = context.stage, context.plans.things
        listeners = () if self.record is None else self.record.listeners()
        classes = {thing.class_name for thing in things.values()}
        robot, agents = stage.domain.conventions.robot, stage.domain.agents
        # Every other agent has to be asked for what they are to do; where there is no robot, whoever acts is the body.
        asked = classes & agents.keys() - {robot} if robot in classes else frozenset()
        persons = {name for name, thing in things.items() if thing.class_name in asked}
        evidence = context.evidence
        learning = () if evidence is None else (EvidenceRecorder(evidence, stage.domain, things, stage.body),)
        watching = (*listeners, Requests(self.journal, persons), self.trials, *learning)
        return Runner(tree, stage.robot, context.beliefs, listeners=watching, cancellation=self.cancellation)


def shared_out(decision: PlanDecision, context: RunContext) -> PlanDecision:
    """Return a decision with its plan shared out among the hands of the body, where all that was said is done."""
    if decision.partly is not None or decision.looks_for:
        return decision
    return replace(decision, plan=context.plans.shared(decision.plan, decision.state))


def tree_of(context: RunContext, decision: PlanDecision, state: RunState | None = None) -> Tree | Feedback:
    """Compile a decision into a tree that repairs itself; or say where its plan breaks.

    Without a state it is a tree of somebody else's program, which keeps no journal and has nobody to ask: nobody would
    see its questions.
    """
    run = state or RunState(desk=UserPrompt(is_open=False))
    limits = context.limits
    helpers = RecoveryContext(
        replace(context.decision, plans=context.plans),
        run.story,
        run.desk,
        limits.answer_seconds,
        limits.model_price,
        run.turn,
        run.use,
    )
    return build_tree(
        decision,
        context.plans,
        context.stage,
        context.skills,
        None if state is None else state.journal,
        context.beliefs,
        context.budgets,
        context.repairs,
        helpers,
        run.cancellation,
    )
