from .execute import Execute as Execute
from .improvement import Improving as Improving
from .load_sharing import shared_out as shared_out
from .order import (
    Occupied as Occupied,
    Order as Order,
)
from .remaining import Work as Work
