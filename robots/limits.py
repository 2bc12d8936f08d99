"""What the hand of the simulated robot can reach and hold, as numbers that need no simulator.

`graftwork check` compares scenes with them. The tests compare them with the kinematics and with motions in the
simulator.
"""

from __future__ import annotations

from semantics.body.layout import Shape

THICKEST = 0.074  # thickest side that the fingers can close across, in metres
HIGHEST_SURFACE = 1.8
"""Height of the highest surface or floor of a compartment from which the hand takes something, in metres."""
DEEPEST = 0.65  # how far behind the front of furniture the hand takes something, in metres
HANDLE_HEIGHTS = (0.62, 1.6)  # lowest and highest handle of a door that the hand can pull, in metres
HIGHEST_DRAWER = 1.16  # height of the handle of the highest drawer into which the hand reaches, in metres
LOWEST_DRAWER_FRONT = 0.16
"""Height of the lowest front of a drawer that the hand pushes shut beside the handles of others, in metres."""
LEAST_DOOR_ANGLE = 1.4  # the angle to which a door has to open for the hand to work behind it, in radians
LEAST_DRAWER_OPENING = 0.8  # the share of its way that a drawer has to slide out
DRAWER_CABINET = (0.5, 0.45)  # width and depth of the smallest cabinet in whose drawers the hand has room, in metres


def fits_hand(shape: Shape) -> bool:
    """Return whether the fingers can close on a solid that stands upright; an open box is held by its wall."""
    return shape.form == "open-box" or min(shape.size[:2]) <= THICKEST
