"""`StockPlanner`: any engine of unified-planning that plans, by its name.

It reads the PDDL text back with unified-planning, compiles away what the engine does not support, and calls the engine
once. Costs that the engine does not support are left out; its plans are then not called optimal. It starts more slowly
than `planning.planners.fast_downward` (the import alone takes a second). It is meant for comparison.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from domains.pddl import PROFILES
from planning.errors import PlannerUnavailableError
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.errors import known_name
from semantics.logic.feedback import Code, Feedback
from semantics.logic.parsing import Group, Node, Word, parse_sexpr, text_of
from semantics.logic.state import Action

if TYPE_CHECKING:
    from unified_planning.engines.results import CompilerResult, PlanGenerationResult
    from unified_planning.environment import Environment
    from unified_planning.model import Problem, ProblemKind
    from unified_planning.plans import ActionInstance, Plan

COMPILERS: Mapping[str, frozenset[str]] = {
    "QUANTIFIERS_REMOVING": frozenset({"UNIVERSAL_CONDITIONS", "EXISTENTIAL_CONDITIONS", "FORALL_EFFECTS"}),
    "CONDITIONAL_EFFECTS_REMOVING": frozenset({"CONDITIONAL_EFFECTS"}),
    "DISJUNCTIVE_CONDITIONS_REMOVING": frozenset({"DISJUNCTIVE_CONDITIONS"}),
    "GROUNDING": frozenset({"EQUALITIES"}),
    "NEGATIVE_CONDITIONS_REMOVING": frozenset({"NEGATIVE_CONDITIONS"}),
}
"""The compilers of unified-planning in the order in which they are used, each with the features that it removes."""

LEAST = 0.2  # the time of an engine when the time limit is already spent, seconds

WITH_A_PLAN = range(4)  # the exit codes with which Fast Downward says that it wrote a plan

METRICS = ("ACTIONS_COST", "_IN_ACTIONS_COST")  # how the names of the features of a metric of costs end


class StockPlanner:
    """One engine of unified-planning.

    Attributes:
        profile: The profile of PDDL in which the engine gets problems; empty for the usual one.
    """

    def __init__(self, engine: str) -> None:
        """Store the engine's name, such as ``fast-downward-opt``, or with a profile, such as ``tamer/durative``.

        Raises:
            UnknownNameError: unified-planning has no such engine that plans, or there is no such profile.
        """
        self.name = f"up:{engine}"
        self._engine, _, self.profile = engine.partition("/")
        self._environment = _environment()
        known_name("engine of unified-planning", self._engine, _planning(self._environment))
        kind = self._environment.factory.engine(self._engine).supported_kind()
        self._has_type_hierarchies = "HIERARCHICAL_TYPING" in kind.features
        if self.profile:
            known_name("profile of PDDL", self.profile, PROFILES)

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        """Call the engine on the problem.

        Raises:
            PlannerUnavailableError: The engine cannot be called, or it failed.
        """
        from unified_planning.exceptions import UPException
        from unified_planning.io import PDDLReader

        started = time.monotonic()
        try:
            if not self._has_type_hierarchies:
                domain, problem = untyped(domain, problem)
            read = PDDLReader(self._environment).parse_problem_string(domain, problem)
        except Exception as error:  # its reader raises many kinds of errors, also of its parser
            why = f"unified-planning does not read this problem: {' '.join(str(error).split())}"
            return NoPlan(Feedback(Code.UNSUPPORTED, "planning", why, recoverable=False))
        try:
            with warnings.catch_warnings(), self._environment.factory.OneshotPlanner(name=self._engine) as planner:
                warnings.simplefilter("ignore")  # most engines warn that they have no time limit
                _as_one_call(planner)
                supported = planner.supported_kind()
                exact = _with_supported_metric(read, supported)
                compiled = self._compiled(read, supported)
                asked = compiled[-1].problem if compiled else read
                if not planner.supports(asked.kind):
                    return self._unsupported(asked.kind.features - supported.features)
                result = planner.solve(asked, timeout=max(seconds - (time.monotonic() - started), LEAST))
                for step in reversed(compiled):
                    if result.plan is not None:
                        result.plan = result.plan.replace_action_instances(step.map_back_action_instance)
        except (UPException, AssertionError, OSError, ValueError) as error:
            raise PlannerUnavailableError(self.name, str(error)) from error
        answer = self._answer(result, time.monotonic() - started)
        return answer if exact or isinstance(answer, NoPlan) else replace(answer, optimal=False)

    def _compiled(self, problem: Problem, supported: ProblemKind) -> list[CompilerResult]:
        """Compile away what the engine does not support, with one compiler after the other."""
        from unified_planning.engines import CompilationKind

        results: list[CompilerResult] = []
        # predicates that stand for types are static, so grounding evaluates them; it takes no actions with durations
        useful = set() if self._has_type_hierarchies or "CONTINUOUS_TIME" in problem.kind.features else {"GROUNDING"}
        for name, removed in COMPILERS.items():
            if name in useful or removed & (problem.kind.features - supported.features):
                kind = CompilationKind[name]
                with self._environment.factory.Compiler(problem_kind=problem.kind, compilation_kind=kind) as compiler:
                    results.append(compiler.compile(problem, kind))
                problem = results[-1].problem
        return results

    def _unsupported(self, features: Iterable[str]) -> NoPlan:
        """Return which features the engine does not support, in the library's names in lower case."""
        names = tuple(sorted(name.lower().replace("_", "-") for name in features))
        why = f"it does not take {', '.join(names) or 'problems of this kind'}"
        how = "Choose a planner that does, or write the world without."
        return NoPlan(Feedback(Code.UNSUPPORTED, f"the planner {self.name}", why, how, names, recoverable=False))

    def _answer(self, result: PlanGenerationResult, seconds: float) -> FoundPlan | NoPlan:
        from unified_planning.engines import PlanGenerationResultStatus as Status

        if result.plan is not None:
            actions = (
                Action(step.action.name, tuple(map(str, step.actual_parameters))) for step in _steps(result.plan)
            )
            return FoundPlan(tuple(actions), result.status is Status.SOLVED_OPTIMALLY, seconds)
        if result.status is Status.UNSOLVABLE_PROVEN:
            why = "no sequence of actions reaches it"
            return NoPlan(Feedback(Code.NO_PLAN, "the goal", why, recoverable=False), True, seconds)
        if result.status in (Status.TIMEOUT, Status.MEMOUT):
            why = f"no plan within {seconds:.1f} s"
            return NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", why, "Give it more time."), False, seconds)
        if result.status is Status.UNSUPPORTED_PROBLEM:
            messages = " ".join(message.message for message in result.log_messages or ())
            why = f"the engine does not take this problem: {messages}".rstrip(": ")
            return NoPlan(Feedback(Code.UNSUPPORTED, "planning", why, recoverable=False), False, seconds)
        if result.status is Status.INTERNAL_ERROR:
            raise PlannerUnavailableError(self.name, f"it broke off. {_last_words(result)}".strip())
        why = f"the engine ended with {result.status.name.lower().replace('_', ' ')}"
        return NoPlan(Feedback(Code.NO_PLAN, "the goal", why), False, seconds)

    def close(self) -> None:
        """Do nothing: each call ends what it starts."""


def _planning(environment: Environment) -> list[str]:
    """Return the engines that plan, without those that only wrap another one (``replanner[ENGINE]``)."""
    factory = environment.factory
    return [name for name in factory.engines if "[" not in name and factory.engine(name).is_oneshot_planner()]


def _with_supported_metric(problem: Problem, supported: ProblemKind) -> bool:
    """Leave out a metric that an engine does not support; return whether a plan that is best without it is best."""
    if not any(name.endswith(METRICS) for name in problem.kind.features - supported.features):
        return True
    costs = {cost for metric in problem.quality_metrics for cost in metric.costs.values()}
    problem.clear_quality_metrics()
    return len(costs) <= 1 and all(cost is not None and cost.is_constant() for cost in costs)


def _as_one_call(engine: object) -> None:
    """Have an engine that runs Fast Downward disturb no other call, and prove only what its search proved.

    It keeps its task beside its plan, in a folder of the call. By itself it writes ``output.sas`` in the working
    directory. Two calls at a time in one directory then solve each other's tasks.

    Its exit codes from 0 to 3 say that it wrote a plan. Without a plan the engine takes them for a proof that there is
    none, but then the process broke: Python ends with 1 where memory, space for its files or one of them is missing.
    """
    from unified_planning.engines import PlanGenerationResultStatus as Status

    command, status = getattr(engine, "_base_cmd", None), getattr(engine, "_result_status", None)
    if command is None or status is None:
        return

    def told(problem: Problem, plan: Plan | None, code: int | None = None, log: object = None) -> Status:
        broke = plan is None and (code is None or code in WITH_A_PLAN)
        return Status.INTERNAL_ERROR if broke else status(problem, plan, code, log)

    vars(engine)["_base_cmd"] = lambda plan: [*command(plan), "--sas-file", f"{plan}.sas"]
    vars(engine)["_result_status"] = told


def _environment() -> Environment:
    """Return the library's global environment without its banner; several engines work only in this one."""
    from unified_planning.environment import get_environment

    environment = get_environment()
    environment.credits_stream = None
    return environment


def _last_words(result: PlanGenerationResult) -> str:
    """Return the last line of an engine's output that tells of an error, or else the last one."""
    lines = [line for message in result.log_messages or () for line in message.message.splitlines() if line.strip()]
    return next((line.strip() for line in reversed(lines) if "error" in line.lower()), " ".join(lines[-1:]).strip())


def _steps(plan: Plan) -> Iterable[ActionInstance]:
    """Return the actions of a plan; those of a plan with times in the order in which they begin."""
    timed = getattr(plan, "timed_actions", None)
    return plan.actions if timed is None else [step for _, step, _ in sorted(timed, key=lambda each: each[0])]


ROOT = "object"
CONDITIONS = {":precondition": "{}", ":condition": "(at start {})"}
"""How a condition of an action is written, by the keyword of its conditions."""


def untyped(domain: str, problem: str) -> tuple[str, str]:
    """Return a domain and a problem with static predicates instead of types, for planners that read none or flat ones.

    Each type becomes a static predicate that holds for its objects. A parameter of an action with a type becomes a
    parameter without one, and a condition. The texts must be as `domains.pddl` writes them: all types are directly
    below their root, and predicates, functions and quantified variables range over all objects.

    Raises:
        FormulaError: A text is no expression.
    """
    model, task = _sections(domain), _sections(problem)
    objects = [*_typed(_items(model, ":constants")), *_typed(_items(task, ":objects"))]
    kinds = dict.fromkeys(kind for _, kind in objects if kind != ROOT)
    facts = " ".join(f"({_predicate(kind)} {name})" for name, kind in objects if kind in kinds)
    declared = " ".join(f"({_predicate(kind)} ?x)" for kind in kinds)
    added = {":predicates": declared, ":init": facts}
    texts = (
        f"(define {' '.join(_section(section, kinds, added) for section in sections if section.head != ':types')})"
        for sections in (model, task)
    )
    first, second = texts
    return first, second


def _sections(text: str) -> list[Group]:
    node = parse_sexpr(text)
    return [item for item in node.items if isinstance(item, Group)] if isinstance(node, Group) else []


def _items(sections: Iterable[Group], head: str) -> Sequence[Node]:
    return next((section.items[1:] for section in sections if section.head == head), ())


def _predicate(kind: str) -> str:
    return f"is-{kind}"


def _section(section: Group, kinds: Iterable[str], added: dict[str, str]) -> str:
    match section.head:
        case ":requirements":
            return text_of(section).replace(" :typing", "")
        case ":constants" | ":objects":
            return f"({section.head} {' '.join(name for name, _ in _typed(section.items[1:]))})"
        case ":predicates" | ":functions" | ":init":
            return f"{text_of(section)[:-1]} {added.get(section.head, '')})"
        case ":action" | ":durative-action":
            return _action(section, frozenset(kinds))
        case _:
            return text_of(section)


def _action(action: Group, kinds: frozenset[str]) -> str:
    parameters = _parameters(action)
    guards = [f"({_predicate(kind)} {name})" for name, kind in parameters if kind in kinds]
    lasts = action.head == ":durative-action"
    keyword = ":condition" if lasts else ":precondition"
    parts, keys = [], [item.text if isinstance(item, Word) else "" for item in action.items]
    for key, item in zip(["", *keys], action.items, strict=False):
        if key == ":parameters":
            parts.append(f"({' '.join(name for name, _ in parameters)})")
        elif key == keyword:
            parts.append(f"(and {' '.join(CONDITIONS[keyword].format(guard) for guard in guards)} {text_of(item)})")
        else:
            parts.append(text_of(item))
    if guards and keyword not in keys:
        parts += [keyword, f"(and {' '.join(CONDITIONS[keyword].format(guard) for guard in guards)})"]
    return f"({' '.join(parts)})"


def _parameters(action: Group) -> list[tuple[str, str]]:
    keys = [item.text if isinstance(item, Word) else "" for item in action.items]
    group = action.items[keys.index(":parameters") + 1] if ":parameters" in keys else None
    return list(_typed(group.items)) if isinstance(group, Group) else []


def _typed(items: Iterable[Node]) -> Iterator[tuple[str, str]]:
    """Yield each name of a list such as ``a b - type`` with its type."""
    words, names = [item.text for item in items if isinstance(item, Word)], list[str]()
    following = iter(words)
    for word in following:
        if word == "-":
            kind = next(following, ROOT)
            yield from ((name, kind) for name in names)
            names = []
        else:
            names.append(word)
    yield from ((name, ROOT) for name in names)
