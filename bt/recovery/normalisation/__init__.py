"""What is only badly written, set right before any rung is asked."""

from bt.recovery.normalisation.actions import Meant, completed, meant
from bt.recovery.normalisation.names import ALIKE, Lookup

__all__ = ["ALIKE", "Lookup", "Meant", "completed", "meant"]
