from .in_process import InProcess as InProcess
from .own_process import OwnProcess as OwnProcess
from .protocol import PlanningService as PlanningService
