"""Reading worlds: a domain and its scenes, from YAML or PDDL files, by name or by path.

A name is one of the worlds that come with this package (`available_domains`) or, for a scene, one of the files in the
folder ``scenes`` (or ``problems``) beside the domain's file, or a PDDL problem right beside it. Anything with a
separator or an ending is a path.
"""

from __future__ import annotations

import re
from pathlib import Path

from domains.model import Domain, SceneFile
from domains.reader.bases import with_bases
from domains.reader.domain_file import read_domain
from domains.reader.nodes.document import read_document
from domains.reader.repairs import load_repairs
from domains.reader.scene_file import read_scene
from domains.worlds import DOMAIN_FILE, ENDINGS, PDDL_FILE, WORLDS, available_domains
from semantics.errors import UnknownNameError
from semantics.process.reading import parsed, read_head

__all__ = [
    "ANY_SCENE",
    "available_domains",
    "available_scenes",
    "load_domain",
    "load_repairs",
    "load_scene",
    "scene_path",
]

ANY_SCENE = "auto"  # stands for the default scene
HEAD = 65_536  # how many bytes of a file are searched for its kind, since comments may come first
COMMENT = re.compile(r";.*")
PROBLEM = re.compile(r"^\s*\(\s*define\s*\(\s*problem\b", re.IGNORECASE)
SCENE_PLACES = ("scenes/*.yaml", "scenes/*.pddl", "problems/*.pddl")


def available_scenes(domain: Domain) -> tuple[str, ...]:
    """Return the names of the scenes beside a domain's file, sorted."""
    return tuple(sorted(_scenes(domain)))


def load_domain(name_or_path: str | Path) -> Domain:
    """Read a domain; a folder stands for the ``domain.yaml`` or ``domain.pddl`` in it.

    Raises:
        UnknownNameError: A name, not a path, of no world.
        DomainFileError: The file cannot be used; lists every problem with its line and column.
    """
    path = Path(name_or_path)
    if not _is_path(name_or_path):
        if str(name_or_path) not in available_domains():
            raise UnknownNameError("domain", str(name_or_path), available_domains(), _beside(path))
        path = WORLDS / str(name_or_path) / DOMAIN_FILE
    elif _is_file(path / DOMAIN_FILE):
        path /= DOMAIN_FILE
    elif _is_file(path / PDDL_FILE):
        path /= PDDL_FILE
    if path.suffix == ".pddl":
        from domains.reader.beside import load_pddl_world  # most worlds are in YAML and load sooner without it

        return load_pddl_world(path)
    return parsed(("domain", path), lambda: _read_domain(path))


def _read_domain(path: Path) -> Domain:
    node, diagnostics = read_document(path, str(path))
    domain = read_domain(with_bases(node, path), str(path))
    diagnostics.settle()
    return domain


def load_scene(domain: Domain, name_or_path: str | Path) -> SceneFile:
    """Read a scene of a domain.

    Raises:
        UnknownNameError: A name, not a path, of no scene of the domain.
        DomainFileError: The file cannot be used; lists every problem with its line and column.
    """
    path = scene_path(domain, name_or_path)
    if path.suffix == ".pddl":
        from domains.pddl.reader import read_pddl_problem

        return read_pddl_problem(domain, path).scene
    scene, of = parsed(("scene", path), lambda: (_read_scene(path, domain), domain))
    return scene if of is domain or of == domain else _read_scene(path, domain)


def _read_scene(path: Path, domain: Domain) -> SceneFile:
    node, diagnostics = read_document(path, str(path))
    scene = read_scene(node, domain, path.stem)
    diagnostics.settle()
    return scene


def scene_path(domain: Domain, name_or_path: str | Path) -> Path:
    """Return the file of a scene; `ANY_SCENE` is the one called ``full``, or else the first by name.

    Raises:
        UnknownNameError: A name, not a path, of no scene of the domain.
    """
    if _is_path(name_or_path):
        return Path(name_or_path)
    scenes = _scenes(domain)
    if str(name_or_path) == ANY_SCENE and scenes:
        return scenes.get("full") or scenes[min(scenes)]
    if str(name_or_path) not in scenes:
        raise UnknownNameError("scene", str(name_or_path), scenes, _beside(Path(name_or_path)))
    return scenes[str(name_or_path)]


def _scenes(domain: Domain) -> dict[str, Path]:
    """Return the scenes by name, those of the worlds that it extends first.

    Of equal names, YAML wins over PDDL, and folders over the domain's own folder.
    """
    if not domain.source:
        return {}
    folder = Path(domain.source).parent
    beside = {path.stem: path for path in sorted(folder.glob("*.pddl")) if _is_problem(path)}
    inherited = domain.ancestry.files.get("scenes", {})
    return inherited | beside | {path.stem: path for place in SCENE_PLACES[::-1] for path in sorted(folder.glob(place))}


def _is_problem(path: Path) -> bool:
    """Return whether a file begins like a PDDL problem; a domain or an unreadable file does not."""
    try:
        head = read_head(path, HEAD).decode("utf-8", "replace")
    except OSError:
        return False
    return bool(PROBLEM.search(COMMENT.sub("", head)))


def _beside(path: Path) -> str:
    """Return a hint when a file or folder with the given name exists: how to write its path."""
    try:
        exists = bool(path.name) and path.exists()
    except (OSError, ValueError):
        return ""
    return f"the {'folder' if path.is_dir() else 'file'} of that name is named ./{path}" if exists else ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a path that cannot exist; opening it says why
        return False


def _is_path(name_or_path: str | Path) -> bool:
    return (
        isinstance(name_or_path, Path) or "/" in name_or_path or "\\" in name_or_path or name_or_path.endswith(ENDINGS)
    )
