"""From words to a goal: language models, the offline interpreter, and how they are asked."""

from graftwork.language.models import MODELS, model_from_name

__all__ = ["MODELS", "model_from_name"]
