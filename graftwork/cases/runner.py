"""`CaseRunner`: from a case to its result, without a robot, a network or a model.

A case costs no more than what it expects: a refusal only the check, which takes a millisecond or two; the planner is
started by the first case that needs it.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field

from affordances.substitutes.suggestion import article
from graftwork.cases.judgement import Outcome, ProposedSubstitute, differences, told
from graftwork.cases.model import Already, Case, Partial, QuestionExpected, RefusalExpected, Substituted
from graftwork.cases.worlds import CaseScene, CaseWorld
from graftwork.decision import Decision, DecisionContext, FinalDecision, PartialGoal, PlanDecision, Wanted, decide
from graftwork.decision.substitute import SubstituteProposal, Substitutes
from graftwork.errors import ModelError
from graftwork.language.scripted import ScriptedModel
from graftwork.setup.limits import Consent
from graftwork.setup.plans import Plans
from graftwork.setup.prices import Pricing
from planning import make_planner
from planning.service import InProcess
from semantics.errors import UsageError
from semantics.goal import CheckedGoal, Goal, Rejection
from semantics.protocols import LanguageModel, NoPlan, Planner

__all__ = ["CaseResult", "CaseRunner", "consent_in", "wanted_in"]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case went.

    Attributes:
        case: The case.
        problems: What is different from what it expects, a sentence each, perhaps with lines below it.
        got: What came of it, in one line.
        seconds: How long it took.
    """

    case: Case
    problems: tuple[str, ...]
    got: str
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether all is as expected."""
        return not self.problems


@dataclass(slots=True)
class CaseRunner:
    """Runs cases; it may be closed and used again.

    Attributes:
        planner_name: Who plans, see `planning.make_planner`.
        seconds: Time limit of one planning call.
    """

    planner_name: str = "fast-downward"
    seconds: float = 20.0
    planner: Planner | None = None
    _opened: contextlib.ExitStack = field(default_factory=contextlib.ExitStack, init=False)

    def run(self, case: Case, world: CaseWorld) -> CaseResult:
        """Run one case.

        Raises:
            OutsideError: The planner or Prolog is not there.
        """
        began = time.perf_counter()
        model = None if case.answers is None else ScriptedModel(case.answers)
        setting = world.setting(case.scene, case.added, case.removed)
        try:
            context = self.context(case, world, setting, model)
            outcome = outcome_of(decide(context, wanted_in(case), setting.state), case, context)
        except (UsageError, ModelError) as error:  # only a script can fail as a model here
            return CaseResult(case, (str(error),), "an error", time.perf_counter() - began)
        problems = differences(case.expected, outcome)
        if model is not None and model.left:
            problems = (*problems, f"expected {len(case.answers or ())} answers to be asked for, {model.left} were not")
        return CaseResult(case, problems, told(outcome), time.perf_counter() - began)

    def context(
        self, case: Case, world: CaseWorld, setting: CaseScene, model: LanguageModel | None = None
    ) -> DecisionContext:
        """Return what a case is decided with: nothing is remembered, and only what it expects is offered.

        Substitutes are found by the data, also when a script reads the sentence, and no likeness of words counts, which
        hangs on what is installed.
        """
        domain, things = world.domain, setting.scene.things
        service = InProcess(self._planner())
        return DecisionContext(
            Plans(service, domain, things, Pricing(domain, things), self.seconds, self.seconds),
            setting.vocabulary,
            world.rules,
            Substitutes(domain, things, setting.vocabulary),
            model,
            consent=consent_in(case),
        )

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
    """Return what a case says that is wanted."""
    wanted = case.instruction if case.goal is None else Goal(case.goal)
    if isinstance(case.expected, Partial):
        return PartialGoal(wanted, case.expected.weights, case.expected.hard)
    return wanted


def consent_in(case: Case) -> Consent:
    """Return whether something else may be proposed: where the case expects that."""
    return Consent.ASK if isinstance(case.expected, Substituted) else Consent.NEVER


def outcome_of(decision: Decision, case: Case, context: DecisionContext) -> Outcome:
    """Return what a decision comes to for a case; where only the check is expected, that it passed is all."""
    goal, expected = decision.goal, case.expected
    only_checked = isinstance(expected, QuestionExpected | Already | Substituted) or (
        isinstance(expected, RefusalExpected) and expected.stage == "check"
    )
    if isinstance(goal, CheckedGoal) and (only_checked or goal.already):
        return goal
    if isinstance(decision, PlanDecision):
        return decision.plan if decision.partly is None else decision.partly.part
    if isinstance(goal, CheckedGoal):
        return NoPlan(decision.feedback[0])
    if isinstance(expected, Substituted):
        return _substitute(decision, context.substitutes)
    return decision.question or Rejection(decision.feedback)


def _substitute(decision: FinalDecision, finder: Substitutes) -> Outcome:
    """Return what is proposed instead of what is missing, or that nothing is."""
    if isinstance(decision.offer, SubstituteProposal):
        return ProposedSubstitute(decision.offer.suggestion.class_name)
    read = decision.question or Rejection(decision.feedback)
    missing = finder.absence(read)
    if missing is None:
        return read
    return ProposedSubstitute(reason=f"nothing there would do instead of {article(missing.thing.class_name)}")
