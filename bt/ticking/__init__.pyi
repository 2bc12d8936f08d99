from .facts import (
    Asks as Asks,
    Believed as Believed,
    Changing as Changing,
    FactBase as FactBase,
)
from .ticker import Ticker as Ticker
