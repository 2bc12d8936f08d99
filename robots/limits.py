"""What the hand of the simulated robot can reach and hold, as numbers that need no simulator.

`graftwork check` compares scenes with them. The tests compare them with the kinematics and with motions in the
simulator.
"""

from __future__ import annotations

from semantics.layout import Shape

__all__ = ["HANDLE_HEIGHTS", "HIGHEST_SURFACE", "THICKEST", "fits_hand"]

THICKEST = 0.074
"""Thickest side that the fingers can close across, in metres."""
HIGHEST_SURFACE = 1.8
"""Height of the highest surface or floor of a compartment from which the hand takes something, in metres."""
HANDLE_HEIGHTS = (0.62, 1.6)
"""Lowest and highest handle of a door that the hand can pull, in metres."""


def fits_hand(shape: Shape) -> bool:
    """Return whether the fingers can close on a solid that stands upright; an open box is held by its wall."""
    return shape.form == "open-box" or min(shape.size[:2]) <= THICKEST
