"""Find the affordances of a class: ask a language model with one of three strategies, or guess from known classes."""

from affordances.elicitation.cache import AnswerCache
from affordances.elicitation.inquiry import ClassInquiry, ClassReply
from affordances.elicitation.strategies import STRATEGIES

__all__ = ["STRATEGIES", "AnswerCache", "ClassInquiry", "ClassReply"]
