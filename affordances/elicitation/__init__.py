"""What is a class of things good for? Asked of a language model by three strategies, or guessed from what is known."""

from affordances.elicitation.cache import AnswerCache
from affordances.elicitation.inquiry import ClassInquiry, ClassReply
from affordances.elicitation.strategies import STRATEGIES

__all__ = ["STRATEGIES", "AnswerCache", "ClassInquiry", "ClassReply"]
