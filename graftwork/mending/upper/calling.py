"""Putting the rungs that call on somebody above all others: a language model, then a person."""

from __future__ import annotations

from bt.repairing import turning
from bt.repairing.pursuing import Upper
from graftwork.mending.budgets import Budgets
from graftwork.mending.upper.asking import ask_rung
from graftwork.mending.upper.consulting import CONSULTED_SECONDS, consult_rung
from graftwork.mending.upper.counsel import Counsel, Pursued
from semantics.feedback import Code

__all__ = ["counsel_rungs"]

OURS = frozenset(Code) - {Code.CANCELLED, Code.EXCEPTION, Code.DECLINED}
"""Failures that nobody can do anything about: the run was stopped, or this program is at fault."""
SHORT = 0.1
"""How long it takes without a model on a simulated clock, in its seconds."""


def counsel_rungs(pursued: Pursued, counsel: Counsel | None, budgets: Budgets) -> tuple[Upper, ...]:
    """Return the rungs `consult` and `ask`, each where there is a budget and, for the first, a model.

    Args:
        pursued: What the run goes for; its `goal` is asked for whenever there is a failure.
        counsel: Who can be asked; None for nobody.
        budgets: What each rung may spend.
    """
    if counsel is None:
        return ()
    model, rungs = counsel.decider.model, list[Upper]()
    slow = CONSULTED_SECONDS if model is not None else SHORT
    desk, wait = counsel.desk, counsel.answer_seconds
    if model is not None and (budget := budgets["consult"]) is not None:
        finder = consult_rung(pursued, counsel, model)
        rungs.append(turning("consult", finder, codes=OURS, budget=budget, delay=slow, desk=desk, answer_seconds=wait))
    if (budget := budgets["ask"]) is not None:
        finder = ask_rung(pursued, counsel)
        rungs.append(turning("ask", finder, codes=OURS, budget=budget, delay=slow, desk=desk, answer_seconds=wait))
    return tuple(rungs)
