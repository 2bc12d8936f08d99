from .facts import (
    Asks as Asks,
    Believed as Believed,
    FactBase as FactBase,
)
from .ticker import Ticker as Ticker
