"""`Means`: what a run is conducted with, from deciding to the end of its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from bt import Entries, Journal, Listener, Requests, Runner, Tree
from bt.repairing import Desk, Obstacles, Turn, mishaps
from domains.model import RepairRule
from graftwork.acting.choosing import choice_told
from graftwork.acting.course import build_tree
from graftwork.acting.plans import Plans
from graftwork.deciding.decider import Decider, Ready, Settled
from graftwork.episode import Episode
from graftwork.errors import MemoryFileError
from graftwork.memory import Memory, Subtree
from graftwork.memory.evidence import Trials
from graftwork.mending.budgets import Budgets
from graftwork.mending.learning import accepted, fixes_told
from graftwork.mending.upper.changing import Changed, changed_goal
from graftwork.mending.upper.counsel import Counsel
from graftwork.mending.upper.exploring import Exploring
from graftwork.pricing.telling import shares_told
from graftwork.settings.limits import Consents, Limits
from graftwork.staging.opening import Stage
from graftwork.stopwatch import Stopwatch
from graftwork.telling.chronicle import Chronicle
from semantics.embedding import SentenceEmbedder
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal, Question
from semantics.protocols import LanguageModel, Skill

__all__ = ["Means", "make_decider"]

ROBOT = "robot"
"""The class of the acting body."""


def make_decider(
    stage: Stage,
    plans: Plans,
    model: LanguageModel | None,
    memory: Memory | None,
    watch: Stopwatch,
    limits: Limits,
    consents: Consents,
) -> Decider:
    """Join what deciding needs."""
    world, scene = stage.domain, stage.scene_file
    budgets = Budgets.joined(world.ladder, limits.ladder)
    looks = budgets["explore"] is not None and budgets["replan"] is not None
    return Decider(
        domain=world,
        things=scene.things,
        vocabulary=world.vocabulary(scene.things, scene.speaker),
        plans=plans,
        model=model,
        memory=memory,
        embedder=SentenceEmbedder(),
        watch=watch,
        sensed=stage.watcher.sensed,
        model_tries=limits.model_tries,
        consent=consents.instead,
        part=consents.part,
        looks=partial(Exploring.of, stage, plans) if looks else None,
    )


@dataclass(frozen=True, slots=True)
class Means:
    """What a run is conducted with.

    Attributes:
        stage: The world with a body in it.
        decider: From words to a plan.
        chronicle: Who is told of what happens.
        watch: Takes the time of each stage of the instruction under way.
        limits: How long things may take.
        skills: By capability name, what gives the motion instead of the domain's primitive.
        names: Fields of an episode that say who does it, and where.
        memory: What was learned, or None.
        experience: Who learns from the steps of a run what things are good for, or None.
        trials: Who counts how often the steps of the run under way worked.
        story: Every event of the run under way.
        beliefs: What is held true, with what the body has met in its way.
        desk: Where the question of the run under way waits for an answer.
        turns: Which other goals the run under way was given, oldest first.
    """

    stage: Stage
    decider: Decider
    chronicle: Chronicle
    watch: Stopwatch
    limits: Limits
    skills: Mapping[str, Skill]
    names: Mapping[str, Any]
    memory: Memory | None
    experience: Listener | None = None
    trials: Trials = field(default_factory=Trials)
    story: Entries = field(default_factory=Entries)
    beliefs: Obstacles = field(init=False)
    desk: Desk = field(default_factory=Desk)
    turns: list[Turn] = field(default_factory=list)

    def __post_init__(self) -> None:
        stage = self.stage
        object.__setattr__(self, "beliefs", Obstacles(stage.watcher, stage.domain, stage.robot.clock))

    @property
    def plans(self) -> Plans:
        """Who is asked for plans."""
        return self.decider.plans

    @property
    def repairs(self) -> tuple[RepairRule, ...]:
        """What mends small mishaps: the rules of the world, and those that a person has accepted."""
        domain = self.stage.domain
        return (*domain.repairs, *(() if self.memory is None else accepted(self.memory.path, domain)))

    def decide(self, instruction: str, answers: Sequence[tuple[Question, str]] = ()) -> Ready | Settled:
        """Turn an instruction into a plan from what is believed now, or say why not."""
        self.stage.watcher.refresh()
        try:
            return self.decider.decide(instruction, self.stage.watcher.state, answers)
        except BaseException:  # an interrupt too: nothing may go on planning for nobody
            self.plans.service.cancel()
            raise

    def tree(self, ready: Ready, journal: Journal | None = None) -> Tree | Feedback:
        """Compile a decision into a tree that repairs itself; or say where its plan breaks.

        A tree that nobody keeps a journal of is one of somebody else's program: nobody would see its questions.
        """
        budgets = Budgets.joined(self.stage.domain.ladder, self.limits.ladder)
        rules = self.repairs
        counsel = self._counsel(Desk(is_open=False) if journal is None else self.desk)
        return build_tree(ready, self.plans, self.stage, self.skills, journal, self.beliefs, budgets, rules, counsel)

    def _counsel(self, desk: Desk) -> Counsel:
        limits = self.limits
        seconds, price = limits.answer_seconds, limits.model_price
        return Counsel(self.decider, self.beliefs, self.story, desk, seconds, price, self._turned)

    def _turned(self, turn: Turn) -> None:
        """Take note that a run goes for another goal from here on."""
        goal = changed_goal(turn)
        if goal is not None:
            self.turns.append(turn)
            self.chronicle.pursued(goal, self.stage)

    def open_desk(self) -> None:
        """Begin a run: nothing was asked yet, somebody may answer, and no other goal is pursued."""
        self.desk.withdraw()
        self.desk.is_open = True
        self.turns.clear()

    def pursued(self, decided: Ready | Settled) -> CheckedGoal | Goal | None:
        """Return what the run under way goes for now."""
        return changed_goal(self.turns[-1]) if self.turns else decided.goal

    def runner(self, ready: Ready, journal: Journal) -> Runner | Feedback:
        """Make what ticks the tree of a decision; or say where its plan breaks."""
        told = self.telling(journal)
        tree = self.tree(ready, told)
        return tree if isinstance(tree, Feedback) else self.ticking(tree, told)

    def telling(self, journal: Journal) -> Journal:
        """Return who is told of what a tree decides, with nothing told yet."""
        self.trials.counts.clear()
        self.story.events.clear()
        return self.chronicle.journal(journal, self.story)

    def ticking(self, tree: Tree, told: Journal) -> Runner:
        """Make what ticks a tree, and tells of it."""
        learning = (self.trials,) if self.experience is None else (self.trials, self.experience)
        listeners = (*self.chronicle.listeners(self.stage), Requests(told, self._persons()), *learning)
        return Runner(tree, self.stage.robot, self.beliefs, listeners=listeners)

    def _persons(self) -> frozenset[str]:
        """Return who has to be asked for what they are to do: every other agent where there is a robot."""
        things = self.decider.things
        if not any(thing.class_name == ROBOT for thing in things.values()):
            return frozenset()  # whoever acts there is the body
        agents = self.stage.domain.agents.keys() - {ROBOT}
        return frozenset(name for name, thing in things.items() if thing.class_name in agents)

    def unconfirmed(self, goal: CheckedGoal) -> tuple[Feedback, ...]:
        """Return why a goal that is believed to hold is not reported as achieved: what was never sensed to hold."""
        watcher = self.stage.watcher
        unseen = min(
            ([literal for literal in sorted(one) if watcher.sensed(literal) is not True] for one in goal.conjuncts),
            key=len,
        )
        why = "it is believed, but was not sensed to hold"
        return tuple(Feedback(Code.NOT_VISIBLE, str(literal), why, culprits=literal.atom.args) for literal in unseen)

    def decided(self, decided: Ready | Settled) -> None:
        """Tell the record what was decided."""
        choice = choice_told(self.plans.service.name, self.stage.domain) if isinstance(decided, Ready) else None
        self.chronicle.decided(decided, self.stage, choice)

    def told(self, decided: Ready | Settled) -> dict[str, Any]:
        """Return the fields of an episode that say what its plan costs, who made it, and what was tried."""
        if not isinstance(decided, Ready):
            return {}
        plan, pricing = decided.plan, self.plans.pricing
        token = self.turns[-1].token if self.turns else None
        partly = (token.partly if isinstance(token, Changed) else None) if token else decided.partly
        return {
            "tried": tuple(self.trials.counts.values()),
            "cost": pricing.units(plan.cost),
            "costs": shares_told(pricing.shares(plan, decided.state)),
            "planner": plan.planner,
            "choice": choice_told(self.plans.service.name, self.stage.domain),
            "part": partly.as_dict() if partly else None,
            "first_goal": str(decided.goal.goal) if self.turns else None,
        }

    def identity(self, instruction: str) -> dict[str, Any]:
        """Return the fields of an episode that say what was asked of whom."""
        return {"instruction": instruction, **self.names}

    def conclude(self, decided: Ready | Settled | None, episode: Episode) -> Episode:
        """Close the record, remember the episode, and return it with its seconds and its report.

        Args:
            decided: What was decided by the instruction alone; None when answers were needed too, since the same
                sentence then has to be asked about again.
            episode: What came of it.
        """
        failures = tuple(one.as_dict() for one in mishaps(self.story.events))
        episode = replace(episode, failures=failures, fixes=fixes_told(self.story.events))
        self.story.events.clear()
        episode = self.chronicle.end(episode, self.watch)
        self.watch.restart()
        if self.memory is not None:
            subtree = None
            if isinstance(decided, Ready):
                decider = self.decider
                plan = decided.plan
                if self.plans.pricing.model is not None:
                    plan = replace(plan, optimal=False)  # at other costs than the world's, which nobody remembers
                subtree = Subtree.learned(decided.goal.goal, plan, decider.domain, decider.vocabulary, decided.state)
            episode = self._remembered(episode, subtree)
        return episode

    def _remembered(self, episode: Episode, subtree: Subtree | None) -> Episode:
        """Keep an episode; a memory that cannot take it does not change what happened."""
        assert self.memory is not None
        try:
            self.memory.remember(episode, subtree)
        except MemoryFileError as error:
            feedback = Feedback(Code.UNAVAILABLE, "memory", f"this episode was not kept: {error}", recoverable=False)
            return replace(episode, feedback=(*episode.feedback, feedback))
        return episode
