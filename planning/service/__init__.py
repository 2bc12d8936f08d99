"""Planning as a service: in this process, or in separate processes that never block a tick."""

from planning.service.in_process import InProcess
from planning.service.own_process import OwnProcess
from planning.service.protocol import PlanningService
from planning.service.shared_values import PlanningRequest

__all__ = ["InProcess", "OwnProcess", "PlanningRequest", "PlanningService"]
