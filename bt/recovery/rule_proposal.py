"""Proposes new rules from repairs that have worked several times.

Two repairs are equal when the same steps have repaired the same failure of the same capability, up to the names of the
objects: names in the failed step become its parameters, other names become variables in their order. The condition of
the rule is computed from the model, by regression through the inserted steps, so that a rule is no more general than
its example. Lifting a plan in this way is explanation-based generalisation (Mitchell, Keller and Kedar-Cabelli 1986).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from bt.recovery.repair_search import Mended, RepairSearch, bound
from domains.invariants.mentions import lasting_capabilities
from domains.model import Domain, RepairRule, RepairStep
from domains.problem import Problem
from semantics.errors import UsageError
from semantics.logic.atoms import And, Formula, Literal, Not, Variable
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Operator, State
from semantics.logic.vocabulary import Thing


@dataclass(frozen=True, slots=True)
class Fix:
    """A failure that additional steps have repaired."""

    code: str  # the code of the failure
    step: Action  # the step that failed or could not begin
    before: tuple[Action, ...]  # the actions before the second try
    after: tuple[Action, ...]  # the actions after it that were not part of the plan
    rung: str  # the rung that made the repair
    culprits: tuple[str, ...] = ()  # the objects that the failure names


def fixes(events: Iterable[Mapping[str, Any]]) -> Iterator[Fix]:
    """Yield the failures of a record that were repaired by steps around the failed step.

    A failure that was repaired by a plan without that step does not count. Rules and retries teach nothing new and are
    left out.

    Args:
        events: The events of a journal, from `bt.record.read_record` or `bt.Entries.events`, oldest first.
    """
    failure: Mapping[str, Any] | None = None
    plan: list[str] = []
    for event in events:
        kind = event.get("e")
        if kind == "failure":
            failure, plan = (event if event.get("step") else None), []
        elif kind == "plan" and failure is not None and event.get("why") not in ("first", "rule"):
            plan = event["steps"]
        elif kind == "rung" and failure is not None and plan:
            fix = _fix(failure, plan, str(event["rung"])) if event["solved"] else None
            failure = None
            if fix is not None:
                yield fix


def _fix(failure: Mapping[str, Any], plan: list[str], rung: str) -> Fix | None:
    step, old = failure["step"], set(failure["plan"])
    if step not in plan:
        return None
    at = plan.index(step)
    before = tuple(map(Action.read, plan[:at]))
    after = tuple(Action.read(step) for step in plan[at + 1 :] if step not in old)
    if not before or any(step in old for step in plan[:at]):
        return None
    feedback = failure["feedback"]
    return Fix(feedback["code"], Action.read(step), before, after, rung, tuple(feedback.get("culprits", ())))


OFTEN = 3  # how often a repair has to work before it is proposed


def propose(
    log: Iterable[Fix], domain: Domain, things: Mapping[str, Thing], often: int = OFTEN
) -> tuple[RepairRule, ...]:
    """Return the rules that the repairs in `log` suggest, the most frequent first.

    They are proposals: `bt.recovery.rule_proposal.passes` tries one in simulation, and a person may decide.

    Args:
        log: The repairs of earlier runs.
        domain: The model of the world; a repair that one of its rules already makes is not proposed.
        things: The objects of the log.
        often: How often the same repair has to occur.
    """
    counts = Counter(rule for fix in log if (rule := _lifted(fix, domain, things)) is not None)
    shapes = {_shape(rule) for rule in domain.repairs}
    often_seen = [
        (rule, count) for rule, count in counts.most_common() if count >= often and _shape(rule) not in shapes
    ]
    return tuple(
        replace(rule, name=f"learned-{rule.capability}-{number}".lower(), say=_said(rule, count))
        for number, (rule, count) in enumerate(often_seen, start=1)
    )


def _shape(rule: RepairRule) -> tuple[object, ...]:
    steps = tuple(tuple(step.capability for step in part) for part in (rule.before, rule.instead, rule.after))
    return rule.code, rule.capability, steps


def _said(rule: RepairRule, count: int) -> str:
    first = ", ".join(step.capability for step in rule.before)
    then = f", and afterwards {', '.join(step.capability for step in rule.after)}" if rule.after else ""
    return f"what mended it {count} times is done first: {first}{then}"


def _lifted(fix: Fix, domain: Domain, things: Mapping[str, Thing]) -> RepairRule | None:
    """Return a fix as a rule without a name; None when it does not belong to this domain."""
    try:
        failed = domain.ground(fix.step, things)
        before = [domain.ground(action, things) for action in fix.before]
    except UsageError:
        return None
    capability = domain.capabilities[fix.step.name]
    names = {arg: f"?{parameter.name}" for parameter, arg in zip(capability.parameters, fix.step.args, strict=True)}
    asked = _affordances(fix, domain)
    new = [arg for arg in asked if arg not in names]
    variables = [Variable(f"v{number}", asked[arg]) for number, arg in enumerate(new, start=1)]
    names |= {arg: f"?{parameter.name}" for arg, parameter in zip(new, variables, strict=True)}
    return RepairRule(
        name="",
        code=fix.code,
        capability=fix.step.name,
        when=_asked(before, failed, names, domain),
        variables=tuple(variables),
        culprits=tuple(names[arg][1:] for arg in fix.culprits if arg in new),
        before=tuple(_step(action, names) for action in fix.before),
        after=tuple(_step(action, names) for action in fix.after),
    )


def _affordances(fix: Fix, domain: Domain) -> dict[str, str]:
    """Return the rarest affordance that the steps require of each object, since it is the most specific one."""
    asked: dict[str, list[str]] = {}
    for action in (*fix.before, *fix.after):
        for parameter, arg in zip(domain.capabilities[action.name].parameters, action.args, strict=True):
            asked.setdefault(arg, []).extend(parameter.affordances)
    spread = Counter(name for model in domain.classes.values() for name in model.affordances)
    return {
        arg: min(affordances, key=lambda name: (spread[name], name), default="object")
        for arg, affordances in asked.items()
    }


def _step(action: Action, names: Mapping[str, str]) -> RepairStep:
    return RepairStep(action.name, tuple(names[arg] for arg in action.args))


def _asked(before: Sequence[Operator], failed: Operator, names: Mapping[str, str], domain: Domain) -> Formula | None:
    """Return the condition under which the inserted steps, and then the failed step, are applicable."""
    need: set[Literal] = set(failed.precondition)
    for step in reversed(before):
        need = {literal for literal in need if not _made(literal, step)} | set(step.precondition)
    parts: list[Formula] = []
    for atom, positive in need:
        if not domain.predicates[atom.predicate].bookkeeping:
            lifted = atom.replaced(names)
            parts.append(lifted if positive else Not(lifted))
    parts.sort(key=str)
    return And(tuple(parts)) if len(parts) > 1 else next(iter(parts), None)


def _made(literal: Literal, step: Operator) -> bool:
    return literal.atom in (step.added if literal.positive else step.deleted - step.added)


LEAST_TRIED = 10
ENOUGH = 15  # the number of states in which a rule is tried; sampling stops then
WALK = 6
DRAWS = 400
BLAMED = 40  # the number of random choices of culprits that are examined for one step

Scene = tuple[Mapping[str, Thing], State]


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """The result of the trials of a rule."""

    tried: int  # the number of sampled states in which it applied
    mended: int  # the number of those in which the effects were achieved and an unrelated next step was applicable


def passes(trial: TrialCounts, share: float = 1.0) -> bool:
    """Return whether a rule was tried often enough and has worked often enough."""
    return trial.tried >= LEAST_TRIED and trial.mended >= share * trial.tried


def tried(
    rule: RepairRule, domain: Domain, scenes: Sequence[Scene], *, samples: int = 40, seed: int = 0
) -> TrialCounts:
    """Try a rule in states that random steps lead to, and count the successes.

    In each state a random step of its capability fails. The rule alone has to achieve the effects of that step, and a
    random next step that is not related to the moved objects has to stay applicable as if nothing had failed.

    Args:
        rule: The rule. For a physical failure, the failing step is applicable in the model, and its culprits are random
            objects that the rule is for.
        domain: The model of the world.
        scenes: The objects and the start state of each scene.
        samples: The number of states to sample in each scene.
        seed: The seed of the random choices.
    """
    random = Random(seed)
    counts = [0, 0]
    for things, start in scenes:
        for problem in _states(Problem(domain, things, start), samples, random):
            outcome = _once(rule, problem, random)
            counts[0] += outcome is not None
            counts[1] += outcome is True
            if counts[0] >= ENOUGH:
                return TrialCounts(*counts)
    return TrialCounts(*counts)


def _states(problem: Problem, samples: int, random: Random) -> Iterator[Problem]:
    """Yield the problem with states that random steps lead to."""
    names = lasting_capabilities(problem.domain)
    for _ in range(samples):
        now = problem
        for _ in range(random.randrange(WALK + 1)):
            step = next(_drawn(now, random, names), None)
            now = now.with_state(step.apply(now.state)) if step is not None else now
        yield now


def _drawn(problem: Problem, random: Random, names: Sequence[str], can: bool = True) -> Iterator[Operator]:
    """Yield random operators that are (or are not) applicable, each once."""
    choices_of: dict[str, list[list[str]]] = {}
    drawn: set[Action] = set()
    for _ in range(DRAWS):
        capability = problem.domain.capabilities[random.choice(names)]
        if capability.name not in choices_of:
            choices_of[capability.name] = [
                [name for name, thing in problem.objects.items() if thing.affords(parameter.affordances)]
                for parameter in capability.parameters
            ]
        choices = choices_of[capability.name]
        action = Action(capability.name, tuple(random.choice(objects) for objects in choices if objects))
        if action in drawn or not all(choices):
            continue
        drawn.add(action)
        try:
            operator = problem.ground(action)
            if operator.applicable(problem.state) is can:
                yield operator
        except UsageError:
            continue


def _once(rule: RepairRule, problem: Problem, random: Random) -> bool | None:
    """Return whether the rule repairs a random failure; None when it applies to none."""
    domain, things = problem.domain, problem.objects
    names = (rule.capability,) if rule.capability else tuple(domain.capabilities)
    physical = rule.code != Code.PRECONDITION
    for step in _drawn(problem, random, names, can=physical):
        ways = ((blamed, way) for blamed in _blamed(rule, things, random) for way in bound(rule, step, blamed, problem))
        culprits, way = next(ways, ((), None))
        if way is None:
            continue
        failure = Feedback(Code(rule.code), str(step), "as tried", culprits=culprits) if physical else None
        rest = _unrelated(step, set(way.binding.values()), problem, random)
        sought = frozenset(Literal(atom) for atom in step.added - step.bookkeeping)
        goal = sought if not rest else frozenset()
        repair = RepairSearch((rule,)).mend((step, *rest), problem.with_goal(goal), failure)
        return isinstance(repair, Mended)
    return None


def _blamed(rule: RepairRule, things: Mapping[str, Thing], random: Random) -> Iterator[tuple[str, ...]]:
    """Yield random culprits of a failure; an empty tuple when the rule has none."""
    for _ in range(BLAMED if rule.culprits else 1):
        yield tuple(random.sample(sorted(things), min(len(rule.culprits), len(things))))


def _unrelated(step: Operator, moved: set[str], problem: Problem, random: Random) -> tuple[Operator, ...]:
    """Return a random step that uses no object of the repair and is applicable after the failed step had worked."""
    agents = {name for name, thing in problem.objects.items() if thing.class_name in problem.domain.agents}
    worked = problem.with_state(step.apply(problem.state))
    fitting = (
        operator
        for operator in _drawn(worked, random, tuple(problem.domain.capabilities))
        if not (set(operator.action.args) - agents) & moved and operator.applicable(problem.state)
    )
    return tuple(operator for operator in (next(fitting, None),) if operator is not None)
