"""A session, the command `plan` and the cases decide alike: every case that ships, from the same state, each way."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from affordances.scene import Scene
from domains.model import SceneFile
from domains.reader import available_domains
from domains.world import World
from graftwork import Session
from graftwork.cases import Case, CaseRunner, CaseWorld, load_suites
from graftwork.cases.runner import consent_in, wanted_in
from graftwork.cli.plan_decision import plan_context
from graftwork.decision import Decision, PlanDecision, decide
from graftwork.setup.limits import Consent
from graftwork.setup.model_body import symbolic_robot
from graftwork.setup.prices import Prices
from graftwork.setup.settings import Settings
from graftwork.testing import ScriptedModel
from planning import make_planner
from planning.service import InProcess
from semantics.logic.state import State
from semantics.words.embedding import SentenceEmbedder

EMBEDDER = SentenceEmbedder()
"""Who compares words by meaning is a model as well, and the same each way; the cases go without by themselves."""
CASES = [(case, suite.world) for suite in load_suites(available_domains()) for case in suite.cases]


class Kept(InProcess):
    """A service that several sessions share; the same problem has the same answer.

    Which of several cheapest plans comes hangs on which of two searches has its proof first, so on the machine.
    """

    def __init__(self, planner):
        super().__init__(planner)
        self._answers = {}

    def solve(self, problem, *, seconds, patience=None):
        key = (problem.domain.name, problem.state.atoms, frozenset(problem.state.numbers.items()), problem.goal)
        key = (*key, frozenset(problem.objects), problem.costs, seconds)
        if key not in self._answers:
            self._answers[key] = super().solve(problem, seconds=seconds)
        return self._answers[key]

    def close(self) -> None:
        """Nothing is closed before the last of them is."""


@pytest.fixture(scope="module")
def service() -> Iterator[Kept]:
    planner = make_planner("fast-downward")
    yield Kept(planner)
    planner.close()


def scene_of(case: Case, world: CaseWorld) -> SceneFile:
    """Return the scene that a case starts in, with its facts changed as the case says."""
    scene = world.setting(case.scene).scene
    beliefs = {atom: why for atom, why in scene.beliefs.items() if atom not in case.removed}
    return replace(scene, facts=scene.facts - case.removed | case.added, beliefs=beliefs)


def model_of(case: Case) -> ScriptedModel | None:
    return None if case.answers is None else ScriptedModel(case.answers)


def by_test(case: Case, world: CaseWorld, service: Kept) -> tuple[Decision, State]:
    """Decide as ``graftwork test`` does."""
    setting = world.setting(case.scene, case.added, case.removed)
    with CaseRunner() as runner:
        context = runner.context(case, world, setting, model_of(case))
        context = replace(
            context, plans=replace(context.plans.options, service=service).plans(context.world), embedder=EMBEDDER
        )
        return decide(context, wanted_in(case), setting.state), setting.state


def by_plan(case: Case, world: CaseWorld, service: Kept) -> tuple[Decision, State]:
    """Decide as ``graftwork plan`` does."""
    scene, settings = scene_of(case, world), Settings(substitute=consent_in(case), part="never")
    context = plan_context(settings, World.of(scene, world.domain), Prices(), service)
    context = replace(context, model=model_of(case), guesses=False, embedder=EMBEDDER, unsaid=Consent.ALLOW)
    state = Scene.as_written(scene, world.domain).state
    return decide(context, wanted_in(case), state), state


def by_session(case: Case, world: CaseWorld, service: Kept) -> tuple[Decision | None, State]:
    """Decide as ``graftwork run`` does, with a body that senses everything."""
    body = symbolic_robot(world.domain, scene_of(case, world))
    source, model = Path(str(world.domain.source)), model_of(case)
    given = {"substitute": consent_in(case), "part": "never", "memory": None, "model": model or "offline"}
    given["unsaid"] = "allow"
    given["together"] = "never"  # the others know of no body whose hands could share the steps
    with Session(str(source), case.scene, robot=body, planner=service, **given) as session:
        run = session.start(wanted_in(case))
        assert run.wait()
        state = session.environment.watcher.state
        decision = run.decision
        run.cancel()
    return decision, state


def told(decision: Decision | None) -> tuple[object, ...]:
    """Return what of a decision has to be the same each way."""
    assert decision is not None
    goal = None if decision.goal is None else str(decision.goal)
    if isinstance(decision, PlanDecision):
        return "planned", goal, tuple(map(str, decision.plan.steps)), decision.plan.cost, decision.plan.optimal
    codes = tuple((str(record.code), record.culprits) for record in decision.feedback)
    return str(decision.outcome), goal, codes, decision.question and (decision.question.text, decision.question.options)


@pytest.mark.parametrize(("case", "world"), CASES, ids=[f"{world.domain.name}-{case.name}" for case, world in CASES])
def test_a_case_is_decided_alike_each_way(case: Case, world: CaseWorld, service: Kept) -> None:
    tested, state = by_test(case, world, service)
    planned, written = by_plan(case, world, service)
    run, sensed = by_session(case, world, service)
    assert state.atoms == written.atoms
    assert (told(tested), told(planned)) == (told(run), told(run)), sorted(map(str, sensed.atoms ^ state.atoms))
