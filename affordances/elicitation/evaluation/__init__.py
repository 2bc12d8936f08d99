"""Evaluate a mapping against correct answers from a file: precision, recall and F1, with confidence intervals."""

from affordances.elicitation.evaluation.scores import AffordanceScores, Disagreement, Figure, Score, evaluate
from affordances.elicitation.evaluation.truth import Truth, read_truth

__all__ = ["AffordanceScores", "Disagreement", "Figure", "Score", "Truth", "evaluate", "read_truth"]
