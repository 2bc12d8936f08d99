"""Repairs a plan by rules, on the model.

The plan is simulated on the model from the believed state. At the first step that is not applicable a rule is tried,
and the search goes on after it until the whole plan reaches its goal; the robot does not move before that. CoPAL
repairs one error at a time, without looking ahead (Joublin et al. 2024, section III-C). Here it is a depth-first search
over other bindings, other places to park an object, and later moments to pick it up again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from math import inf
from typing import NamedTuple

from bt.recovery.obstacles import acting_parameters
from domains.capability import Capability
from domains.model import Domain, RepairRule, RepairStep
from domains.problem import Problem
from planning.validation import Invalid, Valid, validate
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Conjunct, Formula, Literal, Variable, conjoined, literals
from semantics.logic.conditions import bindings, expanded
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Operator, State
from semantics.logic.vocabulary import Thing

Distance = Callable[[str, State], float]


@dataclass(frozen=True, slots=True)
class Parking:
    """Chooses a place to set an object down for some time.

    A place that the goal names is never used. Places that no later step names come first; among them the nearest, and
    among equally near ones the place with the fewest objects.

    Attributes:
        distance: Returns the distance of a place in metres; infinite for a forbidden place. By default all are 0.
        room: How many objects a place holds at most.
    """

    distance: Distance = lambda place, state: 0.0
    room: float = inf

    def ranked(
        self, places: Iterable[str], state: State, goal: Conjunct, later: Sequence[Operator], taken: Collection[str]
    ) -> tuple[str, ...]:
        """Return the possible places, best first.

        Args:
            places: All places with the affordance.
            state: The believed state.
            goal: The goal of the plan.
            later: The steps that are left.
            taken: Names that the rule already uses.
        """
        barred = {arg for literal in goal for arg in literal.atom.args}.union(taken)
        needed = {arg for step in later for arg in step.action.args}
        carried = {place: sum(atom.args[-1:] == (place,) for atom in state.atoms) for place in places}
        far = {place: self.distance(place, state) for place in carried}
        open_to_all = (
            place for place in carried if place not in barred and far[place] < inf and carried[place] < self.room
        )
        return tuple(sorted(open_to_all, key=lambda place: (place in needed, far[place], carried[place], place)))


MOST_TRIED = 400  # the number of repairs that are tried on the model for one failure
MOST_PLACES = 3  # the number of parking places that are tried for one binding


@dataclass(frozen=True, slots=True)
class Mended:
    """A plan that reaches the goal again.

    Attributes:
        steps: The steps of the plan.
        applied: The repairs, in the order in which they were found.
        owed: The facts that the repair restores and that have to hold at the end: picked up again, closed again.
    """

    steps: tuple[Operator, ...]
    applied: tuple[Splice, ...]
    owed: Conjunct = frozenset()


@dataclass
class RepairSearch:
    """Repairs plans by rules.

    Attributes:
        rules: The rules, tried in this order.
        parking: Chooses places to set objects down.
        most_applied: The largest number of rules that are applied to one plan.
    """

    rules: Sequence[RepairRule]
    parking: Parking = field(default_factory=Parking)
    most_applied: int = 8

    def mend(
        self,
        steps: Sequence[Operator],
        problem: Problem,
        failure: Feedback | None = None,
    ) -> Mended | NoPlan:
        """Return `steps` with repairs, so that they solve a problem; or why no rule achieves that.

        Args:
            steps: The steps that are left; the first of them failed when there is a `failure`.
            problem: The believed state, and the one goal of the plan, in the model with learned facts.
            failure: Why the first step failed, if it is applicable in the model.
        """
        search = _RuleSearch(self, problem, problem.state, problem.conjunct)
        forced = failure if failure is not None and failure.code is not Code.PRECONDITION else None
        repaired = search.mended(tuple(steps), (), forced)
        return repaired or NoPlan(Feedback(Code.INVALID_PLAN, "repair by rules", search.why))


@dataclass
class _RuleSearch:
    mender: RepairSearch
    problem: Problem
    state: State
    goal: Conjunct
    tried: int = 0
    why: str = "no rule is for this"

    def mended(
        self, steps: tuple[Operator, ...], applied: tuple[Splice, ...], forced: Feedback | None
    ) -> Mended | None:
        """Repair the first step that is not applicable, and then the rest by recursion."""
        broken = None if forced else validate(steps, self.state, self.goal)
        if isinstance(broken, Valid):
            return Mended(steps, applied, _owed(applied, broken.state))
        index = broken.step if broken else 0
        if index == len(steps) or len(applied) == self.mender.most_applied:
            self.why = str(broken.feedback) if broken and index == len(steps) else self.why
            return None
        for splice in self._splices(steps, index, forced, broken.missing if broken else ()):
            self.tried += 1
            if self.tried > MOST_TRIED:
                return None
            if self._helps(splice):
                mended = self.mended(splice.steps, (*applied, splice), None)
                if mended is not None:
                    return mended
        return None

    def _half(self, splice: Splice, broken: Invalid) -> bool:
        """Return whether the step itself lacks fewer literals than before, so that another rule may add the rest."""
        if broken.action != splice.step.action or broken.step != len(splice.done) + len(splice.before):
            return False
        before = validate((*splice.done, splice.step), self.state, frozenset())
        return isinstance(before, Invalid) and set(broken.missing) < set(before.missing)

    def _splices(
        self, steps: tuple[Operator, ...], index: int, forced: Feedback | None, missing: Sequence[Literal]
    ) -> Iterator[Splice]:
        """Yield the repairs of the step at `index`, in the order of the rules."""
        before = validate(steps[:index], self.state, frozenset())
        assert isinstance(before, Valid)
        codes = {forced.code if forced else Code.PRECONDITION, Code.PRECONDITION}
        blamed = forced.culprits if forced else tuple(arg for literal in missing for arg in literal.atom.args)
        problem = self.problem.with_state(before.state)
        for rule in self.mender.rules:
            if rule.code in codes:
                for way in bound(rule, steps[index], tuple(dict.fromkeys(blamed)), problem):
                    yield from self._spliced(way, steps, index, problem)

    def _spliced(
        self, way: RuleInstance, steps: tuple[Operator, ...], index: int, problem: Problem
    ) -> Iterator[Splice]:
        rule = way.rule
        for binding in self._parked(way, problem.state, steps[index:]):
            before = _grounded(rule.before, binding, problem)
            instead = _grounded(rule.instead, binding, problem)
            if before is None or instead is None:
                continue
            rest = _renamed(steps[index + 1 :], rule, binding, steps[index], problem)
            retried, *others = instead or (steps[index],)
            retried = _relying_on(before, retried, problem)
            first = Splice(rule, steps[index], binding, before, (retried, *others), (), steps[:index], rest)
            yield from self._restored(first) if rule.after else (first,)

    def _restored(self, splice: Splice) -> Iterator[Splice]:
        """Yield a repair with its restoring steps at every position where they are applicable, earliest first."""
        rule, problem = splice.rule, self.problem
        for late in range(len(splice.rest) + 1):
            then = splice.restoring(late, ()).reached(self.state)
            for binding in _completed(rule, splice.binding, problem.objects):
                after = _grounded(rule.after, binding, problem.with_state(then))
                if after is not None and isinstance(validate(after, then, frozenset()), Valid):
                    yield splice.restoring(late, after)
                    break

    def _parked(self, way: RuleInstance, state: State, later: Sequence[Operator]) -> Iterator[Binding]:
        """Yield the binding of a rule with parking places for its free variables, best first."""
        if not way.free:
            yield way.binding
            return
        variable, *others = way.free
        asked = (variable.affordance, *_asked_of(variable, way.rule, self.problem.domain))
        places = [name for name, thing in self.problem.objects.items() if thing.affords(asked)]
        ranked = self.mender.parking.ranked(places, state, self.goal, later, way.binding.values())
        for place in islice(ranked, MOST_PLACES):
            more = RuleInstance(way.rule, {**way.binding, f"?{variable.name}": place}, tuple(others))
            yield from self._parked(more, state, later)

    def _helps(self, splice: Splice) -> bool:
        """Return whether the repaired step is applicable, and the repair causes no later failure."""
        broken = validate(splice.steps, self.state, self.goal)
        if isinstance(broken, Valid) or self._half(splice, broken):
            return True
        caused = broken.step < splice.end or splice.causes(broken, self.state)
        if caused:
            named = broken.action or "the goal"
            lacks = " ".join(map(str, broken.missing)) or broken.reason
            self.why = f"the rule {splice.rule.name} would help, but then {named} would lack {lacks}"
        return not caused


def _relying_on(before: Sequence[Operator], step: Operator, problem: Problem) -> Operator:
    """Return a step that needs what the steps `before` it change.

    The model may hold a step that failed for applicable: it does not know why the body refused it. Without this need,
    the plan would go on with the same step at once, since the latest step that leads to the goal is taken.
    """
    old, new = problem.state, _run(before, problem.state)
    changed = {Literal(atom, atom in new.atoms) for atom in old.atoms ^ new.atoms}
    known = {name for name, model in problem.domain.predicates.items() if not model.bookkeeping}
    known -= problem.domain.derived.keys()
    needs = {literal for literal in changed if literal.atom.predicate in known and literal.atom not in step.bookkeeping}
    return replace(step, precondition=step.precondition | needs)


def _owed(applied: Sequence[Splice], end: State) -> Conjunct:
    """Return the facts that the repairs restore and that still hold at the `end`."""
    return frozenset(literal for use in applied for step in use.after for literal in step.effects if end.holds(literal))


Binding = Mapping[str, str]
"""Names of objects, by ``?variable``."""


class RuleInstance(NamedTuple):
    """A rule with a binding; `free` are the variables that the condition does not determine."""

    rule: RepairRule
    binding: Binding
    free: tuple[Variable, ...]


def bound(rule: RepairRule, step: Operator, culprits: Sequence[str], problem: Problem) -> Iterator[RuleInstance]:
    """Yield the ways in which `rule` applies to `step`.

    Args:
        rule: The rule.
        step: The step that is not applicable.
        culprits: The objects that the failure names.
        problem: The problem, in the state before the step.
    """
    things, state = problem.objects, problem.state
    # Four sources of a binding, in turn: the failed step, the culprits, the facts of the condition, free choice.
    start: dict[str, str] = {}
    if rule.capability:
        if rule.capability != step.action.name:
            return
        parameters = problem.domain.capabilities[rule.capability].parameters
        start = {f"?{parameter.name}": arg for parameter, arg in zip(parameters, step.action.args, strict=True)}
    wanted = {f"?{variable.name}": variable.affordance for variable in rule.variables}
    when = rule.when or And(())
    asked = [part for part in conjoined(when) if isinstance(part, Atom)]
    named = {arg for literal in literals(when) for arg in literal.atom.args}
    open_ = tuple(
        variable
        for variable in rule.variables
        if f"?{variable.name}" not in named and variable.name not in rule.culprits
    )
    used = {arg for step in (*rule.before, *rule.instead) for arg in step.args}
    free = tuple(variable for variable in open_ if f"?{variable.name}" in used)
    seen: set[tuple[tuple[str, str], ...]] = set()
    for blamed in _blamed(rule, culprits):
        for match in _joined(asked, {**start, **blamed}, state):
            for binding in _completed(rule, match, things, open_):
                key = tuple(sorted(binding.items()))
                if key not in seen and _fits(binding, wanted, things) and _holds(when, binding, state, things):
                    seen.add(key)
                    yield RuleInstance(rule, binding, free)


def _blamed(rule: RepairRule, culprits: Sequence[str]) -> Iterator[dict[str, str]]:
    for names in product(culprits, repeat=len(rule.culprits)):
        if len(set(names)) == len(names):
            yield {f"?{name}": culprit for name, culprit in zip(rule.culprits, names, strict=True)}


def _joined(atoms: Sequence[Atom], binding: Binding, state: State) -> Iterator[dict[str, str]]:
    """Yield the bindings under which all `atoms` hold."""
    if not atoms:
        yield dict(binding)
        return
    first, *rest = atoms
    for fact in sorted(atom for atom in state.atoms if atom.predicate == first.predicate):
        more = dict(binding)
        if len(fact.args) == len(first.args) and all(
            (more.setdefault(arg, name) if arg.startswith("?") else arg) == name
            for arg, name in zip(first.args, fact.args, strict=True)
        ):
            yield from _joined(rest, more, state)


def _completed(
    rule: RepairRule, binding: Binding, things: Mapping[str, Thing], free: Collection[Variable] = ()
) -> Iterator[Binding]:
    """Yield `binding` with an object for every other variable of the rule but the `free` ones."""
    left = [variable for variable in rule.variables if f"?{variable.name}" not in binding and variable not in free]
    for choice in bindings(tuple(left), things):
        yield {**binding, **choice}


def _fits(binding: Binding, wanted: Mapping[str, str], things: Mapping[str, Thing]) -> bool:
    return all(
        name in things and things[name].affords((wanted.get(variable, "object"),)) for variable, name in binding.items()
    )


def _holds(when: Formula, binding: Binding, state: State, things: Mapping[str, Thing]) -> bool:
    try:
        return state.judge(expanded(when, things, binding))
    except UsageError:  # the value of a number is unknown
        return False


def _asked_of(variable: Variable, rule: RepairRule, domain: Domain) -> Iterator[str]:
    """Yield the affordances that the steps of a rule ask of a variable."""
    for step in (*rule.before, *rule.instead, *rule.after):
        parameters = domain.capabilities[step.capability].parameters
        for parameter, arg in zip(parameters, step.args, strict=True):
            if arg == f"?{variable.name}":
                yield from parameter.affordances


def _grounded(steps: Iterable[RepairStep], binding: Binding, problem: Problem) -> tuple[Operator, ...] | None:
    """Return the steps of a rule as operators; None when they cannot be grounded with these objects."""
    actions = [Action(step.capability, tuple(binding.get(arg, arg) for arg in step.args)) for step in steps]
    try:
        return tuple(map(problem.ground, actions))
    except UsageError:
        return None


@dataclass(frozen=True, slots=True)
class Splice:
    """A repair at its position in the plan."""

    rule: RepairRule  # the rule
    step: Operator  # the step that is repaired
    binding: Binding  # the objects for the variables of the rule
    before: tuple[Operator, ...]  # the steps that are inserted before
    instead: tuple[Operator, ...]  # the step itself, or the steps that replace it
    after: tuple[Operator, ...]  # the steps that restore what was disturbed
    done: tuple[Operator, ...]  # the steps of the plan before the repair
    rest: tuple[Operator, ...]  # the steps of the plan after the repair
    late: int = 0  # the number of steps of `rest` before the restoring steps

    def restoring(self, late: int, after: tuple[Operator, ...]) -> Splice:
        """Return the same repair with the restoring steps `after`, placed after `late` steps of the rest."""
        return replace(self, late=late, after=after)

    def reached(self, state: State) -> State:
        """Return the state before the restoring steps, assuming that all steps before them work."""
        return _run((*self.done, *self.before, *self.instead, *self.rest[: self.late]), state)

    @property
    def end(self) -> int:
        """The number of steps up to the repaired step, including restoring steps that follow at once."""
        restored = len(self.after) if not self.late else 0
        return len(self.done) + len(self.before) + len(self.instead) + restored

    @property
    def steps(self) -> tuple[Operator, ...]:
        """The whole plan."""
        behind = (*self.rest[: self.late], *self.after, *self.rest[self.late :])
        return (*self.done, *self.before, *self.instead, *behind)

    def causes(self, broken: Invalid, state: State) -> bool:
        """Return whether the repair causes a failure: had the step simply worked, the literals would not be missing.

        A failure of a restoring step is always caused by the repair.
        """
        at = broken.step - (len(self.done) + len(self.before) + len(self.instead))
        if self.late <= at < self.late + len(self.after):
            return True
        index = at if at < self.late else at - len(self.after)
        worked = _run((*self.done, self.step, *self.rest[:index]), state)
        return not set(broken.missing) <= set(worked.missing(broken.missing))


def _run(steps: Iterable[Operator], state: State) -> State:
    """Apply `steps` without checking their preconditions."""
    for step in steps:
        with contextlib.suppress(UsageError):  # the value of a number is unknown
            state = step.apply(state)
    return state


def _renamed(
    rest: Iterable[Operator],
    rule: RepairRule,
    binding: Binding,
    failed: Operator,
    problem: Problem,
) -> tuple[Operator, ...]:
    """Return the steps after a repair, with the renaming of the rule in those that handle the same object."""
    if not rule.rename:
        return tuple(rest)
    names = {binding[f"?{old}"]: binding[f"?{new}"] for old, new in rule.rename}
    thing = _handled(failed, problem.domain.capabilities[failed.action.name])

    def other(step: Operator) -> Operator:
        args = tuple(names.get(arg, arg) for arg in step.action.args)
        if thing not in step.action.args or args == step.action.args:
            return step
        try:
            return problem.ground(Action(step.action.name, args))
        except UsageError:  # the names do not fit this step: keep it, and let the model judge
            return step

    return tuple(map(other, rest))


def _handled(step: Operator, capability: Capability) -> str:
    """Return the first argument of a step that is acted upon: no agent and no resource."""
    acting = acting_parameters(capability)
    return next((arg for number, arg in enumerate(step.action.args) if number not in acting), "")
