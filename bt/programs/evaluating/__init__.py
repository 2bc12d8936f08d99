"""What an expression comes to in a state."""

from bt.programs.evaluating.evaluation import Evaluation
from bt.programs.evaluating.values import Spent, Trouble, Value, spoken, trouble

__all__ = ["Evaluation", "Spent", "Trouble", "Value", "spoken", "trouble"]
