from .knowledge import (
    Knowledge as Knowledge,
    everyday_classes as everyday_classes,
)
from .model_choice import ask_for_substitute as ask_for_substitute
from .suggestion import (
    Suggestion as Suggestion,
    Suggestions as Suggestions,
    article as article,
    suggest as suggest,
)
from .tasks import SubstitutionTask as SubstitutionTask
