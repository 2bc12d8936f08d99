"""Things that no plan needs: every step on them may be left out of any plan, and what remains is a plan.

Let D be the steps on certain *idle* things, and follow a plan beside itself without its steps of D. Some literals are
*wanted*: the goals, what the other steps ask for, and what their effects depend on, in the sense that more of it never
hurts. If each wanted literal that holds in the plan also holds beside it, all along, then what remains is a plan. A
step of D endangers that only where it makes a wanted literal, and not even there,

- if that literal *lasts*: it held at the start, and no step outside D ends it;
- or if it is *balanced* (see `planning.adl.balance`): it holds where none of its tokens does. Those about idle things
  never hold beside the plan, and the others, of which D ends none, not where the plan is without them. So a hand that
  puts an idle bottle down has been free all the time.

The things are found by taking all for idle and giving up those on which some step of D does more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from planning.adl.balance import Balances
from planning.adl.task import AdlAction, AdlTask
from planning.adl.wanted import Wanted, made_by
from semantics.atoms import Literal

__all__ = ["without_idle"]


def without_idle(task: AdlTask) -> AdlTask:
    """Return `task` without the steps on idle things: a cheapest plan costs the same, and there is one or none."""
    balances = Balances(task)
    idle = {arg for step in task.steps for arg in step.operator.action.args}
    while True:
        dropped = [step for step in task.steps if not idle.isdisjoint(step.operator.action.args)]
        remaining = [step for step in task.steps if idle.isdisjoint(step.operator.action.args)]
        projection = _Beside(task, remaining, dropped, balances)
        blamed = {arg for step in dropped if projection.endangers(step) for arg in step.operator.action.args} & idle
        if not blamed:
            return replace(task, steps=tuple(remaining))
        idle -= blamed


class _Beside:
    """What becomes of wanted literals when the `dropped` steps are left out."""

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
                self._is_safe(literal)  # it may make more wanted

    def endangers(self, step: AdlAction) -> bool:
        """Return whether `step`, which is left out, makes what is missed then."""
        made = (literal for effect in step.effects for literal in effect.made)
        return any(literal in self._wanted.literals and not self._is_safe(literal) for literal in made)

    def _is_safe(self, literal: Literal) -> bool:
        if literal not in self._safe:
            self._safe[literal] = self._lasts(literal) or self._is_balanced(literal)
        return self._safe[literal]

    def _lasts(self, literal: Literal) -> bool:
        return (literal.atom in self._start) == literal.positive and literal.negated() not in self._made

    def _is_balanced(self, literal: Literal) -> bool:
        """Return whether tokens tell that `literal` holds; those that may hold must not be ended by what is dropped."""
        balance = self._balances.of(literal)
        if balance is None:
            return False
        never = {atom for atom in balance.tokens if atom not in self._start and Literal(atom) not in self._made}
        absent = {Literal(atom, False) for atom in balance.tokens - never}
        self._wanted.add(absent)
        self._safe.update(dict.fromkeys(absent, False))
        return True
