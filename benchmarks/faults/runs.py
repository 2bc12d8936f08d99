"""One run with mishaps: a shipped case, a body that things happen to, and a judge of the world itself."""

from __future__ import annotations

import atexit
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from benchmarks.faults.judging import RoomJudge, StateJudge
from benchmarks.faults.models import CARRYING, ModelHands
from benchmarks.mishaps import Faulty, Happened, MishapKind, RoomHands
from domains.model import Domain, SceneFile
from domains.reader import load_domain, load_scene
from graftwork import Limits, Outcome, Session
from graftwork.cases.model import Case, Planned
from graftwork.cases.suites import load_suites
from graftwork.setup.model_body import symbolic_robot
from graftwork.testing import ScriptedModel
from planning import FastDownward
from planning.service import InProcess
from robots.fake import FakeRobot
from robots.perturb import perturbed
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal

__all__ = ["WORLDS", "Job", "Row", "conduct", "jobs", "names_in", "shared"]

WORLDS = ("kitchen", "tabletop", "blocks", "barman", "pizza")
RUN_SECONDS = 7200.0
"""Of the body's clock: what has not ended by then is stuck."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be run: a case of a world in a scene, by its sentence or its goal, with a seed."""

    world: str
    scene: str
    case: str
    instruction: str
    goal: str
    seed: int


@dataclass(frozen=True, slots=True)
class Row:
    """One run.

    Attributes:
        job: What was run.
        outcome: What was reported.
        judged: Whether the goal is so.
        codes: Of the failures on the way, with how often each came.
        rungs: Which rungs answered, with how often each did.
        mishaps: What went wrong, with how often it did.
        motions: How many motions were begun.
        simulated: Seconds of the body's clock.
        wall: Seconds it took.
        message: What was said in the end.
        happened: Every mishap, in order.
    """

    job: Job
    outcome: str
    judged: bool
    codes: Mapping[str, int]
    rungs: Mapping[str, int]
    mishaps: Mapping[str, int]
    motions: int
    simulated: float
    wall: float
    message: str
    happened: tuple[Happened, ...] = field(default=(), repr=False)

    @property
    def verdict(self) -> str:
        """``achieved``, ``failed``, ``stuck`` or ``wrong``: reported as achieved and not so."""
        if self.outcome in (Outcome.ACHIEVED, Outcome.ALREADY):
            return "achieved" if self.judged else "wrong"
        return "stuck" if Code.TIMEOUT in self.codes else "failed"


class Shared(InProcess):
    """A planning service that many sessions use one after the other: closing it only calls it off."""

    def close(self) -> None:
        """Call off what is under way; the planner stays for the next session."""
        self.cancel()

    def end(self) -> None:
        """End the planner."""
        super().close()


@cache
def shared() -> Shared:
    """Return the planning service of this process; it ends with the process."""
    service = Shared(FastDownward())
    atexit.register(service.end)
    return service


def conduct(job: Job, chances: Mapping[MishapKind, float]) -> Row:
    """Do one job with mishaps, and have it judged."""
    began = time.perf_counter()
    world = load_domain(job.world)
    body, judge = _embodied(world, load_scene(world, job.scene), job, chances)
    model = ScriptedModel([{"goal": job.goal}]) if job.goal else "offline"
    limits = Limits(run_seconds=RUN_SECONDS)
    with Session(
        job.world,
        job.scene,
        robot=body,
        model=model,
        planner=shared(),
        memory=None,
        seed=job.seed,
        limits=limits,
        part="never",
        unsaid="allow",
    ) as session:
        run = session.start(job.instruction or job.case)
        run.wait()
        goals = run.goal.conjuncts if isinstance(run.goal, CheckedGoal) else ()
        body.about |= names_in(goals)
        episode = run.finish()
        simulated = body.clock.now()
        judged = any(map(judge.holds, goals))
    return Row(
        job,
        episode.outcome,
        judged,
        Counter(str(feedback.code) for feedback in episode.feedback),
        Counter(use.rung for use in episode.rungs),
        Counter(str(one.kind) for one in body.happened),
        body.motions,
        simulated,
        time.perf_counter() - began,
        episode.message,
        tuple(body.happened),
    )


def names_in(goals: Sequence[Conjunct]) -> frozenset[str]:
    """Return the names that goals speak of: what is theirs is moved from the first motion on."""
    return frozenset(name for goal in goals for literal in goal for name in literal.atom.args)


def _embodied(
    world: Domain, scene: SceneFile, job: Job, chances: Mapping[MishapKind, float]
) -> tuple[Faulty, RoomJudge | StateJudge]:
    """Return a body that things happen to, and who judges its world."""
    if world.name not in CARRYING:
        fake = FakeRobot(perturbed(scene.arrangement, job.seed))
        return Faulty(fake, RoomHands(fake), job.seed, chances), RoomJudge(fake)
    model = symbolic_robot(world, scene)
    hands = ModelHands(model, scene.things, CARRYING[world.name])
    return Faulty(model, hands, job.seed, chances), StateJudge(model)


def jobs(count: int, worlds: tuple[str, ...] = WORLDS) -> list[Job]:
    """Return so many jobs: the worlds in turn, the cases of each in turn, every job with a seed of its own."""
    cases = {name: _cases(name) for name in worlds}
    turns = dict.fromkeys(worlds, 0)
    found = []
    for index in range(count):
        name = worlds[index % len(worlds)]
        case = cases[name][turns[name] % len(cases[name])]
        turns[name] += 1
        goal = "" if case.goal is None else str(case.goal)
        found.append(Job(name, case.scene, case.name, case.instruction or "", goal, index + 1))
    return found


def _cases(world: str) -> list[Case]:
    """Return the shipped cases of a world that end in a plan from the scene as it is written."""
    (suite,) = load_suites([world])
    return [
        case
        for case in suite.cases
        if isinstance(case.expected, Planned) and not case.added and not case.removed and case.answers is None
    ]
