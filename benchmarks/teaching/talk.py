"""What is said to a session, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.teaching.data import Case, Due, Said
from benchmarks.teaching.judge import Done, Step
from benchmarks.teaching.scenes import body_of_scene, scene_for
from graftwork import Session
from graftwork.memory import Memory
from graftwork.memory.lessons import KeptLesson
from graftwork.run.run import Run
from semantics.body.protocols import LanguageModel
from semantics.errors import OutsideError, UsageError
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal
from semantics.logic.state import Operator, Plan, State

__all__ = ["Setting", "all_taught", "corrected", "lessons_of", "said", "taught"]

CONSENTED = "From now on"
MOST_ANSWERS = 3
ERROR = "error"


@dataclass(frozen=True, slots=True)
class Setting:
    """With what an entry is tried.

    Attributes:
        folder: A folder of its own, for memories and scenes.
        model: Who reads the words.
        record: The file to which each exchange with the model is added.
    """

    folder: Path
    model: str | LanguageModel = "offline"
    record: Path | None = None

    def memory(self, name: str) -> Path:
        """Return the file of a memory, which is empty before its first use."""
        return self.folder / f"{name}.sqlite"


@contextmanager
def _session(setting: Setting, case: Case, memory: Path) -> Iterator[Session]:
    """Open a session in the scene of a case."""
    number = len(list(setting.folder.glob("scene*")))
    scene = scene_for(case.world, case.scene, case.change, setting.folder / f"scene{number}")
    options: dict[str, Any] = {} if setting.record is None else {"record_model": setting.record}
    with Session(
        case.world,
        scene,
        robot=body_of_scene(case.world, case.scene),
        model=setting.model,
        memory=memory,
        learn="ask",
        **options,
    ) as session:
        yield session


def said(setting: Setting, case: Case, memory: Path) -> Done:
    """Say the sentence of a case in a session of its own, and return what came of it."""
    with _session(setting, case, memory) as session:
        return _carried_out(session, case.say, case.due)


def taught(
    setting: Setting, case: Case, correct: str, memory: Path, *, agrees: bool = True
) -> tuple[Done, Done | None]:
    """Say the sentence of a case, and then a correction; return what came of each.

    The correction is said only if the sentence was carried out.

    Args:
        setting: With what it is tried.
        case: The sentence in its scene.
        correct: What is said then; empty for nothing.
        memory: The file in which the lesson is kept.
        agrees: Whether the person says yes to what shall be kept.
    """
    with _session(setting, case, memory) as session:
        done = _carried_out(session, case.say, case.due)
        if not correct or not done.is_carried_out:
            return done, None
        return done, corrected(session, correct, agrees=agrees)


def lessons_of(memory: Path) -> list[KeptLesson]:
    """Return the lessons that a memory keeps."""
    return list(Memory(memory).taught.list())


def all_taught(setting: Setting, case: Case, lines: Sequence[Said], memory: Path) -> None:
    """Say sentences with their corrections, each in a session of its own in the scene as it is written."""
    for say, correct in lines:
        taught(setting, case._replace(change=(), say=say, due=Due()), correct, memory)


def _carried_out(session: Session, words: str, due: Due) -> Done:
    begun = session.environment.watcher.state
    try:
        run = session.converse(words)
        run.wait()
        question, goal, plan = run.question, _goal_of(run), run.plan
        trace = [begun]
        episode = run.finish(lambda: trace.append(session.environment.watcher.state))
    except (UsageError, OutsideError) as error:
        return Done(ERROR, str(error), states=(begun,), end=begun)
    steps = () if plan is None else plan.steps
    shown = _shown(session, due, plan)
    states = _states(begun, steps) if steps else _distinct(trace)
    return Done(
        str(episode.outcome),
        episode.message,
        goal,
        "" if question is None else question.text,
        tuple(Step(step, _values_of(session, step.action.name)) for step in steps),
        states,
        session.environment.watcher.state.with_atoms(shown),
        episode.model_calls,
    )


def _distinct(trace: Sequence[State]) -> tuple[State, ...]:
    """Return the states that were believed one after the other."""
    return (trace[0], *(now for before, now in pairwise(trace) if now is not before))


def _states(begun: State, steps: Sequence[Operator]) -> tuple[State, ...]:
    states = [begun]
    for step in steps:
        states.append(step.apply(states[-1]))
    return tuple(states)


def _goal_of(run: Run) -> str:
    goal = run.goal.goal if isinstance(run.goal, CheckedGoal) else run.goal
    return "" if goal is None else str(goal)


def _values_of(session: Session, name: str) -> frozenset[str]:
    capability = session.environment.world.domain.capabilities.get(name)
    return frozenset() if capability is None else frozenset(value.name for value in capability.values)


def _shown(session: Session, due: Due, plan: Plan | None) -> frozenset[Atom]:
    """Return the relations of what is due that are so in the end: as they are sensed, else as the plan wanted them."""
    environment = session.environment
    asked = {atom for atom in due.atoms if atom.predicate in environment.world.domain.on_demand}
    if environment.body != "symbolic":
        return environment.watcher.related(asked)
    wanted = set() if plan is None else {atom for atom, positive in plan.goal if positive}
    return frozenset(asked & wanted)


def corrected(session: Session, words: str, *, agrees: bool = True) -> Done:
    """Say a correction, say yes to what shall be kept, and return what came of it."""
    asked: list[str] = []
    try:
        run = session.converse(words)
        for _ in range(MOST_ANSWERS + 1):
            run.wait()
            if run.question is None:
                break
            asked.append(run.question.text)
            if not agrees or len(asked) > MOST_ANSWERS or not asked[-1].startswith(CONSENTED):
                break
            run.say("yes")
        goal = _goal_of(run)
        episode = run.finish()
    except (UsageError, OutsideError) as error:
        return Done(ERROR, str(error), question=" ".join(asked))
    understood = all(feedback.code is not Code.NOT_UNDERSTOOD for feedback in episode.feedback)
    told, calls = " ".join(asked), episode.model_calls
    return Done(str(episode.outcome), episode.message, goal, told, calls=calls, is_understood=understood)
