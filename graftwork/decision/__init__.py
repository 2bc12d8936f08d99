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
    read_wanted,
    words_of,
)
from graftwork.language.formal_goal import formal_goal, goal_of_problem

__all__ = [
    "Decision",
    "DecisionContext",
    "FinalDecision",
    "PersonAnswer",
    "PlanDecision",
    "ProgramDecision",
    "Wanted",
    "decide",
    "formal_goal",
    "goal_of_problem",
    "read_wanted",
    "words_of",
]
