from .facts import Believed as Believed
from .ticker import Ticker as Ticker
