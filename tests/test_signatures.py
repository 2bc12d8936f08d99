"""What belongs together travels together: a planning problem is one value (`domains.problem.Problem`)."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.test_layers import MAY_IMPORT, ROOT, files, parsed, shown

ROOMS = (*MAY_IMPORT, "benchmarks")
PARTS = {"domain": {"domain"}, "objects": {"objects", "things"}, "state": {"state", "start"}}
"""What a problem holds, by the names that carry it elsewhere."""
ITSELF = "domains/problem.py"


def carried(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield each function of a file, and each class with fields, with the parts of a problem that it takes."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            args = node.args
            names = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
        elif isinstance(node, ast.ClassDef):
            fields = (one.target for one in node.body if isinstance(one, ast.AnnAssign))
            names = {one.id for one in fields if isinstance(one, ast.Name)}
        else:
            continue
        yield f"{shown(path)}: {node.name}", {part for part, called in PARTS.items() if called & names}


def test_nothing_takes_domain_objects_and_state_side_by_side():
    every = [pair for path in files(ROOMS) if shown(path) != ITSELF for pair in carried(path)]
    offenders = [f"{name} takes {', '.join(sorted(parts))}" for name, parts in every if len(parts) == len(PARTS)]
    assert not offenders, "\n".join(offenders)


def test_the_problem_itself_is_seen_to_take_them():
    assert any(len(parts) == len(PARTS) for _, parts in carried(ROOT / ITSELF))
