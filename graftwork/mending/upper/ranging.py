"""The upper rungs of a session in their order, the cheapest first, each with its budget."""

from __future__ import annotations

from collections.abc import Iterator

from bt.repairing import Budget, Finder, Obstacles, turning
from bt.repairing.pursuing import Upper
from graftwork.acting.plans import Plans
from graftwork.deciding.substituting import Consent
from graftwork.mending.budgets import Budgets
from graftwork.mending.upper import exploring, parting, substituting
from graftwork.mending.upper.asking import HEARD_SECONDS, ask_rung
from graftwork.mending.upper.consulting import CONSULTED_SECONDS, consult_rung
from graftwork.mending.upper.counsel import CODES, Counsel, Pursued
from graftwork.staging.opening import Stage
from semantics.feedback import Code
from semantics.state import State

__all__ = ["ranged"]

DELAY = 0.1
"""How long an answer of planning takes on a simulated clock, in its seconds."""


def ranged(
    course: Pursued,
    plans: Plans,
    stage: Stage,
    budgets: Budgets,
    counsel: Counsel | None,
    start: State,
    obstacles: Obstacles,
) -> tuple[Upper, ...]:
    """Return the upper rungs.

    Args:
        course: What is pursued.
        plans: Asks for plans.
        stage: The world with a body in it.
        budgets: What each may spend; None leaves one out.
        counsel: Whom the run can ask; without it only looking around is left.
        start: What was believed when the run began.
        obstacles: What the body has met in its way.
    """
    return tuple(_rungs(course, plans, stage, budgets, counsel, start, obstacles))


def _rungs(
    course: Pursued,
    plans: Plans,
    stage: Stage,
    budgets: Budgets,
    counsel: Counsel | None,
    start: State,
    obstacles: Obstacles,
) -> Iterator[Upper]:
    def rung(name: str, finder: Finder, codes: frozenset[Code] | None, budget: Budget, delay: float = DELAY) -> Upper:
        desk = None if counsel is None else counsel.desk
        seconds = 60.0 if counsel is None else counsel.answer_seconds
        return turning(name, finder, codes=codes, budget=budget, delay=delay, desk=desk, answer_seconds=seconds)

    if (budget := budgets["explore"]) is not None and budgets["replan"] is not None:  # after an errand it is planned
        looking = exploring.Exploring.of(stage, plans, obstacles)
        yield rung("explore", exploring.explore_rung(looking, course), exploring.CODES, budget)
    if counsel is None:
        return
    if (budget := budgets["substitute"]) is not None and counsel.decider.consent is not Consent.NEVER:
        yield rung("substitute", substituting.substitute_rung(course, counsel), substituting.CODES, budget)
    if (budget := budgets["part"]) is not None and counsel.decider.part is not Consent.NEVER:
        yield rung("part", parting.part_rung(course, counsel, start), parting.CODES, budget)
    if (budget := budgets["consult"]) is not None and (model := counsel.decider.model) is not None:
        yield rung("consult", consult_rung(course, counsel, model), CODES, budget, CONSULTED_SECONDS)
    if (budget := budgets["ask"]) is not None:
        read_in = HEARD_SECONDS if counsel.decider.model is None else CONSULTED_SECONDS
        yield rung("ask", ask_rung(course, counsel), CODES, budget, read_in)
