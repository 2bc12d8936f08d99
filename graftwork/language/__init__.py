"""From words to a goal: language models and the offline interpreter."""

from graftwork.language.models import MODELS, model_from_name

__all__ = ["MODELS", "model_from_name"]
