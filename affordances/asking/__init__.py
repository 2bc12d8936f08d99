"""What is a class of things good for? Asked of a language model by three strategies, or guessed from what is known."""

from affordances.asking.cache import AnswerCache
from affordances.asking.inquiry import ClassInquiry, ClassReply
from affordances.asking.strategies import STRATEGIES

__all__ = ["STRATEGIES", "AnswerCache", "ClassInquiry", "ClassReply"]
