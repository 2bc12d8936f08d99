"""An incremental tick: it costs only what can have changed, and has the result of a plain tick."""

from bt.ticking.facts import Asks, Believed, Changing, FactBase
from bt.ticking.ticker import Ticker

__all__ = ["Asks", "Believed", "Changing", "FactBase", "Ticker"]
