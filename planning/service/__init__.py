"""The verbs of planning as a service: in this process, or in processes of their own that never block a tick."""

from planning.service.protocol import Improvement, PlanningService

__all__ = ["Improvement", "PlanningService"]
