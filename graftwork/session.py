"""`Session`: a robot in a world, ready for instructions.

`handle` is the whole pipeline for one sentence; `start` gives a `Run` to be ticked from outside; `subtree` gives a
behaviour for a tree of one's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bt import Ended, Journal, Runner, Tree
from graftwork.acting import build_tree
from graftwork.chronicle import Chronicle
from graftwork.deciding import Decider, Ready, Settled
from graftwork.episode import Episode
from graftwork.errors import NothingToDoError
from graftwork.language import model_from_name
from graftwork.memory import Memory, Subtree, default_place
from graftwork.opening import open_stage
from graftwork.run import Run
from graftwork.stopwatch import Stopwatch
from planning import FastDownward, warm_up
from semantics.atoms import Conjunct
from semantics.embedding import SentenceEmbedder
from semantics.feedback import Code, Feedback
from semantics.goal import Question
from semantics.protocols import LanguageModel, Planner, Robot, Skill

__all__ = ["Limits", "Session"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things may take.

    Attributes:
        run_seconds: One instruction, in seconds of the body's clock.
        planning_seconds: One planning call.
        model_seconds: One answer of a language model, retries included.
        model_tries: How often a language model is asked about one instruction.
    """

    run_seconds: float = 600.0
    planning_seconds: float = 20.0
    model_seconds: float = 30.0
    model_tries: int = 5


class Session:
    """A robot in a world.

    Args:
        domain: Name or path of the world.
        scene: Name or path of the scene.
        robot: Name of a body, or one of your own.
        model: ``offline``, ``openai:NAME``, or a model of your own.
        planner: A planner of your own; by default Fast Downward in a process of its own.
        memory: The memory's file, ``None`` for none; by default in the user's data folder.
        seed: Moves the scene a little; 0 leaves it as written.
        record: A new folder for the record and the report of the first instruction that acts.
        skills: By capability name, what gives the motion instead of the domain's primitive.
        journals: Who else is told of every event of the record.
        limits: How long things may take.

    Raises:
        UsageError: A name, a file or a setting is wrong.
        OutsideError: The body, the planner or Prolog is not there.
    """

    def __init__(
        self,
        domain: str = "kitchen",
        scene: str = "full",
        *,
        robot: str | Robot = "pybullet",
        model: str | LanguageModel = "offline",
        planner: Planner | None = None,
        memory: Path | str | None = "default",
        seed: int = 0,
        record: Path | None = None,
        skills: Mapping[str, Skill] | None = None,
        journals: Sequence[Journal] = (),
        limits: Limits | None = None,
    ) -> None:
        self.watch = Stopwatch()
        self.limits = limits or Limits()
        self.skills = skills or {}
        self.memory = None if memory is None else Memory(default_place() if memory == "default" else memory)
        seconds = self.limits.model_seconds
        self.model = model_from_name(model, timeout=seconds) if isinstance(model, str) else model
        with ExitStack() as opened:
            self.chronicle = Chronicle(record, journals)
            opened.callback(self.chronicle.close)
            self.planner = planner or FastDownward()
            opened.callback(self.planner.close)
            warm_up(self.planner)
            self.stage = open_stage(domain, scene, robot, seed, self.watch)
            opened.callback(self.stage.robot.close)
            self._opened = opened.pop_all()
        self._names = {
            "domain": self.stage.domain.name,
            "scene": self.stage.scene_file.name,
            "robot": robot if isinstance(robot, str) else robot.name,
            "model": model if isinstance(model, str) else model.name,
            "seed": seed,
        }
        self.decider = self._make_decider()

    def _make_decider(self) -> Decider:
        world, scene = self.stage.domain, self.stage.scene_file
        return Decider(
            domain=world,
            things=scene.things,
            vocabulary=world.vocabulary(scene.things, scene.speaker),
            planner=self.planner,
            model=self.model,
            memory=self.memory,
            embedder=SentenceEmbedder(),
            watch=self.watch,
            planning_seconds=self.limits.planning_seconds,
            model_tries=self.limits.model_tries,
        )

    def handle(self, instruction: str) -> Episode:
        """Do what a sentence asks for, to the end."""
        return self.start(instruction).finish()

    def start(self, instruction: str) -> Run:
        """Decide on a sentence; nothing moves before the run is ticked."""
        return Run(self, instruction)

    def subtree(self, instruction: str) -> Tree:
        """Return a behaviour that does what a sentence asks for, for a tree of one's own.

        Raises:
            NothingToDoError: It is refused, has to be asked about, or is so already; the message says why.
        """
        decided = self.decide(instruction)
        if isinstance(decided, Settled):
            raise NothingToDoError(instruction, decided.message)
        return self.tree(decided)

    def run(self, root: Tree, *, limit_seconds: float | None = None) -> Ended:
        """Tick a tree of one's own to its end, on this body's clock."""
        runner = Runner(root, self.stage.robot, self.stage.watcher)
        return runner.run(limit_seconds or self.limits.run_seconds)

    def decide(self, instruction: str, answers: Sequence[tuple[Question, str]] = ()) -> Ready | Settled:
        """Turn an instruction into a plan from what is believed now, or say why not."""
        self.stage.watcher.refresh()
        return self.decider.decide(instruction, self.stage.watcher.state, answers)

    def tree(self, ready: Ready, journal: Journal | None = None) -> Tree:
        """Compile a decision into a tree that repairs itself."""
        return build_tree(ready, self.decider, self.stage, self.skills, journal)

    def runner(self, ready: Ready, journal: Journal) -> Runner:
        """Make what ticks the tree of a decision."""
        tree = self.tree(ready, self.chronicle.journal(journal))
        listeners = self.chronicle.listeners(self.stage)
        return Runner(tree, self.stage.robot, self.stage.watcher, listeners=listeners)

    def unconfirmed(self, goal: Conjunct) -> tuple[Feedback, ...]:
        """Return why a goal that is believed to hold is not reported as achieved: what was never sensed to hold."""
        watcher = self.stage.watcher
        unseen = [literal for literal in sorted(goal) if watcher.sensed(literal) is not True]
        why = "it is believed, but was not sensed to hold"
        return tuple(Feedback(Code.NOT_VISIBLE, str(literal), why, culprits=literal.atom.args) for literal in unseen)

    def identity(self, instruction: str) -> dict[str, Any]:
        """Return the fields of an episode that say what was asked of whom."""
        return {"instruction": instruction, **self._names}

    def conclude(self, decided: Ready | Settled | None, episode: Episode) -> Episode:
        """Close the record, remember the episode, and return it with its seconds and its report.

        Args:
            decided: What was decided by the instruction alone; None when answers were needed too, since the same
                sentence then has to be asked about again.
            episode: What came of it.
        """
        episode = self.chronicle.end(episode, self.watch)
        if self.memory is not None:
            subtree = None
            if isinstance(decided, Ready):
                subtree = Subtree.learned(decided.goal.goal, decided.plan, self.decider.vocabulary, decided.state)
            self.memory.remember(episode, subtree)
        return episode

    def close(self) -> None:
        """Stop the body and end every process; safe to call twice."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
