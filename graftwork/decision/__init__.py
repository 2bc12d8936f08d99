"""From a sentence to a decision: a plan, or the reason why nothing is to be done; `decide` is the only way."""

from graftwork.decision.context import DecisionContext
from graftwork.decision.decision import Answer, Decision, FinalDecision, PlanDecision, Wanted, decide, words_of
from graftwork.decision.partial_goal import Wishes

__all__ = [
    "Answer",
    "Decision",
    "DecisionContext",
    "FinalDecision",
    "PlanDecision",
    "Wanted",
    "Wishes",
    "decide",
    "words_of",
]
