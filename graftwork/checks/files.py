"""From a name on the command line to the files to check (of a world, a folder, or one file), and their domains."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from domains.diagnostics import expected
from domains.errors import Diagnostic
from domains.worlds import ENDINGS, WORLDS, available_domains
from semantics.hints import nearest
from semantics.process.reading import real_path

DOMAIN_FILES = ("domain.yaml", "domain.pddl")
PARTS = ("scenes", "problems", "cases")
PACK = ".pl"  # file ending of a rule pack, which stands beside its domain
DEEPEST = 4
MOST_FILES = 5000


def problem_of(path: str, message: str, code: str) -> Diagnostic:
    """Return a problem of a whole file."""
    return Diagnostic(path, 1, 1, message, code, culprit=path)


def files_of(name: str) -> tuple[Path, ...] | Diagnostic:
    """Return the files of a name on the command line, or the reason why there are none."""
    path = Path(name)
    try:
        if name in available_domains() and not path.is_file():
            return _shipped(name, path)
        if name and path.is_dir():
            return _in_folder(path, name)
        if name and path.exists():
            return (path,)
    except (OSError, ValueError) as exc:
        return problem_of(name, f"this path cannot be read: {exc}", "unreadable")
    return _nowhere(name)


def _shipped(name: str, folder: Path) -> tuple[Path, ...] | Diagnostic:
    """Return the files of a shipped world; report an ambiguous name if `folder` is another world of that name."""
    world = load_source(name).parent
    if folder.is_dir() and real_path(folder) != real_path(world) and next(_worlds(folder), None) is not None:
        message = f"this is a world that ships and a folder here; expected ./{name} for the folder, or {world}"
        return problem_of(name, message, "ambiguous-name")
    return tuple(_in_world(world))


def load_source(name: str) -> Path:
    """Return the domain file of a shipped world."""
    return WORLDS / name / DOMAIN_FILES[0]


def _nowhere(name: str) -> Diagnostic:
    worlds = available_domains()
    message = f"there is no such file or folder, and no world of that name; {expected(name, worlds)}"
    close = nearest(name, worlds)
    return replace(problem_of(name, message, "unknown-path"), valid=worlds, nearest=close)


def _in_folder(folder: Path, name: str) -> tuple[Path, ...] | Diagnostic:
    """Return the files of the worlds in and below a folder; for a folder of scenes or cases, return the files in it."""
    if real_path(folder).name in PARTS and not any((folder / name).is_file() for name in DOMAIN_FILES):
        files, endings = tuple(_listed(folder)), f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        return files or problem_of(name, f"there is no file in this folder that ends in {endings}", "no-world")
    world_files = dict.fromkeys(file for world in _worlds(folder) for file in _in_world(world))
    if not world_files:
        message = f"there is no world in this folder; expected a {' or '.join(DOMAIN_FILES)} in it"
        return problem_of(name, message, "no-world")
    return tuple(world_files)


def _worlds(folder: Path) -> Iterator[Path]:
    """Yield the folders that hold a domain, in order and at most `DEEPEST` levels deep."""
    top = len(folder.parts)
    for current, inner, files in os.walk(folder):
        inner[:] = (
            sorted(name for name in inner if not name.startswith("."))
            if len(Path(current).parts) - top < DEEPEST
            else []
        )
        if set(DOMAIN_FILES) & set(files):
            yield Path(current)


def _in_world(folder: Path) -> Iterator[Path]:
    """Yield the files of a world: its domain, then the files beside it, its scenes and its cases."""
    yield from (folder / name for name in DOMAIN_FILES if (folder / name).is_file())
    yield from (file for file in _listed(folder) if file.name not in DOMAIN_FILES and file.suffix == ".pddl")
    yield from sorted(folder.glob(f"*{PACK}"))
    for part in PARTS:
        yield from _listed(folder / part)


def _listed(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.suffix in ENDINGS)[:MOST_FILES]


def domain_beside(file: Path) -> Path | None:
    """Return the domain of a file, found by the file's place, or None."""
    resolved = real_path(file)
    folders = (resolved.parent.parent, resolved.parent) if resolved.parent.name in PARTS else (resolved.parent,)
    order = DOMAIN_FILES[::-1] if file.suffix == ".pddl" else DOMAIN_FILES
    for folder in folders:
        for name in order:
            if (folder / name).is_file():
                return folder / name
    return None
