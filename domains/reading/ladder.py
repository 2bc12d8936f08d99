"""What each rung of the repair ladder may spend in a world."""

from __future__ import annotations

from domains.ladder import RUNGS, Spending
from domains.reading.keys import open_table
from domains.reading.nodes.complaints import Complaints
from domains.reading.nodes.document import Node, Scalar
from domains.reading.nodes.fields import entries, number, whole

__all__ = ["read_ladder"]

NONE = "none"
DAY = 86_400.0
MOST_TRIES = 1000


def read_ladder(node: Node | None, complaints: Complaints) -> dict[str, Spending | None]:
    """Read what the rungs that are named may spend; ``none`` leaves one out."""
    found: dict[str, Spending | None] = {}
    for key, value in entries(node, "ladder", complaints):
        if key.text not in RUNGS:
            complaints.unknown(key.mark, "rung", key.text, RUNGS)
            continue
        is_out = isinstance(value, Scalar) and value.text == NONE
        found[key.text] = None if is_out else _spending(value, f"rung '{key.text}'", complaints)
    return found


def _spending(node: Node, what: str, complaints: Complaints) -> Spending:
    fields = open_table(node, "rung", what, complaints)
    given = fields.values
    return Spending(
        tries=whole(given["tries"], f"'tries' of {what}", complaints, high=MOST_TRIES) if "tries" in given else None,
        same=whole(given["same"], f"'same' of {what}", complaints, high=MOST_TRIES) if "same" in given else None,
        seconds=number(given["seconds"], f"'seconds' of {what}", complaints, low=0.0, high=DAY)
        if "seconds" in given
        else None,
        most=whole(given["most"], f"'most' of {what}", complaints, high=MOST_TRIES) if "most" in given else None,
        money=number(given["money"], f"'money' of {what}", complaints, low=0.0) if "money" in given else None,
    )
