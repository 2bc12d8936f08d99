"""The shape of the code: how long functions are, and which packages import each other in a circle.

An import counts when it is done as soon as its module is loaded: one in a function, or under ``TYPE_CHECKING``, does
not. The members of a package are its sub-packages and its modules, with its ``__init__`` as one of them; a member
imports another when any module within it does. A cycle is a set of members each of which comes to each other so; at the
top the members are the packages of the product.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.crossing.crossed import PACKAGES, ROOT

__all__ = ["cycles", "cycles_among", "eager_imports", "longest_of", "product_files"]

TOP = ""
INIT = "__init__"


def product_files(root: Path = ROOT) -> list[Path]:
    """Return the modules of the product."""
    return [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]


def longest_of(share: float, files: Sequence[Path]) -> int:
    """Return how many lines at most a share of all functions has, decorators left out."""
    lengths = sorted(
        node.end_lineno - node.lineno + 1
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    )
    return lengths[min(int(share * len(lengths)), len(lengths) - 1)]


def cycles(files: Sequence[Path], root: Path = ROOT) -> dict[str, list[list[str]]]:
    """Return the cycles within each package that has any, by its dotted name; the top has the empty one."""
    modules = {_name(path, root): path for path in files}
    imports = {name: set(eager_imports(path, name, modules)) for name, path in modules.items()}
    packages = sorted({name.rpartition(".")[0] for name in modules} | {TOP})
    told = {package: cycles_among(_members(package, imports)) for package in packages}
    return {package: found for package, found in told.items() if found}


def _name(path: Path, root: Path) -> str:
    """Return the dotted name of a module; that of a package ends in ``__init__``."""
    return ".".join(path.relative_to(root).with_suffix("").parts)


def eager_imports(path: Path, name: str, modules: Mapping[str, Path]) -> Iterator[str]:
    """Return the modules of the product that a module imports as soon as it is loaded."""
    for node in _at_once(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        else:
            base = _base(node, name)
            wanted = [f"{base}.{alias.name}" for alias in node.names]
        for target in wanted:
            yield from _modules_of(target, modules)


def _at_once(body: Sequence[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Return the import statements that are executed when their module is."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _at_once(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in ("body", "orelse", "handlers", "finalbody"):
                yield from _at_once(getattr(node, part, []))


def _base(node: ast.ImportFrom, name: str) -> str:
    """Return the dotted name that names are imported from."""
    if not node.level:
        return node.module or ""
    above = name.split(".")[: -node.level]
    return ".".join([*above, *([node.module] if node.module else [])])


def _modules_of(target: str, modules: Mapping[str, Path]) -> Iterator[str]:
    """Return the module that a dotted name is, or is defined in."""
    for known in (target, target.rpartition(".")[0]):
        for module in (known, f"{known}.{INIT}"):
            if module in modules:
                yield module
                return


def _members(package: str, imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return which members of a package import which others."""
    found: dict[str, set[str]] = {}
    for name, targets in imports.items():
        member = _member(package, name)
        if member is not None:
            others = {_member(package, target) for target in targets} - {None, member}
            found.setdefault(member, set()).update(other for other in others if other is not None)
    return found


def _member(package: str, name: str) -> str | None:
    """Return the member of a package that a module belongs to; None for one that is elsewhere."""
    if package == TOP:
        return name.split(".")[0]
    return name[len(package) + 1 :].split(".")[0] if name.startswith(f"{package}.") else None


def cycles_among(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the sets of names each of which comes to each other, sorted; those of one name are none."""
    reached = {name: _reached(name, imports) for name in imports}
    groups = {frozenset(other for other in reached[name] if name in reached.get(other, ())) for name in imports}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _reached(start: str, imports: Mapping[str, set[str]]) -> set[str]:
    """Return what a name comes to by imports, itself only by a circle."""
    found: set[str] = set()
    to_come = [start]
    while to_come:
        fresh = imports.get(to_come.pop(), set()) - found
        found |= fresh
        to_come += fresh
    return found
