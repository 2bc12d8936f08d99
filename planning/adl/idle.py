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
        kept = [step for step in task.steps if idle.isdisjoint(step.operator.action.args)]
        told = _Beside(task, kept, dropped, balances)
        blamed = {arg for step in dropped if told.endangers(step) for arg in step.operator.action.args} & idle
        if not blamed:
            return replace(task, steps=tuple(kept))
        idle -= blamed


class _Beside:
    """What becomes of wanted literals when the `dropped` steps are left out."""

    def __init__(
        self, task: AdlTask, kept: Iterable[AdlAction], dropped: Iterable[AdlAction], balances: Balances
    ) -> None:
        self._start = task.start
        self._made = made_by(kept)
        self._ended = made_by(dropped)
        self._balances = balances
        self._wanted = Wanted(kept, task.rules)
        self._wanted.add(one for goal in task.goals for one in goal)
        self._wanted.add(one for step in kept for one in step.asked)
        self._safe: dict[Literal, bool] = {}
        while waiting := (self._ended & self._wanted.found) - self._safe.keys():
            for literal in sorted(waiting):
                self._is_safe(literal)  # it may make more wanted

    def endangers(self, step: AdlAction) -> bool:
        """Return whether `step`, which is left out, makes what is missed then."""
        made = (one for effect in step.effects for one in effect.made)
        return any(one in self._wanted.found and not self._is_safe(one) for one in made)

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
        never = {one for one in balance.tokens if one not in self._start and Literal(one) not in self._made}
        others = {Literal(one, False) for one in balance.tokens - never}
        self._wanted.add(others)
        self._safe.update(dict.fromkeys(others, False))
        return True
