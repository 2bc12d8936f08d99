from .execute import Execute as Execute
from .given import (
    Deordered as Deordered,
    ordered as ordered,
    pairs_of_times as pairs_of_times,
)
from .improvement import (
    Improvement as Improvement,
    Improver as Improver,
    Improving as Improving,
)
from .load_sharing import shared_out as shared_out
from .order import (
    Occupied as Occupied,
    Order as Order,
    ResourceClaim as ResourceClaim,
    claim_of as claim_of,
    occupancy as occupancy,
    partial_order as partial_order,
)
from .remaining import Work as Work
