"""Finds objects that no plan needs: all steps on them can be dropped from any plan, and the rest is still a plan.

Let D be the steps on certain *idle* objects. Compare a plan with the same plan without its steps in D. Some literals
are *wanted*: the goals, the preconditions of the other steps, and the conditions of their effects, in the sense that
more of them never hurts. If each wanted literal that holds in the full plan also holds in the reduced plan at every
moment, then the reduced plan is valid. A step of D endangers this only where it makes a wanted literal. It is safe even
there in two cases:

- The literal *lasts*: it held at the start, and no step outside D ends it.
- The literal is *balanced* (see `planning.adl.balance`): it holds where none of its tokens holds. Tokens about idle
  objects never hold in the reduced plan. D ends none of the other tokens, so they do not hold where the full plan is
  without them. For example, a hand that puts down an idle bottle was free all the time.

The algorithm first assumes that all objects are idle. Then it removes those for which some step of D does more than
this.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from planning.adl.balance import Balances
from planning.adl.task import AdlAction, AdlTask
from planning.adl.wanted import Wanted, made_by
from semantics.logic.atoms import Literal


def without_idle(task: AdlTask) -> AdlTask:
    """Return `task` without the steps on idle objects. A cheapest plan costs the same, and solvability is unchanged."""
    balances = Balances(task)
    idle = {arg for step in task.steps for arg in step.operator.action.args}
    while True:
        dropped = [step for step in task.steps if not idle.isdisjoint(step.operator.action.args)]
        remaining = [step for step in task.steps if idle.isdisjoint(step.operator.action.args)]
        projection = _Beside(task, remaining, dropped, balances)
        blamed = {arg for step in dropped if projection.endangers(step) for arg in step.operator.action.args} & idle
        # Keeping more objects adds wanted literals, so the test is repeated until no object is blamed (a fixpoint).
        if not blamed:
            return replace(task, steps=tuple(remaining))
        idle -= blamed


class _Beside:
    """What happens to the wanted literals when the `dropped` steps are left out."""

    def __init__(
        self, task: AdlTask, remaining: Iterable[AdlAction], dropped: Iterable[AdlAction], balances: Balances
    ) -> None:
        self._start = task.start
        self._made = made_by(remaining)
        self._ended = made_by(dropped)
        self._balances = balances
        self._wanted = Wanted(remaining, task.rules)
        self._wanted.add(literal for goal in task.goals for literal in goal)
        self._wanted.add(literal for step in remaining for literal in step.asked)
        self._safe: dict[Literal, bool] = {}
        while unchecked := (self._ended & self._wanted.literals) - self._safe.keys():
            for literal in sorted(unchecked):
                self._is_safe(literal)  # this may add wanted literals

    def endangers(self, step: AdlAction) -> bool:
        """Return whether the dropped `step` makes a wanted literal that is then missing."""
        made = (literal for effect in step.effects for literal in effect.made)
        return any(literal in self._wanted.literals and not self._is_safe(literal) for literal in made)

    def _is_safe(self, literal: Literal) -> bool:
        if literal not in self._safe:
            self._safe[literal] = self._lasts(literal) or self._is_balanced(literal)
        return self._safe[literal]

    def _lasts(self, literal: Literal) -> bool:
        return (literal.atom in self._start) == literal.positive and literal.negated() not in self._made

    def _is_balanced(self, literal: Literal) -> bool:
        """Return whether tokens show that `literal` holds. The dropped steps must not end a token that may hold."""
        balance = self._balances.of(literal)
        if balance is None:
            return False
        never = {atom for atom in balance.tokens if atom not in self._start and Literal(atom) not in self._made}
        absent = {Literal(atom, False) for atom in balance.tokens - never}
        self._wanted.add(absent)
        # Ending a token would make the literal true only in the full plan, so such steps must not be dropped.
        self._safe.update(dict.fromkeys(absent, False))
        return True
