from .everyday import (
    everyday_classes as everyday_classes,
    known_class as known_class,
)
from .knowledge import Knowledge as Knowledge
from .model_choice import ask_for_substitute as ask_for_substitute
from .suggestion import (
    Suggestion as Suggestion,
    Suggestions as Suggestions,
    article as article,
    suggest as suggest,
)
from .tasks import SubstitutionTask as SubstitutionTask
