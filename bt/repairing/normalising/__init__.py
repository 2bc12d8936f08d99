"""What is only badly written, set right before any rung is asked."""

from bt.repairing.normalising.actions import Meant, completed, meant
from bt.repairing.normalising.names import Lookup
from bt.repairing.normalising.verbs import ALIKE

__all__ = ["ALIKE", "Lookup", "Meant", "completed", "meant"]
