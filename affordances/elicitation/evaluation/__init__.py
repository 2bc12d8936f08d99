"""How right is a mapping? Right answers from a file, and precision, recall and F1 with their intervals."""

from affordances.elicitation.evaluation.scores import AffordanceScores, Disagreement, Figure, Score, evaluate
from affordances.elicitation.evaluation.truth import Truth, read_truth

__all__ = ["AffordanceScores", "Disagreement", "Figure", "Score", "Truth", "evaluate", "read_truth"]
