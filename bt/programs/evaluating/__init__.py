"""What an expression comes to in a state."""

from bt.programs.evaluating.evaluation import ExpressionEvaluator
from bt.programs.evaluating.values import Spent, Trouble, Value, spoken, trouble

__all__ = ["ExpressionEvaluator", "Spent", "Trouble", "Value", "spoken", "trouble"]
