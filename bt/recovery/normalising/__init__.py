"""What is only badly written, set right before any rung is asked."""

from bt.recovery.normalising.actions import Meant, completed, meant
from bt.recovery.normalising.names import Lookup
from bt.recovery.normalising.verbs import ALIKE

__all__ = ["ALIKE", "Lookup", "Meant", "completed", "meant"]
