"""From an instruction to a decision: a plan, or the reason why nothing is done. `decide` is the only entry point."""

from graftwork.decision.context import DecisionContext
from graftwork.decision.decision import decide
from graftwork.decision.model import (
    Decision,
    FinalDecision,
    PersonAnswer,
    PlanDecision,
    ProgramDecision,
    Wanted,
    chosen_goal,
    words_of,
)
from graftwork.language.formal_goal import formal_goal, goal_of_problem, with_wishes

__all__ = [
    "Decision",
    "DecisionContext",
    "FinalDecision",
    "PersonAnswer",
    "PlanDecision",
    "ProgramDecision",
    "Wanted",
    "chosen_goal",
    "decide",
    "formal_goal",
    "goal_of_problem",
    "with_wishes",
    "words_of",
]
