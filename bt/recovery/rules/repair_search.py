"""Repairs a plan by rules, on the model.

The plan is simulated on the model from the believed state. At the first step that is not applicable a rule is tried,
and the search goes on after it until the whole plan reaches its goal; the robot does not move before that. CoPAL
repairs one error at a time, without looking ahead (Joublin et al. 2024, section III-C). Here it is a depth-first search
over other bindings, other places to park an object, and later moments to pick it up again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf

from bt.recovery.rules.instances import Binding, RuleInstance, bound, grounded, late_bindings
from bt.recovery.rules.splice import Splice, renamed
from domains.model import Domain, RepairRule
from domains.problem import Problem
from planning.validation import Invalid, Valid, validate
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import Operator, State
from semantics.vocabulary import Thing

__all__ = [
    "Applied",
    "Mended",
    "Parking",
    "RepairSearch",
]


Distance = Callable[[str, State], float]


def _unknown(_: str, __: State) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class Parking:
    """Chooses a place to set an object down for some time.

    A place that the goal names is never used. Places that no later step names come first; among them the nearest, and
    among equally near ones the place with the fewest objects.

    Attributes:
        distance: Returns the distance of a place in metres; infinite for a forbidden place. By default all are 0.
        room: How many objects a place holds at most.
    """

    distance: Distance = _unknown
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


MOST_TRIED = 400
"""The number of repairs that are tried on the model for one failure."""
MOST_PLACES = 3
"""The number of parking places that are tried for one binding."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A rule that was applied: the step, the binding, and the inserted steps."""

    rule: RepairRule
    step: Operator
    binding: Binding
    before: tuple[Operator, ...]
    instead: tuple[Operator, ...]
    after: tuple[Operator, ...]


@dataclass(frozen=True, slots=True)
class Mended:
    """A plan that reaches the goal again.

    Attributes:
        steps: The steps of the plan.
        applied: The rules that were applied.
        owed: The facts that the repair restores and that have to hold at the end: picked up again, closed again.
    """

    steps: tuple[Operator, ...]
    applied: tuple[Applied, ...]
    owed: Conjunct = frozenset()


@dataclass
class RepairSearch:
    """Repairs plans of one scene.

    Attributes:
        rules: The rules, tried in this order.
        domain: The model of the world.
        things: All objects, by name.
        parking: Chooses places to set objects down.
        most_applied: The largest number of rules that are applied to one plan.
    """

    rules: Sequence[RepairRule]
    domain: Domain
    things: Mapping[str, Thing]
    parking: Parking = field(default_factory=Parking)
    most_applied: int = 8

    def mend(
        self,
        steps: Sequence[Operator],
        state: State,
        goal: Conjunct,
        failure: Feedback | None = None,
        domain: Domain | None = None,
    ) -> Mended | NoPlan:
        """Return `steps` with repairs, so that they reach `goal` from `state`; or why no rule achieves that.

        Args:
            steps: The steps that are left; the first of them failed when there is a `failure`.
            state: The believed state.
            goal: The goal of the plan.
            failure: Why the first step failed, if it is applicable in the model.
            domain: The model with learned facts; by default the own model.
        """
        search = _RuleSearch(replace(self, domain=domain or self.domain), state, goal)
        forced = failure if failure is not None and failure.code is not Code.PRECONDITION else None
        repaired = search.mended(tuple(steps), (), forced)
        return repaired if repaired is not None else NoPlan(search.reason())


@dataclass
class _RuleSearch:
    mender: RepairSearch
    state: State
    goal: Conjunct
    tried: int = 0
    why: str = "no rule is for this"

    def reason(self) -> Feedback:
        return Feedback(Code.INVALID_PLAN, "repair by rules", self.why)

    def mended(
        self, steps: tuple[Operator, ...], applied: tuple[Applied, ...], forced: Feedback | None
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
                mended = self.mended(splice.steps, (*applied, self._applied(splice)), None)
                if mended is not None:
                    return mended
        return None

    def _half(self, splice: Splice, broken: Invalid) -> bool:
        """Return whether the step itself lacks fewer literals than before, so that another rule may add the rest."""
        if broken.action != splice.step.action or broken.step != len(splice.done) + len(splice.before):
            return False
        before = validate((*splice.done, splice.step), self.state, frozenset())
        return isinstance(before, Invalid) and set(broken.missing) < set(before.missing)

    def _applied(self, splice: Splice) -> Applied:
        return Applied(splice.rule, splice.step, splice.binding, splice.before, splice.instead, splice.after)

    def _splices(
        self, steps: tuple[Operator, ...], index: int, forced: Feedback | None, missing: Sequence[Literal]
    ) -> Iterator[Splice]:
        """Yield the repairs of the step at `index`, in the order of the rules."""
        world, step = self.mender, steps[index]
        before = validate(steps[:index], self.state, frozenset())
        assert isinstance(before, Valid)
        codes = {forced.code if forced else Code.PRECONDITION, Code.PRECONDITION}
        blamed = forced.culprits if forced else tuple(arg for literal in missing for arg in literal.atom.args)
        for rule in world.rules:
            if rule.code in codes:
                problem = Problem(world.domain, world.things, before.state)
                for way in bound(rule, step, tuple(dict.fromkeys(blamed)), problem):
                    yield from self._spliced(way, steps, index, before.state)

    def _spliced(self, way: RuleInstance, steps: tuple[Operator, ...], index: int, state: State) -> Iterator[Splice]:
        rule, problem = way.rule, Problem(self.mender.domain, self.mender.things, state)
        for binding in self._parked(way, state, steps[index:]):
            before = grounded(rule.before, binding, problem)
            instead = grounded(rule.instead, binding, problem)
            if before is None or instead is None:
                continue
            rest = renamed(steps[index + 1 :], rule, binding, steps[index], problem)
            first = Splice(rule, steps[index], binding, before, instead or (steps[index],), (), steps[:index], rest)
            yield from self._restored(first) if rule.after else (first,)

    def _restored(self, splice: Splice) -> Iterator[Splice]:
        """Yield a repair with its restoring steps at every position where they are applicable, earliest first."""
        rule, problem = splice.rule, Problem(self.mender.domain, self.mender.things, self.state)
        for late in range(len(splice.rest) + 1):
            then = splice.restoring(late, ()).reached(self.state)
            for binding in late_bindings(rule, splice.binding, problem.objects):
                after = grounded(rule.after, binding, problem.with_state(then))
                if after is not None and isinstance(validate(after, then, frozenset()), Valid):
                    yield splice.restoring(late, after)
                    break

    def _parked(self, way: RuleInstance, state: State, later: Sequence[Operator]) -> Iterator[Binding]:
        """Yield the binding of a rule with parking places for its free variables, best first."""
        if not way.free:
            yield way.binding
            return
        variable, *others = way.free
        places = (
            name for name, thing in self.mender.things.items() if variable.affordance in (*thing.affordances, "object")
        )
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


def _owed(applied: Sequence[Applied], end: State) -> Conjunct:
    """Return the facts that the repairs restore and that still hold at the `end`."""
    return frozenset(literal for use in applied for step in use.after for literal in step.effects if end.holds(literal))
