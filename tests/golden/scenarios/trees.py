"""Trees written by hand: the examples of the page of trees, plans with mistakes under the rules, plans done at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from robots.fake import InjectedFault as Fault
from semantics.logic.feedback import Code
from tests.golden.adapter import EACH_HAND, MISHAPS, SERVED, improved, mended, page_blocks, page_example, woven

__all__ = ["PLAYED"]

SLIP = Fault(Code.NOT_GRASPED, "take", {"role0": "cup"})
FORGOTTEN = [
    "move robot0 floor0 fridge0",
    "take_out robot0 milk0 fridge0 fridge0",
    "move robot0 fridge0 human0",
    "handover robot0 human0 milk0",
]
BOTH_SLIP = [Fault(Code.NOT_GRASPED, "get", {"o": bottle}) for bottle in ("soda_bottle", "apple_bottle")]


def named(text: str) -> str:
    return text.replace(" ", "-")


MADE: dict[str, Callable[[], list[dict[str, Any]]]] = {
    **{f"page-{name}": partial(page_example, code) for name, code in page_blocks().items()},
    **{
        f"rules-{named(name)}{'-at-once' * together}": partial(
            mended, "barman", "counter", goal, steps, change=change, together=together
        )
        for name, (change, goal, steps, _) in MISHAPS.items()
        for together in (False, True)
    },
    "rules-forgotten-door": partial(mended, "kitchen", "small", "(inhand milk0 human0)", FORGOTTEN),
    "rules-forgotten-door-and-slips": partial(
        mended,
        "kitchen",
        "small",
        "(inhand milk0 human0)",
        FORGOTTEN,
        faults=[Fault(Code.NOT_GRASPED, "pick"), Fault(Code.STUCK, "close"), Fault(Code.STUCK, "give")],
    ),
    "rules-both-hands-slip": partial(
        mended, "barman", "counter", SERVED, EACH_HAND, faults=BOTH_SLIP, together=True
    ),
    "rules-both-hands-slip-in-turn": partial(mended, "barman", "counter", SERVED, EACH_HAND, faults=BOTH_SLIP),
    **{
        f"woven-{plan}-{'at-once' if together else 'in-turn'}": partial(woven, plan, together=together)
        for plan in ("agents", "hands")
        for together in (True, False)
    },
    "woven-agents-slip": partial(woven, "agents", faults=[SLIP], slow="robot1"),
    "woven-hands-slow": partial(woven, "hands", slow="right"),
    "improved": partial(improved, "cheaper", 0.5),
    "improved-too-late": partial(improved, "cheaper", 5.0),
    "improved-by-nothing": partial(improved, "same", 0.5),
}  # fmt: skip
PLAYED: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    name: lambda folder, made=made: made() for name, made in MADE.items()
}
