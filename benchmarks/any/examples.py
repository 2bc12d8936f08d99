"""The boolean classical problems of unified-planning's own examples and test cases, written as PDDL by its writer."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from benchmarks.any.writing import Written

__all__ = ["Examples", "examples"]

TAKEN = frozenset(
    {
        "ACTION_BASED",
        "FLAT_TYPING",
        "HIERARCHICAL_TYPING",
        "NEGATIVE_CONDITIONS",
        "DISJUNCTIVE_CONDITIONS",
        "EQUALITIES",
        "EXISTENTIAL_CONDITIONS",
        "UNIVERSAL_CONDITIONS",
        "CONDITIONAL_EFFECTS",
        "FORALL_EFFECTS",
        "ACTIONS_COST",
        "PLAN_LENGTH",
        "INT_NUMBERS_IN_ACTIONS_COST",
        "STATIC_FLUENTS_IN_ACTIONS_COST",
        "FLUENTS_IN_ACTIONS_COST",
    }
)
"""The features of unified-planning's problem kinds that boolean classical planning with action costs has."""

Examples = tuple[dict[str, Written], Counter[str]]


def examples() -> Examples:
    """Return the problems by name, and how many were left out for each feature that is not taken."""
    from unified_planning.environment import get_environment
    from unified_planning.io import PDDLWriter

    get_environment().credits_stream = None
    taken: dict[str, Written] = {}
    left: Counter[str] = Counter()
    for name, case in _cases():
        features = getattr(case.problem.kind, "features", set())
        others = sorted(feature for feature in features if feature not in TAKEN)
        if others or not case.solvable:
            left[others[0].lower().replace("_", "-") if others else "unsolvable"] += 1
            continue
        try:
            writer = PDDLWriter(case.problem)
            taken[name] = Written(writer.get_domain(), writer.get_problem())
        except Exception as error:  # its writer raises many kinds of errors
            left[f"not written: {type(error).__name__}"] += 1
    return taken, left


def _cases() -> Iterator[tuple[str, Any]]:
    from unified_planning.test.examples import get_example_problems

    for name, case in get_example_problems().items():
        yield f"example {name}", case
    folder = importlib.util.find_spec("up_test_cases")
    assert folder is not None
    with patch.object(sys, "path", [*(folder.submodule_search_locations or ()), *sys.path]):
        for module in _modules("builtin.classical"):  # they import each other as if their folder were the top
            try:
                cases = module.get_test_cases()
            except AssertionError:  # their files are not in the wheel
                continue
            for name, case in cases.items():
                yield f"case {name}", case


def _modules(package: str) -> Iterator[Any]:
    top = importlib.import_module(package)
    for info in pkgutil.walk_packages(top.__path__, f"{package}."):
        module = importlib.import_module(info.name)
        if hasattr(module, "get_test_cases"):
            yield module
