"""What threads and forks of the program may do with an object stands in the docstring of its class."""

import pytest

from affordances import ClassInquiry, EvidenceStore
from benchmarks.mishaps import Faulty
from bt import Runner
from graftwork import Memory, Run, Session
from graftwork.language.openai_model import OpenAIModel
from planning import Anytime, FastDownward, OwnProcess
from robots import FakeRobot, PyBulletRobot, SymbolicRobot
from semantics.logic.rules import RuleBook

SHARED = (
    Anytime,
    ClassInquiry,
    EvidenceStore,
    FakeRobot,
    FastDownward,
    Faulty,
    Memory,
    OpenAIModel,
    OwnProcess,
    PyBulletRobot,
    RuleBook,
    Run,
    Runner,
    Session,
    SymbolicRobot,
)


@pytest.mark.parametrize("shared", SHARED)
def test_a_class_says_what_threads_and_forks_may_do_with_it(shared):
    text = shared.__doc__.casefold()
    assert "thread" in text
    assert "fork" in text
