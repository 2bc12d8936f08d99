"""`CaseRunner`: from a case to its result, without a robot, a network or a model.

A case costs no more than what it expects: a refusal only the check, which takes a millisecond or two; the planner is
started by the first case that needs it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from affordances.substitutes.suggesting import article
from graftwork.cases.judging import Outcome, Substitute, differences, told
from graftwork.cases.model import Already, Asked, Case, Partial, Refused, Substituted
from graftwork.cases.worlds import Setting, World
from graftwork.deciding.substituting import Substitutes
from graftwork.errors import ModelError
from graftwork.language.interpreting import interpret
from graftwork.testing.scripted import ScriptedModel
from planning import best_part, make_planner, solve
from semantics.atoms import dnf
from semantics.checking import check_goal
from semantics.errors import UsageError
from semantics.feedback import Code
from semantics.goal import CheckedGoal, Goal, Question, Rejection
from semantics.protocols import Planner
from semantics.vocabulary import Vocabulary

__all__ = ["CaseRunner", "Result"]


@dataclass(frozen=True, slots=True)
class Result:
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

    def run(self, case: Case, world: World) -> Result:
        """Run one case.

        Raises:
            OutsideError: The planner or Prolog is not there.
        """
        began = time.perf_counter()
        model = None if case.answers is None else ScriptedModel(case.answers)
        try:
            outcome = self._outcome(case, world, model)
        except (UsageError, ModelError) as error:  # only a script can fail as a model here
            return Result(case, (str(error),), "an error", time.perf_counter() - began)
        problems = differences(case.expected, outcome)
        if model is not None and model.left:
            problems = (*problems, f"expected {len(case.answers or ())} answers to be asked for, {model.left} were not")
        return Result(case, problems, told(outcome), time.perf_counter() - began)

    def close(self) -> None:
        """End the planner that was started; safe to call twice."""
        self._opened.close()
        self.planner = None

    def __enter__(self) -> CaseRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _outcome(self, case: Case, world: World, model: ScriptedModel | None) -> Outcome:
        setting = world.setting(case.scene, case.added, case.removed)
        read = _read(case, world, setting, model)
        if isinstance(case.expected, Substituted):
            return _substitute(case, read, world, setting, model)
        if isinstance(case.expected, Partial):
            return self._part(case, case.expected, read, world, setting)
        return self._planned(case, read, world, setting) if isinstance(read, CheckedGoal) else read

    def _planned(self, case: Case, goal: CheckedGoal, world: World, setting: Setting) -> Outcome:
        checked_only = isinstance(case.expected, Asked | Already) or (
            isinstance(case.expected, Refused) and case.expected.stage == "check"
        )
        if checked_only or goal.already:
            return goal
        things = setting.scene.things
        return solve(goal, setting.state, things, world.domain, planner=self._planner(), seconds=self.seconds)

    def _part(
        self,
        case: Case,
        expected: Partial,
        read: CheckedGoal | Question | Rejection,
        world: World,
        setting: Setting,
    ) -> Outcome:
        """Plan for the best part; wishes that exclude each other are what a part is for, so they are no refusal."""
        if isinstance(read, Question):
            return read
        if isinstance(read, Rejection) and (case.goal is None or not _is_contradiction(read)):
            return read
        conjuncts = read.conjuncts if isinstance(read, CheckedGoal) else dnf(case.goal)  # type: ignore[arg-type]  # told above
        if len(conjuncts) != 1:
            raise UsageError(f"the goal has {len(conjuncts)} alternatives; only a conjunction has parts")
        return best_part(
            conjuncts[0],
            setting.state,
            setting.scene.things,
            world.domain,
            planner=self._planner(),
            weights=expected.weights,
            hard=expected.hard,
            seconds=self.seconds,
        )

    def _planner(self) -> Planner:
        if self.planner is None:
            self.planner = make_planner(self.planner_name)
            self._opened.callback(self.planner.close)
        return self.planner


def _is_contradiction(rejection: Rejection) -> bool:
    return all(record.code is Code.CONTRADICTION for record in rejection.feedback)


def _read(
    case: Case, world: World, setting: Setting, model: ScriptedModel | None
) -> CheckedGoal | Question | Rejection:
    check: Callable[[Goal], CheckedGoal | Rejection] = lambda goal: check_goal(  # noqa: E731 - a value that is passed on
        goal, setting.vocabulary, rules=world.rules, state=setting.state
    )
    if case.goal is not None:
        return check(Goal(case.goal))
    return interpret(case.instruction, setting.vocabulary, setting.state, model=model, check=check).answer


def _substitute(
    case: Case, read: CheckedGoal | Question | Rejection, world: World, setting: Setting, model: ScriptedModel | None
) -> Outcome:
    """Return what is proposed instead of what is missing; by the data, also when a script reads the sentence."""
    if isinstance(read, CheckedGoal):
        return read
    finder = Substitutes(world.domain, setting.scene.things, setting.vocabulary)
    missing = finder.absence(read)
    if missing is None:
        return read
    found = finder.proposal(
        missing,
        lambda named: _named(case, named, world, setting, model),
        lambda goal: check_goal(goal, setting.vocabulary, rules=world.rules, state=setting.state),
    )
    if found is None:
        return Substitute(reason=f"nothing there would do instead of {article(missing.thing.class_name)}")
    return Substitute(found.suggestion.class_name)


def _named(
    case: Case, vocabulary: Vocabulary, world: World, setting: Setting, model: ScriptedModel | None
) -> Goal | CheckedGoal | Question | Rejection:
    """Read a case anew, with more to be named."""
    if case.goal is not None:
        return Goal(case.goal)
    return _read(case, world, replace(setting, vocabulary=vocabulary), model)
