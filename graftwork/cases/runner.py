"""`CaseRunner`: from a case to its result, without a robot, a network or a model.

A case runs only the stages that its expectation needs: a refusal needs only the check, which takes one or two
milliseconds. The first case that needs the planner starts it.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context

from affordances.substitutes.suggestion import article
from graftwork.cases.case_file import CaseScene, CaseWorld
from graftwork.cases.model import (
    Already,
    Case,
    Outcome,
    Partial,
    ProposedSubstitute,
    QuestionExpected,
    RefusalExpected,
    Substituted,
    told,
)
from graftwork.cases.suites import Suite, load_suites
from graftwork.decision import Decision, DecisionContext, FinalDecision, PlanDecision, Wanted, decide
from graftwork.decision.partial_goal import only_conjunct
from graftwork.decision.substitute import SubstituteProposal, Substitutes
from graftwork.language.scripted import ScriptedModel
from graftwork.setup.limits import Consent
from graftwork.setup.plans import PlanningOptions
from planning import make_planner
from planning.service import InProcess
from semantics.body.protocols import LanguageModel, NoPlan, Planner
from semantics.errors import ModelError, OutsideError, UsageError
from semantics.logic.atoms import conjunction, dnf
from semantics.logic.goal import CheckedGoal, Goal, Rejection


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a case."""

    case: Case  # the case
    problems: tuple[str, ...]  # its differences from the expectation: one sentence each, which further lines may follow
    got: str  # the outcome, in one line
    seconds: float  # its duration

    @property
    def passed(self) -> bool:
        """Whether the outcome is as expected."""
        return not self.problems


@dataclass(slots=True)
class CaseRunner:
    """Runs cases; you may use it again after closing it."""

    planner_name: str = "fast-downward"  # name of the planner, see `planning.make_planner`
    seconds: float = 20.0  # time limit of one planning call
    planner: Planner | None = None
    _opened: contextlib.ExitStack = field(default_factory=contextlib.ExitStack, init=False)

    def run(self, case: Case, world: CaseWorld) -> CaseResult:
        """Run one case.

        Raises:
            OutsideError: The planner or Prolog is not available.
        """
        began = time.perf_counter()
        model = None if case.answers is None else ScriptedModel(case.answers)
        setting = world.setting(case.scene, case.added, case.removed)
        try:
            context = self.context(case, world, setting, model)
            outcome = outcome_of(decide(context, wanted_in(case), setting.state), case, context)
        except (UsageError, ModelError) as error:  # only a script can fail as a model here
            return CaseResult(case, (str(error),), "an error", time.perf_counter() - began)
        problems = tuple(case.expected.differences(outcome))
        if model is not None and model.left:
            problems = (*problems, f"expected {len(case.answers or ())} answers to be asked for, {model.left} were not")
        return CaseResult(case, problems, told(outcome), time.perf_counter() - began)

    def context(
        self, case: Case, world: CaseWorld, setting: CaseScene, model: LanguageModel | None = None
    ) -> DecisionContext:
        """Return the decision context of a case: without memory, and with consent only for what the case expects.

        Substitutes come from the data even if a script reads the instruction. Word embeddings are not used, because
        their result depends on the installed packages.
        """
        planning = PlanningOptions(InProcess(self._planner()), seconds=self.seconds, patience=self.seconds)
        consent, unsaid = consent_in(case), Consent.ALLOW  # a script says what is meant, whatever the words are
        return DecisionContext(planning.plans(setting.world), model, consent=consent, unsaid=unsaid, guesses=False)

    def close(self) -> None:
        """End the planner that was started; safe to call twice."""
        self._opened.close()
        self.planner = None

    def __enter__(self) -> CaseRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _planner(self) -> Planner:
        if self.planner is None:
            self.planner = make_planner(self.planner_name)
            self._opened.callback(self.planner.close)
        return self.planner


def wanted_in(case: Case) -> Wanted:
    """Return the instruction or goal of a case."""
    if case.goal is None:
        return case.instruction
    if not isinstance(case.expected, Partial):
        return Goal(case.goal)
    hard, weights = case.expected.hard, case.expected.weights
    wishes = sorted(only_conjunct(dnf(case.goal)) - hard)
    return Goal(conjunction(hard), weights=tuple((wish, weights.get(wish, 1.0)) for wish in wishes))


def consent_in(case: Case) -> Consent:
    """Return the consent to substitutes: they are proposed only when the case expects one."""
    return Consent.ASK if isinstance(case.expected, Substituted) else Consent.NEVER


def outcome_of(decision: Decision, case: Case, context: DecisionContext) -> Outcome:
    """Return the outcome of a decision for a case; when the case needs only the check, return the checked goal."""
    goal, expected = decision.goal, case.expected
    only_checked = isinstance(expected, QuestionExpected | Already | Substituted) or (
        isinstance(expected, RefusalExpected) and expected.stage == "check"
    )
    if isinstance(goal, CheckedGoal) and (only_checked or (goal.already and not goal.goal.later)):
        return goal
    if isinstance(decision, PlanDecision):
        return decision.foreseen if decision.partly is None else decision.partly.part
    if isinstance(goal, CheckedGoal):
        return NoPlan(decision.feedback[0])
    if isinstance(expected, Substituted):
        return _substitute(decision, context.substitutes)
    return decision.question or Rejection(decision.feedback)


def _substitute(decision: FinalDecision, finder: Substitutes) -> Outcome:
    """Return the substitute that is proposed for the missing object, or an empty one with the reason."""
    if isinstance(decision.offer, SubstituteProposal):
        return ProposedSubstitute(decision.offer.suggestion.class_name)
    read = decision.question or Rejection(decision.feedback)
    missing = finder.absence(read)
    if missing is None:
        return read
    return ProposedSubstitute(reason=f"nothing there would do instead of {article(missing.thing.class_name)}")


Name = tuple[str, str]
"""Identifies a case: its file, and its name, which is unique in the file; several cases may share a line."""
ResultFields = tuple[tuple[str, ...], str, float]


@contextmanager
def results_of(suites: Sequence[Suite], jobs: int = 1) -> Iterator[Iterator[CaseResult]]:
    """Yield the results of all cases, in order and as they arrive; with several jobs, run as many processes.

    Raises:
        OutsideError: The planner or Prolog is not available.
    """
    if jobs == 1:
        with CaseRunner() as runner:
            yield (runner.run(case, suite.world) for suite in suites for case in suite.cases)
        return
    files = list(dict.fromkeys(case.place.file for suite in suites for case in suite.cases))
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_prepare, initargs=(files,))
    try:
        yield _joined(suites, pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _joined(suites: Sequence[Suite], pool: ProcessPoolExecutor) -> Iterator[CaseResult]:
    cases = [case for suite in suites for case in suite.cases]
    for case, result in zip(cases, pool.map(_run, map(_name, cases)), strict=True):
        if isinstance(result, str):
            raise OutsideError(result)
        yield CaseResult(case, *result)


def _name(case: Case) -> Name:
    return case.place.file, case.name


class _CaseWorker:
    """The state that a process keeps between cases."""

    cases: dict[Name, tuple[Suite, Case]]
    runner: CaseRunner


def _prepare(files: Sequence[str]) -> None:
    """Read the files; ignore interrupts, which the parent process handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _CaseWorker.runner = CaseRunner()
    _CaseWorker.cases = {_name(case): (suite, case) for suite in load_suites(files) for case in suite.cases}


def _run(name: Name) -> ResultFields | str:
    """Run a case; return an `OutsideError` as text, because exceptions with fields cannot be sent between processes."""
    suite, case = _CaseWorker.cases[name]
    try:
        result = _CaseWorker.runner.run(case, suite.world)
    except OutsideError as error:
        return str(error)
    return result.problems, result.got, result.seconds
