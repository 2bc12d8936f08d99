from .cache import AnswerCache as AnswerCache
from .inquiry import (
    ClassInquiry as ClassInquiry,
    ClassReply as ClassReply,
)
from .strategies import STRATEGIES as STRATEGIES
