"""Mending a plan by rules, on the model.

The plan is run through the model from what is believed. At the first step that cannot be taken a rule is tried, and
the search goes on behind it, until the whole plan reaches its goal; nothing moves before that. What CoPAL does one
error at a time, without looking ahead (Joublin et al. 2024, section III-C), is a depth-first search here: other
bindings, other places to park, later moments to take up again what was set down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from bt.recovery.rules.instances import Binding, RuleInstance, bound, grounded, late_bindings
from bt.recovery.rules.parking import Parking
from bt.recovery.rules.splice import Splice, renamed
from domains.model import Domain, RepairRule
from domains.problem import Problem
from planning.validation import Invalid, Valid, validate
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import Operator, State
from semantics.vocabulary import Thing

__all__ = ["Applied", "Mended", "RepairSearch"]

MOST_TRIED = 400
"""How many repairs are tried on the model for one failure."""
MOST_PLACES = 3
"""How many places to park are tried for one binding."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A rule that was applied: to which step, with what, and the steps it put in."""

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
        steps: In order.
        applied: The rules that made it so.
        owed: What is restored and has to hold in the end as well: taken up again, closed again.
    """

    steps: tuple[Operator, ...]
    applied: tuple[Applied, ...]
    owed: Conjunct = frozenset()


@dataclass
class RepairSearch:
    """Mends plans of one scene.

    Attributes:
        rules: What mends, tried in this order.
        domain: The world's model.
        things: Everything that exists.
        parking: Where something may be set down meanwhile.
        most_applied: How many rules may be applied to one plan.
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
        """Return `steps` mended so that they reach `goal` from `state`, or why no rule does that.

        Args:
            steps: What is still to be done; the first of them failed when there is a `failure`.
            state: What is believed.
            goal: What they are for.
            failure: Why the first step failed, when it is not the model that forbids it.
            domain: The model with what was learned since; by default the mender's own.
        """
        search = _RuleSearch(replace(self, domain=domain or self.domain), state, goal)
        forced = failure if failure is not None and failure.code is not Code.PRECONDITION else None
        found = search.mended(tuple(steps), (), forced)
        return found if found is not None else NoPlan(search.reason())


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
        """Mend the first step that cannot be taken, and what comes after it."""
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
                found = self.mended(splice.steps, (*applied, self._applied(splice)), None)
                if found is not None:
                    return found
        return None

    def _half(self, splice: Splice, broken: Invalid) -> bool:
        """Return whether the step itself lacks less than before, so that another rule may do the rest."""
        if broken.action != splice.step.action or broken.step != len(splice.done) + len(splice.before):
            return False
        before = validate((*splice.done, splice.step), self.state, frozenset())
        return isinstance(before, Invalid) and set(broken.missing) < set(before.missing)

    def _applied(self, splice: Splice) -> Applied:
        return Applied(splice.rule, splice.step, splice.binding, splice.before, splice.instead, splice.after)

    def _splices(
        self, steps: tuple[Operator, ...], index: int, forced: Feedback | None, missing: Sequence[Literal]
    ) -> Iterator[Splice]:
        """Yield the repairs of the step at `index`, the rules in their order, cheap ones first."""
        world, step = self.mender, steps[index]
        before = validate(steps[:index], self.state, frozenset())
        assert isinstance(before, Valid)
        codes = {forced.code if forced else Code.PRECONDITION, Code.PRECONDITION}
        blamed = forced.culprits if forced else tuple(arg for one in missing for arg in one.atom.args)
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
        """Yield a repair with what it restores, at every moment when that can be done, the first ones first."""
        rule, problem = splice.rule, Problem(self.mender.domain, self.mender.things, self.state)
        for late in range(len(splice.rest) + 1):
            then = splice.restoring(late, ()).reached(self.state)
            for binding in late_bindings(rule, splice.binding, problem.objects):
                after = grounded(rule.after, binding, problem.with_state(then))
                if after is not None and isinstance(validate(after, then, frozenset()), Valid):
                    yield splice.restoring(late, after)
                    break

    def _parked(self, way: RuleInstance, state: State, later: Sequence[Operator]) -> Iterator[Binding]:
        """Yield the binding of a rule with places for what its condition leaves free, best first."""
        if not way.free:
            yield way.binding
            return
        one, *others = way.free
        places = (
            name for name, thing in self.mender.things.items() if one.affordance in (*thing.affordances, "object")
        )
        ranked = self.mender.parking.ranked(places, state, self.goal, later, way.binding.values())
        for place in islice(ranked, MOST_PLACES):
            more = RuleInstance(way.rule, {**way.binding, f"?{one.name}": place}, tuple(others))
            yield from self._parked(more, state, later)

    def _helps(self, splice: Splice) -> bool:
        """Return whether the repaired step can be taken, and the repair causes no later failure."""
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
    """Return what the repairs restore, as far as nothing changes it again before the `end`."""
    return frozenset(literal for one in applied for step in one.after for literal in step.effects if end.holds(literal))
