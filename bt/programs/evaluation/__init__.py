"""The evaluation of expressions in a state."""

from bt.programs.evaluation.evaluation import ExpressionEvaluator
from bt.programs.evaluation.values import Spent, Trouble, Value, spoken, trouble

__all__ = ["ExpressionEvaluator", "Spent", "Trouble", "Value", "spoken", "trouble"]
