"""Costs in words, for the commands that show a plan."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["cost_words", "parts_words"]


def cost_words(cost: float | None) -> str:
    """Return a cost without needless digits."""
    return f"{cost or 0:.6g}"


def parts_words(shares: Mapping[str, float]) -> str:
    """Return the parts of the cost of a step, where there is more than the agent's: "1 + 0.75 distance"."""
    more = {name: share for name, share in shares.items() if share and name != "agent"}
    if not more:
        return ""
    parts = "".join(f" + {cost_words(share)} {name}" for name, share in more.items())
    return f" = {cost_words(shares['agent'])} agent{parts}"
