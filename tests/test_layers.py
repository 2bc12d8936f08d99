"""Imports between rooms go one way, and heavy libraries are imported in one place each."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "semantics": set(),
    "domains": {"semantics"},
    "robots": {"semantics"},
    "affordances": {"semantics", "domains"},
    "planning": {"semantics", "domains", "affordances"},
    "bt": {"semantics", "domains", "planning"},
    "graftwork": {"semantics", "domains", "robots", "affordances", "planning", "bt"},
}
ONLY_IN = {
    "pybullet": "robots/pybullet/",
    "pybullet_data": "robots/pybullet/",
    "pyswip": "semantics/rules.py",
    "sentence_transformers": "semantics/embedding.py",
    "torch": "semantics/embedding.py",
    "openai": "graftwork/language/openai_model.py",
    "fast_downward": "planning/planners/worker.py",
    "kairos": "planning/portfolio/kairos.py",
    "py_trees": "bt/",
    "unified_planning": "planning/",
}
FILES = [path for room in MAY_IMPORT for path in sorted((ROOT / room).rglob("*.py"))]


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_imports_only_what_its_room_may(path: Path):
    room = path.relative_to(ROOT).parts[0]
    rooms = {module.split(".")[0] for module in imported_modules(path)} & set(MAY_IMPORT)
    assert rooms - {room} <= MAY_IMPORT[room]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_heavy_library_is_imported_in_its_one_place(path: Path):
    relative = str(path.relative_to(ROOT))
    for module in imported_modules(path):
        place = ONLY_IN.get(module.split(".")[0])
        assert place is None or relative.startswith(place), f"{relative} imports {module}, which belongs in {place}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_and_its_functions_stay_small(path: Path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < 40, f"{node.name} is {node.end_lineno - node.lineno + 1} lines long"


def test_public_names_exist():
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        listed = [
            node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        ]
        names = [name for node in listed for name in ast.literal_eval(node.value)]
        assert not [name for name in names if name not in path.read_text(encoding="utf-8").replace(f'"{name}"', "", 1)]


def test_every_folder_of_tests_is_a_package():
    for folder in {path.parent for path in (ROOT / "tests").rglob("test_*.py")}:
        assert (folder / "__init__.py").exists(), f"{folder} would hide the room it is named after"
