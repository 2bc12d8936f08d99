"""Imports go one way and never in a circle, heavy libraries are imported in one place, and nothing grows large.

One test holds one rule over all files, and lists every offender.
"""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

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
FOLDERS_OF_SEMANTICS = {
    "process": set(),
    "geometry": {"process"},
    "logic": {"process", "geometry"},
    "words": {"process", "geometry", "logic"},
    "body": {"process", "geometry", "logic"},
}
"""What each folder may import beside the few files that belong to none."""
ONLY_IN = {
    "pybullet": "robots/pybullet/",
    "pybullet_data": "robots/pybullet/",
    "ompl": "robots/pybullet/paths.py",
    "ruckig": "robots/pybullet/timing.py",
    "pyswip": "semantics/process/prolog.py",
    "sentence_transformers": "semantics/words/embedding.py",
    "torch": "semantics/words/embedding.py",
    "openai": "graftwork/language/openai_model.py",
    "httpx2": "graftwork/language/bounded_body.py",
    "fast_downward": "planning/planners/worker.py",
    "prompt_toolkit": "graftwork/cli/screen.py",
    "kairos": "planning/portfolio/kairos.py",
    "py_trees": "bt/",
    "unified_planning": "planning/",
}
WITHOUT_CYCLES = ("semantics", "domains", "robots", "affordances", "planning", "bt", "graftwork")
"""Rooms in which no package or module imports itself by way of others."""
LONGEST_MODULE = 500
LONG_FUNCTION = 40
SELDOM = 0.01
"""Share of all functions that may be longer than `LONG_FUNCTION` lines."""

Name = tuple[str, ...]
"""A module's dotted name, in parts."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def files(rooms: Iterable[str] = MAY_IMPORT) -> list[Path]:
    return [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> Iterator[Name]:
    """Yield what a file imports, inside functions and for type checkers too; of a name, also where it comes from."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((*node.module.split("."), alias.name) for alias in node.names)


def name_of(path: Path) -> Name:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def siblings(importing: Name, target: Name) -> tuple[Name, str, str] | None:
    """Return the package in which two modules part, and its child that each is in; None where one holds the other."""
    common = 0
    while common < min(len(importing), len(target)) and importing[common] == target[common]:
        common += 1
    if common == min(len(importing), len(target)):
        return None
    return importing[:common], importing[common], target[common]


def in_circles(graph: Mapping[str, Collection[str]]) -> list[set[str]]:
    """Return the sets of nodes that lead to each other."""
    reached: dict[str, set[str]] = {}
    for node in graph:
        seen: set[str] = set()
        waiting = [node]
        while waiting:
            new = set(graph.get(waiting.pop(), ())) - seen
            seen |= new
            waiting.extend(new)
        reached[node] = seen
    circles = [{other for other in reached[node] if node in reached.get(other, ())} for node in graph]
    return [circle for number, circle in enumerate(circles) if circle and circle not in circles[:number]]


def cycles(roots: Iterable[str]) -> list[str]:
    """Return the packages and modules that import each other, at each level below `roots`, in words."""
    graphs: dict[Name, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    known = {name_of(path) for path in files(roots)}
    for path in files(roots):
        for name in imported(path):
            target = name if name in known else name[:-1]
            parted = siblings(name_of(path), target) if name[0] in roots else None
            if parted is not None:
                package, child, other = parted
                graphs[package][child].add(other)
    return [
        f"in {'.'.join(package) or 'the root'}: {', '.join(sorted(circle))} import each other"
        for package, graph in sorted(graphs.items())
        for circle in in_circles(graph)
    ]


def into_packages_around(roots: Iterable[str]) -> list[str]:
    """Return the files that import names from a package that they are in, whose ``__init__`` imports them."""
    known = {name_of(path): path for path in files(roots)}
    return [
        f"{shown(path)} imports {'.'.join(name)}"
        for path in files(roots)
        for name in imported(path)
        if name not in known and name[:-1] in known and known[name[:-1]].name == "__init__.py"
        if len(name) <= len(name_of(path)) and name_of(path)[: len(name) - 1] == name[:-1]
    ]


def test_a_file_imports_only_what_its_room_may():
    offenders = [
        f"{shown(path)} imports {'.'.join(name)}"
        for path in files()
        for name in imported(path)
        for room in (path.relative_to(ROOT).parts[0],)
        if name[0] in MAY_IMPORT and name[0] != room and name[0] not in MAY_IMPORT[room]
    ]
    assert not offenders, "\n".join(offenders)


def test_a_folder_of_semantics_imports_only_what_it_may():
    offenders = [
        f"{shown(path)} imports {'.'.join(name)}"
        for folder, allowed in FOLDERS_OF_SEMANTICS.items()
        for path in files([f"semantics/{folder}"])
        for name in imported(path)
        if name[0] == "semantics" and name[1] in FOLDERS_OF_SEMANTICS.keys() - allowed - {folder}
    ]
    assert not offenders, "\n".join(offenders)


def test_a_heavy_library_is_imported_in_its_one_place():
    offenders = [
        f"{shown(path)} imports {name[0]}, which belongs in {ONLY_IN[name[0]]}"
        for path in files()
        for name in imported(path)
        if name[0] in ONLY_IN and not shown(path).startswith(ONLY_IN[name[0]])
    ]
    assert not offenders, "\n".join(offenders)


def test_no_packages_or_modules_import_each_other():
    offenders = [*cycles(WITHOUT_CYCLES), *into_packages_around(WITHOUT_CYCLES)]
    assert not offenders, "\n".join(offenders)


def test_a_module_stays_within_one_idea():
    lengths = {shown(path): path.read_text(encoding="utf-8").count("\n") for path in files()}
    offenders = [f"{path} is {length} lines long" for path, length in lengths.items() if length > LONGEST_MODULE]
    assert not offenders, "\n".join(offenders)


def test_a_function_is_seldom_long():
    functions = [
        (node.end_lineno - node.lineno + 1, f"{shown(path)}: {node.name}")
        for path in files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    offenders = [f"{name} is {length} lines long" for length, name in functions if length > LONG_FUNCTION]
    assert len(offenders) <= SELDOM * len(functions), "\n".join(offenders)


def bound(tree: ast.Module) -> set[str]:
    """Return the names that a module binds, in whatever it executes outside functions and classes."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.alias):
            found.add(node.asname or node.name.split(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        waiting.extend(ast.iter_child_nodes(node))
    return found


def listed(tree: ast.Module) -> Iterator[str]:
    """Yield the names in ``__all__``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield from ast.literal_eval(node.value)


def test_public_names_exist():
    offenders = [
        f"{shown(path)} lists {name}"
        for path in files()
        for names in (bound(parsed(path)),)
        if "__getattr__" not in names
        for name in listed(parsed(path))
        if name not in names
    ]
    assert not offenders, "\n".join(offenders)


def test_every_folder_of_tests_is_a_package():
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    offenders = [shown(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()]
    assert not offenders, f"would hide the rooms they are named after: {', '.join(offenders)}"
