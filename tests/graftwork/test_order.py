"""The packages of the front door stand in an order, and import only what stands before them."""

import ast
from collections.abc import Iterator
from pathlib import Path

FRONT = Path(__file__).resolve().parents[2] / "graftwork"
ORDER = (
    {"errors"},
    {"record", "language"},
    {"memory"},
    {"setup"},
    {"decision"},
    {"recovery"},
    {"run", "cases"},
    {"session", "checks"},
    {"batch", "conformance"},
    {"cli", "testing"},
    {"__init__", "__main__"},
)
"""From the bottom to the top; what stands in one line does not import each other."""


def parts_imported(path: Path) -> Iterator[str]:
    """Yield the parts of the front door that a file imports, inside functions and for type checkers too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "graftwork":
            yield from (alias.name for alias in node.names if (FRONT / alias.name).exists())
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("graftwork."):
            yield node.module.split(".")[1]


def test_each_part_imports_only_what_stands_before_it():
    height = {name: number for number, names in enumerate(ORDER) for name in names}
    upward = []
    for path in sorted(FRONT.rglob("*.py")):
        part = path.relative_to(FRONT).with_suffix("").parts[0]
        for other in set(parts_imported(path)) - {part}:
            if part != "__init__" and height[other] >= height[part]:
                upward.append(f"{path.relative_to(FRONT)} imports graftwork.{other}")
    assert not upward


def test_every_part_has_its_place():
    parts = {path.stem for path in FRONT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert parts == set().union(*ORDER)
