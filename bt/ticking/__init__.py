"""Ticking a tree at the cost of what can have changed, with the outcome of a plain tick."""

from bt.ticking.facts import Asks, Believed, Changing, FactBase
from bt.ticking.ticker import Ticker

__all__ = ["Asks", "Believed", "Changing", "FactBase", "Ticker"]
