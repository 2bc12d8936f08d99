"""Going on where a run was broken off: what its record tells, and what is to be done about it now."""

from graftwork.resuming.deciding import decided_again
from graftwork.resuming.past import Past, folder_beside, read_past
from graftwork.resuming.world import about

__all__ = ["Past", "about", "decided_again", "folder_beside", "read_past"]
