"""The validator of unified-planning, asked about our plans."""

import sys
from collections.abc import Callable, Mapping, Sequence

import pytest

from benchmarks.planning.unified import unified
from domains.model import Domain
from domains.problem import Problem
from planning.problem.text import pddl_text
from semantics.logic.atoms import Conjunct
from semantics.logic.state import Operator, State
from semantics.logic.vocabulary import Thing

Verdict = Callable[[Domain, Sequence[Operator], Mapping[str, Thing], State, Conjunct], bool]


@pytest.fixture
def stock_verdict(monkeypatch) -> Verdict:
    """Return a function that asks; the validator works in the library's own environment only.

    Of a rich world it is told the PDDL text, without the numbers that are not planned with.
    """
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.environment import get_environment
    from unified_planning.io import PDDLReader
    from unified_planning.plans import ActionInstance, SequentialPlan

    monkeypatch.setattr(sys.modules[unified.__module__], "_environment", get_environment)

    def modelled(domain, found, state, goal):
        if domain.is_adl:
            text = pddl_text(Problem(domain, found, state, (goal,)))
            return PDDLReader().parse_problem_string(text.domain, text.problem), text.names
        return unified(Problem(domain, found, state, (goal,)))

    def verdict(domain, steps, found, state, goal) -> bool:
        model, names = modelled(domain, found, state, goal)
        theirs = {ours: name for name, ours in names.items() if not name.endswith("-class")}
        expression = get_environment().expression_manager.ObjectExp
        instances = []
        for step in steps:
            args = tuple(expression(model.object(theirs[arg])) for arg in step.action.args)
            instances.append(ActionInstance(model.action(theirs[step.action.name]), args))
        return bool(SequentialPlanValidator().validate(model, SequentialPlan(instances)))

    return verdict
