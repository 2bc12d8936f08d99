"""Find substitutes for a missing object, from data or by asking a language model."""

from __future__ import annotations

from affordances.substitutes.knowledge import Knowledge
from affordances.substitutes.model_choice import ask_for_substitute
from affordances.substitutes.suggestion import Suggestion, Suggestions, suggest
from affordances.substitutes.tasks import Demand, SubstitutionTask

__all__ = ["Demand", "Knowledge", "SubstitutionTask", "Suggestion", "Suggestions", "ask_for_substitute", "suggest"]
